"""The best pairing of a small field: every one is tried, but for branches that cannot better the best known."""

from collections.abc import Iterator
from itertools import combinations

from scoring.pairing.problem import Group, Problem

Drawn = tuple[list[Group], list[int]]
"""Tables and byes, as places in the order by hash, ascending."""


def enumerated(problem: Problem, start: Drawn, most_steps: int | None = None) -> Drawn:
    """The pairing that costs least; of several that cost the same, the one with the first tables in the order by hash.

    `start` is a pairing to better. With `most_steps` no more than so many tables are tried: the answer is then the best
    pairing found, at least as good as `start`.
    """
    return _Branching(problem, start, most_steps).best


class _Branching:
    """A table after the other is made for the best placed of those who wait, cheapest first.

    Those who still wait will cost at least half of their cheapest pairs (each pair belongs to two), or their bye.
    """

    def __init__(self, problem: Problem, start: Drawn, most_steps: int | None) -> None:
        self.problem = problem
        self.best = start
        self._least = problem.total(*start)
        self._steps_left = most_steps
        self._done: list[Group] = []
        self._half = [self._least_of(x) for x in range(len(problem.entries))]
        sizes = problem.sizes
        waiting = tuple(problem.by_standing())
        self._go_on(waiting, (sizes.full, sizes.short, sizes.byes), 0, sum(self._half))

    def _least_of(self, x: int) -> int:
        """Twice the least that x adds to any pairing."""
        row = self.problem.pairs[x]
        pairs = sorted(row[:x] + row[x + 1 :])
        others = self.problem.table - (2 if self.problem.sizes.short else 1)
        seated = sum(pairs[:others])
        return min(seated, 2 * self.problem.bye(x)) if self.problem.sizes.byes else seated

    def _go_on(self, waiting: Group, left: tuple[int, int, int], cost: int, to_come: int) -> None:
        """Seat those who wait; `to_come` is twice what they will cost at least."""
        if not waiting:
            self._keep(cost)
            return
        for now, group, left_then in sorted(self._ways(waiting, left, cost, to_come)):
            still = to_come - sum(self._half[x] for x in group)
            if 2 * now + still > 2 * self._least:
                continue
            self._done.append(group)
            self._go_on(tuple(x for x in waiting if x not in group), left_then, now, still)
            self._done.pop()

    def _ways(
        self, waiting: Group, left: tuple[int, int, int], cost: int, to_come: int
    ) -> Iterator[tuple[int, Group, tuple[int, int, int]]]:
        """What may become of the first who waits: what all costs then, with whom, and the tables left."""
        first, (full, short, byes) = waiting[0], left
        if byes:
            yield cost + self.problem.bye(first), (first,), (full, short, byes - 1)
        for size, left_then in (
            (self.problem.table if full else 0, (full - 1, short, byes)),
            (self.problem.table - 1 if short else 0, (full, short - 1, byes)),
        ):
            for others in combinations(waiting[1:], size - 1) if size else ():
                if self._steps_left is not None:
                    if not self._steps_left:
                        return
                    self._steps_left -= 1
                group = tuple(sorted((first, *others)))
                now = cost + self.problem.at_table(group)
                if 2 * now + to_come - sum(self._half[x] for x in group) <= 2 * self._least:
                    yield now, group, left_then

    def _keep(self, cost: int) -> None:
        found = (
            sorted(group for group in self._done if len(group) > 1),
            sorted(group[0] for group in self._done if len(group) == 1),
        )
        if (cost, *found) < (self._least, *self.best):
            self._least, self.best = cost, found
