"""Round robins at tables of two: Berger's tables."""

from collections.abc import Sequence

from scoring.pairing.field import Pairing


def round_robin_rounds(entries: int, *, legs: int = 1) -> int:
    """How many rounds everybody needs to meet everybody `legs` times; with an odd number each has a bye a leg."""
    return legs * (entries - 1 + entries % 2) if entries > 1 else 0


def round_robin(numbers: Sequence[int], round_number: int) -> Pairing:
    """One round (from 1) of Berger's tables, for entries in the order in which they were drawn.

    In a leg every two meet once, and the first seats of any two entries differ by at most one (odd: not at all). Rounds
    past the first leg are the second with the seats turned, and so on. Keep the same `numbers` in every round: an entry
    that leaves stays in its place and its parties are forfeits or void (STANDINGS 2). Raises ValueError for a round < 1
    or fewer than two entries, or a number that is given twice.

    >>> round_robin([1, 2, 3, 4], 2).tables
    ((4, 3), (1, 2))
    """
    if len(set(numbers)) != len(numbers) or len(numbers) < 2:
        raise ValueError("a round robin needs two entries or more, each once")
    if round_number < 1:
        raise ValueError("rounds are counted from 1")
    leg, turn = divmod(round_number - 1, round_robin_rounds(len(numbers)))
    last = len(numbers) + len(numbers) % 2
    pairs = _berger(last, turn)
    named = [tuple(numbers[seat - 1] for seat in pair if seat <= len(numbers)) for pair in pairs]
    return Pairing(
        tables=tuple(pair if leg % 2 == 0 else pair[::-1] for pair in named if len(pair) == 2),
        byes=tuple(pair[0] for pair in named if len(pair) == 1),
    )


def _berger(last: int, turn: int) -> list[tuple[int, int]]:
    """Berger's places 1 to `last` (even) of a round (from 0): those meet whose sum is the round's, modulo last − 1."""
    modulus = last - 1
    alone = next(place for place in range(1, last) if (2 * place - turn - 2) % modulus == 0)
    pairs = [(alone, last) if alone <= last // 2 else (last, alone)]
    for away in range(1, last // 2):
        one, other = sorted(((alone + away - 1) % modulus + 1, (alone - away - 1) % modulus + 1))
        pairs.append((one, other) if (one + other) % 2 else (other, one))
    return pairs
