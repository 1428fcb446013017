"""STANDINGS 3: the value of every key, worked out by hand."""

from fractions import Fraction

import pytest

from scoring.tiebreaks import DEFAULT_TIE_BREAKS, PRIMARY_KEYS, TIE_BREAKS, lot
from scoring.why import KEY_NAMES
from tests.scoring.ranking_documents import Document, bye, document, manche, partie, values


def test_every_key_of_the_rules_is_there_with_its_name_and_no_other() -> None:
    assert list(PRIMARY_KEYS) == [
        "match_points",
        "mean_match_points",
        "manches_won",
        "total_points",
        "best_n",
        "mean_points",
    ]
    assert set(TIE_BREAKS) == {
        "direct_encounter",
        "manche_share",
        "manches_won",
        "total_points",
        "coups_fourres",
        "km",
        "mean_difference",
        "mean_km_difference",
        "buchholz",
        "sonneborn_berger",
        "draw",
    }
    assert set(KEY_NAMES) == {*PRIMARY_KEYS, *TIE_BREAKS}


def test_the_default_tie_breaks_are_offered() -> None:
    assert set(DEFAULT_TIE_BREAKS) == {"points", "manches"}
    for decided_by, names in DEFAULT_TIE_BREAKS.items():
        for name in names:
            assert decided_by in TIE_BREAKS[name].decided_by


# primary keys


def test_match_points_are_the_sum_over_parties_and_byes() -> None:
    of = document(2, partie({1: 9, 2: 3}), partie({1: 3, 2: 3}), byes=[bye(2), bye(2, round=98)])
    assert values(of, "match_points") == {1: "3", 2: "5"}


def test_mean_match_points_are_per_closed_partie_also_a_forfeited_one_without_byes() -> None:
    of = document(
        2,
        partie({1: 9, 2: 3}),
        partie({1: 3, 2: 3}),
        partie(entries=[1, 2], forfeits=[1]),
        byes=[bye(1)],
        primary="mean_match_points",
    )
    assert values(of, "mean_match_points") == {1: "1", 2: "1"}


def test_manches_won_as_the_primary_key() -> None:
    of = document(2, partie({1: 9, 2: 3}, {1: 9, 2: 3}, {1: 3, 2: 9}), primary="manches_won")
    assert values(of, "manches_won") == {1: "2", 2: "1"}


def test_best_n_takes_the_parties_with_most_points() -> None:
    parties = [partie({1: points, 2: 0}) for points in (300, -100, 900, 500)]
    assert values(document(2, *parties, primary="best_n", best_n=2), "best_n") == {1: "1400", 2: "0"}


def test_best_n_takes_all_where_there_are_fewer_also_the_negative() -> None:
    parties = [partie({1: points, 2: 0}) for points in (300, -100)]
    assert values(document(2, *parties, primary="best_n", best_n=5), "best_n") == {1: "200", 2: "0"}


def test_best_n_of_nothing_is_nought() -> None:
    assert values(document(1, primary="best_n", best_n=5), "best_n") == {1: "0"}


def test_mean_points_are_per_manche() -> None:
    parties = partie({1: 900, 2: 300}, {1: 0, 2: 300}), partie({1: 100, 2: 300})
    of = document(3, *parties, primary="mean_points", minimum=0)
    assert values(of, "mean_points") == {1: str(Fraction(1000, 3)), 2: "300", 3: None}


# shares and differences


def test_manche_share_is_won_of_played_null_over_none() -> None:
    of = document(3, partie({1: 9, 2: 3}, {1: 9, 2: 3}, {1: 5, 2: 5}), tie_breaks=["manche_share"])
    assert values(of, "manche_share") == {1: "2/3", 2: "0", 3: None}


def test_mean_difference_is_own_less_the_mean_of_the_others_a_manche() -> None:
    of = document(3, partie({1: 900, 2: 300, 3: 0}, {1: 0, 2: 100, 3: 500}), table=3, tie_breaks=["mean_difference"])
    assert values(of, "mean_difference") == {
        1: str((Fraction(900 - 150) + Fraction(0 - 300)) / 2),
        2: str((Fraction(300 - 450) + Fraction(100 - 250)) / 2),
        3: str((Fraction(0 - 600) + Fraction(500 - 50)) / 2),
    }


def test_mean_difference_is_a_mean_over_manches_not_over_parties() -> None:
    of = document(2, partie({1: 600, 2: 0}), partie({1: 0, 2: 0}, {1: 0, 2: 0}), tie_breaks=["mean_difference"])
    assert values(of, "mean_difference") == {1: "200", 2: "-200"}


def test_mean_difference_over_tables_of_two_sizes() -> None:
    parties = partie({1: 900, 2: 300, 3: 100}), partie({1: 100, 2: 600})
    of = document(3, *parties, table=3, tie_breaks=["mean_difference"])
    assert values(of, "mean_difference")[1] == str(Fraction((900 - 200) + (100 - 600), 2))


