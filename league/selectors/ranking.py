"""Rankings as everybody may see them: the live one and the published ones, each row with why it stands there."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import inf
from typing import Any

from django.db.models import Max, Min, QuerySet

from league.errors import NotFound
from league.models import (
    Championship,
    Entry,
    LiveRanking,
    LiveRow,
    PublishedRanking,
    PublishedRow,
    ResultEvent,
    TeamMember,
)
from league.selectors.journal import CAUSES
from league.selectors.paging import LARGEST, SIZE, Page, bounds
from league.shown_names import shown_name

MOST_PRINTED = 5000
"""Rows of a ranking that is shown whole."""


@dataclass(frozen=True, slots=True)
class RankingRow:
    """One entry's row (STANDINGS 7). `why` is the data of `scoring.why`, or None; `standing` as in scoring.

    With stages (STANDINGS 5): the number of the `stage` that placed it, its pool there and its rank in it, else None.
    """

    position: int
    rank: int | None
    number: int
    team: str
    players: Sequence[str]
    values: dict[str, str | None]
    above_next_by: str | None
    why: dict[str, Any] | None
    standing: str
    played: int
    manches: int
    stage: int | None = None
    pool: int | None = None
    pool_rank: int | None = None


@dataclass(frozen=True, slots=True)
class RankingPage:
    """A page of a live ranking. `provisional` always; `is_due`: results came in that it does not count yet.

    `names` has the team of every entry number that a row or its why speaks of.
    """

    page: Page[RankingRow]
    keys: dict[str, Any]
    names: dict[int, str]
    journal_position: int
    computed_at: datetime | None
    is_due: bool


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The row at a position of the live ranking, with that before and that after it where there are such (`rows`).

    `page` is the one of `live_ranking` on which it stands.
    """

    rows: Sequence[RankingRow]
    position: int
    page: int
    keys: dict[str, Any]
    names: dict[int, str]


@dataclass(frozen=True, slots=True)
class Version:
    """A published version. `moved` and `causes` as in the model."""

    number: int
    label: str
    round: int | None
    rules_version: str
    keys: dict[str, Any]
    journal_position: int
    note: str
    moved: Sequence[dict[str, Any]]
    causes: Sequence[dict[str, Any]]
    at: datetime
    rows: int


@dataclass(frozen=True, slots=True)
class VersionPage:
    """A page of a published version's rows."""

    version: Version
    page: Page[RankingRow]
    names: dict[int, str]


@dataclass(frozen=True, slots=True)
class Move:
    """An entry whose rank differs between two versions; None: it has no rank, or is not there."""

    number: int
    team: str
    before: int | None
    after: int | None


def live_ranking(*, championship: Championship, number: int = 1, size: int = SIZE, most: int = LARGEST) -> RankingPage:
    """A page of the live ranking in four queries, whatever the size: rows are found by their position."""
    return _live_page(championship, *bounds(number, size, most))


def whole_live_ranking(*, championship: Championship) -> RankingPage:
    """All of the live ranking as one page, for what is printed. Four queries."""
    return _live_page(championship, 1, MOST_PRINTED)


def _live_page(championship: Championship, number: int, size: int) -> RankingPage:
    live = LiveRanking.objects.defer("stage_tables").get(championship=championship)
    first = (number - 1) * size
    found = LiveRow.objects.filter(championship=championship, position__gt=first, position__lte=first + size)
    rows = list(_with_team(found))
    players = _players([row.entry.team_id for row in rows])
    lines = [_line(row, row.entry.number, row.entry.team.name, players.get(row.entry.team_id, ())) for row in rows]
    return RankingPage(
        page=Page(lines, number, size, live.row_count),
        keys=live.keys,
        names=names_of(championship, lines),
        journal_position=live.journal_position,
        computed_at=live.computed_at,
        is_due=championship.ranking_due_since is not None,
    )


def live_neighbours(*, entry: Entry) -> Neighbours | None:
    """An entry's row of the live ranking between the two beside it; None as long as it is not counted. Four queries."""
    championship = entry.championship
    position = LiveRow.objects.filter(entry=entry).values_list("position", flat=True).first()
    if position is None:
        return None
    live = LiveRanking.objects.defer("stage_tables").get(championship=championship)
    found = LiveRow.objects.filter(championship=championship, position__range=(position - 1, position + 1))
    rows = [_line(row, row.entry.number, row.entry.team.name, ()) for row in _with_team(found)]
    page = (position - 1) // SIZE + 1
    return Neighbours(rows, position, page, live.keys, teams_of(championship, _spoken_of(rows)))


def versions(*, championship: Championship) -> list[Version]:
    """The published versions, newest first. One query."""
    return [version_of(row) for row in championship.published_rankings.defer("stage_tables").order_by("-number")]


def behind(*, championship: Championship, published: Sequence[Version]) -> Version | None:
    """The newest of the versions (newest first) that no longer shows what stands: of something that it counts, more was
    corrected or ruled since, and no later version counts at least as many rounds.

    Results that simply came in since make no version wrong. One query, none without a version.
    """
    in_force = list(_in_force(published))
    if not in_force:
        return None
    since = min(version.journal_position for version in in_force)
    changed = ResultEvent.objects.filter(championship=championship, position__gt=since, what__in=CAUSES)
    last = dict(changed.order_by().values_list("partie__round").annotate(last=Max("position")))
    return next(
        (
            version
            for version in in_force
            if any(at > version.journal_position and _counts(version, number) for number, at in last.items())
        ),
        None,
    )


