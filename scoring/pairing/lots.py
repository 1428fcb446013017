"""Seeds and the order by hash, which anyone can work out again (STANDINGS 5)."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction


def seed_of_round(secret: str, round_number: int, results: Mapping[int, Fraction | int]) -> str:
    """The seed of a round: SHA-256 (hexadecimal, lower case) of secret, round and the results of the one before.

    `results`: for every entry that had a result in round r−1 (a bye too) the match points that it had for it, an open
    partie counted as level. What is hashed is the UTF-8 text `secret:round:number=points,number=points…`, numbers
    ascending, points whole or a lowest fraction; for round 1 `secret:1:`.

    >>> seed_of_round("s1", 2, {3: Fraction(1, 2), 1: 2}) == hashlib.sha256(b"s1:2:1=2,3=1/2").hexdigest()
    True
    """
    told = ",".join(f"{number}={results[number]}" for number in sorted(results))
    return _digest(f"{secret}:{round_number}:{told}")


def by_hash(seed: str, numbers: Iterable[int]) -> list[int]:
    """Numbers in the order of SHA-256 of `seed:number` (UTF-8, decimal), lowest hexadecimal digest first.

    >>> by_hash("s1", [1, 2, 3])
    [2, 1, 3]
    """
    return sorted(numbers, key=lambda number: (_digest(f"{seed}:{number}"), number))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def chance(seed: str) -> Iterator[int]:
    """Whole numbers without end, the same for the same seed on every machine."""
    count = 0
    while True:
        yield int(_digest(f"{seed}:chance:{count}"), 16)
        count += 1
