"""Rounds as programs read them: how far each is, its tables, byes and absences, its clock; a draft with warnings."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count
from django.utils.translation import gettext as _

from league.errors import NotFound
from league.models import Absence, Championship, Partie, PartieStatus, Round, RoundStatus, Seat, Stage, StageEntry
from league.selectors.drafts import DraftView, draft_view
from league.selectors.organising import byes_of_round, names_of_entries
from league.selectors.parties import rounds
from league.selectors.windows import Asked, Window, window

Named = tuple[int, str]
"""An entry: its number and its team's name."""

Drawn = tuple[int | None, str | None, int | None]
"""Of a round that was drawn: its id, its status, the number of its stage."""

BY_HAND: Final[Drawn] = (None, None, None)
"""The same of a round that was opened by hand."""


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round in a list. `id`, `status` and `stage` (its number) are None for one that was opened by hand."""

    id: int | None
    number: int
    status: str | None
    stage: int | None
    parties: int
    open: int
    byes: Sequence[Named]
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of a round. `number` and `partie` None where it has none; the rest as in `Round.pairing`."""

    number: int | None
    partie: int | None
    sides: Sequence[Sequence[int]]
    pool: int | None
    place: int | None
    extra_of: int | None
    kept: bool


@dataclass(frozen=True, slots=True)
class ClockLine:
    """The clock as it is kept: `seconds_left` when it was started, or held where `started_at` is None."""

    minutes: int | None
    at_end: str
    started_at: datetime | None
    seconds_left: int | None


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round. `seed`, `clock` and what else a draw has are None for one that was opened by hand; `draft`: its warnings
    and changes, None for whoever may not see it.
    """

    id: int | None
    number: int
    status: str | None
    stage: int | None
    seed: str | None
    reopened: int
    drawn_at: datetime | None
    published_at: datetime | None
    locked_at: datetime | None
    parties: int
    open: int
    tables: Sequence[TableLine]
    byes: Sequence[Named]
    absent: Sequence[Named]
    idle: Sequence[Named]
    clock: ClockLine | None
    draft: DraftView | None
    unchecked: str


def round_lines(*, championship: Championship) -> list[RoundLine]:
    """The rounds in which something is or was played, first to last. Three queries.

    A draft is not among them, unless it was published before and something of it was played.
    """
    rows = Round.objects.filter(championship=championship).values_list("number", "id", "status", "stage__number")
    drawn: dict[int, Drawn] = {number: (id_, status, stage) for number, id_, status, stage in rows}
    return [
        RoundLine(id_, one.number, status, stage, one.parties, one.open, one.byes)
        for one in rounds(championship=championship)
        for id_, status, stage in [drawn.get(one.number, BY_HAND)]
    ]


def round_at(*, championship: Championship, number: int) -> Round:
    """A round that was drawn, by its number, a draft too. One query. Raises NotFound, which says so of one by hand."""
    found = Round.objects.select_related("stage").filter(championship=championship, number=number).first()
    if found is None:
        if any(one.number == number for one in rounds(championship=championship)):
            message = _(
                "Round %(number)s was not drawn: its tables were opened by hand, so this cannot be done with it."
            )
            raise NotFound(message=message % {"number": number})
        raise NotFound
    return found


def round_of(*, round_id: int) -> int:
    """The number of a round that was drawn. One query. Raises NotFound."""
    found = Round.objects.filter(pk=round_id).values_list("number", flat=True).first()
    if found is None:
        raise NotFound
    return found


def stage_at(*, championship: Championship, number: int) -> Stage:
    """A stage by its number. One query. Raises NotFound."""
    found = Stage.objects.filter(championship=championship, number=number).first()
    if found is None:
        raise NotFound
    found.championship = championship
    return found


@dataclass(frozen=True, slots=True)
class MemberLine:
    """An entry of a stage."""

    seed: int
    entry: int
    team: str
    pool: int | None


def stage_members(*, stage: Stage, asked: Asked) -> Window[MemberLine]:
    """Who is in a stage, by seed. One query."""
    rows = StageEntry.objects.filter(stage=stage).select_related("entry__team")
    return window(
        rows, asked, [("seed", int)], lambda row: MemberLine(row.seed, row.entry.number, row.entry.team.name, row.pool)
    )


def published_rounds(*, championship: Championship) -> dict[int, int]:
    """How many rounds of each stage, by its id, were drawn and published. One query."""
    rows = Round.objects.filter(championship=championship, stage__isnull=False).exclude(status=RoundStatus.DRAFT)
    return dict(rows.order_by().values("stage").annotate(n=Count("pk")).values_list("stage", "n"))


def round_view(*, championship: Championship, number: int, with_draft: bool) -> RoundView:
    """A round by its number; seven queries at most, of a draft ten more. Raises NotFound.

    Without `with_draft` of a round that is being drawn only what was published of it and played.
    """
    row = Round.objects.select_related("stage").filter(championship=championship, number=number).first()
    is_draft = row is not None and row.status == RoundStatus.DRAFT
    byes = [(bye.number, bye.team) for bye in byes_of_round(championship=championship, round_number=number)]
    parties = _parties(championship, number)
    if not parties and not byes and (row is None or (is_draft and not with_draft)):
        raise NotFound
    pairing = row.pairing if row is not None and (with_draft or not is_draft) else {}
    shows_draft = is_draft and with_draft
    left_out = [*pairing.get("absent", []), *pairing.get("idle", []), *(pairing.get("byes", []) if shows_draft else [])]
    names = names_of_entries(championship=championship, numbers=left_out) if left_out else {}
    if shows_draft:
        byes = _named(pairing.get("byes", []), names)
    return RoundView(
        id=row.pk if row else None,
        number=number,
        status=row.status if row else None,
        stage=row.stage.number if row and row.stage else None,
        seed=row.seed if row and pairing else None,
        reopened=row.reopened if row else 0,
        drawn_at=row.drawn_at if row and pairing else None,
        published_at=row.published_at if row else None,
        locked_at=row.locked_at if row else None,
        parties=sum(partie.status != PartieStatus.VOID for partie in parties),
        open=sum(partie.status == PartieStatus.OPEN for partie in parties),
        tables=_drawn(pairing) if shows_draft else _played(parties, pairing),
        byes=byes,
        absent=_named(pairing.get("absent", []), names),
        idle=_named(pairing.get("idle", []), names),
        clock=_clock(row) if row else None,
        draft=draft_view(championship=championship, round_=row) if row and shows_draft else None,
        unchecked=pairing.get("unchecked", "") if shows_draft else "",
    )


def _parties(championship: Championship, number: int) -> list[Partie]:
    rows = Partie.objects.filter(championship=championship, round=number).order_by("number")
    return list(rows.only("number", "table_number", "status"))


def _played(parties: Sequence[Partie], pairing: Mapping[str, Any]) -> list[TableLine]:
    """The tables at which a round is played, those that were annulled left out."""
    counted = [partie for partie in parties if partie.status != PartieStatus.VOID]
    sides: dict[int, list[list[int]]] = defaultdict(list)
    seats = Seat.objects.filter(partie__in=[partie.pk for partie in counted]).order_by("partie", "label")
    for partie_id, *side in seats.values_list("partie", "entry__number", "partner__number"):
        sides[partie_id].append([number for number in side if number is not None])
    drawn = {table.get("partie"): table for table in pairing.get("tables", [])}
    lines = [
        _line(drawn.get(partie.number, {}), partie.table_number, partie.number, sides[partie.pk]) for partie in counted
    ]
    return sorted(lines, key=lambda line: (line.number is None, line.number, line.partie))


def _drawn(pairing: Mapping[str, Any]) -> list[TableLine]:
    """The tables of a draft."""
    return [_line(table, table["number"], table.get("partie"), table["sides"]) for table in pairing.get("tables", [])]


def _line(
    table: Mapping[str, Any], number: int | None, partie: int | None, sides: Sequence[Sequence[int]]
) -> TableLine:
    return TableLine(
        number=number,
        partie=partie,
        sides=sides,
        pool=table.get("pool"),
        place=table.get("place"),
        extra_of=table.get("extra_of"),
        kept=bool(table.get("kept")),
    )


def _named(numbers: Iterable[int], names: Mapping[int, str]) -> list[Named]:
    return [(number, names[number]) for number in sorted(numbers) if number in names]


def _clock(row: Round) -> ClockLine:
    return ClockLine(row.clock_minutes, row.clock_at_end, row.clock_started_at, row.clock_left)


@dataclass(frozen=True, slots=True)
class AbsenceLine:
    """An entry that announced not to play a round; `rounds`: all that it announced not to play."""

    round: int
    entry: int
    team: str
    rounds: Sequence[int]


def absences(*, championship: Championship, round_number: int, entry: int | None = None) -> list[AbsenceLine]:
    """Who announced not to play a round, by number, or that one of them. Two queries."""
    rows = Absence.objects.filter(championship=championship, round=round_number).order_by("entry__number")
    if entry is not None:
        rows = rows.filter(entry__number=entry)
    found = list(rows.values_list("entry_id", "entry__number", "entry__team__name"))
    every: dict[int, list[int]] = defaultdict(list)
    all_of_them = Absence.objects.filter(championship=championship, entry__in=[id_ for id_, *_rest in found])
    for id_, number in all_of_them.order_by("round").values_list("entry_id", "round"):
        every[id_].append(number)
    return [AbsenceLine(round_number, number, team, every[id_]) for id_, number, team in found]
