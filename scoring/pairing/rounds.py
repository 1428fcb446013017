"""A Swiss round at tables of two, three or four."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from heapq import nsmallest
from itertools import combinations
from typing import Final

from scoring.pairing.exact import Drawn, enumerated
from scoring.pairing.field import Contender, Cost, Meetings, Pairing
from scoring.pairing.matching import matched
from scoring.pairing.problem import Group, Problem
from scoring.pairing.search import Search
from scoring.pairing.seats import best_seating
from scoring.pairing.shaking import shaken

ENUMERATED: Final = 12
"""Fields of tables of three and four up to here are tried whole."""

BRANCHED: Final = 16
"""Fields up to here are tried whole as far as `STEPS` tables go: what was found is then often proved to be best."""

STEPS: Final = 50_000

ENUMERATED_PAIRS: Final = 9
"""The same at tables of two, where a matching is as exact and soon quicker."""

WHOLE: Final = 100
"""Fields up to here are matched with every pair; above, with those near each other (see `_near`)."""

NEAREST: Final = 4
"""How many of those near an entry are tried with it above that, and one more of each share of first seats."""

CHANGES: Final = 10_000
"""How many changes a search makes at most; a field of 500 takes some hundreds."""


def swiss(
    contenders: Iterable[Contender],
    met: Meetings,
    *,
    table: int,
    short_tables: bool = False,
    apart_by_club: bool = False,
    seed: str,
) -> Pairing:
    """Pair a round: the best by `Cost`.

    The answer depends on nothing but the arguments, and not on the order of the contenders. Raises ValueError for a
    number given twice, or T not 2, 3 or 4.
    """
    problem = Problem(contenders, met, table=table, short_tables=short_tables, apart_by_club=apart_by_club, seed=seed)
    return as_pairing(problem, *_drawn(problem, seed))


def _drawn(problem: Problem, seed: str) -> Drawn:
    entries = len(problem.entries)
    start = greedy(problem)
    if problem.table == 2 and entries > ENUMERATED_PAIRS:
        return _of_two(problem, start)
    start = settled(problem, start)
    if entries > ENUMERATED:
        start = shaken(problem, start, seed)
    if entries > BRANCHED:
        return start
    return enumerated(problem, start, STEPS if entries > ENUMERATED else None)


def _of_two(problem: Problem, start: Drawn) -> Drawn:
    """By matching: exact with every pair; with pairs that are near each other, and those of `start`, bettered after."""
    entries = range(len(problem.entries))
    if len(entries) <= WHOLE:
        return matched(problem, combinations(entries, 2), entries)
    pairs = {(one, other) for one, other in start[0]} | set(_near(problem))
    return settled(problem, matched(problem, sorted(pairs), entries))


def settled(problem: Problem, drawn: Drawn) -> Drawn:
    """Bettered until no change of two entries is better."""
    search = Search(problem, drawn)
    search.settle(range(len(drawn[0])), CHANGES)
    return search.drawn


def _near(problem: Problem) -> Iterator[tuple[int, int]]:
    """Pairs that a good pairing is likely to be made of: with each entry those that cost it least, among all and among
    those who have had each share of first seats (who can sit first for whom decides between pairs as near).
    """
    entries = range(len(problem.entries))
    kinds: dict[int, list[int]] = {}
    for x in entries:
        kinds.setdefault(problem.debts[x], []).append(x)
    for x in entries:
        costs = [_with(problem, problem.pairs[x], (x,), y) for y in entries] if problem.has_clubs else problem.pairs[x]
        for some, count in [(entries, NEAREST), *((kind, 1) for kind in kinds.values())]:
            for y in nsmallest(count, (y for y in some if y != x), key=costs.__getitem__):
                yield min(x, y), max(x, y)


def greedy(problem: Problem) -> Drawn:
    """Byes first, then table by table from the top of the standing, each with whom it costs least."""
    byes = sorted(range(len(problem.entries)), key=problem.bye)[: problem.sizes.byes]
    waiting = [x for x in problem.by_standing() if x not in byes]
    tables: list[Group] = []
    for size in [problem.table] * problem.sizes.full + [problem.table - 1] * problem.sizes.short:
        group = [waiting.pop(0)]
        costs = problem.pairs[group[0]]
        while len(group) < size:
            chosen = min(waiting, key=partial(_with, problem, costs, tuple(group)))
            waiting.remove(chosen)
            group.append(chosen)
            costs = [cost + more for cost, more in zip(costs, problem.pairs[chosen], strict=True)]
        tables.append(tuple(sorted(group)))
    return tables, byes


def _with(problem: Problem, costs: Sequence[int], group: Group, x: int) -> int:
    """What x adds to a table, given what its pairs add."""
    return costs[x] + (problem.has_clubmates((*group, x)) << problem.shifts["clubs"])


def as_pairing(problem: Problem, tables: Sequence[Group], byes: Sequence[int]) -> Pairing:
    """With numbers instead of places: everybody seated, the tables in order, and what it costs."""
    entries = problem.entries

    def standing(place: int) -> tuple[int, int]:
        return entries[place].place, place

    ordered = sorted(tables, key=lambda group: sorted(standing(place) for place in group))
    named = []
    for group in ordered:
        order = best_seating([entries[place].seats for place in group], problem.table)[2]
        named.append(tuple(entries[group[place]].number for place in order))
    return Pairing(
        tables=tuple(named),
        byes=tuple(entries[place].number for place in sorted(byes, key=standing)),
        cost=problem.as_cost(problem.total(tables, byes), len(tables)),
    )


def cost_of(
    tables: Sequence[Sequence[int]],
    byes: Sequence[int],
    contenders: Iterable[Contender],
    met: Meetings,
    *,
    table: int,
    short_tables: bool = False,
    apart_by_club: bool = False,
    seed: str,
) -> Cost:
    """What a round made by hand costs, seated at its best, to set it beside the one that was drawn.

    It must have no fault (`check_pairing`). Raises KeyError for a number that no contender has.
    """
    problem = Problem(contenders, met, table=table, short_tables=short_tables, apart_by_club=apart_by_club, seed=seed)
    places = {entry.number: place for place, entry in enumerate(problem.entries)}
    groups = [tuple(sorted(places[number] for number in numbers)) for numbers in tables]
    return problem.as_cost(problem.total(groups, [places[number] for number in byes]), len(groups))