def counted_in(*, championship: Championship, parties: Iterable[int]) -> Version | None:
    """The newest published version that counts something of the parties with these numbers. Two queries."""
    events = ResultEvent.objects.filter(championship=championship, partie__number__in=list(parties)).order_by()
    first = list(events.values_list("partie__round").annotate(first=Min("position")))
    published = versions(championship=championship) if first else []
    return next(
        (
            version
            for version in _in_force(published)
            if any(at <= version.journal_position and _counts(version, number) for number, at in first)
        ),
        None,
    )


def _in_force(published: Iterable[Version]) -> Iterator[Version]:
    """The versions (newest first) without those after which one was published that counts as many rounds or more."""
    most = 0.0
    for version in published:
        reach = inf if version.round is None else version.round
        if reach > most:
            most = reach
            yield version


def _counts(version: Version, round_number: int | None) -> bool:
    """Whether a version counts what happened in a round; None: what belongs to none."""
    return version.round is None or round_number is None or round_number <= version.round


def version_page(
    *, championship: Championship, version: int, number: int = 1, size: int = SIZE, most: int = LARGEST
) -> VersionPage:
    """A page of a published version, in three queries. Raises NotFound."""
    number, size = bounds(number, size, most)
    ranking = _published(championship, version)
    first = (number - 1) * size
    rows = PublishedRow.objects.filter(ranking=ranking, position__gt=first, position__lte=first + size).order_by(
        "position"
    )
    lines = [_line(row, row.number, row.name, row.players) for row in rows]
    wanted = _spoken_of(lines)
    names = dict(PublishedRow.objects.filter(ranking=ranking, number__in=wanted).values_list("number", "name"))
    return VersionPage(version_of(ranking), Page(lines, number, size, ranking.row_count), names)


def difference(*, championship: Championship, before: int, after: int) -> list[Move]:
    """What moved between two published versions, in the order of the later one. Four queries. Raises NotFound."""
    old = _published(championship, before).rows.order_by("position").values_list("number", "name", "rank")
    new = _published(championship, after).rows.order_by("position").values_list("number", "name", "rank")
    ranks_before = {number: rank for number, _name, rank in old}
    moves = [
        Move(number, name, ranks_before.get(number), rank)
        for number, name, rank in new
        if number not in ranks_before or ranks_before[number] != rank
    ]
    present = {number for number, _name, _rank in new}
    return moves + [Move(number, name, rank, None) for number, name, rank in old if number not in present]


def _published(championship: Championship, number: int) -> PublishedRanking:
    ranking = championship.published_rankings.defer("stage_tables").filter(number=number).first()
    if ranking is None:
        raise NotFound
    return ranking


def version_of(row: PublishedRanking) -> Version:
    """A published version, of its row."""
    return Version(
        number=row.number,
        label=row.label,
        round=row.round,
        rules_version=row.rules_version,
        keys=row.keys,
        journal_position=row.journal_position,
        note=row.note,
        moved=row.moved,
        causes=row.causes,
        at=row.at,
        rows=row.row_count,
    )


def _line(row: LiveRow | PublishedRow, number: int, team: str, players: Sequence[str]) -> RankingRow:
    return RankingRow(
        position=row.position,
        rank=row.rank,
        number=number,
        team=team,
        players=players,
        values=row.values,
        above_next_by=row.above_next_by,
        why=row.why,
        standing=row.standing,
        played=row.played,
        manches=row.manches,
        stage=row.stage,
        pool=row.pool,
        pool_rank=row.pool_rank,
    )


def _with_team(rows: QuerySet[LiveRow]) -> QuerySet[LiveRow]:
    return rows.select_related("entry__team").order_by("position")


def _players(team_ids: Iterable[int]) -> dict[int, list[str]]:
    players: dict[int, list[str]] = {}
    members = TeamMember.objects.filter(team__in=list(team_ids)).order_by("team", "position")
    columns = members.values_list("team_id", "player_id", "player__name", "player__shown_as")
    for team_id, player_id, name, shown_as in columns:
        players.setdefault(team_id, []).append(shown_name(player_id, name, shown_as))
    return players


def players_of(championship: Championship, numbers: Iterable[int]) -> dict[int, list[str]]:
    """Who plays, by the number of the entry, in the order of the seats. Two queries."""
    teams = dict(
        Entry.objects.filter(championship=championship, number__in=set(numbers)).values_list("number", "team_id")
    )
    players = _players(teams.values())
    return {number: players.get(team_id, []) for number, team_id in teams.items()}


def _spoken_of(lines: Iterable[RankingRow]) -> set[int]:
    """The entries that stand in rows and in their whys."""
    numbers: set[int] = set()
    for line in lines:
        numbers.add(line.number)
        for said in (line.why, *(line.why or {}).get("passed", ())):
            numbers.update((said or {}).get("group", ()), (said or {}).get("pair", ()))
    return numbers


def names_of(championship: Championship, lines: Sequence[RankingRow]) -> dict[int, str]:
    """The team of every entry that rows and their whys speak of. One query."""
    names = {line.number: line.team for line in lines}
    others = _spoken_of(lines) - set(names)
    return names | teams_of(championship, others)


def teams_of(championship: Championship, numbers: Iterable[int]) -> dict[int, str]:
    """The names of the teams of entries, by number. One query."""
    rows = Entry.objects.filter(championship=championship, number__in=set(numbers))
    return dict(rows.values_list("number", "team__name"))
