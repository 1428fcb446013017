"""Mêlées: fresh teams each round."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import pytest

from scoring.pairing import Contender, Melee, melee

Met = dict[frozenset[int], int]


def played(players: int, rounds: int, *, table: int = 2, short_tables: bool = False, seed: int = 1) -> Iterator[Melee]:
    """Each round, after it was judged legal and its cost right."""
    chance = random.Random(seed)
    points = {n: Fraction(0) for n in range(1, players + 1)}
    byes = dict.fromkeys(points, 0)
    partners: Met = {}
    opponents: Met = {}
    for turn in range(1, rounds + 1):
        order = sorted(points, key=lambda n: (-points[n], n))
        known = {n: Contender(n, points[n], place, byes=byes[n]) for place, n in enumerate(order, 1)}
        drawn = melee(
            known.values(), partners, opponents, table=table, short_tables=short_tables, seed=f"{seed}/{turn}"
        )
        judge(drawn, known, partners, opponents, table)
        yield drawn
        for teams in drawn.tables:
            for team in teams:
                partners[frozenset(team)] = partners.get(frozenset(team), 0) + 1
                won = chance.choice([0, 1, 2])
                for n in team:
                    points[n] += won
            for one, other in combinations(teams, 2):
                for pair in product(one, other):
                    opponents[frozenset(pair)] = opponents.get(frozenset(pair), 0) + 1
        for n in drawn.byes:
            byes[n] += 1
            points[n] += 2


def judge(drawn: Melee, known: dict[int, Contender], partners: Met, opponents: Met, table: int) -> None:
    seated = [n for teams in drawn.tables for team in teams for n in team]
    assert sorted(seated + list(drawn.byes)) == sorted(known)
    assert {len(teams) for teams in drawn.tables} <= {table, table - 1}
    playing = [known[n].byes for n in seated]
    for n in drawn.byes:
        assert not playing or known[n].byes <= min(playing)
    together = sum(partners.get(frozenset(team), 0) for teams in drawn.tables for team in teams)
    against = squares = Fraction(0)
    for teams in drawn.tables:
        for one, other in combinations(teams, 2):
            against += sum(opponents.get(frozenset(pair), 0) for pair in product(one, other))
            squares += (sum(known[n].match_points for n in one) - sum(known[n].match_points for n in other)) ** 2
    cost = drawn.cost
    assert (cost.partners, cost.opponents, cost.squares) == (together, against, squares)


@pytest.mark.parametrize("table", [2, 3, 4])
@pytest.mark.parametrize("short_tables", [False, True])
def test_every_round_of_every_size_is_legal(table: int, short_tables: bool) -> None:
    for players in [*range(14), 17, 22, 23, 29]:
        for drawn in played(players, 3, table=table, short_tables=short_tables):
            lost = players % (2 * table) if not short_tables or table == 2 else players % 2
            assert len(drawn.byes) == lost or (short_tables and players < 2 * table * (table - 1))


@pytest.mark.parametrize("players", [8, 12, 16, 24, 40])
def test_nobody_has_a_partner_again_while_there_are_new_ones(players: int) -> None:
    for drawn in played(players, 6):
        assert drawn.cost.partners == 0


@pytest.mark.parametrize("players", [24, 40, 64])
def test_in_a_field_that_is_large_enough_nobody_meets_an_opponent_again(players: int) -> None:
    for drawn in played(players, 4):
        assert drawn.cost.opponents == 0


def test_four_players_have_three_rounds_of_new_partners_and_a_fourth_repeats() -> None:
    assert [drawn.cost.partners for drawn in played(4, 4)] == [0, 0, 0, 2]


def test_the_teams_of_a_table_are_as_strong_as_each_other() -> None:
    strength = [9, 8, 2, 1]
    players = [Contender(n, Fraction(points), n) for n, points in enumerate(strength, 1)]
    drawn = melee(players, {}, {}, table=2, seed="s")
    assert drawn.cost.squares == 0
    assert {frozenset(team) for team in drawn.tables[0]} == {frozenset({1, 4}), frozenset({2, 3})}


def test_eight_players_are_drawn_as_well_as_can_be() -> None:
    """Against every mêlée of eight that there is, at a few moments of random tournaments."""
    for seed in range(4):
        for drawn, known, partners, opponents in moments(8, 5, seed):
            best = min(costs(known, partners, opponents))
            assert (drawn.cost.partners, drawn.cost.opponents, drawn.cost.squares) == best


def moments(players: int, rounds: int, seed: int) -> Iterator[tuple[Melee, dict[int, Contender], Met, Met]]:
    chance = random.Random(seed)
    for turn in range(rounds):
        pairs = [frozenset(pair) for pair in combinations(range(1, players + 1), 2)]
        partners = {pair: chance.choice([0, 0, 1, 2]) for pair in pairs}
        opponents = {pair: chance.choice([0, 1, 1, 2]) for pair in pairs}
        known = {
            n: Contender(n, Fraction(chance.randint(0, 9), chance.choice([1, 2])), n) for n in range(1, players + 1)
        }
        yield melee(known.values(), partners, opponents, table=2, seed=f"{turn}"), known, partners, opponents


def costs(known: dict[int, Contender], partners: Met, opponents: Met) -> Iterator[tuple[int, int, Fraction]]:
    for teams in parted(sorted(known)):
        for tables in parted(teams):
            yield (
                sum(partners[frozenset(team)] for team in teams),
                sum(opponents[frozenset(pair)] for one, other in tables for pair in product(one, other)),
                sum(
                    (sum(known[n].match_points for n in one) - sum(known[n].match_points for n in other)) ** 2
                    for one, other in tables
                ),
            )


def parted(members: list) -> Iterator[list]:
    if not members:
        yield []
        return
    for place in range(1, len(members)):
        for rest in parted(members[1:place] + members[place + 1 :]):
            yield [(members[0], members[place]), *rest]


def test_the_order_of_the_players_is_irrelevant_and_another_seed_draws_others() -> None:
    players = [Contender(n, place=n) for n in range(1, 25)]
    drawn = melee(players, {}, {}, table=2, seed="s")
    assert melee(players[::-1], {}, {}, table=2, seed="s") == drawn
    assert melee(players, {}, {}, table=2, seed="t") != drawn


def test_first_seats_go_to_teams_who_had_fewest() -> None:
    players = [Contender(n, place=n, seats=(2, 0) if n % 2 else (0, 2)) for n in range(1, 5)]
    partners = {frozenset({1, 2}): 1, frozenset({1, 4}): 1, frozenset({2, 3}): 1, frozenset({3, 4}): 1}
    drawn = melee(players, partners, {}, table=2, seed="s")
    assert [set(team) for team in drawn.tables[0]] == [{2, 4}, {1, 3}]


def test_a_large_field_is_drawn_legally() -> None:
    for drawn in played(121, 3):
        assert drawn.cost.partners == 0
        assert len(drawn.byes) == 1


def test_a_player_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        melee([Contender(1), Contender(1)], {}, {}, table=2, seed="s")
