"""Published versions of a ranking: numbered, frozen, each saying what it counts and what moved (STANDINGS 4)."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound
from league.models import Championship, Entry, PublishedRanking, PublishedRow, ResultEvent, TeamMember
from league.names import tidy
from league.policy import Actor
from league.selectors.etapes import ranking_document
from league.selectors.journal import CAUSES
from league.services import audit
from league.services.locks import lock_championship, one_moment
from league.services.parties import check_round
from league.services.texts import asked_name, fitting
from league.shown_names import shown_name
from scoring.kept_rows import Columns, Computed, computed

RULES_VERSION = "1"
"""Of RULES and STANDINGS as this program reads them; a change of what a ranking comes to raises it."""

_TURNS = 3


def publish(
    *,
    actor: Actor,
    championship_id: int,
    label: str,
    round: int | None = None,  # noqa: A002 — what it is called everywhere
    note: str = "",
) -> PublishedRanking:
    """Freeze the ranking as it stands, or the present results of rounds up to `round`, as the next numbered version.

    It keeps the ranks that moved against the last version of the same round, and the rulings made since, with their
    reasons. A large ranking takes seconds to compute, so that is done before the lock is taken, again if results came
    in meanwhile, and under the lock when they do not stop. Raises NotFound, UserFault; Conflict `nothing-to-publish`
    without an entry, `nothing-new` when that last version counts the same journal.
    """
    for turn in range(_TURNS):
        prepared = prepare(championship_id=championship_id, round=round)
        try:
            return publish_prepared(
                actor=actor,
                championship_id=championship_id,
                label=label,
                note=note,
                prepared=prepared,
                at_last=turn == _TURNS - 1,
            )
        except OvertakenError:
            continue
    raise AssertionError("the last turn publishes or raises")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A ranking computed before the lock is taken: of rounds up to `round`, at this position of the journal."""

    round: int | None
    position: int
    found: Computed


class OvertakenError(Exception):
    """Results came in after a ranking was prepared. Nothing is written."""


def prepare(*, championship_id: int, round: int | None = None) -> Prepared:  # noqa: A002 — as in `publish`
    """Compute what is to be published, all of it from one moment: outside of a transaction, for it takes its time.

    Raises NotFound; UserFault `bad-round`; Conflict `nothing-new`.
    """
    if round is not None:
        check_round(round)
    with one_moment():
        championship = Championship.objects.filter(pk=championship_id).first()
        if championship is None:
            raise NotFound
        _refuse_nothing_new(championship, _last(championship, round))
        position, whole = championship.journal_position, ranking_document(championship, round)
    return Prepared(round, position, computed(whole))


@transaction.atomic
def publish_prepared(
    *,
    actor: Actor,
    championship_id: int,
    label: str,
    note: str = "",
    prepared: Prepared,
    at_last: bool = False,
) -> PublishedRanking:
    """Freeze what `prepare` computed, if it still counts all that there is. Raises OvertakenError, and as `publish`.

    `at_last`: where results came in it is computed again, below the lock.
    """
    shown = asked_name(label, field="label")
    said = fitting(tidy(note), field="note", limit=500)
    championship = lock_championship(pk=championship_id)
    last = _last(championship, prepared.round)
    _refuse_nothing_new(championship, last)
    found = prepared.found
    if prepared.position != championship.journal_position:
        if not at_last:
            raise OvertakenError
        found = computed(ranking_document(championship, prepared.round))
    return _publish(actor, championship, last, shown, prepared.round, said, found)


def _last(championship: Championship, up_to_round: int | None) -> PublishedRanking | None:
    return championship.published_rankings.filter(round=up_to_round).order_by("-number").first()


def _refuse_nothing_new(championship: Championship, last: PublishedRanking | None) -> None:
    if last is not None and last.journal_position == championship.journal_position:
        message = _("Version %(number)s counts all that there is: nothing has changed since.") % {"number": last.number}
        raise Conflict("nothing-new", message, extra={"number": last.number})


def _publish(
    actor: Actor,
    championship: Championship,
    last: PublishedRanking | None,
    label: str,
    up_to_round: int | None,
    note: str,
    found: Computed,
) -> PublishedRanking:
    rows = found.rows
    if not rows:
        raise Conflict("nothing-to-publish", _("There is no entry to rank yet."))
    number = (championship.published_rankings.aggregate(last=Max("number"))["last"] or 0) + 1
    ranking = PublishedRanking.objects.create(
        championship=championship,
        number=number,
        label=label,
        round=up_to_round,
        rules_version=RULES_VERSION,
        keys=found.keys(championship.ranking_keys),
        stage_tables=found.tables,
        journal_position=championship.journal_position,
        note=note,
        moved=_moved(last, rows),
        causes=_causes(championship, last, up_to_round),
        row_count=len(rows),
        by=actor.user,
    )
    _freeze(championship, ranking, rows)
    audit.record(
        actor=actor,
        action="publish",
        on=ranking,
        championship=championship,
        after={
            "number": number,
            "label": label,
            "round": up_to_round,
            "journal_position": ranking.journal_position,
        },
        reason=note[:300],
    )
    return ranking


def _freeze(championship: Championship, ranking: PublishedRanking, rows: dict[int, Columns]) -> None:
    players: dict[int, list[str]] = {}
    for team_id, player_id, name, shown_as in (
        TeamMember.objects.filter(team__championship=championship)
        .order_by("team", "position")
        .values_list("team_id", "player_id", "player__name", "player__shown_as")
    ):
        players.setdefault(team_id, []).append(shown_name(player_id, name, shown_as))
    entries = {entry.number: entry for entry in Entry.objects.filter(championship=championship).select_related("team")}
    PublishedRow.objects.bulk_create(
        PublishedRow(
            ranking=ranking,
            entry=entries[number],
            number=number,
            name=entries[number].team.name,
            players=players.get(entries[number].team_id, []),
            **columns,
        )
        for number, columns in rows.items()
    )


def _moved(last: PublishedRanking | None, rows: dict[int, Columns]) -> list[dict[str, Any]]:
    """Entries whose rank is not that of the last version, in the new order: number, rank before, rank now."""
    if last is None:
        return []
    before = dict(last.rows.values_list("number", "rank"))
    return [
        {"entry": number, "from": before.get(number), "to": columns["rank"]}
        for number, columns in rows.items()
        if number not in before or before[number] != columns["rank"]
    ]


def _causes(championship: Championship, last: PublishedRanking | None, up_to_round: int | None) -> list[dict[str, Any]]:
    """The rulings since the last version, in the journal's order: what, to which partie, manche and entry, why."""
    if last is None:
        return []
    events = ResultEvent.objects.filter(
        championship=championship, position__gt=last.journal_position, what__in=CAUSES
    ).order_by("position")
    if up_to_round is not None:
        events = events.filter(Q(partie__isnull=True) | Q(partie__round__lte=up_to_round))
    return [
        {"position": position, "what": what, "partie": partie, "manche": manche, "entry": entry, "reason": reason}
        for position, what, partie, manche, entry, reason in events.values_list(
            "position", "what", "partie__number", "manche__number", "entry__number", "reason"
        )
    ]
