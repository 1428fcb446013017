"""Knock-outs of every size, played to the end."""

import random
from collections.abc import Iterator

import pytest

from scoring.pairing import Pairing, knockout, knockout_plan, place_match, went_on

SHAPES = [(table, through, short) for table in (2, 3, 4) for through in range(1, table) for short in (False, True)]
SIZES = [*range(2, 65), 100, 128, 243, 256]

shapes = pytest.mark.parametrize(("table", "through", "short_tables"), SHAPES)


def played(
    entries: int, table: int, through: int, *, short_tables: bool, chance: random.Random | None = None
) -> Iterator[tuple[Pairing, list[tuple[int, ...]]]]:
    """Every round and how its tables finished; the better seed wins, or by chance."""
    order: tuple[int, ...] = tuple(range(1, entries + 1))
    past: tuple[tuple[int, ...], ...] = ()
    while len(order) > 1:
        drawn = knockout(order, table=table, through=through, short_tables=short_tables, past_tables=past)
        finished = [tuple(chance.sample(t, len(t)) if chance else sorted(t)) for t in drawn.tables]
        yield drawn, finished
        past = drawn.tables
        order = () if len(order) <= table else went_on(finished, drawn.byes, through=through)


@shapes
def test_every_size_ends_in_one_final_through_the_rounds_that_were_planned(
    table: int, through: int, short_tables: bool
) -> None:
    for entries in SIZES:
        plan = knockout_plan(entries, table=table, through=through, short_tables=short_tables)
        rounds = list(played(entries, table, through, short_tables=short_tables, chance=random.Random(entries)))
        assert len(rounds) == len(plan)
        for stage, (drawn, _) in zip(plan, rounds, strict=True):
            seated = [len(one) for one in drawn.tables]
            assert sum(seated) + len(drawn.byes) == stage.entries
            assert len(seated) == stage.tables == stage.full + stage.short
            assert seated.count(table) == stage.full
            assert len(drawn.byes) == stage.byes
        assert [stage.is_final for stage in plan] == [False] * (len(plan) - 1) + [True]
        assert plan[-1].tables == 1
        assert plan[-1].byes == 0


@shapes
def test_nobody_plays_who_is_out_and_nobody_is_lost(table: int, through: int, short_tables: bool) -> None:
    for entries in SIZES:
        still = set(range(1, entries + 1))
        for drawn, finished in played(
            entries, table, through, short_tables=short_tables, chance=random.Random(entries)
        ):
            placed = [n for one in drawn.tables for n in one] + list(drawn.byes)
            assert len(placed) == len(still)
            assert set(placed) == still
            still -= {n for one in finished for n in one[through:]}


@shapes
def test_tables_are_full_or_one_short_where_allowed_but_for_the_final(
    table: int, through: int, short_tables: bool
) -> None:
    for entries in SIZES:
        *before, _final = knockout_plan(entries, table=table, through=through, short_tables=short_tables)
        if not short_tables or through == table - 1:
            assert all(stage.short == 0 for stage in before)
        for drawn, _ in list(played(entries, table, through, short_tables=short_tables))[:-1]:
            assert {len(one) for one in drawn.tables} <= {table, table - 1}


def test_short_tables_make_the_final_full() -> None:
    for table, through, _ in SHAPES:
        for entries in range(table, 65):
            final = knockout_plan(entries, table=table, through=through, short_tables=True)[-1]
            assert final.entries == table or (table, through, entries) == (4, 1, 5)


@pytest.mark.parametrize("table", [2, 3, 4])
def test_a_power_of_the_table_is_played_without_byes_or_short_tables(table: int) -> None:
    for power in range(1, 5):
        plan = knockout_plan(table**power, table=table, through=1)
        assert [stage.tables for stage in plan] == [table**left for left in reversed(range(power))]
        assert all(stage.byes == stage.short == 0 for stage in plan)


