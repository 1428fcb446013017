"""How far a partie has come: what counts in it, whether its end is reached, which manche is next (STANDINGS 1).

The rows of a partie are read once, under the championship's lock, into a `Table`; services change it and then call
`advance`, which closes the partie at its end, opens it again when a correction takes that end away, or makes the next
manche.

Penalties change places, not the end: when a target of points is reached is told by the cards (STANDINGS 2).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound
from league.models import (
    Championship,
    ClosedHow,
    Manche,
    MancheStatus,
    Partie,
    PartieEnd,
    PartieStatus,
    Result,
    Seat,
    What,
)
from league.services.journal import Line

_UNSETTLED = (MancheStatus.PENDING, MancheStatus.DIFFERS, MancheStatus.CONTESTED)


@dataclass(frozen=True, slots=True)
class Score:
    """What stands in a current result for one seat. `points` without the penalty, None without points."""

    points: int | None
    km: int
    won: bool
    penalty: int = 0
    penalty_reason: str = ""


@dataclass(frozen=True, slots=True)
class SeatAt:
    """A seat of the partie."""

    id: int
    label: str
    entry_id: int
    forfeited: bool
    partner_id: int | None = None


@dataclass(slots=True)
class Table:
    """A partie with its seats (by label), its manches (by number) and the scores of their current results."""

    championship: Championship
    partie: Partie
    seats: list[SeatAt]
    manches: Sequence[Manche]
    scores: dict[int, dict[int, Score]] = field(default_factory=dict)
    """By manche id, then by seat id."""
    awaited: int | None = None
    """The number of the first manche that has no result, if there is one."""
    last_versions: dict[int, int] = field(default_factory=dict)
    """By manche id the number of its last version, also of one that was moved to another table."""

    def manche(self, number: int) -> Manche | None:
        """The manche of this number, if it was made."""
        return next((manche for manche in self.manches if manche.number == number), None)

    @property
    def sitting(self) -> list[int]:
        """The ids of the entries that sit at it, partners of a mêlée too."""
        return [number for seat in self.seats for number in (seat.entry_id, seat.partner_id) if number is not None]

    @property
    def unsettled(self) -> list[Manche]:
        """Manches whose result waits for somebody."""
        return [m for m in self.manches if m.status in _UNSETTLED]

    @property
    def counted(self) -> list[Manche]:
        """Manches that count: confirmed and not void."""
        return [m for m in self.manches if m.status == MancheStatus.CONFIRMED]


def load_table(championship: Championship, partie_id: int) -> Table:
    """Read a partie of a locked championship, in two queries. Raises NotFound where it was taken apart meanwhile."""
    versions = Result.objects.filter(manche=OuterRef("pk")).order_by("-version")
    manches = list(
        Manche.objects.filter(partie=partie_id)
        .select_related("partie", "current_result__document")
        .defer("current_result__verdict", "current_result__document__body")
        .annotate(last_version=Subquery(versions.values("version")[:1]))
        .order_by("number")
    )
    if not manches:
        raise NotFound  # its round was taken back while this one waited for the lock
    partie = manches[0].partie
    partie.championship = championship
    for manche in manches:
        manche.partie = partie
    last_versions = {manche.pk: vars(manche)["last_version"] or 0 for manche in manches}
    awaited = [manche.number for manche in manches if manche.status == MancheStatus.AWAITING]
    table = Table(
        championship, partie, [], manches, awaited=awaited[0] if awaited else None, last_versions=last_versions
    )
    rows = (
        Seat.objects.filter(partie=partie_id)
        .order_by("label", "scores__id")
        .values_list(
            "id",
            "label",
            "entry_id",
            "partner_id",
            "forfeited_at",
            "scores__result__current_of",
            "scores__points",
            "scores__km",
            "scores__won",
            "scores__penalty",
            "scores__penalty_reason",
        )
    )
    for seat_id, label, entry_id, partner_id, forfeited_at, manche_id, points, km, won, penalty, why in rows:
        if not table.seats or table.seats[-1].id != seat_id:
            table.seats.append(SeatAt(seat_id, label, entry_id, forfeited_at is not None, partner_id))
        if manche_id is not None:
            table.scores.setdefault(manche_id, {})[seat_id] = Score(points, km, won, penalty, why)
    return table


def advance(table: Table, *, for_now: bool = False) -> list[Line]:
    """Bring the partie to where its counted manches have it; return what to write into the journal.

    `for_now`: who opens it again asks afterwards whether its seats are free, since it may be closed by then.

    A partie that the referee or a forfeit closed stays closed. Raises Conflict: `later-manches` when the end would be
    reached before manches that have a result, which must be annulled first; `at-another-table` when the end is taken
    away from a partie whose entries play another one by now.
    """
    partie = table.partie
    if partie.status == PartieStatus.VOID or partie.closed_how in (ClosedHow.REFEREE, ClosedHow.FORFEIT):
        return []
    reached = None if table.unsettled else end_reached(table)
    if reached is not None:
        _refuse_later_manches(table, reached)
        return [_close(partie)] if partie.status == PartieStatus.OPEN else []
    lines = []
    if partie.status == PartieStatus.CLOSED:
        if not for_now:
            check_seats_free(partie, table.sitting)
        lines = [_reopen(partie)]
    if not table.unsettled:
        _make_next_manche(table)
    return lines


def check_seats_free(partie: Partie, entry_ids: Iterable[int]) -> None:
    """Raise Conflict `at-another-table` if one of these entries sits at another partie that is open.

    A postponed one holds nobody back.
    """
    numbers = list(entry_ids)
    sitting = Q(entry__in=numbers) | Q(partner__in=numbers)
    still_open = Q(partie__status=PartieStatus.OPEN, partie__postponed_at__isnull=True)
    seats = Seat.objects.filter(sitting, still_open).exclude(partie=partie.pk)
    seat = seats.select_related("partie", "entry__team").order_by("partie__number").first()
    if seat is not None:
        message = _("%(team)s still plays partie %(number)s.") % {
            "team": seat.entry.team.name,
            "number": seat.partie.number,
        }
        raise Conflict("at-another-table", message, field="entries", extra={"partie": seat.partie.number})


def end_reached(table: Table) -> int | None:
    """The number of the counted manche at which the partie's end is reached, or None."""
    championship = table.championship
    target = championship.partie_end_value
    if championship.partie_end == PartieEnd.REFEREE or target is None:
        return None
    points = dict.fromkeys((seat.id for seat in table.seats), 0)
    wins = dict.fromkeys(points, 0)
    for played, manche in enumerate(table.counted, 1):
        for seat_id, score in table.scores[manche.id].items():
            points[seat_id] += score.points or 0
            wins[seat_id] += score.won
        if _is_end(championship.partie_end, target, played, points.values(), wins.values()):
            return manche.number
    return None


