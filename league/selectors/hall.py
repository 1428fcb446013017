"""The tables of a round for the hall: who sits where and what each waits for, in few and small reads."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q

from league.models import Championship, Entry, Manche, MancheStatus, Partie, PartieStatus, Round, RoundStatus, Seat
from league.selectors.clock import ClockView, clock_of
from league.selectors.paging import Page, paged
from league.selectors.parties import pool_of_partie

TABLES: Final = 100
"""Tables of one page."""

_WORST_FIRST: Final = (MancheStatus.CONTESTED, MancheStatus.DIFFERS, MancheStatus.PENDING)


@dataclass(frozen=True, slots=True)
class HallTable:
    """A table of a round.

    `state`: "awaited", "pending", "differs", "contested", "postponed", "done" or "void". `manche`: the one to enter or
    to decide about, None where nothing is; `played`: how many count. `sides`: number, name and whether it forfeited, in
    seat order; in a mêlée the name is both players'. `entered_by`: the account that entered the manche to decide about;
    `pool`: that of its stage, None without pools.
    """

    id: int
    number: int
    table: int | None
    state: str
    status: str
    manche: int | None
    played: int
    sides: Sequence[tuple[int, str, bool]]
    postponed_reason: str
    version: int
    entered_by: int | None
    pool: int | None

    @property
    def shown_number(self) -> int:
        """What people look for: the table, or the partie where it has none."""
        return self.table or self.number


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round that was drawn, as pages need it; `clock` as of now."""

    id: int
    number: int
    status: str
    seed: str
    reopened: int
    version: int
    stage: str
    clock: ClockView


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a round is: tables that count, those done, and those that were postponed."""

    tables: int
    done: int
    postponed: int

    @property
    def is_done(self) -> bool:
        """Whether nothing is awaited but postponed tables."""
        return self.tables > 0 and self.done + self.postponed >= self.tables


def hall_tables(*, championship: Championship, round_number: int, number: int = 1) -> Page[HallTable]:
    """A page of the tables of a round, by table number. Four queries."""
    rows = Partie.objects.filter(championship=championship, round=round_number).order_by("table_number", "number")
    return paged(rows.annotate(pool=pool_of_partie()), number, TABLES, _lines)


def _lines(parties: Sequence[Partie]) -> list[HallTable]:
    ids = [partie.pk for partie in parties]
    sides: dict[int, list[tuple[int, str, bool]]] = defaultdict(list)
    seats = Seat.objects.filter(partie__in=ids).order_by("partie", "label")
    for partie_id, entry, team, partner, forfeited in seats.values_list(
        "partie_id", "entry__number", "entry__team__name", "partner__team__name", "forfeited_at"
    ):
        name = f"{team} – {partner}" if partner else team
        sides[partie_id].append((entry, name, forfeited is not None))
    manches: dict[int, list[tuple[int, MancheStatus]]] = defaultdict(list)
    found = Manche.objects.filter(partie__in=ids).order_by("partie", "number")
    entered: dict[tuple[int, int], int | None] = {}
    for partie_id, number, voided, state, by in found.values_list(
        "partie_id", "number", "voided_at", "current_result__state", "current_result__by_id"
    ):
        entered[partie_id, number] = by
        status = MancheStatus.VOID if voided else MancheStatus(state or MancheStatus.AWAITING)
        manches[partie_id].append((number, status))
    return [_line(partie, sides[partie.pk], manches[partie.pk], entered) for partie in parties]


def _line(
    partie: Partie,
    sides: Sequence[tuple[int, str, bool]],
    manches: Sequence[tuple[int, MancheStatus]],
    entered: Mapping[tuple[int, int], int | None],
) -> HallTable:
    state, manche = _state(partie, manches)
    return HallTable(
        id=partie.pk,
        number=partie.number,
        table=partie.table_number,
        state=state,
        status=partie.status,
        manche=manche,
        played=sum(status == MancheStatus.CONFIRMED for _number, status in manches),
        sides=sides,
        postponed_reason=partie.postponed_reason,
        version=partie.version,
        pool=getattr(partie, "pool", None),
        entered_by=entered.get((partie.pk, manche)) if manche is not None else None,
    )


def _state(partie: Partie, manches: Sequence[tuple[int, MancheStatus]]) -> tuple[str, int | None]:
    if partie.status == PartieStatus.VOID:
        return "void", None
    for wanted in _WORST_FIRST:
        for number, status in manches:
            if status == wanted:
                return wanted.value, number
    if partie.status == PartieStatus.CLOSED:
        return "done", None
    awaited = next((number for number, status in manches if status == MancheStatus.AWAITING), None)
    return "awaited" if partie.postponed_at is None else "postponed", awaited


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Who has neither a table nor a bye in a round: number and name. `idle`: without an opponent in a round robin."""

    absent: Sequence[tuple[int, str]]
    idle: Sequence[tuple[int, str]]


def left_out(*, championship: Championship, round_number: int) -> LeftOut:
    """Who was left out when a round was published. Two queries at most."""
    rows = Round.objects.filter(championship=championship, number=round_number).exclude(status=RoundStatus.DRAFT)
    pairing = rows.values_list("pairing", flat=True).first() or {}
    absent, idle = pairing.get("absent", []), pairing.get("idle", [])
    if not absent and not idle:
        return LeftOut((), ())
    entries = Entry.objects.filter(championship=championship, number__in=[*absent, *idle])
    names = dict(entries.values_list("number", "team__name"))
    absent, idle = ([(n, names[n]) for n in sorted(listed) if n in names] for listed in (absent, idle))
    return LeftOut(absent, idle)


def progress(*, championship: Championship, round_number: int) -> Progress:
    """How far a round is. One query."""
    rows = Partie.objects.filter(championship=championship, round=round_number).exclude(status=PartieStatus.VOID)
    found = list(rows.values_list("status", "postponed_at"))
    is_open = [postponed for status, postponed in found if status == PartieStatus.OPEN]
    return Progress(len(found), len(found) - len(is_open), sum(postponed is not None for postponed in is_open))


def round_state(*, championship: Championship, round_number: int) -> RoundState | None:
    """A round that was drawn, None for one that was opened by hand. One query."""
    rows = Round.objects.filter(championship=championship, number=round_number).select_related("stage")
    found = rows.defer("pairing").first()
    if found is None:
        return None
    return RoundState(
        id=found.pk,
        number=found.number,
        status=found.status,
        seed=found.seed,
        reopened=found.reopened,
        version=found.version,
        stage=found.stage.name if found.stage else "",
        clock=clock_of(found),
    )


def table_to_enter(*, championship: Championship, round_number: int, table: int) -> HallTable | None:
    """The partie at a table of a round, or of this number where no table has it. Four queries at most."""
    rows = Partie.objects.filter(championship=championship, round=round_number).exclude(status=PartieStatus.VOID)
    found = rows.filter(Q(table_number=table) | Q(table_number__isnull=True, number=table)).order_by("table_number")
    return next(iter(_lines(list(found[:1]))), None)
