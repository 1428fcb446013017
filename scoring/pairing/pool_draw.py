"""Pools of a stage: a snake by seeding."""

from collections.abc import Iterable

from scoring.pairing.field import Contender, by_number
from scoring.pairing.lots import by_hash
from scoring.pairing.snake import snake


def pools(
    contenders: Iterable[Contender], count: int, *, seed: str, apart_by_club: bool = False
) -> tuple[tuple[int, ...], ...]:
    """`count` pools, each its numbers from the best placed: first row 1, 2, 3…, second row back, and so on.

    Sizes differ by one at most. Seeding is `place`, shared places by hash. Entries of one club are kept apart when
    asked by changing places inside a row, so that each pool still has one of every row. Raises ValueError for a number
    given twice, for fewer than one pool, or for more pools than entries.

    >>> pools([Contender(number, place=number) for number in range(1, 8)], 2, seed="s1")
    ((1, 4, 5), (2, 3, 6, 7))
    """
    known = by_number(contenders)
    if not 1 <= count <= len(known):
        raise ValueError(f"{count} pools of {len(known)} entries")
    order = sorted(by_hash(seed, known), key=lambda number: known[number].place)

    def of_one_club(one: int, other: int) -> bool:
        club = known[one].club
        return apart_by_club and club is not None and club == known[other].club

    least, more = divmod(len(order), count)
    backwards = least % 2 == 1  # the last row, which not every pool has, is dealt from the end
    has_more = range(count - more, count) if backwards else range(more)
    sizes = [least + (pool in has_more) for pool in range(count)]
    return tuple(tuple(pool) for pool in snake(order, sizes, of_one_club))
