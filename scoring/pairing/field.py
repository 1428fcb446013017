"""Who is to be paired, what they did before, and what a pairing is."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from itertools import combinations

Meetings = Mapping[frozenset[int], int]
"""How many times two entries met, by the set of their two numbers; a pair that is not in it never met."""


@dataclass(frozen=True, slots=True)
class Contender:
    """An entry that plays in the round; those absent or withdrawn are simply not given.

    `number` is that of the entry; `match_points` exact, its open parties counted as level; `place` its position in the
    standing, from 1 (positions may be shared: the hash decides); `club` any key, or None; `byes` how many it had;
    `seats` how many times it sat at labels A, B, C, D (a shorter tuple: never at the others); `short_tables` how many
    times it sat at a table of T−1.
    """

    number: int
    match_points: Fraction = Fraction(0)
    place: int = 1
    club: str | None = None
    byes: int = 0
    seats: tuple[int, ...] = ()
    short_tables: int = 0


@dataclass(frozen=True, slots=True, order=True)
class Cost:
    """How good a pairing is: less is better, the first criterion that differs decides.

    - `byes_again`: byes had before, summed over those who sit out.
    - `repeats`: pairs that meet and met before; `again`: how often beyond the first time, summed.
    - `clubs`: tables with two entries of one club (0 unless asked).
    - `squares`: squared differences of match points, pair by pair; a bye counts as T−1 pairs with an opponent who has
      as many as the lowest of the field.
    - `bye_places`: places between the last of the standing and those who sit out.
    - `short_again`: tables of T−1 had before, summed over those who sit at one.
    - `first`: T × (times at label A) − parties played, summed over those who sit at A.
    - `seats`: how often each had the label that it gets now, summed.
    - `order`: squared differences of the places in the order by hash, pair by pair; a bye's T−1 opponents come after
      the last.
    """

    byes_again: int = 0
    repeats: int = 0
    again: int = 0
    clubs: int = 0
    squares: Fraction = Fraction(0)
    bye_places: int = 0
    short_again: int = 0
    first: int = 0
    seats: int = 0
    order: int = 0

    def as_data(self) -> dict[str, str]:
        """Every criterion by name, in the order of their weight, as text: whole numbers or lowest fractions."""
        return {name: str(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round: `tables`, each in seat order (A, B, C, D), and `byes`, those left over; both best placed first.

    `cost` says how good it is; None where nothing was weighed (round robin, knock-out).
    """

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    cost: Cost | None = field(default=None, compare=False)


def meetings(tables: Iterable[Iterable[int]]) -> dict[frozenset[int], int]:
    """How many times each two met at these tables.

    >>> meetings([(1, 2), (2, 1), (3, 1)]) == {frozenset({1, 2}): 2, frozenset({1, 3}): 1}
    True
    """
    met: dict[frozenset[int], int] = {}
    for table in tables:
        for pair in combinations(table, 2):
            met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
    return met


def by_number(contenders: Iterable[Contender]) -> dict[int, Contender]:
    """Contenders by their numbers; raises ValueError for a number given twice."""
    known: dict[int, Contender] = {}
    for contender in contenders:
        if contender.number in known:
            raise ValueError(f"entry {contender.number} is given twice")
        known[contender.number] = contender
    return known