@shapes
def test_byes_go_to_the_best_seeds_and_short_tables_to_the_best_of_the_others(
    table: int, through: int, short_tables: bool
) -> None:
    for entries in SIZES:
        drawn, _ = next(played(entries, table, through, short_tables=short_tables))
        assert drawn.byes == tuple(range(1, len(drawn.byes) + 1))
        short = [one for one in drawn.tables if len(one) < table]
        assert short == list(drawn.tables[: len(short)])


def test_tables_of_two_are_the_usual_bracket() -> None:
    assert knockout(range(1, 9), table=2, through=1).tables == ((1, 8), (2, 7), (3, 6), (4, 5))
    rounds = [drawn.tables for drawn, _ in played(8, 2, 1, short_tables=False)]
    assert rounds[1:] == [((1, 4), (2, 3)), ((1, 2),)]


def test_six_entries_at_tables_of_two_the_first_two_have_byes() -> None:
    first, second, final = [drawn for drawn, _ in played(6, 2, 1, short_tables=False)]
    assert (first.byes, first.tables) == ((1, 2), ((3, 6), (4, 5)))
    assert second.tables == ((1, 4), (2, 3))
    assert final.tables == ((1, 2),)


@pytest.mark.parametrize("table", [2, 3, 4])
def test_the_best_seeds_meet_only_in_the_final_whoever_wins_the_other_tables(table: int) -> None:
    for entries in range(table + 1, 65):
        order: tuple[int, ...] = tuple(range(1, entries + 1))
        chance = random.Random(entries)
        while len(order) > table:
            drawn = knockout(order, table=table, through=1, short_tables=True)
            for one in drawn.tables:
                assert not {1, 2} <= set(one), entries
            finished = [tuple(sorted(one, key=lambda n: (n > 2, chance.random()))) for one in drawn.tables]
            order = went_on(finished, drawn.byes, through=1)
        assert {1, 2} <= set(order)


@pytest.mark.parametrize(("table", "entries"), [(4, 16), (4, 32), (4, 64), (3, 27)])
def test_those_who_go_on_from_one_table_do_not_meet_again_at_once(table: int, entries: int) -> None:
    past: list[set[int]] = []
    for drawn, _ in played(entries, table, 2, short_tables=False, chance=random.Random(entries)):
        if len(drawn.tables) > 1:
            assert not any(len(set(one) & before) > 1 for one in drawn.tables for before in past)
        past = [set(one) for one in drawn.tables]


def test_losers_of_the_semi_finals_play_for_the_third_place() -> None:
    assert place_match([(1, 4), (2, 3)], table=2, through=1) == (4, 3)


def test_at_tables_of_four_with_two_going_on_the_others_of_both_tables_play_for_the_fifth_place() -> None:
    assert place_match([(1, 8, 4, 5), (2, 7, 3, 6)], table=4, through=2) == (4, 3, 5, 6)


def test_where_more_went_out_than_a_table_holds_the_better_play_for_the_places() -> None:
    assert place_match([(1, 9, 8), (2, 7, 6), (3, 5, 4)], table=3, through=1) == (9, 7, 5)


def test_one_who_went_out_alone_has_nobody_to_play_with() -> None:
    assert place_match([(2, 3)], table=2, through=1) == ()


def test_one_entry_is_the_winner_and_none_is_nobody() -> None:
    assert knockout([7], table=2, through=1) == Pairing((), (7,))
    assert knockout([], table=2, through=1) == Pairing(())
    assert knockout_plan(1, table=2, through=1) == ()


@pytest.mark.parametrize(("table", "through"), [(2, 2), (3, 0), (5, 1), (1, 1)])
def test_a_table_from_which_all_or_none_go_on_is_refused(table: int, through: int) -> None:
    with pytest.raises(ValueError, match="go on"):
        knockout([1, 2, 3, 4, 5, 6], table=table, through=through)


def test_a_number_twice_in_the_order_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        knockout([1, 2, 1], table=2, through=1)
