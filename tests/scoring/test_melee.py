"""STANDINGS 3: a championship that ranks players, whose teams are made afresh for each partie."""

from typing import Any

import pytest
from hypothesis import given, settings

from scoring.ranking_document import RankingError
from scoring.standings import explain, rank
from tests.scoring.naive_ranking import Naive
from tests.scoring.ranking_documents import Document, bye, document, manche, partie, ranks, rows, values
from tests.scoring.ranking_strategies import melees

many = settings(deadline=None)


def melee(teams: list[list[int]], *manches: dict[int, int] | Document, **said: Any) -> Document:
    """A partie of teams; the figures of its manches stand under the first player of each."""
    whole = partie(*manches, entries=[team[0] for team in teams], **said)
    del whole["entries"]
    return whole | {"teams": teams}


def test_each_partner_has_the_result_of_the_team() -> None:
    won = manche({1: 900, 3: 300}, km={1: 700, 3: 250}, coups_fourres={1: 2, 3: 1})
    of = document(4, melee([[1, 2], [3, 4]], won), tie_breaks=["km", "coups_fourres", "manches_won", "mean_difference"])
    assert values(of, "match_points") == {1: "2", 2: "2", 3: "0", 4: "0"}
    assert values(of, "km") == {1: "700", 2: "700", 3: "250", 4: "250"}
    assert values(of, "coups_fourres") == {1: "2", 2: "2", 3: "1", 4: "1"}
    assert values(of, "manches_won") == {1: "1", 2: "1", 3: "0", 4: "0"}
    assert values(of, "mean_difference") == {1: "600", 2: "600", 3: "-600", 4: "-600"}
    assert ranks(of) == [(1, 1), (1, 2), (3, 3), (3, 4)]


def test_a_bye_of_a_player_is_worth_all_opposing_sides_and_no_more() -> None:
    of = document(7, melee([[1, 2], [3, 4], [5, 6]], {1: 9, 3: 6, 5: 3}), table=3, byes=[bye(7)])
    assert values(of, "match_points") == {1: "4", 2: "4", 3: "2", 4: "2", 5: "0", 6: "0", 7: "4"}


def test_a_team_that_forfeits_is_named_by_its_first_player_and_leaves_with_all_its_partners() -> None:
    of = document(4, melee([[1, 2], [3, 4]], {1: 9, 3: 3}, forfeits=[1]), tie_breaks=["km"])
    assert values(of, "match_points") == {1: "0", 2: "0", 3: "2", 4: "2"}
    assert values(of, "km") == {1: "9", 2: "9", 3: "3", 4: "3"}


def test_an_opposing_side_counts_in_buchholz_as_the_mean_of_its_players() -> None:
    """After both parties 1 has 4, 2 and 3 have 2, 4 has 0."""
    of = document(
        4,
        melee([[1, 2], [3, 4]], {1: 9, 3: 3}),
        melee([[1, 3], [2, 4]], {1: 9, 2: 3}),
        tie_breaks=["buchholz", "sonneborn_berger"],
    )
    assert values(of, "match_points") == {1: "4", 2: "2", 3: "2", 4: "0"}
    # 1 met {3, 4} and {2, 4}: 1 + 1; 2 met {3, 4} and {1, 3}: 1 + 3; 4 met {1, 2} and {1, 3}: 3 + 3
    assert values(of, "buchholz") == {1: "2", 2: "4", 3: "4", 4: "6"}
    assert values(of, "sonneborn_berger") == {1: "2", 2: "1", 3: "1", 4: "0"}


def test_a_mean_of_partners_that_is_no_whole_number_stays_exact() -> None:
    of = document(5, melee([[1, 2], [3, 4]], {1: 5, 3: 5}), partie({1: 9, 5: 3}), tie_breaks=["buchholz"])
    assert values(of, "match_points") == {1: "3", 2: "1", 3: "1", 4: "1", 5: "0"}
    # 3 met {1, 2}, who have 3 and 1; 1 met {3, 4}, who have 1 and 1, and 5, who has nothing
    assert values(of, "buchholz") == {1: "1", 2: "1", 3: "2", 4: "2", 5: "3"}


def test_partners_do_not_meet_and_opponents_do() -> None:
    """1 and 2 play together twice: nothing tells them apart, and direct encounter is not used between them."""
    of = document(
        4,
        melee([[1, 2], [3, 4]], {1: 9, 3: 3}),
        melee([[2, 1], [4, 3]], {2: 9, 4: 3}),
        tie_breaks=["direct_encounter"],
    )
    assert ranks(of) == [(1, 1), (1, 2), (3, 3), (3, 4)]


def test_a_pair_that_was_opposed_once_and_together_once_counts_the_meeting_only() -> None:
    """1 and 2 have 4 match points each: 2 won against 1, then they won together, then 1 won without 2."""
    of = document(
        6,
        melee([[1, 3], [2, 4]], {1: 3, 2: 9}),
        melee([[1, 2], [5, 6]], {1: 9, 5: 3}),
        melee([[1, 5], [3, 4]], {1: 9, 3: 3}),
        tie_breaks=["direct_encounter"],
    )
    assert values(of, "match_points") == {1: "4", 2: "4", 3: "0", 4: "2", 5: "2", 6: "0"}
    first: Any = explain(of)["rows"]
    assert [(row["entry"], row["why"]["key"]) for row in first[:2]] == [(2, "direct_encounter"), (1, "match_points")]
    assert (first[0]["why"]["upper"], first[0]["why"]["lower"]) == ("2", "0")


