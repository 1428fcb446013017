"""Seeds and orders that anyone can work out again, and who sits where."""

import hashlib
from fractions import Fraction

import pytest

from scoring.pairing import by_hash, seated, seed_of_round


def test_a_seed_is_the_digest_of_secret_round_and_results_in_the_order_of_numbers() -> None:
    results = {12: Fraction(3, 2), 3: 2, 7: Fraction(0)}
    assert seed_of_round("geheim", 4, results) == hashlib.sha256(b"geheim:4:3=2,7=0,12=3/2").hexdigest()
    assert seed_of_round("é", 1, {}) == hashlib.sha256("é:1:".encode()).hexdigest()


def test_each_part_changes_the_seed() -> None:
    seeds = [
        seed_of_round("s", 2, {1: 2}),
        seed_of_round("t", 2, {1: 2}),
        seed_of_round("s", 3, {1: 2}),
        seed_of_round("s", 2, {1: 1}),
        seed_of_round("s", 2, {}),
    ]
    assert len(set(seeds)) == len(seeds)


def test_the_order_by_hash_is_that_of_the_digests() -> None:
    numbers = list(range(1, 100))
    assert by_hash("s", numbers) == sorted(numbers, key=lambda n: hashlib.sha256(f"s:{n}".encode()).hexdigest())


def test_who_had_least_of_its_share_of_first_seats_sits_first() -> None:
    assert seated([1, 2], {1: (2, 1), 2: (1, 2)}, table=2, seed="s") == (2, 1)
    # one first seat in four rounds is less of a share than none in none
    assert seated([1, 2], {1: (1, 3), 2: ()}, table=2, seed="s") == (1, 2)


def test_the_other_seats_go_where_they_were_had_least() -> None:
    seats = {1: (0, 2, 0, 0), 2: (1, 0, 1, 0), 3: (1, 0, 0, 1), 4: (1, 1, 0, 0)}
    first, *others = seated([1, 2, 3, 4], seats, table=4, seed="s")
    assert first == 1
    assert all(seats[number][label] == 0 for label, number in enumerate(others, 1))


def test_what_is_level_sits_by_hash_and_the_order_given_is_irrelevant() -> None:
    for seed in "abc":
        assert seated([3, 1, 2], {}, table=3, seed=seed) == tuple(by_hash(seed, [1, 2, 3]))


@pytest.mark.parametrize("table", [2, 3, 4])
def test_those_who_always_meet_take_turns(table: int) -> None:
    numbers = list(range(1, table + 1))
    seats = {number: [0] * table for number in numbers}
    for turn in range(3 * table):
        for label, number in enumerate(seated(numbers, seats, table=table, seed=f"{turn}")):
            seats[number][label] += 1
    assert {had[0] for had in seats.values()} == {3}
