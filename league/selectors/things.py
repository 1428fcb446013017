"""What the feed speaks of, as everybody may see it now, many at once: each kind in a constant number of queries.

A thing that is gone, or is not for everybody (any more), is left out. The values are those of the lists of the API.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from league.models import (
    Bye,
    Championship,
    ChangeKind,
    Entry,
    LiveRanking,
    LiveRow,
    Partie,
    PartieStatus,
    PublishedRanking,
    Round,
    RoundStatus,
    ShownAs,
    Stage,
    Team,
    Visibility,
)
from league.models.feed import ROUNDS
from league.selectors.championships import line_of, with_counts
from league.selectors.feed import Line
from league.selectors.items import (
    club_item,
    clubs_counted,
    entry_item,
    player_item,
    players_of,
    team_item,
    with_entry,
    with_team,
)
from league.selectors.parties import as_view, with_all
from league.selectors.ranking import version_of, whole_live_ranking
from league.selectors.rounds import RoundLine
from league.selectors.stages import lines_of

Values = Mapping[tuple[str, int], Any]
"""What things are now, by kind and `object_id`."""


@dataclass(frozen=True, slots=True)
class Things:
    """The things of some lines. `slugs`: of the championships that the lines speak of, by their ids."""

    values: Values
    slugs: Mapping[int, str]


def slugs_of(lines: Iterable[Line]) -> dict[int, str]:
    """The addresses of the championships that lines speak of. One query, none without any."""
    ids = {line.championship_id for line in lines if line.championship_id is not None}
    return dict(Championship.objects.filter(pk__in=ids).values_list("pk", "slug")) if ids else {}


def things_of(lines: Collection[Line], *, championship: Championship | None = None) -> Things:
    """What the things of lines are now; one to ten queries for each kind, for each ranking four.

    `championship`: the one that the lines are of, which the reader may see; without one only what is in championships
    that are public is there.
    """
    known = {championship.pk: championship} if championship else _championships(lines)
    seen = [pk for pk, row in known.items() if championship is not None or row.visibility == Visibility.PUBLIC]
    ids: dict[str, list[int]] = defaultdict(list)
    for line in lines:
        ids[line.kind].append(line.object_id)
    values: dict[tuple[str, int], Any] = {}
    for kind, wanted in ids.items():
        values |= {(kind, pk): value for pk, value in _READERS[kind](wanted, seen).items()}
    return Things(values, {pk: row.slug for pk, row in known.items()})


def ranking_sizes(championship_ids: Collection[int]) -> dict[int, int]:
    """How many rows the live rankings of championships have; one without any is left out. One query."""
    rows = LiveRow.objects.filter(championship__in=championship_ids).order_by().values_list("championship")
    return dict(rows.annotate(n=Count("pk")))


def _championships(lines: Iterable[Line]) -> dict[int, Championship]:
    ids = {line.championship_id for line in lines if line.championship_id is not None}
    return Championship.objects.in_bulk(ids) if ids else {}


Reader = Callable[[Collection[int], Collection[int]], dict[int, Any]]
"""From the `object_id`s of one kind, and the championships that may be read, to what is there."""


def _of_championships(ids: Collection[int], seen: Collection[int]) -> dict[int, Any]:
    rows = with_counts(Championship.objects.filter(pk__in=set(ids) & set(seen)).select_related("club"))
    return {row.pk: line_of(row) for row in rows}


def _of_entries(ids: Collection[int], seen: Collection[int]) -> dict[int, Any]:
    return {row.pk: entry_item(row) for row in with_team(Entry.objects.filter(pk__in=ids, championship__in=seen))}


def _of_teams(ids: Collection[int], seen: Collection[int]) -> dict[int, Any]:
    return {row.pk: team_item(row) for row in with_entry(Team.objects.filter(pk__in=ids, championship__in=seen))}


def _of_stages(ids: Collection[int], seen: Collection[int]) -> dict[int, Any]:
    rows = Stage.objects.filter(pk__in=ids, championship__in=seen)
    published = Count("rounds", filter=~Q(rounds__status=RoundStatus.DRAFT))
    rounds = dict(rows.order_by().annotate(n=published).values_list("pk", "n"))
    return {line.id: (line, rounds.get(line.id, 0)) for line in lines_of(rows)}


def _of_parties(ids: Collection[int], seen: Collection[int]) -> dict[int, Any]:
    rows = Partie.objects.filter(pk__in=ids, championship__in=seen).select_related("championship")
    return {row.pk: as_view(row.championship, row) for row in with_all(rows)}


def _of_rankings(ids: Collection[int], seen: Collection[int]) -> dict[int, Any]:
    rows = LiveRanking.objects.filter(championship__in=set(ids) & set(seen)).select_related("championship")
    return {
        row.championship_id: whole_live_ranking(championship=row.championship) for row in rows.defer("stage_tables")
    }


def _of_published(ids: Collection[int], seen: Collection[int]) -> dict[int, Any]:
    rows = PublishedRanking.objects.filter(pk__in=ids, championship__in=seen).defer("stage_tables")
    return {row.pk: version_of(row) for row in rows}


def _of_players(ids: Collection[int], _seen: Collection[int]) -> dict[int, Any]:
    rows = players_of(Visibility.PUBLIC).filter(shown_as=ShownAs.NAME, pk__in=ids)
    return {row.pk: player_item(row) for row in rows}


def _of_clubs(ids: Collection[int], _seen: Collection[int]) -> dict[int, Any]:
    return {row.pk: club_item(row) for row in clubs_counted().filter(pk__in=ids)}


def _of_rounds(ids: Collection[int], seen: Collection[int]) -> dict[int, Any]:
    """As `league.selectors.rounds.round_lines` has them, of several championships."""
    wanted = [divmod(one, ROUNDS) for one in ids if one // ROUNDS in set(seen)]
    asked: dict[int, list[int]] = defaultdict(list)
    for championship, number in wanted:
        asked[championship].append(number)
    if not asked:
        return {}
    byes: dict[tuple[int, int], list[tuple[int, str]]] = defaultdict(list)
    given = Bye.objects.filter(_in(asked, "round")).order_by("entry__number")
    named = given.values_list("championship", "round", "entry__number", "entry__team__name")
    for championship, number, entry, team in named:
        byes[championship, number].append((entry, team))
    counted = Partie.objects.filter(_in(asked, "round")).order_by().values_list("championship", "round")
    played = counted.annotate(
        all=Count("pk", filter=~Q(status=PartieStatus.VOID)), open=Count("pk", filter=Q(status=PartieStatus.OPEN))
    )
    counts = {(championship, number): (all_, open_) for championship, number, all_, open_ in played}
    rows = Round.objects.filter(_in(asked, "number")).select_related("stage").defer("pairing")
    drawn = {(row.championship_id, row.number): row for row in rows}
    return {
        at[0] * ROUNDS + at[1]: _round_line(at[1], drawn.get(at), counts.get(at, (0, 0)), byes[at])
        for at in {*counts, *byes}
    }


def _round_line(number: int, row: Round | None, counts: tuple[int, int], byes: list[tuple[int, str]]) -> RoundLine:
    if row is None:
        return RoundLine(None, number, None, None, *counts, byes)
    return RoundLine(row.pk, number, row.status, row.stage.number if row.stage else None, *counts, byes)


def _in(asked: Mapping[int, Collection[int]], column: str) -> Q:
    """Rounds of championships; a query of one condition for each championship."""
    condition = Q()
    for championship, numbers in asked.items():
        condition |= Q(championship=championship, **{f"{column}__in": numbers})
    return condition


_READERS: Mapping[str, Reader] = {
    ChangeKind.CHAMPIONSHIP: _of_championships,
    ChangeKind.ENTRY: _of_entries,
    ChangeKind.TEAM: _of_teams,
    ChangeKind.STAGE: _of_stages,
    ChangeKind.ROUND: _of_rounds,
    ChangeKind.PARTIE: _of_parties,
    ChangeKind.RANKING: _of_rankings,
    ChangeKind.PUBLISHED_RANKING: _of_published,
    ChangeKind.PLAYER: _of_players,
    ChangeKind.CLUB: _of_clubs,
}