def _is_end(partie_end: str, target: int, played: int, points: Iterable[int], wins: Iterable[int]) -> bool:
    if partie_end == PartieEnd.MANCHES:
        return played >= target
    if partie_end == PartieEnd.WINS:
        return max(wins) >= target
    best, *others = sorted(points, reverse=True)
    return best >= target and best not in others  # level at the top: play on (RULES 8)


def _refuse_later_manches(table: Table, reached: int) -> None:
    later = [manche.number for manche in table.counted if manche.number > reached]
    if later:
        raise Conflict(
            "later-manches",
            _("The partie would have ended with manche %(reached)s: annul the later ones first (%(later)s).")
            % {"reached": reached, "later": ", ".join(map(str, later))},
            extra={"reached": reached, "later": later},
        )


def _close(partie: Partie) -> Line:
    partie.status, partie.closed_how, partie.closed_at = PartieStatus.CLOSED, ClosedHow.END, timezone.now()
    save_status(partie)
    return Line(What.PARTIE_CLOSED, partie=partie)


def _reopen(partie: Partie) -> Line:
    partie.status, partie.closed_how, partie.closed_at, partie.reason = PartieStatus.OPEN, "", None, ""
    save_status(partie)
    return Line(What.PARTIE_REOPENED, partie=partie)


def save_status(partie: Partie) -> None:
    """Write a partie's status and what belongs to it, as a new version."""
    partie.version += 1
    partie.save(update_fields=["status", "closed_how", "closed_at", "reason", "version"])


def _make_next_manche(table: Table) -> None:
    if table.awaited is None:  # else it was made before: another one's result was moved away
        table.awaited = table.manches[-1].number + 1
        Manche.objects.create(partie=table.partie, number=table.awaited)


def is_interrupted_beside(table: Table, number: int) -> bool:
    """Whether the referee stopped another manche than this one: at most one of a partie counts (STANDINGS 1)."""
    return any(
        manche.number != number
        and manche.voided_at is None
        and manche.current is not None
        and manche.current.end == "interrupted"
        for manche in table.manches
    )


def is_settled(manche: Manche) -> bool:
    """Whether nothing waits for a decision in this manche: it counts, or it is void."""
    return manche.status in (MancheStatus.VOID, MancheStatus.CONFIRMED)
