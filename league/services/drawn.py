"""One round's tables, as the format of its stage has them: from who plays to tables, byes, and who has no opponent."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from typing import Any

from django.utils.translation import gettext as _

from league.errors import Conflict
from league.models import Championship, Format, Partie, PartieStatus, Ranks, Stage, StageEntry
from league.selectors.bracket import Bracket, BracketTable, bracket
from league.selectors.missing_pairs import Missing, kept_meetings, missing_pairs
from league.selectors.pairing_field import PairingField
from league.selectors.round_robin import effect_of
from scoring.pairing import (
    Contender,
    Pairing,
    knockout,
    knockout_plan,
    melee,
    missing_round,
    place_match,
    round_robin,
    round_robin_rounds,
    seated,
    swiss,
    went_on,
)

Table = dict[str, Any]
"""A table as `Round.pairing` keeps it."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a draw is made from. `drawn`: rounds of the stage before this one.

    `kept`: tables that were played when the round was reopened; `busy`: who sits there.
    """

    championship: Championship
    stage: Stage | None
    seed: str
    field: PairingField
    playing: Sequence[int]
    drawn: int
    round_number: int
    kept: Sequence[Table]
    busy: frozenset[int]

    @property
    def size(self) -> int:
        """Entries at a table."""
        return self.championship.table_entries

    @property
    def short_tables(self) -> bool:
        """Whether tables of one less are made."""
        return self.championship.allow_short_tables


@dataclass(slots=True)
class Found:
    """What was drawn.

    `idle`: without an opponent in a round robin, who withdrew or was met in the stage before: no points, no bye.
    """

    tables: list[Table] = field(default_factory=list)
    byes: list[int] = field(default_factory=list)
    idle: list[int] = field(default_factory=list)


def draw(drawing: Drawing) -> Found:
    """The tables of a round, numbered in their order. Raises Conflict where a knock-out cannot go on yet."""
    stage = drawing.stage
    if drawing.championship.ranks == Ranks.PLAYERS:
        found = _melee(drawing)
    elif stage is not None and stage.format == Format.ROUND_ROBIN:
        found = _round_robin(drawing, stage)
    elif stage is not None and stage.format == Format.KNOCKOUT:
        found = _knockout(drawing, stage)
    else:
        found = _swiss(drawing)
    taken = {table["number"] for table in drawing.kept}
    found.tables = [
        table for table in found.tables if drawing.busy.isdisjoint(n for side in table["sides"] for n in side)
    ]
    found.byes = [number for number in found.byes if number not in drawing.busy]
    numbers = (number for number in count(1) if number not in taken)
    for table in found.tables:
        table["number"] = next(numbers)
    return found


def table_of(sides: Iterable[Sequence[int]], **more: Any) -> Table:
    """A table for `Round.pairing`, its number still to be given."""
    plain: Table = {"number": 0, "sides": [list(side) for side in sides], "pool": None, "kept": False}
    return plain | more


def _swiss(drawing: Drawing) -> Found:
    stage, found = drawing.stage, Found()
    pools = _by_pool(drawing) if stage is not None and stage.pools > 1 else {None: drawing.playing}
    for pool, numbers in sorted(pools.items(), key=lambda item: item[0] or 0):
        pairing = swiss(
            _contenders(drawing, numbers),
            drawing.field.met,
            table=drawing.size,
            short_tables=drawing.short_tables,
            apart_by_club=stage is not None and stage.apart_by_club,
            seed=drawing.seed,
        )
        _add(found, pairing, pool)
    return found


def _contenders(drawing: Drawing, numbers: Iterable[int]) -> list[Contender]:
    """Those who play; at free tables nobody's standing matters."""
    known = [drawing.field.contenders[number] for number in numbers]
    if drawing.stage is None or drawing.stage.format == Format.FREE:
        return [replace(one, match_points=Fraction(0), place=1) for one in known]
    return known


def _by_pool(drawing: Drawing) -> dict[int | None, list[int]]:
    pools: dict[int | None, list[int]] = defaultdict(list)
    for number in drawing.playing:
        pools[drawing.field.pools[number]].append(number)
    return pools


def _add(found: Found, pairing: Pairing, pool: int | None) -> None:
    found.tables += [table_of([[number] for number in numbers], pool=pool) for numbers in pairing.tables]
    found.byes += pairing.byes


def _melee(drawing: Drawing) -> Found:
    drawn = melee(
        _contenders(drawing, drawing.playing),
        drawing.field.partners,
        drawing.field.met,
        table=drawing.size,
        short_tables=drawing.short_tables,
        seed=drawing.seed,
    )
    return Found([table_of(teams) for teams in drawn.tables], list(drawn.byes))


