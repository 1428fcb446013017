"""STANDINGS 1 and 2: places and match points of a partie, and what was not played."""

from fractions import Fraction

import pytest

from scoring.parties import PartieResult, results
from scoring.ranking_reader import read
from tests.scoring.ranking_documents import Document, bye, document, manche, partie, values


def only_result(of: Document) -> PartieResult:
    (result,) = results(read(of))
    return result


def match_points(of: Document) -> dict[int, str | None]:
    return values(of, "match_points")


# STANDINGS 1


def test_points_km_manches_won_and_coups_fourres_are_added_up_over_the_manches() -> None:
    result = only_result(
        document(
            2,
            partie(
                manche({1: 900, 2: 300}, km={1: 700, 2: 300}, coups_fourres={1: 1, 2: 0}),
                manche({1: 100, 2: 1500}, km={1: 100, 2: 1000}, coups_fourres={1: 0, 2: 2}),
                manche({1: 400, 2: 400}, km={1: 400, 2: 400}, winner=None),
            ),
        )
    )
    one, two = result.seats
    assert (one.points, one.km, one.manches_won, one.coups_fourres) == (1400, 1200, 1, 1)
    assert (two.points, two.km, two.manches_won, two.coups_fourres) == (2200, 1700, 1, 2)
    assert result.manches == 3


def test_places_follow_points_and_level_entries_share_theirs() -> None:
    result = only_result(document(4, partie({1: 500, 2: 900, 3: 500, 4: 100}), table=4))
    assert [seat.place for seat in result.seats] == [2, 1, 2, 4]


def test_places_follow_points_even_against_the_manches_won() -> None:
    of = document(2, partie({1: 100, 2: 50}, {1: 100, 2: 50}, {1: 0, 2: 500}))
    assert [seat.place for seat in only_result(of).seats] == [2, 1]


def test_where_manches_decide_places_follow_the_manches_won_against_the_points() -> None:
    of = document(2, partie({1: 100, 2: 50}, {1: 100, 2: 50}, {1: 0, 2: 500}), decided_by="manches")
    assert [seat.place for seat in only_result(of).seats] == [1, 2]


def test_where_manches_decide_as_many_manches_are_separated_by_km() -> None:
    of = document(2, partie({1: 100, 2: 50}, {1: 0, 2: 75}), decided_by="manches")
    assert [seat.place for seat in only_result(of).seats] == [2, 1]


def test_where_manches_decide_as_many_manches_and_km_are_level() -> None:
    of = document(2, partie({1: 100, 2: 50}, {1: 50, 2: 100}), decided_by="manches")
    assert [seat.place for seat in only_result(of).seats] == [1, 1]


def test_a_negative_total_is_placed_as_any_other() -> None:
    assert match_points(document(2, partie({1: -100, 2: 0}))) == {1: "0", 2: "2"}


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ({1: 900, 2: 300}, "2 0"),
        ({1: 300, 2: 300}, "1 1"),
        ({1: 900, 2: 300, 3: 100}, "4 2 0"),
        ({1: 900, 2: 900, 3: 100}, "3 3 0"),
        ({1: 900, 2: 300, 3: 300}, "4 1 1"),
        ({1: 900, 2: 900, 3: 900}, "2 2 2"),
        ({1: 900, 2: 300, 3: 100, 4: 0}, "6 4 2 0"),
        ({1: 900, 2: 900, 3: 900, 4: 0}, "4 4 4 0"),
    ],
)
def test_two_match_points_for_each_placed_below_and_one_for_each_level(points: dict[int, int], expected: str) -> None:
    of = document(len(points), partie(points), table=len(points))
    assert list(match_points(of).values()) == sorted(expected.split(), reverse=True)
    assert [str(seat.match_points) for seat in only_result(of).seats] == expected.split()


def test_a_table_drawn_with_one_entry_less_weighs_each_opponent_more() -> None:
    of = document(3, partie({1: 900, 2: 300}), table=3)
    assert match_points(of) == {1: "4", 2: "0", 3: "0"}
    of = document(4, partie({1: 900, 2: 300, 3: 300}), table=4)
    assert match_points(of) == {1: "6", 2: "3/2", 3: "3/2", 4: "0"}


def test_a_scale_by_place() -> None:
    of = document(3, partie({1: 900, 2: 300, 3: 100}), table=3, scale=[10, 4, 1])
    assert match_points(of) == {1: "10", 2: "4", 3: "1"}


def test_level_entries_share_the_mean_of_the_places_that_they_take_up() -> None:
    of = document(4, partie({1: 900, 2: 300, 3: 300, 4: 300}), table=4, scale=[10, 4, 2, 1])
    assert match_points(of) == {1: "10", 2: "7/3", 3: "7/3", 4: "7/3"}


