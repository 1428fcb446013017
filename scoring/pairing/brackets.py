"""Knock-outs at tables of two, three or four, of which the first q go on (STANDINGS 5).

A round has an *order*: slots from the strongest. In round 1 it is the seeding; afterwards `went_on` gives it: who had
a bye, then the firsts of the tables from table 1 to the last, then the seconds, and so on. Tables are dealt out from it
as a snake, so that the winner of table i takes up slot i: the bracket of tables of two is the usual one (1 against 8, 4
against 5, 2 against 7, 3 against 6), and the slots 1 and 2 can meet only in the final.

What numbers of entries give. The final is one table, of T or of all who are left. The rounds before it have full
fields: T, then for each round back the field from which tables of T leave just that (q = 1: T, T², T³…; four with two
going on: 4, 8, 16…; three with two: 3, 4, 6, 9, 13… where one has a bye whenever the tables do not come out even). Any
other number plays a first round that leaves a full field: only as many tables as that takes, the strongest have byes
instead, and a table of T−1, where allowed, goes to the strongest of those who play. Where nothing comes out even (17 at
tables of four: one out of a table of three is not enough, and two are too many) the first round leaves the next lower
number that can be left, and a later one is short.

Without short tables the last table can still be smaller than T: at tables of three of which one goes on, two leave at
a time, so that an even number of entries ends in a final of two.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scoring.pairing.field import Pairing
from scoring.pairing.snake import snake


@dataclass(frozen=True, slots=True)
class Stage:
    """A round of a knock-out before it is played: so many `entries`, `full` and `short` tables, and `byes`."""

    entries: int
    full: int
    short: int
    byes: int
    is_final: bool

    @property
    def tables(self) -> int:
        """How many tables are played."""
        return self.full + self.short


def knockout_plan(entries: int, *, table: int, through: int, short_tables: bool = False) -> tuple[Stage, ...]:
    """All rounds, the final last; none for fewer than two entries. Raises ValueError unless 1 ≤ `through` < T."""
    plan: list[Stage] = []
    while entries > 1:
        stage = _stage(entries, table, through, short_tables=short_tables)
        plan.append(stage)
        entries = 1 if stage.is_final else stage.byes + through * stage.tables
    return tuple(plan)


def knockout(
    order: Sequence[int],
    *,
    table: int,
    through: int,
    short_tables: bool = False,
    past_tables: Sequence[Collection[int]] = (),
) -> Pairing:
    """The next round for these slots: tables from table 1, each with its strongest slot first; byes to the strongest.

    `past_tables`: those of the round before; where several go on, those who come from one table are kept apart if that
    can be done by changing places inside a row. Seats are for the caller (`seated`). One entry is left: no table, and
    it stands in `byes`. Raises ValueError unless 1 ≤ `through` < T, or for a number given twice.

    >>> knockout([1, 2, 3, 4, 5, 6], table=2, through=1)
    Pairing(tables=((3, 6), (4, 5)), byes=(1, 2), cost=None)
    """
    if len(set(order)) != len(order):
        raise ValueError("an entry stands in the order twice")
    if len(order) < 2:
        return Pairing(tables=(), byes=tuple(order))
    stage = _stage(len(order), table, through, short_tables=short_tables)
    came_from = {number: place for place, numbers in enumerate(past_tables) for number in numbers}

    def of_one_table(one: int, other: int) -> bool:
        return one in came_from and came_from[one] == came_from.get(other)

    size = min(table, stage.entries)
    sizes = [size - 1] * stage.short + [size] * stage.full
    if stage.is_final:
        sizes = [stage.entries]
    dealt = snake(order[stage.byes :], sizes, of_one_table)
    return Pairing(tables=tuple(tuple(group) for group in dealt), byes=tuple(order[: stage.byes]))


def went_on(finished: Sequence[Sequence[int]], byes: Sequence[int], *, through: int) -> tuple[int, ...]:
    """The order of the next round: `finished` are the tables from table 1, each from its first to its last.

    >>> went_on([(3, 6), (5, 4)], [1, 2], through=1)
    (1, 2, 3, 5)
    """
    return (*byes, *(numbers[place] for place in range(through) for numbers in finished if place < len(numbers)))


def place_match(finished: Sequence[Sequence[int]], *, table: int, through: int) -> tuple[int, ...]:
    """Who plays for the places behind the final: at most T of those who went out in the round before it.

    The best of them first: those placed first after the ones who went on, from table 1. Empty unless there are two.

    >>> place_match([(1, 4), (2, 3)], table=2, through=1)
    (4, 3)
    """
    deepest = max((len(numbers) for numbers in finished), default=0)
    out = [numbers[place] for place in range(through, deepest) for numbers in finished if place < len(numbers)]
    return tuple(out[:table]) if len(out) > 1 else ()


def _stage(entries: int, table: int, through: int, *, short_tables: bool) -> Stage:
    if table not in (2, 3, 4) or not 1 <= through < table:
        raise ValueError(f"tables of {table} of which {through} go on")
    if entries <= table:
        return Stage(entries, int(entries == table), int(entries < table), 0, is_final=True)
    aim = _full_field(entries, table, through)
    most_short = entries // (table - 1) if short_tables and table - 1 > through else 0
    best = (0, 0, 0)
    for short in range(min(most_short, table) + 1):
        out_of_short = short * (table - 1 - through)
        room = (entries - short * (table - 1)) // table
        wanted = -(-max(0, entries - aim - out_of_short) // (table - through))
        full = min(wanted, room)
        left = entries - full * (table - through) - out_of_short
        best = (
            min(best, (abs(left - aim) if left <= aim else entries + left, short, full))
            if short
            else (abs(left - aim) if left <= aim else entries + left, short, full)
        )
    _, short, full = best
    return Stage(entries, full, short, entries - full * table - short * (table - 1), is_final=False)


def _full_field(entries: int, table: int, through: int) -> int:
    """The largest full field below this number."""
    field = table
    while (following := table * (field // through) + field % through) < entries:
        field = following
    return field
