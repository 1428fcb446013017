"""The primary keys and the tie-breaks, one function each, and the two tables that say what may be chosen (STANDINGS 3).

A key's function takes one entry's record and the whole field and gives an exact fraction, or None for a mean or a
share over nothing. Penalties are not in it: they come off the primary key alone (`Key.penalised`). Two tie-breaks are
no value of an entry by itself and have no such function: `direct_encounter` depends on who is level so far
(`scoring.ordering`), `draw` on the secret (`lot`).
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from scoring.parties import Seat, encounter, weight
from scoring.ranking_document import DecidedBy
from scoring.records import Field, Record

Value = Fraction | None


def match_points(record: Record, _: Field) -> Value:
    """Match points of parties and byes."""
    return record.match_points


def mean_match_points(record: Record, _: Field) -> Value:
    """Match points per closed partie, forfeited ones too; byes and their points left aside."""
    return _mean(record.match_points_played_for, record.closed)


def manches_won(record: Record, _: Field) -> Value:
    """Manches won, with the entry's own mean for what was not played."""
    return _sum(record, lambda seat: seat.manches_won)


def total_points(record: Record, _: Field) -> Value:
    """Points, with the entry's own mean for what was not played."""
    return _sum(record, lambda seat: seat.points)


def km(record: Record, _: Field) -> Value:
    """Kilometres, with the entry's own mean for what was not played."""
    return _sum(record, lambda seat: seat.km)


def coups_fourres(record: Record, _: Field) -> Value:
    """Coups-fourrés, with the entry's own mean for what was not played."""
    return _sum(record, lambda seat: seat.coups_fourres)


def best_n(record: Record, field: Field) -> Value:
    """Points of the `best_n` played parties that have most, or of all where there are fewer."""
    points = sorted((sitting.seat.points for sitting in record.played), reverse=True)
    return Fraction(sum(points[: field.document.best_n]))


def mean_points(record: Record, _: Field) -> Value:
    """Points per manche played."""
    return _mean(Fraction(sum(sitting.seat.points for sitting in record.played)), record.manches)


def manche_share(record: Record, _: Field) -> Value:
    """Manches won of those played."""
    return _mean(Fraction(sum(sitting.seat.manches_won for sitting in record.played)), record.manches)


def mean_difference(record: Record, _: Field) -> Value:
    """Mean over the manches of own points less the mean of the others' at the table."""
    return _mean_lead(record, lambda seat: seat.points)


def mean_km_difference(record: Record, _: Field) -> Value:
    """Mean over the manches of own kilometres less the mean of the others' at the table."""
    return _mean_lead(record, lambda seat: seat.km)


def buchholz(record: Record, field: Field) -> Value:
    """Match points of the opponents met; byes and opponents who forfeited count with the entry's own."""
    return _over_opponents(record, field, met=lambda own, other: 2, unplayed=2)


def sonneborn_berger(record: Record, field: Field) -> Value:
    """The same, each opponent's times what was won of it: 2, 1 or 0 halves; the unplayed count as level."""
    return _over_opponents(record, field, met=encounter, unplayed=1)


def lot(secret: str, number: int) -> str:
    """An entry's lot, lowest first: the SHA-256 of `secret:number` in hexadecimal.

    >>> lot("s1", 1)[:8]
    'ea4cb387'
    """
    return hashlib.sha256(f"{secret}:{number}".encode()).hexdigest()


def _mean(total: Fraction, count: int) -> Value:
    return total / count if count else None


def _sum(record: Record, figure: Callable[[Seat], int]) -> Fraction:
    """Each bye and each forfeit won without play counts as the mean over the played parties (STANDINGS 2)."""
    total = sum(figure(sitting.seat) for sitting in record.played)
    if not record.played:
        return Fraction(0)
    return Fraction(total, len(record.played)) * (len(record.played) + record.won_without_play)


