"""A round robin in which some have met already: rounds of those pairs alone that have not (networkx)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import networkx as nx

Pair = tuple[int, int]

WAYS: Final = 16
"""How many orders of the pairs are tried to need as few rounds as there can be."""


def missing_round(
    order: Sequence[int],
    missing: Iterable[Iterable[int]],
    firsts: Mapping[int, int] | None = None,
    busy: Iterable[int] = (),
) -> tuple[Pair, ...]:
    """The next round of those who have still to meet, as many tables as there can be, in the order of `order`.

    Whoever has most to meet plays before others, so that few rounds are needed. First sits who did less often so far
    (`firsts`), then by the order, turned from pair to pair. `busy`: those who sit at a table of this round already.
    Whoever is in no pair is idle. The answer depends on nothing but the arguments.

    >>> missing_round([1, 2, 3, 4], [(1, 3), (1, 4), (2, 3), (2, 4)])
    ((1, 4), (2, 3))
    """
    place = {number: index for index, number in enumerate(order)}
    pairs = _pairs(place, missing)
    taken = {place[number] for number in busy if number in place}
    free = {pair for pair in pairs if taken.isdisjoint(pair)}
    _rounds, way = _best(len(order), pairs)
    return tuple(_seated(order, pair, firsts or {}) for pair in _matched(len(order), free, way, pairs))


def missing_rounds(order: Sequence[int], missing: Iterable[Iterable[int]]) -> int:
    """How many such rounds there are until all have met; pairs of whom one is not in the order are left aside.

    >>> missing_rounds([1, 2, 3, 4], [(1, 3), (1, 4), (2, 3), (2, 4)]), missing_rounds([1, 2], [])
    (2, 0)
    """
    return _best(len(order), _pairs({number: index for index, number in enumerate(order)}, missing))[0]


def _pairs(place: Mapping[int, int], missing: Iterable[Iterable[int]]) -> set[Pair]:
    """The pairs by places in the order, the lower one first."""
    known = (sorted(place[number] for number in pair if number in place) for pair in missing)
    return {(pair[0], pair[1]) for pair in known if len(pair) == 2}


def _best(size: int, pairs: set[Pair]) -> tuple[int, int]:
    """How few rounds are found, and the first way that needs so many."""
    if not pairs:
        return 0, 0
    most = max(Counter(one for pair in pairs for one in pair).values())
    least = max(most, -(-len(pairs) // (size // 2)))
    best = (_rounds(size, pairs, 0), 0)
    for way in range(1, WAYS):
        if best[0] == least:
            break
        best = min(best, (_rounds(size, pairs, way), way))
    return best


def _rounds(size: int, pairs: set[Pair], way: int) -> int:
    left, rounds = set(pairs), 0
    while left:
        left -= set(_matched(size, left, way, left))
        rounds += 1
    return rounds


def _matched(size: int, pairs: set[Pair], way: int, missing: set[Pair]) -> list[Pair]:
    """Tables of as many of those as there can be who have most to meet, then of the next, and so on."""
    left = Counter(one for pair in missing for one in pair)
    base = size + 1
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(size))
    for one, other in sorted(pairs):
        weight = (base ** left[one] + base ** left[other]) * base**3
        graph.add_edge(one, other, weight=weight + _liking(size, one, other, way))
    return sorted((min(pair), max(pair)) for pair in nx.max_weight_matching(graph))


def _liking(size: int, one: int, other: int, way: int) -> int:
    """Which of rounds as good is liked, below size²: at first the best against the last, then some other order."""
    if way == 0:
        return (other - one) ** 2
    return ((one + way) * (other + 3 * way) * (2 * way + 5) + one + other) % size**2


def _seated(order: Sequence[int], pair: Pair, firsts: Mapping[int, int]) -> Pair:
    one, other = order[pair[0]], order[pair[1]]
    lead = firsts.get(one, 0) - firsts.get(other, 0)
    if lead > 0 or (lead == 0 and sum(pair) % 2 == 0):
        return other, one
    return one, other
