"""Tables of two as a matching of least weight (networkx), exact on the graph that it is given."""

from collections.abc import Iterable

import networkx as nx

from scoring.pairing.exact import Drawn
from scoring.pairing.problem import Problem


def matched(problem: Problem, pairs: Iterable[tuple[int, int]], sitting_out: Iterable[int]) -> Drawn:
    """The pairing that costs least of those made of these pairs (lower place first) and, if one is left over, of these
    who may sit out. The weights are whole numbers, so that nothing is rounded. There must be such a pairing.
    """
    graph: nx.Graph[int] = nx.Graph()
    nobody = len(problem.entries)
    graph.add_nodes_from(range(nobody + problem.sizes.byes))
    costs = {pair: problem.at_table(pair) for pair in pairs}
    if problem.sizes.byes:
        costs |= {(place, nobody): problem.bye(place) for place in sitting_out}
    most = max(costs.values(), default=0) + 1
    for (one, other), cost in costs.items():
        graph.add_edge(one, other, weight=most - cost)
    found = sorted((min(pair), max(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True))
    byes = [one for one, other in found if other == nobody]
    return [pair for pair in found if pair[1] != nobody], byes
