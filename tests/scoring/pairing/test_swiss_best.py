"""A Swiss round is the best that there is in small fields, and no worse than a greedy one in any."""

import os
import random
import subprocess
import sys
from dataclasses import astuple
from fractions import Fraction

import pytest

from scoring.pairing import Contender, cost_of, meetings, sizes, swiss
from tests.engine.budget import TIMES
from tests.scoring.pairing.naive_pairing import Judge, illegalities, parts_of
from tests.scoring.pairing.naive_pairing import sizes as naive_sizes
from tests.scoring.pairing.random_tournaments import tournament


@pytest.mark.parametrize("table", [2, 3, 4])
@pytest.mark.parametrize("batch", range(5))
def test_up_to_nine_entries_no_pairing_at_all_is_better(table: int, batch: int) -> None:
    each = 8 * TIMES
    for seed in range(batch * each, (batch + 1) * each):
        for of, pairing in tournament(seed, least=3, most=9, table=table):
            assert parts_of(pairing) == Judge(of).best(), f"tournament {seed} at tables of {table}: {of}"


@pytest.mark.parametrize("table", [2, 3, 4])
def test_above_nine_entries_it_is_no_worse_than_a_greedy_pairing(table: int) -> None:
    better = 0
    for seed in range(10 * TIMES):
        for of, pairing in tournament(seed, least=10, most=30, table=table, rounds=4):
            assert illegalities(of, pairing) == []
            assert parts_of(pairing) <= Judge(of).greedy(), f"tournament {seed}: {of}"
            better += parts_of(pairing) < Judge(of).greedy()
    assert better > 10


@pytest.mark.parametrize(("table", "entries"), [(2, 130), (3, 100), (4, 101)])
def test_a_large_field_is_no_worse_than_a_greedy_pairing(table: int, entries: int) -> None:
    for of, pairing in tournament(1, least=entries, most=entries + 2, table=table, rounds=4):
        assert illegalities(of, pairing) == []
        assert parts_of(pairing) == Judge(of).total(pairing.tables, pairing.byes)
        assert parts_of(pairing) <= Judge(of).greedy()


@pytest.mark.parametrize("seed", range(20))
def test_the_order_in_which_it_is_told_is_irrelevant(seed: int) -> None:
    chance = random.Random(seed)
    for of, pairing in tournament(seed, least=4, most=30, rounds=4):
        contenders, met = list(of.contenders), list(of.met.items())
        chance.shuffle(contenders)
        chance.shuffle(met)
        again = swiss(
            contenders,
            {frozenset(sorted(pair, reverse=True)): times for pair, times in met},
            table=of.table,
            short_tables=of.short_tables,
            apart_by_club=of.apart_by_club,
            seed=of.seed,
        )
        assert (again, again.cost) == (pairing, pairing.cost)