def test_a_scale_is_stretched_over_a_table_drawn_with_one_entry_less() -> None:
    of = document(4, partie({1: 900, 2: 300, 3: 100}), table=4, scale=[10, 5, 2, 0])
    assert match_points(of) == {1: "10", 2: "7/2", 3: "0", 4: "0"}
    of = document(3, partie({1: 300, 2: 300}), table=3, scale=[10, 4, 1])
    assert match_points(of) == {1: "11/2", 2: "11/2", 3: "0"}


def test_a_scale_may_have_decimals_which_are_exact() -> None:
    assert match_points(document(2, partie({1: 9, 2: 3}), partie({1: 9, 2: 3}), scale=[0.1, 0])) == {1: "1/5", 2: "0"}


# STANDINGS 1 and 7: what counts


@pytest.mark.parametrize("status", ["open", "void"])
def test_open_and_void_parties_count_for_nothing(status: str) -> None:
    of = document(2, partie({1: 900, 2: 300}, status=status), tie_breaks=["total_points", "km", "manche_share"])
    assert list(results(read(of))) == []
    for key, nothing in (("match_points", "0"), ("total_points", "0"), ("km", "0"), ("manche_share", None)):
        assert values(of, key) == {1: nothing, 2: nothing}


def test_a_closed_partie_without_manche_or_forfeit_counts_as_void() -> None:
    of = document(2, partie(entries=[1, 2]), primary="mean_match_points")
    assert values(of, "mean_match_points") == {1: None, 2: None}


# STANDINGS 2: byes


@pytest.mark.parametrize(("table", "expected"), [(2, "2"), (3, "4"), (4, "6")])
def test_a_bye_earns_as_beating_all_opponents(table: int, expected: str) -> None:
    assert match_points(document(1, table=table, byes=[bye(1)])) == {1: expected}


def test_a_bye_earns_the_first_number_of_a_scale() -> None:
    assert match_points(document(1, table=3, scale=[7, 3, 1], byes=[bye(1)])) == {1: "7"}


# STANDINGS 2: forfeits


def test_a_leaver_is_below_all_others_whatever_it_had_and_the_others_are_placed_among_themselves() -> None:
    of = document(3, partie({1: 900, 2: 300, 3: 100}, forfeits=[1]), table=3)
    assert [seat.place for seat in only_result(of).seats] == [3, 1, 2]
    assert match_points(of) == {2: "4", 3: "2", 1: "0"}


def test_two_leavers_share_the_last_places_with_nothing() -> None:
    of = document(4, partie({1: 900, 2: 300, 3: 100, 4: 0}, forfeits=[1, 2]), table=4)
    assert [seat.place for seat in only_result(of).seats] == [3, 3, 1, 2]
    assert match_points(of) == {3: "6", 4: "4", 1: "0", 2: "0"}


def test_manches_finished_before_keep_their_points_for_the_leaver_too() -> None:
    of = document(2, partie({1: 900, 2: 300}, forfeits=[1]), tie_breaks=["total_points", "km", "manches_won"])
    assert values(of, "total_points") == {1: "900", 2: "300"}
    assert values(of, "manches_won") == {1: "1", 2: "0"}


def test_where_nothing_was_played_those_present_are_level() -> None:
    of = document(4, partie(entries=[1, 2, 3, 4], forfeits=[4]), table=4)
    assert match_points(of) == {1: "4", 2: "4", 3: "4", 4: "0"}


def test_nobody_has_match_points_where_all_forfeit() -> None:
    assert match_points(document(2, partie(entries=[1, 2], forfeits=[1, 2]))) == {1: "0", 2: "0"}


def test_leavers_count_in_the_size_of_a_table_drawn_with_one_entry_less() -> None:
    of = document(4, partie({1: 900, 2: 300, 3: 100}, forfeits=[3]), table=4)
    assert match_points(of) == {1: "6", 2: "3", 3: "0", 4: "0"}


def test_under_a_scale_leavers_have_nothing_and_the_others_share_the_first_numbers() -> None:
    of = document(3, partie({1: 900, 2: 300, 3: 300}, forfeits=[1]), table=3, scale=[10, 4, 1])
    assert match_points(of) == {2: "7", 3: "7", 1: "0"}


# STANDINGS 2: sums over what was not played


SUMS = ["total_points", "km", "manches_won", "coups_fourres"]
SPREAD = {"coups_fourres": {1: 1, 2: 0}, "km": {1: 700, 2: 300}}


