"""Knock-outs at tables of two, three or four, of which the first q go on (STANDINGS 5).

A round has an *order*: slots from the strongest. In round 1 it is the seeding; afterwards `went_on` gives it: who had
a bye, then the firsts of the tables from table 1 to the last, then the seconds, and so on. Tables are dealt out from it
as a snake, so that the winner of table i takes up slot i: the bracket of tables of two is the usual one (1 against 8, 4
against 5, 2 against 7, 3 against 6), and the slots 1 and 2 can meet only in the final.

What numbers of entries give. The final is one table. Behind it stand the full fields, from which full tables leave just
the next one: T, T², T³… where one of a table goes on; 4, 8, 16… at tables of four with two going on; where the tables
do not come out even the strongest have a bye in a round (three with two: 3, 4, 6, 9, 13…). Any other number plays a
first round that leaves a full field: only as many tables as that takes, and the strongest have byes. If full tables
cannot leave just that, a table or two of T−1 can, where allowed, and the strongest of those who play sit there. If that
cannot be either, the final has the largest number below T with which it can: at tables of three of which one goes on
two leave at a time, so that without short tables an even number of entries ends in a final of two.
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
    full, short = next(
        way
        for last in range(table, through, -1)
        if (way := _way_to(_full_field(entries, table, through, last), entries, table, through, short_tables))
        is not None
    )
    return Stage(entries, full, short, entries - full * table - short * (table - 1), is_final=False)


def _full_field(entries: int, table: int, through: int, last: int) -> int:
    """The largest number below `entries` from which full rounds lead to a final of `last`."""
    field = last
    while (following := table * (field // through) + field % through) < entries and following > field:
        field = following
    return field


def _way_to(field: int, entries: int, table: int, through: int, short_tables: bool) -> tuple[int, int] | None:
    """How many tables of T and, as few as possible, of T−1 leave just this field; None if none do."""
    out, out_of_short = table - through, table - 1 - through
    for short in range(out if short_tables and out_of_short else 1):
        full, odd = divmod(entries - field - short * out_of_short, out)
        if not odd and full >= 0 and full * table + short * (table - 1) <= entries:
            return full, short
    return None
