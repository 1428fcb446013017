"""Pairings judged without the program's help: what is legal, what a pairing costs, and the best of all, one by one.

Slow and plain on purpose. It shares no code with `scoring.pairing` but the two records that go in and come out.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

from scoring.pairing import Contender, Pairing

Table = tuple[int, ...]
Sum = tuple[Fraction | int, ...]


@dataclass(frozen=True)
class Situation:
    """A round to be paired, with all that is known."""

    contenders: Sequence[Contender]
    met: Mapping[frozenset[int], int]
    table: int
    short_tables: bool
    apart_by_club: bool
    seed: str

    @property
    def known(self) -> dict[int, Contender]:
        return {contender.number: contender for contender in self.contenders}


def sizes(entries: int, table: int, short_tables: bool) -> tuple[int, int, int]:
    """Full tables, short tables and byes: STANDINGS 2, by trying."""
    fitting = [
        (byes, short, full)
        for full in range(entries + 1)
        for short in range(entries + 1 if short_tables and table > 2 else 1)
        if (byes := entries - full * table - short * (table - 1)) >= 0
    ]
    allowed = [
        one for one in fitting if one[0] < table and (one[0] == 0 or (one[0] == entries % table and one[1] == 0))
    ]
    byes, short, full = min(allowed)
    return full, short, byes


def illegalities(of: Situation, pairing: Pairing) -> list[str]:
    """What a referee would not let pass."""
    wrong = []
    placed = [number for table in pairing.tables for number in table] + list(pairing.byes)
    if sorted(placed) != sorted(contender.number for contender in of.contenders):
        wrong.append(f"not everybody once: {sorted(placed)}")
    full, short, byes = sizes(len(of.contenders), of.table, of.short_tables)
    seen = sorted(len(table) for table in pairing.tables)
    if seen != sorted([of.table] * full + [of.table - 1] * short):
        wrong.append(f"tables of {seen}")
    if len(pairing.byes) != byes:
        wrong.append(f"{len(pairing.byes)} byes instead of {byes}")
    had_none = [number for number, one in of.known.items() if not one.byes and number not in pairing.byes]
    again = [number for number in pairing.byes if of.known[number].byes]
    if had_none and again:
        wrong.append(f"a second bye for {again} while {had_none} had none")
    return wrong


class Judge:
    """What pairings of one situation cost, criterion by criterion (issue: second byes, repeats, clubs, squares, …)."""

    def __init__(self, of: Situation) -> None:
        self.of = of
        self.known = of.known
        digests = {n: hashlib.sha256(f"{of.seed}:{n}".encode()).hexdigest() for n in self.known}
        self.hashed = {n: place for place, n in enumerate(sorted(digests, key=lambda n: digests[n]))}
        self.lowest = min((c.match_points for c in of.contenders), default=Fraction(0))
        self.last = max((c.place for c in of.contenders), default=0)
        self.seen: dict[frozenset[int], Sum] = {}

    def total(self, tables: Sequence[Table], byes: Sequence[int]) -> Sum:
        """As the tables are seated."""
        parts = [self.table_as_seated(table) for table in tables] + [self.bye(number) for number in byes]
        return added(parts)

    def bye(self, number: int) -> Sum:
        one = self.known[number]
        ghosts = self.of.table - 1
        squares = ghosts * (one.match_points - self.lowest) ** 2
        return (
            one.byes,
            0,
            0,
            0,
            squares,
            self.last - one.place,
            0,
            0,
            0,
            ghosts * (len(self.known) - self.hashed[number]) ** 2,
        )

    def table_as_seated(self, table: Table) -> Sum:
        times = [self.of.met.get(frozenset(pair), 0) for pair in combinations(table, 2)]
        clubs = [self.known[n].club for n in table if self.of.apart_by_club and self.known[n].club is not None]
        squares = sum((self.known[a].match_points - self.known[b].match_points) ** 2 for a, b in combinations(table, 2))
        short = sum(self.known[n].short_tables for n in table) if len(table) < self.of.table else 0
        first = self.known[table[0]]
        share = self.of.table * (first.seats[0] if first.seats else 0) - sum(first.seats)
        seats = sum((list(self.known[n].seats) + [0] * 9)[label] for label, n in enumerate(table))
        order = sum((self.hashed[a] - self.hashed[b]) ** 2 for a, b in combinations(table, 2))
        repeats, again = sum(t > 0 for t in times), sum(max(t - 1, 0) for t in times)
        return (0, repeats, again, int(len(clubs) > len(set(clubs))), squares, 0, short, share, seats, order)

    def table_at_best(self, members: Table) -> Sum:
        found = self.seen.get(frozenset(members))
        if found is None:
            found = min(self.table_as_seated(order) for order in permutations(members))
            self.seen[frozenset(members)] = found
        return found

    def best(self) -> Sum:
        """Of every pairing that there is."""
        return min(
            added([self.table_at_best(table) for table in tables] + [self.bye(number) for number in byes])
            for tables, byes in every_pairing(
                sorted(self.known), *sizes(len(self.known), self.of.table, self.of.short_tables), self.of.table
            )
        )

    def greedy(self) -> Sum:
        """Byes to those who had fewest, from the bottom; then from the top, each with the next best for it."""
        full, short, byes = sizes(len(self.known), self.of.table, self.of.short_tables)
        waiting = sorted(self.known, key=lambda n: (-self.known[n].match_points, self.known[n].place, self.hashed[n]))
        from_below = list(reversed(waiting))
        out = sorted(from_below, key=lambda n: self.known[n].byes)[:byes]
        waiting = [n for n in waiting if n not in out]
        tables = []
        for size in [self.of.table] * full + [self.of.table - 1] * short:
            table: Table = (waiting.pop(0),)
            while len(table) < size:
                chosen = min(waiting, key=lambda n: self.table_as_seated((*table, n))[:5])
                waiting.remove(chosen)
                table = (*table, chosen)
            tables.append(self.table_at_best(table))
        return added(tables + [self.bye(n) for n in out])


def every_pairing(
    numbers: list[int], full: int, short: int, byes: int, table: int
) -> Iterator[tuple[list[Table], list[int]]]:
    """All ways to part these into tables and byes."""
    if not numbers:
        yield [], []
        return
    first, rest = numbers[0], numbers[1:]
    if byes:
        for tables, out in every_pairing(rest, full, short, byes - 1, table):
            yield tables, [first, *out]
    for size, left in ((table, (full - 1, short)), (table - 1, (full, short - 1))):
        if min(left) < 0:
            continue
        for others in combinations(rest, size - 1):
            waiting = [n for n in rest if n not in others]
            for tables, out in every_pairing(waiting, *left, byes, table):
                yield [(first, *others), *tables], out


def added(parts: Sequence[Sum]) -> Sum:
    return tuple(sum(column) for column in zip(*parts, strict=True)) if parts else (0,) * 10


def parts_of(pairing: Pairing) -> Sum:
    """The program's own `Cost`, as the judge writes it."""
    cost = pairing.cost
    assert cost is not None
    return (
        cost.byes_again, cost.repeats, cost.again, cost.clubs, cost.squares,
        cost.bye_places, cost.short_again, cost.first, cost.seats, cost.order,
    )  # fmt: skip
