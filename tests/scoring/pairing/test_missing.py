"""Rounds of those who have still to meet."""

from itertools import combinations

import pytest

from scoring.pairing import missing_round, missing_rounds


def across(pools: int, size: int) -> tuple[list[int], set[frozenset[int]]]:
    """The first `size` of so many pools, best of each first, and the pairs of different pools."""
    order = list(range(1, pools * size + 1))
    return order, {frozenset(p) for p in combinations(order, 2) if p[0] % pools != p[1] % pools}


@pytest.mark.parametrize(
    ("pools", "size", "rounds"),
    [(2, 1, 1), (2, 2, 2), (2, 3, 3), (2, 4, 4), (3, 2, 4), (4, 2, 6), (4, 4, 12), (5, 2, 8), (3, 1, 3)],
)
def test_all_meet_once_in_as_few_rounds_as_there_can_be(pools: int, size: int, rounds: int) -> None:
    order, missing = across(pools, size)
    assert missing_rounds(order, missing) == rounds
    left, firsts = set(missing), dict.fromkeys(order, 0)
    for _ in range(rounds):
        drawn = missing_round(order, left, firsts)
        sitting = [number for pair in drawn for number in pair]
        assert len(set(sitting)) == len(sitting)
        assert {frozenset(pair) for pair in drawn} <= left
        for pair in drawn:
            left.remove(frozenset(pair))
            firsts[pair[0]] += 1
    assert not left


def test_those_at_a_table_already_are_left_aside() -> None:
    order, missing = across(2, 2)
    ((one, other),) = missing_round(order, missing, busy=(1, 4))
    assert {one, other} == {2, 3}


def test_whoever_sat_first_more_often_sits_second() -> None:
    assert missing_round([1, 2], [(1, 2)], {1: 1}) == ((2, 1),)
    assert missing_round([1, 2], [(1, 2)], {2: 1}) == ((1, 2),)


def test_the_order_of_the_pairs_does_not_matter() -> None:
    order, missing = across(4, 2)
    pairs = sorted(tuple(sorted(pair)) for pair in missing)
    assert missing_round(order, pairs) == missing_round(order, reversed(pairs))