def test_mean_km_difference_takes_the_km() -> None:
    of = document(
        2,
        partie(manche({1: 900, 2: 300}, km={1: 200, 2: 500})),
        decided_by="manches",
        tie_breaks=["mean_km_difference"],
    )
    assert values(of, "mean_km_difference") == {1: "-300", 2: "300"}


def test_a_leaver_is_one_of_the_others_at_the_table_in_differences() -> None:
    of = document(2, partie({1: 900, 2: 300}, forfeits=[2]), tie_breaks=["mean_difference"])
    assert values(of, "mean_difference") == {1: "600", 2: "-600"}


# buchholz and sonneborn_berger


def opponents(of: Document) -> tuple[dict[int, str | None], dict[int, str | None]]:
    of["tie_breaks"] = ["buchholz", "sonneborn_berger"]
    return values(of, "buchholz"), values(of, "sonneborn_berger")


def test_buchholz_sums_the_match_points_of_the_opponents_met_each_meeting_counting() -> None:
    of = document(3, partie({1: 9, 2: 3}), partie({1: 9, 2: 3}), partie({2: 9, 3: 3}), partie({1: 5, 3: 5}))
    # match points: 1 has 5, 2 has 2, 3 has 1
    buchholz, sonneborn_berger = opponents(of)
    assert buchholz == {1: "5", 2: "11", 3: "7"}
    assert sonneborn_berger == {1: str(2 + 2 + Fraction(1, 2)), 2: "1", 3: str(Fraction(5, 2))}


def test_buchholz_leaves_open_and_void_parties_out() -> None:
    of = document(2, partie({1: 9, 2: 3}), partie({1: 9, 2: 3}, status="void"), partie({1: 9, 2: 3}, status="open"))
    assert opponents(of) == ({1: "0", 2: "2"}, {1: "0", 2: "0"})


@pytest.mark.parametrize(("table", "own"), [(2, 2), (3, 4), (4, 6)])
def test_a_bye_counts_as_all_opponents_with_the_own_match_points_level(table: int, own: int) -> None:
    of = document(1, table=table, byes=[bye(1)])
    assert opponents(of) == ({1: str((table - 1) * own)}, {1: str(Fraction((table - 1) * own, 2))})


@pytest.mark.parametrize("manches", [(), ({1: 9, 2: 3},)])
def test_an_opponent_who_forfeited_counts_as_one_with_the_own_match_points(manches: tuple[dict[int, int], ...]) -> None:
    of = document(3, partie(*manches, entries=[1, 2], forfeits=[2]), partie({1: 3, 3: 9}), partie({2: 9, 3: 3}))
    # match points: 1 has 2, 2 has 2, 3 has 2; the forfeiting entry 2 does not count its own forfeit
    buchholz, sonneborn_berger = opponents(of)
    assert buchholz == {1: "4", 2: "2", 3: "4"}
    assert sonneborn_berger == {1: "1", 2: "2", 3: "2"}


def test_those_who_stay_where_nothing_was_played_have_not_met() -> None:
    of = document(3, partie(entries=[1, 2, 3], forfeits=[3]), table=3)
    # 1 and 2 have 3 each and one opponent, who forfeited
    assert opponents(of) == ({1: "3", 2: "3", 3: "0"}, {1: "3/2", 2: "3/2", 3: "0"})


def test_opponents_weigh_more_at_a_table_drawn_with_one_entry_less() -> None:
    of = document(4, partie({1: 9, 2: 6, 3: 3}), partie({1: 9, 2: 6, 3: 3, 4: 0}), table=4)
    # match points: 6 + 6, 3 + 4, 0 + 2, 0
    buchholz, sonneborn_berger = opponents(of)
    assert buchholz[1] == str(Fraction(3, 2) * (7 + 2) + (7 + 2 + 0))
    assert sonneborn_berger[2] == str(Fraction(3, 2) * 2 + (2 + 0))


def test_a_forfeit_weighs_more_at_a_table_drawn_with_one_entry_less() -> None:
    of = document(4, partie({1: 9, 2: 6, 3: 3}, forfeits=[3]), table=4)
    # match points: 6, 3, 0; entry 1 meets 2, and 3 who forfeited counts with 6
    assert opponents(of)[0] == {1: str(Fraction(3, 2) * (3 + 6)), 2: str(Fraction(3, 2) * (6 + 3)), 3: "0", 4: "0"}


def test_a_scale_gives_the_match_points_of_opponents_but_not_how_they_were_met() -> None:
    of = document(3, partie({1: 9, 2: 6, 3: 6}), table=3, scale=[10, 4, 1])
    # match points: 10, 5/2, 5/2
    assert opponents(of) == ({1: "5", 2: "25/2", 3: "25/2"}, {1: "5", 2: "5/4", 3: "5/4"})


# draw


def test_a_lot_is_the_sha_256_of_the_secret_a_colon_and_the_number() -> None:
    # printf 'été:12' | sha256sum
    assert lot("été", 12) == "8791af301a001226f02e69257cf578dce189ff9a5452dbc9f087e88229a9aea3"
