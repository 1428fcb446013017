"""From the manches of a partie to places and match points (STANDINGS 1 and 2).

Only parties that count come here (`Partie.counts`). Match points are exact fractions; all that they depend on is the
size of the table, who left, and who is level with whom, so they are worked out once for each such pattern.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

from scoring.ranking_document import DecidedBy, Partie, RankingDocument

Scale = tuple[Fraction, ...]
"""Match points by place, from the first, for a table of the championship's size."""

Figure = TypeVar("Figure", int, tuple[int, int])
"""What places follow: points, or (manches won, km)."""


class Seat(NamedTuple):
    """What one entry has from one partie: sums over its manches, its place (from 1, shared when level), match points.

    `points` is 0 where none were kept. A `forfeited` entry keeps the figures of the manches finished before it left.
    `team`: who has this result, the entry alone or, in a mêlée, all the partners of whom it is the first.
    """

    entry: int
    forfeited: bool
    points: int
    km: int
    manches_won: int
    coups_fourres: int
    place: int
    match_points: Fraction
    team: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PartieResult:
    """A partie that counts, with its seats in the order of its entries; `manches` is how many were finished."""

    number: int
    round: int
    manches: int
    seats: tuple[Seat, ...]


def results(document: RankingDocument) -> Iterator[PartieResult]:
    """The parties that count, in the document's order; open and void ones are left out (STANDINGS 1, 2)."""
    for partie in document.parties:
        if partie.counts:
            yield result(partie, document.table, document.decided_by, document.scale)


def result(partie: Partie, table: int, decided_by: DecidedBy, scale: Scale | None = None) -> PartieResult:
    """Sums, places and match points of a partie of a championship whose tables have `table` entries."""
    size = len(partie.entries)
    points = _sums(size, [manche.points for manche in partie.manches if manche.points is not None])
    km = _sums(size, [manche.km for manche in partie.manches])
    coups_fourres = _sums(size, [manche.coups_fourres for manche in partie.manches])
    winners = [manche.winner for manche in partie.manches]
    won = [winners.count(entry) for entry in partie.entries]
    left = tuple([entry in partie.forfeits for entry in partie.entries])
    placed = places(points, left) if decided_by == "points" else places(list(zip(won, km, strict=True)), left)
    won_of_it = awards(table, placed, left, scale)
    seats = map(Seat, partie.entries, left, points, km, won, coups_fourres, placed, won_of_it, partie.sides)
    return PartieResult(partie.number, partie.round, len(partie.manches), tuple(seats))


def _sums(size: int, figures: Sequence[Sequence[int]]) -> Sequence[int]:
    if len(figures) == 1:
        return figures[0]
    return [sum(column) for column in zip(*figures, strict=True)] if figures else [0] * size


def places(figures: Sequence[Figure], left: Sequence[bool]) -> tuple[int, ...]:
    """Places from 1, highest figure first, the level sharing theirs, those who left below all others (STANDINGS 1, 2).

    >>> places([900, 1500, 1500, 200], left=[False, False, False, False])
    (3, 1, 1, 4)
    >>> places([900, 1500, 200], left=[False, True, True])
    (1, 2, 2)
    """
    staying = sorted([figure for figure, gone in zip(figures, left, strict=True) if not gone], reverse=True)
    last = len(staying) + 1
    return tuple([last if gone else staying.index(f) + 1 for f, gone in zip(figures, left, strict=True)])


def weight(table: int, size: int) -> Fraction:
    """What an opponent counts at a table drawn with `size` of `table` entries (STANDINGS 1).

    >>> weight(4, 3)
    Fraction(3, 2)
    """
    return Fraction(table - 1, size - 1)


def bye_award(table: int, scale: Scale | None) -> Fraction:
    """Match points of a bye: as for beating all opponents, or a scale's first number (STANDINGS 2)."""
    return scale[0] if scale else Fraction(2 * (table - 1))


def encounter(own: Seat, other: Seat) -> int:
    """2, 1 or 0: placed above, level with or below another entry of the partie (STANDINGS 1, 3)."""
    return 2 if own.place < other.place else 1 if own.place == other.place else 0


@lru_cache(maxsize=4096)
def awards(
    table: int, placed: tuple[int, ...], left: tuple[bool, ...], scale: Scale | None = None
) -> tuple[Fraction, ...]:
    """Match points by seat, from the places and who left; without a scale 2 / 1 / 0 an opponent (STANDINGS 1, 2).

    >>> [str(points) for points in awards(3, (1, 1, 3), (False, False, False))]
    ['3', '3', '0']
    >>> [str(points) for points in awards(4, (1, 2, 3), (False, False, True))]
    ['6', '3', '0']
    >>> scale = (Fraction(10), Fraction(5), Fraction(1))
    >>> [str(points) for points in awards(3, (1, 1, 3), (False, False, False), scale)]
    ['15/2', '15/2', '1']
    """
    size = len(placed)
    if scale is not None:
        by_place = [_mean_of_places(placed, place, stretched(scale, size)) for place in placed]
    else:
        by_place = [_two_one_nought(placed, place) * weight(table, size) for place in placed]
    return tuple([Fraction(0) if gone else points for points, gone in zip(by_place, left, strict=True)])


def _two_one_nought(placed: tuple[int, ...], place: int) -> int:
    """Those who left have the last places, so that they count as any other placed below."""
    return sum(2 if other > place else 1 if other == place else 0 for other in placed) - 1


def _mean_of_places(placed: tuple[int, ...], place: int, scale: Scale) -> Fraction:
    taken = scale[place - 1 : place - 1 + placed.count(place)]
    return sum(taken, Fraction(0)) / len(taken)


def stretched(scale: Scale, size: int) -> Scale:
    """A scale's numbers for a table of fewer entries: straight lines between its own (STANDINGS 1).

    >>> [str(number) for number in stretched((Fraction(7), Fraction(4), Fraction(2), Fraction(0)), 3)]
    ['7', '3', '0']
    """
    numbers = []
    for place in range(size):
        at = place * weight(len(scale), size)
        whole = at.numerator // at.denominator
        upper, lower = scale[whole], scale[min(whole + 1, len(scale) - 1)]
        numbers.append(upper + (lower - upper) * (at - whole))
    return tuple(numbers)
