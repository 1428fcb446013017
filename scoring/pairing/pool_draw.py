"""Pools of a stage: a snake by seeding."""

from collections.abc import Iterable

from scoring.pairing.field import Contender
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
    by_number = {}
    for contender in contenders:
        if contender.number in by_number:
            raise ValueError(f"entry {contender.number} is given twice")
        by_number[contender.number] = contender
    if not 1 <= count <= len(by_number):
        raise ValueError(f"{count} pools of {len(by_number)} entries")
    order = sorted(by_hash(seed, by_number), key=lambda number: by_number[number].place)

    def of_one_club(one: int, other: int) -> bool:
        club = by_number[one].club
        return apart_by_club and club is not None and club == by_number[other].club

    least, more = divmod(len(order), count)
    backwards = least % 2 == 1  # the last row, which not every pool has, is dealt from the end
    has_more = range(count - more, count) if backwards else range(more)
    sizes = [least + (pool in has_more) for pool in range(count)]
    return tuple(tuple(pool) for pool in snake(order, sizes, of_one_club))
