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
    costs a few additions at every size of table; seats and clubs are looked at only where they can decide.
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
        self._own = [self._besides_pairs(group) for group in self._tables]
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
        return [
            x
            for t, group in enumerate(self._tables)
            for x in group
            if self._pull[t][x] >= above or self._own[t] >= above
        ]

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
        for change, pairs, slack in self._changes(table):
            if pairs < least + slack:
                worth = pairs + self._rest(change)
                if worth < least:
                    least, best = worth, change
        return best

    def _changes(self, table: int) -> Iterator[tuple[Change, int, int]]:
        """Every change with this table, what it adds in pairs, and what seats and clubs could take away at most."""
        own_pull, own_slack = self._pull[table], self._slack(table)
        for x in self._tables[table]:
            own, pair = own_pull[x], self._pair[x]
            for other, group in enumerate(self._tables):
                if other != table:
                    pull = self._pull[other]
                    start, slack = pull[x] - own, own_slack + self._slack(other)
                    for y in group:
                        yield (x, y), start + own_pull[y] - pull[y] - 2 * pair[y], slack
            for y in self._byes:
                yield (x, y), own_pull[y] - own - pair[y] + self._bye[x] - self._bye[y], own_slack

    def _worth(self, change: Change) -> int:
        """What a change adds to the cost, all in all."""
        x, y = change
        table, other = self._home[x], self._home[y]
        pairs = self._pull[table][y] - self._pull[table][x] - self._pair[x][y]
        if other == NOBODY:
            return pairs + self._bye[x] - self._bye[y] + self._rest(change)
        return pairs + self._pull[other][x] - self._pull[other][y] - self._pair[x][y] + self._rest(change)

    def _rest(self, change: Change) -> int:
        """What a change adds in seats and clubs."""
        x, y = change
        table, other = self._home[x], self._home[y]
        worth = self._besides_pairs([y if z == x else z for z in self._tables[table]]) - self._own[table]
        if other != NOBODY:
            worth += self._besides_pairs([x if z == y else z for z in self._tables[other]]) - self._own[other]
        return worth

    def _slack(self, table: int) -> int:
        return self._seats + (self._club if self._own[table] >= self._club else 0)

    def _besides_pairs(self, group: Sequence[int]) -> int:
        cost = self.problem.seating(group)
        if self._club and self.problem.has_clubmates(group):
            cost += self._club
        return cost

    def _replace(self, table: int, gone: int, come: int) -> None:
        group = self._tables[table]
        group[group.index(gone)] = come
        rows = zip(self._pull[table], self._pair[gone], self._pair[come], strict=True)
        self._pull[table] = [pull - went + came for pull, went, came in rows]
        self._own[table] = self._besides_pairs(group)

    def _pull_of(self, group: Sequence[int]) -> list[int]:
        short = self._short if len(group) < self.problem.table else [0] * len(self._short)
        rows = zip(*(self._pair[y] for y in group), strict=True)
        return [sum(row) + extra for row, extra in zip(rows, short, strict=True)]