def test_a_bye_counts_as_the_mean_over_the_played_parties_in_sums() -> None:
    of = document(
        2,
        partie(manche({1: 900, 2: 300}, **SPREAD), manche({1: 100, 2: 200})),
        partie({1: 300, 2: 0}),
        partie({1: 0, 2: 25}),
        byes=[bye(1)],
        tie_breaks=SUMS,
    )
    assert {key: values(of, key)[1] for key in SUMS} == {
        "total_points": str(Fraction(1300 * 4, 3)),
        "km": str(Fraction(1100 * 4, 3)),
        "manches_won": str(Fraction(2 * 4, 3)),
        "coups_fourres": str(Fraction(4, 3)),
    }


def test_a_forfeit_won_without_play_counts_as_the_mean_and_one_won_with_play_as_it_was() -> None:
    of = document(
        2,
        partie({1: 900, 2: 300}, forfeits=[2]),
        partie({1: 300, 2: 600}),
        partie(entries=[1, 2], forfeits=[2]),
        tie_breaks=SUMS,
    )
    assert values(of, "total_points") == {1: "1800", 2: "900"}


def test_the_mean_is_over_a_partie_that_the_entry_left_too() -> None:
    of = document(2, partie({1: 900, 2: 300}, forfeits=[1]), byes=[bye(1)], tie_breaks=SUMS)
    assert values(of, "total_points") == {1: "1800", 2: "300"}


def test_a_bye_of_an_entry_that_never_played_counts_as_nothing_in_sums() -> None:
    assert values(document(1, byes=[bye(1)], tie_breaks=SUMS), "total_points") == {1: "0"}


def test_a_bye_is_never_one_of_the_best_parties_and_never_in_a_mean() -> None:
    parties = partie({1: 900, 2: 300}), partie({1: 100, 2: 300})
    of = document(
        2, *parties, byes=[bye(1)], primary="best_n", best_n=3, tie_breaks=["manche_share", "mean_difference"]
    )
    assert values(of, "best_n") == {1: "1000", 2: "600"}
    assert values(of, "manche_share") == {1: "1/2", 2: "1/2"}
    assert values(of, "mean_difference") == {1: "200", 2: "-200"}


def test_an_absence_is_no_entry_in_the_document_and_counts_for_nothing() -> None:
    of = document(3, partie({1: 900, 2: 300}), primary="mean_match_points")
    assert values(of, "mean_match_points") == {1: "2", 2: "0", 3: None}


# STANDINGS 2: withdrawn entries


def test_the_results_of_a_withdrawn_entry_stay_for_the_others() -> None:
    entries = [{"number": 1, "name": "A"}, {"number": 2, "name": "B", "withdrawn": True}]
    of = document(entries, partie({1: 900, 2: 300}), tie_breaks=["total_points"])
    assert values(of, "match_points") == {1: "2", 2: "0"}
    assert values(of, "total_points") == {1: "900", 2: "300"}


# STANDINGS 2: penalties


def penalised(penalty: float, *parties: Document, **said: object) -> Document:
    return document([{"number": 1, "name": "A", "penalty": penalty}, {"number": 2, "name": "B"}], *parties, **said)


def test_a_penalty_comes_off_the_primary_key_which_may_be_negative() -> None:
    assert match_points(penalised(3, partie({1: 900, 2: 300}))) == {1: "-1", 2: "0"}


def test_a_penalty_of_half_a_point() -> None:
    assert match_points(penalised(0.5, partie({1: 900, 2: 300}))) == {1: "3/2", 2: "0"}


def test_a_penalty_comes_off_the_sum_before_a_mean_is_taken() -> None:
    parties = partie({1: 900, 2: 300}, {1: 300, 2: 900}), partie({1: 600, 2: 0})
    of = penalised(1, *parties, primary="mean_match_points")
    assert values(of, "mean_match_points") == {1: str(Fraction(3 - 1, 2)), 2: "1/2"}
    of = penalised(100, *parties, primary="mean_points", minimum=1)
    assert values(of, "mean_points") == {1: str(Fraction(1800 - 100, 3)), 2: "400"}


def test_a_penalty_has_no_effect_on_a_mean_over_nothing() -> None:
    assert values(penalised(1, primary="mean_match_points"), "mean_match_points") == {1: None, 2: None}


def test_a_penalty_has_no_effect_on_tie_breaks_and_on_the_buchholz_of_others() -> None:
    keys = ["buchholz", "sonneborn_berger", "manche_share", "km"]
    parties = partie({1: 900, 2: 300}), partie({1: 300, 2: 300})
    without, with_it = penalised(0, *parties, tie_breaks=keys), penalised(2, *parties, tie_breaks=keys)
    for key in keys:
        assert values(with_it, key) == values(without, key)