def _mean_lead(record: Record, figure: Callable[[Seat], int]) -> Value:
    """Over one partie the manches' leads add up to the lead in its sums, since the table stays the same."""
    leads: dict[int, int] = defaultdict(int)
    for partie, seat in record.played:
        size = len(partie.seats)
        leads[size - 1] += size * figure(seat) - sum(map(figure, partie.seats))
    return _mean(sum((Fraction(lead, others) for others, lead in leads.items()), Fraction(0)), record.manches)


def _over_opponents(record: Record, field: Field, met: Callable[[Seat, Seat], int], unplayed: int) -> Fraction:
    """Sum of match points times halves over the opponents: `met` says how many halves one that was met counts.

    Whole numbers of match point units are added up apart for each size of table, then weighted (STANDINGS 3, buchholz).
    In a mêlée a side is one opponent, with the mean of its partners' match points; partners are none.
    """
    table = field.document.table
    own = field.match_points_in_units[record.entry.number]
    sides = field.sides_in_units
    halves: dict[int, int] = defaultdict(int)
    for partie, seat in record.sittings:
        if not seat.forfeited:
            halves[len(partie.seats)] += sum(
                unplayed * own if other.forfeited else met(seat, other) * sides[other.team] if partie.manches else 0
                for other in partie.seats
                if other is not seat
            )
    weighted = (total * weight(table, size) for size, total in halves.items())
    byes = record.byes * (table - 1) * unplayed * own
    return sum(weighted, byes) / (2 * field.match_point_unit)


@dataclass(frozen=True, slots=True)
class Key:
    """What can be chosen under one name.

    `value` is None for the two tie-breaks that are no value of an entry by itself; the answer leaves them out.
    `decided_by` says in which championships it is offered, `needs` which member of the document it cannot do without,
    `mean_over` what the sum of a mean is divided by.
    """

    name: str
    value: Callable[[Record, Field], Value] | None
    decided_by: tuple[DecidedBy, ...] = ("points", "manches")
    needs: Literal["best_n", "minimum", "secret"] | None = None
    mean_over: Callable[[Record], int] | None = None

    def penalised(self, record: Record, field: Field) -> Value:
        """The value as a primary key: the entry's penalty comes off the sum before a mean is taken (STANDINGS 2)."""
        assert self.value is not None
        value = self.value(record, field)
        if value is None:
            return None
        return value - record.entry.penalty / (self.mean_over(record) if self.mean_over else 1)


def _by_name(*keys: Key) -> Mapping[str, Key]:
    return MappingProxyType({key.name: key for key in keys})


PRIMARY_KEYS = _by_name(
    Key("match_points", match_points),
    Key("mean_match_points", mean_match_points, mean_over=lambda record: record.closed),
    Key("manches_won", manches_won),
    Key("total_points", total_points, decided_by=("points",)),
    Key("best_n", best_n, decided_by=("points",), needs="best_n"),
    Key("mean_points", mean_points, decided_by=("points",), needs="minimum", mean_over=lambda record: record.manches),
)

TIE_BREAKS = _by_name(
    Key("direct_encounter", None),
    Key("manche_share", manche_share),
    Key("manches_won", manches_won),
    Key("total_points", total_points, decided_by=("points",)),
    Key("coups_fourres", coups_fourres),
    Key("km", km),
    Key("mean_difference", mean_difference, decided_by=("points",)),
    Key("mean_km_difference", mean_km_difference, decided_by=("manches",)),
    Key("buchholz", buchholz),
    Key("sonneborn_berger", sonneborn_berger),
    Key("draw", None, needs="secret"),
)

DEFAULT_TIE_BREAKS: Mapping[DecidedBy, tuple[str, ...]] = MappingProxyType(
    {
        "points": ("direct_encounter", "manche_share", "mean_difference", "total_points", "coups_fourres"),
        "manches": ("direct_encounter", "manche_share", "mean_km_difference", "coups_fourres"),
    }
)