def _round_robin(drawing: Drawing, stage: Stage) -> Found:
    """Berger's tables: an entry that withdrew keeps its place; its opponents have a forfeit or nobody (STANDINGS 2).

    Who announced to be absent has its table all the same: it is postponed, or forfeited.
    """
    found = Found()
    pools: dict[int | None, list[int]] = defaultdict(list)
    for number, pool in StageEntry.objects.filter(stage=stage).order_by("seed").values_list("entry__number", "pool"):
        pools[pool].append(number)
    staying = set(drawing.field.contenders)
    missing = missing_pairs(stage=stage, before=drawing.round_number)
    if missing is not None and any(missing.pairs.values()):
        return _of_missing(drawing, stage, missing)
    for pool, numbers in sorted(pools.items(), key=lambda item: item[0] or 0):
        if drawing.drawn >= round_robin_rounds(len(numbers)) and stage.rounds_planned is None:
            continue  # a smaller pool has fewer rounds
        pairing = round_robin(numbers, drawing.drawn + 1)
        for one, other in pairing.tables:
            gone = [number for number in (one, other) if number not in staying]
            if not gone:
                found.tables.append(table_of([[one], [other]], pool=pool))
            elif len(gone) == 1:
                _against_gone(drawing, stage, found, (one, other), gone[0], len(numbers), pool)
        found.byes += [number for number in pairing.byes if number in staying]
    return found


def _of_missing(drawing: Drawing, stage: Stage, missing: Missing) -> Found:
    """Tables of those alone whose meeting was not carried over (STANDINGS 5); the others are idle, without a bye."""
    found = Found()
    staying = set(drawing.field.contenders)
    for pool, order in sorted(missing.order.items(), key=lambda item: item[0] or 0):
        pairs = missing_round(order, missing.pairs[pool], missing.firsts, drawing.busy)
        sitting = {number for pair in pairs for number in pair} | drawing.busy
        for pair in pairs:
            gone = [number for number in pair if number not in staying]
            table = table_of([[number] for number in pair], pool=pool)
            found.tables.append(table | {"forfeit": gone} if gone else table)
        found.idle += [number for number in order if number in staying - sitting]
    return found


def _against_gone(
    drawing: Drawing, stage: Stage, found: Found, pair: Sequence[int], gone: int, size: int, pool: int | None
) -> None:
    if _effect(drawing.championship, stage, gone, size) == "forfeit":
        found.tables.append(table_of([[number] for number in pair], pool=pool, forfeit=[gone]))
    else:
        found.idle += [number for number in pair if number != gone]


def _effect(championship: Championship, stage: Stage, number: int, size: int) -> str:
    """What became of the parties of an entry that withdrew from a pool of so many: "void" or "forfeit"."""
    rounds = list(stage.rounds.values_list("number", flat=True))
    own = Partie.objects.filter(championship=championship, round__in=rounds, seats__entry__number=number)
    kept = kept_meetings(stage=stage, number=number)
    return effect_of(stage, size, own.filter(status=PartieStatus.CLOSED).count(), rounds, kept=kept).what


def _knockout(drawing: Drawing, stage: Stage) -> Found:
    state = bracket(championship=drawing.championship, stage=stage)
    last = state.rounds[-1] if state.rounds else None
    past = [[side[0] for side in table.sides] for table in last.deciding] if last else []
    _refuse_annulled(last.deciding if last else (), drawing.field)
    order = [number for number in _order(state, stage) if number in drawing.field.contenders]
    if len(order) < 2:
        raise Conflict("stage-over", _("The final was played: this stage is over."))
    through = stage.table_qualify
    pairing = knockout(order, table=drawing.size, through=through, short_tables=drawing.short_tables, past_tables=past)
    plan = knockout_plan(len(order), table=drawing.size, through=through, short_tables=drawing.short_tables)
    found = Found(byes=list(pairing.byes))
    for numbers in pairing.tables:
        found.tables.append(_seated(drawing, numbers, 1 if plan[0].is_final else None))
    if plan[0].is_final and stage.place_match and last is not None:
        finished = [[*table.went_on, *table.out] for table in last.deciding]
        losers = place_match(finished, table=drawing.size, through=through)
        losers = tuple(number for number in losers if number in drawing.field.contenders)
        if len(losers) >= max(2, drawing.size - 1):
            found.tables.append(_seated(drawing, losers, len(order) + 1))
    return found


def _refuse_annulled(tables: Iterable[BracketTable], field: PairingField) -> None:
    """Nobody goes on from a table that was annulled, so those who sat there and are still in would be out unasked."""
    for table in tables:
        if table.status == PartieStatus.VOID and any(side[0] in field.contenders for side in table.sides):
            message = _("Table %(table)s was annulled, so nobody goes on from it: open it again, or rule forfeits.")
            raise Conflict("void-table", message % {"table": table.number}, extra={"table": table.number})


def _seated(drawing: Drawing, numbers: Sequence[int], place: int | None) -> Table:
    seats = {number: drawing.field.contenders[number].seats for number in numbers}
    return table_of([[number] for number in seated(numbers, seats, table=drawing.size, seed=drawing.seed)], place=place)


def _order(state: Bracket, stage: Stage) -> Sequence[int]:
    """The slots of the next round of a knock-out, from the strongest."""
    if not state.rounds:
        return sorted(state.seeds, key=state.seeds.__getitem__)
    last = state.rounds[-1]
    for table in last.deciding:
        if table.level:
            names = ", ".join(state.names[number] for number in table.level)
            message = _("Table %(table)s: one more manche among %(names)s decides who goes on.") % {
                "table": table.number,
                "names": names,
            }
            raise Conflict("level-at-the-limit", message, extra={"table": table.number, "level": list(table.level)})
    if any(table.place == 1 for table in last.tables):
        return ()
    return went_on([_finished(table) for table in last.deciding], list(last.byes), through=stage.table_qualify)


def _finished(table: BracketTable) -> Sequence[int]:
    return [*table.went_on]
