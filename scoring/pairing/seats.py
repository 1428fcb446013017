"""Who sits where at a table: first seats (label A, who plays first) balanced, then the others, then by hash."""

from collections.abc import Mapping, Sequence
from itertools import permutations

from scoring.pairing.lots import by_hash

Seats = Sequence[int]
"""How many times an entry sat at label A, B, C, D; a shorter one: never at the others."""


def debt(seats: Seats, table: int) -> int:
    """How far an entry has had more first seats than its share: T × first seats − parties played."""
    return table * (seats[0] if seats else 0) - sum(seats)


def at(seats: Seats, label: int) -> int:
    """How many times at this label (0 is A)."""
    return seats[label] if label < len(seats) else 0


def seated(numbers: Sequence[int], seats: Mapping[int, Seats], *, table: int, seed: str) -> tuple[int, ...]:
    """These numbers in seat order, A first; for tables drawn or changed by hand, and of a knock-out.

    `table` is T, also for a short table. A goes to the one that has had least of its share of first seats; the others
    sit where they sat least; what is level goes by hash.

    >>> seated([1, 2], {1: (1, 0), 2: (0, 1)}, table=2, seed="s1")
    (2, 1)
    """
    order = by_hash(seed, numbers)
    chosen = best_seating([seats.get(number, ()) for number in order], table)[2]
    return tuple(order[place] for place in chosen)


def best_seating(members: Sequence[Seats], table: int) -> tuple[int, int, tuple[int, ...]]:
    """`Cost.first`, `Cost.seats` and the places of `members` in seat order: least first, then first in their order."""
    return min(
        (debt(members[order[0]], table), sum(at(members[place], label) for label, place in enumerate(order)), order)
        for order in permutations(range(len(members)))
    )
