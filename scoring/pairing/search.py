"""Bettering a pairing by changing two entries at a time, for fields too large to try everything."""

from collections.abc import Iterable, Iterator, Sequence

from scoring.pairing.exact import Drawn
from scoring.pairing.problem import Problem

NOBODY = -1
"""The table of those who sit out."""

Change = tuple[int, int]
"""Two entries that change places: the first sits at a table, the second at another or nowhere."""


class Search:
    """A pairing that is being bettered. Everything it does is counted, nothing is timed.

    `_pull[t][x]` is what x costs in pairs with those of table t (at its own table: with the others), so that a change
    costs a few additions at every size of table; seats are looked at only where they can decide. `_without[x]` are the
    clubs of those who sit with x.
    """

    def __init__(self, problem: Problem, drawn: Drawn) -> None:
        self.problem = problem
        self.gained = 0
        self.log: list[Change] = []
        self._tables = [list(group) for group in drawn[0]]
        self._byes = list(drawn[1])
        entries = range(len(problem.entries))
        self._pair = problem.pairs
        self._bye = [problem.bye(x) for x in entries]
        self._short = [problem.short(x) for x in entries]
        self._club = 1 << problem.shifts["clubs"] if problem.has_clubs else 0
        self._seats = (1 << problem.shifts["short_again"]) - (1 << problem.shifts["seats"])
        self._pull = [self._pull_of(group) for group in self._tables]
        self._own = [problem.seating(group) for group in self._tables]
        self._clash = [problem.has_clubmates(group) for group in self._tables]
        self._without: list[frozenset[str] | None] = [frozenset()] * len(entries)
        for group in self._tables:
            self._note_clubs(group)
        self._home = dict.fromkeys(entries, NOBODY) | {x: t for t, group in enumerate(self._tables) for x in group}

    @property
    def drawn(self) -> Drawn:
        """The pairing as it stands."""
        return sorted(tuple(sorted(group)) for group in self._tables), sorted(self._byes)

    def table_of(self, entry: int) -> int:
        """Where it sits, or NOBODY."""
        return self._home[entry]

    def poor(self) -> list[int]:
        """Who sits at a table that costs something above seats and the order by hash."""
        above = 1 << self.problem.shifts["short_again"]
        return [x for t, group in enumerate(self._tables) for x in group if self._pull[t][x] >= above or self._clash[t]]

    def settle(self, tables: Iterable[int], most_changes: int) -> None:
        """Make the best change of each table in turn, of these first, then of those that a change touched.

        Ends where none of them has a change that betters the pairing, or after `most_changes`.
        """
        waiting = dict.fromkeys(table for table in tables if table != NOBODY)
        while waiting and most_changes > 0:
            table = next(iter(waiting))
            del waiting[table]
            best = self._best_change(table)
            if best is not None:
                other = self._home[best[1]]
                self.make(best)
                most_changes -= 1
                waiting |= dict.fromkeys(touched for touched in (table, other) if touched != NOBODY)

    def make(self, change: Change) -> None:
        """Let the two change places, and note it."""
        x, y = change
        table, other = self._home[x], self._home[y]
        self.gained += self._worth(change)
        self.log.append(change)
        self._home[x], self._home[y] = other, table
        self._replace(table, x, y)
        if other == NOBODY:
            self._byes[self._byes.index(y)] = x
        else:
            self._replace(other, y, x)

    def take_back(self) -> None:
        """Undo every change in the log, and empty it."""
        for x, y in reversed(self.log[:]):
            self.make((y, x))
        self.log.clear()

    def _best_change(self, table: int) -> Change | None:
        best: Change | None = None
        least = 0
        for change, drawn in self._changes(table):
            if drawn < least + self._seats:
                worth = drawn + self._in_seats(change)
                if worth < least:
                    least, best = worth, change
        return best

    def _changes(self, table: int) -> Iterator[tuple[Change, int]]:
        """Every change with this table that seats or clubs may make a good one, and what it adds but for seats."""
        own_pull, own_most = self._pull[table], self._seats + self._club * self._clash[table]
        for x in self._tables[table]:
            own, pair = own_pull[x], self._pair[x]
            for other, group in enumerate(self._tables):
                if other != table:
                    pull = self._pull[other]
                    start, most = pull[x] - own, own_most + self._club * self._clash[other]
                    for y in group:
                        change = start + own_pull[y] - pull[y] - 2 * pair[y]
                        if change < most:
                            yield (x, y), change + self._in_clubs(x, y) if self._club else change
            for y in self._byes:
                change = own_pull[y] - own - pair[y] + self._bye[x] - self._bye[y]
                if change < own_most:
                    yield (x, y), change + self._in_clubs(x, y) if self._club else change

    def _worth(self, change: Change) -> int:
        """What a change adds to the cost, all in all."""
        x, y = change
        table, other = self._home[x], self._home[y]
        worth = self._pull[table][y] - self._pull[table][x] - self._pair[x][y]
        if other == NOBODY:
            worth += self._bye[x] - self._bye[y]
        else:
            worth += self._pull[other][x] - self._pull[other][y] - self._pair[x][y]
        return worth + self._in_clubs(x, y) + self._in_seats(change)

    def _in_seats(self, change: Change) -> int:
        """What a change adds in seats."""
        x, y = change
        table, other = self._home[x], self._home[y]
        seating = self.problem.seating
        worth = seating([y if z == x else z for z in self._tables[table]]) - self._own[table]
        if other != NOBODY:
            worth += seating([x if z == y else z for z in self._tables[other]]) - self._own[other]
        return worth

    def _in_clubs(self, x: int, y: int) -> int:
        """What a change of these two adds in tables of one club."""
        worth = self._clashes(x, y) - self._clash[self._home[x]]
        if self._home[y] != NOBODY:
            worth += self._clashes(y, x) - self._clash[self._home[y]]
        return worth * self._club

    def _clashes(self, gone: int, come: int) -> bool:
        """Whether the table of one who goes then has two of one club."""
        clubs = self._without[gone]
        return clubs is None or self.problem.clubs[come] in clubs

    def _note_clubs(self, group: Sequence[int]) -> None:
        """For each of a table the clubs of the others; None where two of these are of one."""
        if self._club:
            for x in group:
                others = [club for y in group if y != x and (club := self.problem.clubs[y]) is not None]
                self._without[x] = frozenset(others) if len(set(others)) == len(others) else None

    def _replace(self, table: int, gone: int, come: int) -> None:
        group = self._tables[table]
        group[group.index(gone)] = come
        rows = zip(self._pull[table], self._pair[gone], self._pair[come], strict=True)
        self._pull[table] = [pull - went + came for pull, went, came in rows]
        self._own[table] = self.problem.seating(group)
        self._clash[table] = self.problem.has_clubmates(group)
        self._note_clubs(group)

    def _pull_of(self, group: Sequence[int]) -> list[int]:
        short = self._short if len(group) < self.problem.table else [0] * len(self._short)
        rows = zip(*(self._pair[y] for y in group), strict=True)
        return [sum(row) + extra for row, extra in zip(rows, short, strict=True)]
