"""A Swiss round at tables of two, three or four."""

from collections.abc import Iterable, Sequence

from scoring.pairing.field import Contender, Cost, Meetings, Pairing
from scoring.pairing.problem import Group, Problem
from scoring.pairing.seats import best_seating


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
    tables, byes = greedy(problem)
    return as_pairing(problem, tables, byes)


def greedy(problem: Problem) -> tuple[list[Group], list[int]]:
    """Byes first, then table by table from the top of the standing, each with whom it costs least."""
    byes = sorted(range(len(problem.entries)), key=problem.bye)[: problem.sizes.byes]
    waiting = [place for place in problem.by_standing() if place not in byes]
    tables: list[Group] = []
    for size in [problem.table] * problem.sizes.full + [problem.table - 1] * problem.sizes.short:
        group = [waiting.pop(0)]
        while len(group) < size:
            chosen = min(waiting, key=lambda place: problem.drawn(tuple(sorted([*group, place]))))
            waiting.remove(chosen)
            group.append(chosen)
        tables.append(tuple(sorted(group)))
    return tables, byes


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
