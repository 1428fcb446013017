"""The searches: what they say that they gained is what they gained, and no one change betters what they leave."""

import random
from fractions import Fraction
from itertools import combinations

import pytest

from scoring.pairing import Contender, meetings
from scoring.pairing.exact import Drawn
from scoring.pairing.problem import Problem
from scoring.pairing.rounds import greedy
from scoring.pairing.search import NOBODY, Search
from scoring.pairing.team_search import TeamSearch

FEW = 2000


def problem(seed: int, table: int) -> Problem:
    chance = random.Random(seed)
    numbers = list(range(1, chance.randint(10, 24)))
    contenders = [
        Contender(
            n,
            Fraction(chance.randint(0, 8), chance.choice([1, 2])),
            n,
            chance.choice(["A", "B", "C", None]),
            byes=chance.choice([0, 0, 1]),
            seats=tuple(chance.randint(0, 2) for _ in range(table)),
            short_tables=chance.choice([0, 1]),
        )
        for n in numbers
    ]
    met = meetings(chance.sample(numbers, 2) for _ in range(40))
    return Problem(contenders, met, table=table, short_tables=seed % 2 == 0, apart_by_club=seed % 3 > 0, seed=f"{seed}")


def with_change(drawn: Drawn, x: int, y: int) -> Drawn:
    turned = {x: y, y: x}
    tables = [tuple(sorted(turned.get(z, z) for z in group)) for group in drawn[0]]
    return tables, sorted(turned.get(z, z) for z in drawn[1])


@pytest.mark.parametrize("table", [2, 3, 4])
@pytest.mark.parametrize("seed", range(12))
def test_a_settled_pairing_is_not_bettered_by_any_change_of_two(table: int, seed: int) -> None:
    of = problem(seed, table)
    start = greedy(of)
    search = Search(of, start)
    search.settle(range(len(start[0])), FEW)
    settled = search.drawn
    assert of.total(*settled) == of.total(*start) + search.gained
    for x, y in combinations(range(len(of.entries)), 2):
        assert of.total(*with_change(settled, x, y)) >= of.total(*settled)


@pytest.mark.parametrize("table", [2, 3, 4])
def test_what_is_taken_back_is_as_it_was(table: int) -> None:
    of = problem(4, table)
    search = Search(of, greedy(of))
    before = search.drawn
    chance = random.Random(1)
    for _ in range(30):
        x, y = chance.sample(range(len(of.entries)), 2)
        if search.table_of(x) not in (NOBODY, search.table_of(y)):
            search.make((x, y))
    assert search.log
    search.take_back()
    assert (search.drawn, search.gained, search.log) == (before, 0, [])


@pytest.mark.parametrize("seed", range(12))
def test_a_settled_melee_is_not_bettered_by_any_change_of_two(seed: int) -> None:
    chance = random.Random(seed)
    lengths = [4, 4, 6]
    players = sum(lengths)
    partner, opponent = costs(players, chance), costs(players, chance)
    single = [[chance.randint(0, 5) for _ in range(players)] for _ in lengths]

    def total(tables: list[list[int]]) -> int:
        worth = 0
        for table, members in enumerate(tables):
            worth += sum(single[table][x] for x in members)
            for one, other in combinations(range(len(members)), 2):
                kind = partner if one // 2 == other // 2 else opponent
                worth += kind[members[one]][members[other]]
        return worth

    order = iter(range(players))
    tables = [[next(order) for _ in range(length)] for length in lengths]
    search = TeamSearch(tables, [partner] * len(lengths), opponent, single)
    assert search.total() == total(tables)
    search.settle(FEW)
    assert search.total() == total(search.tables) < total(tables)
    for x, y in combinations(range(players), 2):
        turned = {x: y, y: x}
        assert total([[turned.get(z, z) for z in table] for table in search.tables]) >= search.total()


def costs(players: int, chance: random.Random) -> list[list[int]]:
    rows = [[0] * players for _ in range(players)]
    for x, y in combinations(range(players), 2):
        rows[x][y] = rows[y][x] = chance.randint(-5, 20)
    return rows
