"""Berger's tables: everybody meets everybody, and nobody plays first much more often than another."""

from collections import Counter
from itertools import combinations

import pytest

from scoring.pairing import round_robin, round_robin_rounds

SIZES = range(2, 41)


@pytest.mark.parametrize("entries", SIZES)
def test_every_two_meet_exactly_once_and_everybody_plays_or_sits_out_each_round(entries: int) -> None:
    numbers = [10 * place for place in range(1, entries + 1)]
    rounds = [round_robin(numbers, turn) for turn in range(1, round_robin_rounds(entries) + 1)]
    met = Counter(frozenset(table) for one in rounds for table in one.tables)
    assert met == Counter(frozenset(pair) for pair in combinations(numbers, 2))
    for one in rounds:
        assert sorted([n for table in one.tables for n in table] + list(one.byes)) == numbers
    byes = Counter(number for one in rounds for number in one.byes)
    assert byes == (Counter(numbers) if entries % 2 else Counter())


@pytest.mark.parametrize("entries", SIZES)
def test_first_seats_differ_by_one_at_most_and_with_byes_not_at_all(entries: int) -> None:
    numbers = list(range(1, entries + 1))
    turns = range(1, round_robin_rounds(entries) + 1)
    first = Counter(table[0] for turn in turns for table in round_robin(numbers, turn).tables)
    counts = [first[number] for number in numbers]
    assert max(counts) - min(counts) == (0 if entries % 2 else 1)


def test_the_tables_of_six_are_those_that_federations_print() -> None:
    printed = [
        ((1, 6), (2, 5), (3, 4)),
        ((6, 4), (5, 3), (1, 2)),
        ((2, 6), (3, 1), (4, 5)),
        ((6, 5), (1, 4), (2, 3)),
        ((3, 6), (4, 2), (5, 1)),
    ]
    for turn, tables in enumerate(printed, 1):
        assert set(round_robin([1, 2, 3, 4, 5, 6], turn).tables) == set(tables)


@pytest.mark.parametrize("entries", [2, 5, 8])
def test_a_second_leg_is_the_first_with_the_seats_turned(entries: int) -> None:
    numbers = list(range(1, entries + 1))
    leg = round_robin_rounds(entries)
    assert round_robin_rounds(entries, legs=2) == 2 * leg
    for turn in range(1, leg + 1):
        there, back = round_robin(numbers, turn), round_robin(numbers, turn + leg)
        assert back.tables == tuple(table[::-1] for table in there.tables)
        assert back.byes == there.byes
        assert round_robin(numbers, turn + 2 * leg) == there


def test_one_entry_needs_no_round_and_cannot_be_paired() -> None:
    assert round_robin_rounds(1) == round_robin_rounds(0) == 0
    with pytest.raises(ValueError, match="two entries"):
        round_robin([1], 1)


def test_a_number_given_twice_and_a_round_before_the_first_are_refused() -> None:
    with pytest.raises(ValueError, match="each once"):
        round_robin([1, 1], 1)
    with pytest.raises(ValueError, match="from 1"):
        round_robin([1, 2], 0)