def test_whoever_won_the_encounter_as_an_opponent_stands_above_a_partner_of_another_round() -> None:
    of = document(
        4,
        melee([[1, 3], [2, 4]], {1: 3, 2: 9}),
        melee([[1, 4], [3, 2]], {1: 9, 3: 3}),
        tie_breaks=["direct_encounter"],
    )
    # 4 won both; 1 and 2 have won one each, and met twice: one each; 3 lost both
    assert ranks(of) == [(1, 4), (2, 1), (2, 2), (4, 3)]


def test_a_table_of_less_sides_is_weighted_by_its_sides() -> None:
    of = document(4, melee([[1, 2], [3, 4]], {1: 9, 3: 3}), table=3)
    assert values(of, "match_points") == {1: "4", 2: "4", 3: "0", 4: "0"}


def test_teams_of_one_are_entries() -> None:
    alone = document(2, melee([[1], [2]], {1: 9, 2: 3}), tie_breaks=["buchholz", "direct_encounter"])
    assert rank(alone) == rank(document(2, partie({1: 9, 2: 3}), tie_breaks=["buchholz", "direct_encounter"]))


# shares of a bye


def test_a_share_of_a_bye_counts_as_that_much_of_one_in_every_key() -> None:
    of = document(
        2,
        partie({1: 900, 2: 300}),
        byes=[bye(2, round=8) | {"share": 0.5}, bye(2, round=9)],
        tie_breaks=["total_points", "buchholz"],
    )
    # 2 has 1 + 2 match points, its mean of 300 points one and a half times more, 2 and its own 3 one and a half times
    assert values(of, "match_points") == {1: "2", 2: "3"}
    assert values(of, "total_points") == {1: "900", 2: "750"}
    assert values(of, "buchholz") == {1: "3", 2: "13/2"}


def test_a_share_of_nothing_is_an_absence_and_a_share_of_one_a_bye() -> None:
    def of(**share: int) -> Document:
        return document(2, partie({1: 9, 2: 3}), byes=[bye(2) | share], tie_breaks=["total_points", "buchholz"])

    assert rank(of(share=1)) == rank(of())
    assert rank(of(share=0)) == rank(document(2, partie({1: 9, 2: 3}), tie_breaks=["total_points", "buchholz"]))


# refusals

GOOD = document(6, melee([[1, 2], [3, 4]], {1: 9, 3: 3}, forfeits=[3]), byes=[bye(5, round=1) | {"share": 0.5}])


def at(of: Document) -> str | None:
    with pytest.raises(RankingError) as caught:
        rank(of)
    return caught.value.at


def with_partie(**said: Any) -> Document:
    return GOOD | {"parties": [GOOD["parties"][0] | said]}


def test_the_good_one_fits() -> None:
    rank(GOOD)


@pytest.mark.parametrize(
    ("teams", "where"),
    [
        (None, "teams"),
        ([], "teams"),
        ([[1, 2]], "teams"),
        ([[1, 2], [3, 4], [5, 6]], "teams"),
        ([[1, 2], [3, 2]], "teams"),
        ([1, 3], "teams[0]"),
        ([[], []], "teams[0]"),
        ([[1, 2], []], "teams[1]"),
        ([[1, 2], [3]], "teams[1]"),
        ([[1, 2], [3, 3]], "teams[1]"),
        ([[1, 2], [3, 7]], "teams[1][1]"),
        ([[1, 2], [3, True]], "teams[1][1]"),
        ([[2, 1], [3, 4]], 'manches[0].points["2"]'),
    ],
)
def test_teams_that_do_not_fit(teams: object, where: str) -> None:
    assert at(with_partie(teams=teams)) == f"parties[0].{where}"


def test_entries_do_not_stand_beside_teams() -> None:
    assert at(with_partie(entries=[1, 3])) == "parties[0].entries"


@pytest.mark.parametrize(
    ("said", "where"),
    [({"forfeits": [4]}, "forfeits[0]"), ({"manches": [manche({1: 9, 3: 3}, winner=2)]}, "manches[0].winner")],
)
def test_a_partner_who_is_not_the_first_names_no_team(said: dict[str, Any], where: str) -> None:
    assert at(with_partie(**said)) == f"parties[0].{where}"


def test_no_bye_of_a_partner_in_the_round_of_the_partie() -> None:
    assert at(GOOD | {"byes": [bye(4, round=1)]}) == "byes[0]"


@pytest.mark.parametrize("share", [None, True, "1", [], -1, -0.5, 1.5, 2, 0.1234567, float("nan")])
def test_a_share_that_is_none(share: object) -> None:
    assert at(GOOD | {"byes": [bye(5, round=1) | {"share": share}]}) == "byes[0].share"


def test_two_shares_of_a_bye_in_one_round_are_refused() -> None:
    assert at(GOOD | {"byes": [bye(5) | {"share": 0.5}, bye(5) | {"share": 0.25}]}) == "byes[1]"


# held against a ranking written apart


@settings(many, max_examples=150)
@given(melees())
def test_a_slow_ranking_written_apart_comes_to_the_same(of: Document) -> None:
    assert rows(of) == Naive(of).rows()


@many
@given(melees())
def test_the_order_of_partners_after_the_first_is_irrelevant(of: Document) -> None:
    turned = [
        each | {"teams": [[team[0], *reversed(team[1:])] for team in each["teams"]]} if "teams" in each else each
        for each in of["parties"]
    ]
    assert rank(of | {"parties": turned}) == rank(of)
