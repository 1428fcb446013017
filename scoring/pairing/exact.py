"""The best pairing of a small field, by trying all of them."""

from collections.abc import Iterator
from itertools import combinations

from scoring.pairing.problem import Group, Problem

Drawn = tuple[list[Group], list[int]]
"""Tables and byes, as places in the order by hash."""


def enumerated(problem: Problem) -> Drawn:
    """The pairing that costs least; of several, the first when each is written from the first in the order by hash.

    A branch that already costs as much as the best so far is left, which changes nothing of the answer.
    """
    return _Enumeration(problem).best


class _Enumeration:
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.best: Drawn = ([], [])
        self._least: int | None = None
        self._tables: list[Group] = []
        self._byes: list[int] = []
        sizes = problem.sizes
        self._go_on(tuple(range(len(problem.entries))), (sizes.full, sizes.short, sizes.byes), 0)

    def _go_on(self, waiting: Group, left: tuple[int, int, int], cost: int) -> None:
        if self._least is not None and cost >= self._least:
            return
        if not waiting:
            self._least, self.best = cost, (list(self._tables), list(self._byes))
            return
        full, short, byes = left
        for group in self._groups(waiting, self.problem.table if full else 0):
            self._seat(group, waiting, (full - 1, short, byes), cost)
        for group in self._groups(waiting, self.problem.table - 1 if short else 0):
            self._seat(group, waiting, (full, short - 1, byes), cost)
        if byes:
            self._byes.append(waiting[0])
            self._go_on(waiting[1:], (full, short, byes - 1), cost + self.problem.bye(waiting[0]))
            self._byes.pop()

    def _groups(self, waiting: Group, size: int) -> Iterator[Group]:
        """Every table of that size with the first of those who wait; none of size 0."""
        if size:
            for others in combinations(waiting[1:], size - 1):
                yield (waiting[0], *others)

    def _seat(self, group: Group, waiting: Group, left: tuple[int, int, int], cost: int) -> None:
        self._tables.append(group)
        rest = tuple(place for place in waiting if place not in group)
        self._go_on(rest, left, cost + self.problem.at_table(group))
        self._tables.pop()
