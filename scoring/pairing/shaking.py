"""Out of where no change of two entries betters a pairing: three change at once, and the rest settles anew."""

from typing import Final

from scoring.pairing.exact import Drawn
from scoring.pairing.lots import chance
from scoring.pairing.problem import Problem
from scoring.pairing.search import NOBODY, Search

SHAKES: Final = 600
"""How many times three are changed, in a field of up to 66."""

SHAKEN: Final = 40_000
"""In a larger one so many divided by the entries: each then takes the longer."""

CHANGES: Final = 40
"""How many changes may follow each."""

REACH: Final = 4
"""How many tables away in the standing those are looked for with whom an entry changes."""


def shaken(problem: Problem, drawn: Drawn, seed: str) -> Drawn:
    """The best that was found from this pairing; what comes out worse is taken back."""
    search = Search(problem, drawn)
    standing = problem.by_standing()
    position = {x: place for place, x in enumerate(standing)}
    reach = REACH * problem.table
    lots = chance(seed)
    for turn in range(min(SHAKES, SHAKEN // max(1, len(standing)))):
        search.log.clear()
        before = search.gained
        poor = search.poor() if turn % 2 else []
        first = poor[next(lots) % len(poor)] if poor else next(lots) % len(standing)
        near = standing[max(0, position[first] - reach) : position[first] + reach + 1]
        trio = (first, near[next(lots) % len(near)], near[next(lots) % len(near)])
        tables = [search.table_of(x) for x in trio]
        if len(set(tables)) < 3:
            continue
        for other in trio[1:]:
            search.make((other, trio[0]) if search.table_of(trio[0]) == NOBODY else (trio[0], other))
        search.settle(tables, CHANGES)
        if search.gained >= before:
            search.take_back()
    return search.drawn
