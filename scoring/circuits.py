"""From a document `circuit/1` to the ranking of a circuit: championships added up (STANDINGS 5).

A row of a championship has the points of its place; rows that share a rank share the mean of the places that they take
up, an exact fraction. Each player of the row has them whole. A club has the sum over its players, or over the best
`best_of_club` of them, in each championship. The `best_n` championships with most points are added up. Level in that:
more first places, then more second places, and so on, over all results, whether they counted or not; then the rank is
shared. A shared first place is a first place.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from scoring.circuit_document import CircuitChampionship, CircuitDocument, CircuitEntry, read_circuit
from scoring.names import folded
from scoring.ordering import Group, Order, by_value, order, written
from scoring.standings import ranked
from scoring.why import Explained, Level, Why


@dataclass(frozen=True, slots=True)
class Leg:
    """What an entry has from one championship; `ranks`: of its rows there, best first, None for a row without one;
    `counts`: whether it is one of the best n.
    """

    championship: int
    points: Fraction
    ranks: tuple[int | None, ...]
    counts: bool


@dataclass(frozen=True, slots=True)
class CircuitRow(Explained):
    """One player or club. `points`: sum over the legs that count; `places`: how often it had which place, by place.

    `legs`: the championships where it has a row, in the document's order. `why` says what separates it from the next.
    """

    rank: int
    entry: CircuitEntry
    points: Fraction
    places: Mapping[int, int]
    legs: tuple[Leg, ...]
    why: Why | None

    def as_answer(self) -> dict[str, object]:
        """`{"rank", "entry", "values": {"circuit_points", "places"}, "legs", "above_next_by"}`."""
        return {
            "rank": self.rank,
            "entry": self.entry.number,
            "values": {"circuit_points": written(self.points), "places": places_written(self.places)},
            "legs": [
                {"championship": leg.championship, "points": written(leg.points), "counts": leg.counts}
                for leg in self.legs
            ],
            "above_next_by": self.above_next_by,
        }

    def as_explanation(self) -> dict[str, object]:
        """The row with `name` and `why` as data or None."""
        return self.as_answer() | {"name": self.entry.name, "why": self.why.as_data() if self.why else None}


@dataclass(frozen=True, slots=True)
class CircuitStandings:
    """The rows of a circuit in order, and the document that they were made from."""

    rows: tuple[CircuitRow, ...]
    document: CircuitDocument

    def as_answer(self) -> dict[str, object]:
        """`{"rows": [...]}`."""
        return {"rows": [row.as_answer() for row in self.rows]}


def rank_circuit(document: object) -> dict[str, object]:
    """The ranking of a decoded document `circuit/1`; raises `RankingError` where it does not fit."""
    return circuit_standings(read_circuit(document)).as_answer()


def explain_circuit(document: object) -> dict[str, object]:
    """As `rank_circuit`, each row with `name` and its full `why` (see `scoring.why`)."""
    return {"rows": [row.as_explanation() for row in circuit_standings(read_circuit(document)).rows]}


def points_of_ranks(points: Sequence[Fraction], ranks: Sequence[int | None]) -> dict[int, Fraction]:
    """What each rank of a final ranking is worth: the mean of the places that those who share it take up.

    >>> points = [Fraction(9), Fraction(6), Fraction(1)]
    >>> {rank: str(worth) for rank, worth in points_of_ranks(points, [1, 2, 2, 4]).items()}
    {1: '9', 2: '7/2', 4: '0'}
    """
    times = Counter(rank for rank in ranks if rank is not None)
    return {rank: sum(points[rank - 1 : rank - 1 + n], Fraction(0)) / n for rank, n in times.items()}


def circuit_standings(document: CircuitDocument) -> CircuitStandings:
    """Rank the players or clubs of a document that was read."""
    legs: dict[int, list[Leg]] = {entry.number: [] for entry in document.entries}
    for championship in document.championships:
        for number, leg in _legs(championship, document).items():
            legs[number].append(leg)
    counted = {number: _best(of_entry, document.best_n) for number, of_entry in legs.items()}
    total = {n: sum([leg.points for leg in of_entry if leg.counts], Fraction(0)) for n, of_entry in counted.items()}
    places = {n: Counter(r for leg in of_entry for r in leg.ranks if r is not None) for n, of_entry in counted.items()}

    entries = {entry.number: entry for entry in document.entries}
    listed = sorted(entries, key=lambda number: (folded(entries[number].name), number))
    in_order = order(Group(tuple(listed)), [by_value("circuit_points", total), lambda group: _by_places(group, places)])
    rows = [
        CircuitRow(rank, entries[number], total[number], places[number], counted[number], why)
        for rank, number, why in ranked(in_order)
    ]
    return CircuitStandings(tuple(rows), document)


def _legs(championship: CircuitChampionship, document: CircuitDocument) -> dict[int, Leg]:
    """What each entry has from a championship, before it is known which legs count."""
    worth = points_of_ranks(document.points, [result.rank for result in championship.results])
    ranks: dict[int, list[int | None]] = defaultdict(list)
    for result in championship.results:
        for number in result.entries:
            ranks[number].append(result.rank)
    legs = {}
    for number, of_entry in ranks.items():
        points = sorted([Fraction(0) if rank is None else worth[rank] for rank in of_entry], reverse=True)
        in_order = tuple(sorted(of_entry, key=lambda rank: (rank is None, rank or 0)))
        legs[number] = Leg(
            championship.number, sum(points[: document.best_of_club], Fraction(0)), in_order, counts=True
        )
    return legs


def _best(legs: Sequence[Leg], best_n: int | None) -> tuple[Leg, ...]:
    """The legs, those with most points marked as counting; of level ones the earlier."""
    best = sorted(range(len(legs)), key=lambda place: -legs[place].points)[:best_n]
    return tuple([Leg(leg.championship, leg.points, leg.ranks, place in best) for place, leg in enumerate(legs)])


def _by_places(group: Group, places: Mapping[int, Mapping[int, int]]) -> Order:
    """More first places, then more seconds, and so on."""
    last = max((place for number in group.members for place in places[number]), default=0)
    parts: dict[tuple[int, ...], list[int]] = {}
    for number in group.members:
        times = tuple([places[number].get(place, 0) for place in range(1, last + 1)])
        parts.setdefault(times, []).append(number)
    in_order = [parts[times] for times in sorted(parts, reverse=True)]
    said = [places_written(places[part[0]]) for part in in_order]
    groups = [
        Group(tuple(part), (*group.passed, Level("places", value)) if len(part) > 1 else ())
        for part, value in zip(in_order, said, strict=True)
    ]
    return Order(tuple(groups), tuple([Why("places", upper, lower, group.passed) for upper, lower in pairwise(said)]))


def places_written(places: Mapping[int, int]) -> str | None:
    """How often each place was had, best first, or None for no place at all.

    >>> places_written({4: 1, 1: 2})
    '2 × 1, 1 × 4'
    """
    return ", ".join(f"{times} × {place}" for place, times in sorted(places.items())) or None