def test_another_process_with_another_hash_of_strings_pairs_alike() -> None:
    code = (
        "from tests.scoring.pairing.random_tournaments import tournament\n"
        "print([pairing for seed in range(6) for _, pairing in tournament(seed, least=8, most=20, rounds=3)])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(said) == 1


@pytest.mark.parametrize("seed", range(30))
def test_another_seed_changes_nothing_but_ties(seed: int) -> None:
    for of, pairing in tournament(seed, rounds=3):
        other = swiss(
            of.contenders,
            of.met,
            table=of.table,
            short_tables=of.short_tables,
            apart_by_club=of.apart_by_club,
            seed="another",
        )
        assert pairing.cost is not None
        assert other.cost is not None
        assert astuple(other.cost)[:-1] == astuple(pairing.cost)[:-1]


def test_in_the_first_round_neighbours_in_the_order_by_hash_meet_and_another_seed_draws_others() -> None:
    field = [Contender(number) for number in range(1, 9)]
    drawn = {swiss(field, {}, table=2, seed=seed).tables for seed in "abcdef"}
    assert len(drawn) > 3


def test_sizes_are_those_of_the_rule() -> None:
    for table in (2, 3, 4):
        for entries in range(30):
            for short_tables in (False, True):
                found = sizes(entries, table=table, short_tables=short_tables)
                assert (found.full, found.short, found.byes) == naive_sizes(entries, table, short_tables)


def field(*points: int, **each: list[int]) -> list[Contender]:
    """Contenders 1, 2, 3… with these match points, placed in that order."""
    return [
        Contender(number, Fraction(one), number, **{name: values[number - 1] for name, values in each.items()})
        for number, one in enumerate(points, 1)
    ]


def sitting_out(contenders: list[Contender], met: dict[frozenset[int], int] | None = None, table: int = 2) -> set[int]:
    return set(swiss(contenders, met or {}, table=table, seed="s").byes)


def test_the_bye_goes_to_the_last_and_not_to_a_leader_who_has_nobody_near() -> None:
    assert sitting_out(field(9, 4, 4, 2, 2)) == {5}
    assert sitting_out(field(2, 2, 0)) == {3}
    assert sitting_out(field(20, 6, 6, 6, 3, 3, 3), table=3) == {7}


def test_the_bye_goes_to_the_last_of_those_who_had_none() -> None:
    assert sitting_out(field(6, 4, 4, 2, 0, byes=[0, 0, 0, 1, 1])) == {3}


def test_when_everybody_had_one_a_second_is_given_and_no_third() -> None:
    assert sitting_out(field(6, 4, 4, 2, 0, byes=[1, 1, 1, 2, 2])) == {3}


def test_the_bye_moves_up_where_that_saves_a_repeated_meeting() -> None:
    assert sitting_out(field(4, 2, 0), meetings([(1, 2)])) != {3}


def test_a_repeated_meeting_is_avoided_at_any_distance_in_match_points() -> None:
    paired = swiss(field(9, 9, 0, 0), meetings([(1, 2)]), table=2, seed="s")
    assert {frozenset(table) for table in paired.tables} & {frozenset({1, 2}), frozenset({3, 4})} == set()


def test_where_repeats_cannot_be_avoided_the_third_meeting_is() -> None:
    met = meetings([(1, 2), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4), (3, 4)])
    paired = swiss(field(9, 9, 0, 0), met, table=2, seed="s")
    assert paired.cost is not None
    assert (paired.cost.repeats, paired.cost.again) == (2, 0)


def test_clubs_are_kept_apart_only_when_asked() -> None:
    contenders = [
        Contender(n, Fraction(p), n, club) for n, p, club in [(1, 4, "A"), (2, 4, "A"), (3, 0, "B"), (4, 0, "B")]
    ]
    together = swiss(contenders, {}, table=2, seed="s")
    apart = swiss(contenders, {}, table=2, apart_by_club=True, seed="s")
    assert {frozenset(table) for table in together.tables} == {frozenset({1, 2}), frozenset({3, 4})}
    assert {frozenset(table) for table in apart.tables} & {frozenset({1, 2}), frozenset({3, 4})} == set()


def test_entries_without_a_club_are_of_no_common_club() -> None:
    paired = swiss(field(4, 4, 0, 0), {}, table=2, apart_by_club=True, seed="s")
    assert {frozenset(table) for table in paired.tables} == {frozenset({1, 2}), frozenset({3, 4})}


def test_first_seats_come_out_even_over_the_rounds() -> None:
    for table in (2, 3, 4):
        *_, (of, _) = tournament(2, least=24, most=24, table=table, rounds=13)
        regular = [one for one in of.contenders if sum(one.seats) >= 10]
        firsts = [one.seats[0] * table - sum(one.seats) for one in regular]
        assert max(firsts) - min(firsts) <= 2 * table, firsts


def test_tables_are_listed_from_the_best_placed_down() -> None:
    for of, pairing in tournament(5, least=12, most=20, rounds=4):
        best = [min(of.known[number].place for number in table) for table in pairing.tables]
        assert best == sorted(best)


def test_nobody_one_and_too_few() -> None:
    assert swiss([], {}, table=3, seed="s").tables == ()
    assert swiss(field(1), {}, table=2, seed="s").byes == (1,)
    assert swiss(field(2, 1), {}, table=4, short_tables=True, seed="s").byes == (1, 2)


def test_a_number_given_twice_and_a_table_of_five_are_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        swiss([Contender(1), Contender(1)], {}, table=2, seed="s")
    with pytest.raises(ValueError, match="tables of 5"):
        swiss(field(1, 1), {}, table=5, seed="s")


def test_a_change_by_hand_is_weighed_as_a_drawn_round_is() -> None:
    contenders = field(6, 6, 0, 0)
    drawn = swiss(contenders, {}, table=2, seed="s")
    assert cost_of(drawn.tables, drawn.byes, contenders, {}, table=2, seed="s") == drawn.cost
    swapped = cost_of([(1, 3), (2, 4)], [], contenders, {}, table=2, seed="s")
    assert drawn.cost is not None
    assert swapped > drawn.cost
    assert swapped.as_data()["squares"] == "72"
