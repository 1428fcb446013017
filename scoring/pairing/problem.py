"""The criteria of a round as whole numbers: what each pair, seat and bye costs, packed so that sums compare in order.

Entries are handled by their place in the order by hash (0, 1, 2…), so that the order in which they were given cannot
matter, and "first in the order by hash" is simply "lower".
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import lcm

from scoring.pairing.field import Contender, Cost, Meetings, by_number
from scoring.pairing.lots import by_hash
from scoring.pairing.seats import best_seating, debt
from scoring.pairing.sizes import Sizes, sizes

Group = tuple[int, ...]
"""Entries at one table, as places in the order by hash, ascending."""

CRITERIA = tuple(one.name for one in fields(Cost))


class Problem:
    """What is known of a round before it is drawn. Raises ValueError for a number given twice or T not 2, 3 or 4."""

    def __init__(
        self,
        contenders: Iterable[Contender],
        met: Meetings,
        *,
        table: int,
        short_tables: bool,
        apart_by_club: bool,
        seed: str,
    ) -> None:
        known = by_number(contenders)
        self.table = table
        self.entries: list[Contender] = [known[number] for number in by_hash(seed, known)]
        self.sizes: Sizes = sizes(len(self.entries), table=table, short_tables=short_tables)
        self.clubs = [entry.club if apart_by_club else None for entry in self.entries]
        self.has_clubs = any(club is not None for club in self.clubs)
        self._met = _met_by_place(self.entries, met)
        self.scale = lcm(*(entry.match_points.denominator for entry in self.entries))
        self.points = [int(entry.match_points * self.scale) for entry in self.entries]
        self._lowest = min(self.points, default=0)
        self._last = max((entry.place for entry in self.entries), default=0)
        self.debts = [debt(entry.seats, table) for entry in self.entries]
        self._least_debt = min(self.debts, default=0)
        self.shifts = self._shifts()
        self._tables: dict[Group, int] = {}
        self._kinds = sorted({entry.seats for entry in self.entries})
        kinds = {seats: kind for kind, seats in enumerate(self._kinds)}
        self._sat = [kinds[entry.seats] for entry in self.entries]
        self._seatings: dict[tuple[int, ...], int] = {}

    @cached_property
    def pairs(self) -> list[list[int]]:
        """Of every two that meet: repeats, squares and the order by hash; 0 with oneself."""
        squares, order = self.shifts["squares"], self.shifts["order"]
        rows = [
            [((own - its) ** 2 << squares) + ((one - other) ** 2 << order) for other, its in enumerate(self.points)]
            for one, own in enumerate(self.points)
        ]
        for (one, other), times in self._met.items():
            rows[one][other] += (1 << self.shifts["repeats"]) + (times - 1 << self.shifts["again"])
            rows[other][one] = rows[one][other]
        return rows

    def drawn(self, group: Group) -> int:
        """Of a table before anybody is seated: its pairs, clubs, and whether it is short."""
        cost = sum(self.pairs[one][other] for one, other in combinations(group, 2))
        cost += self.has_clubmates(group) << self.shifts["clubs"]
        if len(group) < self.table:
            cost += sum(map(self.short, group))
        return cost

    def has_clubmates(self, group: Iterable[int]) -> bool:
        """Whether a table has two entries of one club, where they are to be kept apart."""
        if not self.has_clubs:
            return False
        clubs = [club for place in group if (club := self.clubs[place]) is not None]
        return len(set(clubs)) < len(clubs)

    def short(self, place: int) -> int:
        """Of one who sits at a short table."""
        return self.entries[place].short_tables << self.shifts["short_again"]

    def seating(self, group: Sequence[int]) -> int:
        """Of a table's best seats; remembered for all tables of entries that sat alike before."""
        key = tuple(sorted([self._sat[place] for place in group]))
        cost = self._seatings.get(key)
        if cost is None:
            first, seats, _ = best_seating([self._kinds[kind] for kind in key], self.table)
            cost = (first - self._least_debt << self.shifts["first"]) + (seats << self.shifts["seats"])
            self._seatings[key] = cost
        return cost

    def at_table(self, group: Group) -> int:
        """Of a table, everything; remembered."""
        cost = self._tables.get(group)
        if cost is None:
            cost = self._tables[group] = self.drawn(group) + self.seating(group)
        return cost

    def bye(self, place: int) -> int:
        """Of an entry that sits out."""
        entry = self.entries[place]
        pairs = self.table - 1
        return (
            (entry.byes << self.shifts["byes_again"])
            + (pairs * (self.points[place] - self._lowest) ** 2 << self.shifts["squares"])
            + (self._last - entry.place << self.shifts["bye_places"])
            + (pairs * (len(self.entries) - place) ** 2 << self.shifts["order"])
        )

    def total(self, tables: Iterable[Group], byes: Iterable[int]) -> int:
        """Of a whole pairing."""
        return sum(map(self.at_table, tables)) + sum(map(self.bye, byes))

    def as_cost(self, total: int, tables: int) -> Cost:
        """The criteria of a sum over so many tables, one by one."""
        values: dict[str, int] = {}
        for name in CRITERIA:
            values[name], total = divmod(total, 1 << self.shifts[name])
        values["first"] += tables * self._least_debt
        squares = Fraction(values.pop("squares"), self.scale**2)
        return Cost(squares=squares, **values)

    def by_standing(self) -> list[int]:
        """Everybody, best first: match points, then the standing, then the order by hash."""
        return sorted(
            range(len(self.entries)), key=lambda place: (-self.points[place], self.entries[place].place, place)
        )

    def _shifts(self) -> dict[str, int]:
        """Where each criterion begins, so wide that no pairing's sum can run over into the next."""
        entries = len(self.entries)
        pairs = entries * (self.table - 1)
        most_seats = max((max(entry.seats, default=0) for entry in self.entries), default=0)
        most = {
            "byes_again": sum(entry.byes for entry in self.entries),
            "repeats": pairs,
            "again": pairs * max(self._met.values(), default=0),
            "clubs": entries,
            "squares": pairs * (max(self.points, default=0) - self._lowest) ** 2,
            "bye_places": entries * (self._last - min((entry.place for entry in self.entries), default=0)),
            "short_again": sum(entry.short_tables for entry in self.entries),
            "first": entries * (max(self.debts, default=0) - self._least_debt),
            "seats": entries * most_seats,
            "order": pairs * entries**2,
        }
        shifts: dict[str, int] = {}
        begin = 0
        for name in reversed(CRITERIA):
            shifts[name] = begin
            begin += most[name].bit_length()
        return shifts


def _met_by_place(entries: Sequence[Contender], met: Meetings) -> dict[tuple[int, int], int]:
    places = {entry.number: place for place, entry in enumerate(entries)}
    found: dict[tuple[int, int], int] = {}
    for pair, times in met.items():
        one, other = sorted(places.get(number, -1) for number in pair)
        if one >= 0 and times:
            found[one, other] = times
    return found
