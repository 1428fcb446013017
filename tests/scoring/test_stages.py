"""STANDINGS 5: stages, pools, who qualifies and what is carried over, worked out by hand."""

from typing import Any

import pytest

from scoring.pools import Qualified, Tie, first_of, qualified
from scoring.ranking_reader import read
from scoring.stage_reader import read_stages
from scoring.stages import explain_stages, rank_stages, stages_standings
from scoring.standings import Standings, standings
from scoring.withdrawals import withdrawal_in_round_robin
from tests.scoring.ranking_documents import Document, bye, document, partie


def pool(numbers: list[int], *parties: Document, **said: Any) -> Document:
    """A table of those entries; parties may be of `{1: 9, 2: 3}` as well."""
    entries = [{"number": number, "name": f"E{number}"} for number in numbers]
    return document(entries, *parties, **said)


def ranking(*pools: Document, **said: Any) -> Document:
    return {"kind": "ranking", "pools": list(pools), **said}


def rows(*stages: Document) -> list[Document]:
    answer: Any = rank_stages({"format": "etapes/1", "stages": list(stages)})
    return list(answer["rows"])


def ranks(*stages: Document) -> list[tuple[int | None, int, int, str | None]]:
    return [(row["rank"], row["entry"], row["stage"], row["above_next_by"]) for row in rows(*stages)]


def tables(*pools: Document) -> list[Standings]:
    return [standings(read(each)) for each in pools]


A = pool([1, 2, 3], partie({1: 9, 2: 3}), partie({1: 9, 3: 3}), partie({2: 9, 3: 3}))
B = pool([4, 5, 6], partie({4: 9, 5: 3}), partie({4: 5, 6: 5}), partie({5: 9, 6: 3}))
"""A: 1 has 4, 2 has 2, 3 has 0. B: 4 has 3, 5 has 2, 6 has 1."""


# stages


def test_a_final_stage_ranks_above_those_that_it_left_out() -> None:
    """2 won all of the first stage but is not in the second: whoever is stands above, even with nothing won there."""
    first = pool([1, 2, 3], partie({1: 3, 2: 9}), partie({2: 9, 3: 3}), partie({1: 9, 3: 3}))
    final = pool([1, 3], partie({1: 3, 3: 9}))
    assert ranks(ranking(first), ranking(final)) == [
        (1, 3, 2, "match_points"),
        (2, 1, 2, "stage"),
        (3, 2, 1, None),
    ]


def test_those_left_out_keep_the_order_of_their_stage_and_its_why() -> None:
    of = rows(ranking(A), ranking(pool([1])))
    assert [(row["rank"], row["entry"], row["above_next_by"]) for row in of] == [
        (1, 1, "stage"),
        (2, 2, "match_points"),
        (3, 3, None),
    ]
    assert of[1]["values"] == {"match_points": "2"}


def test_ranks_are_shared_only_within_a_stage() -> None:
    level = pool([1, 2, 3, 4], partie({1: 9, 3: 3}), partie({2: 9, 4: 3}))
    assert ranks(ranking(level), ranking(pool([1, 2]))) == [
        (1, 1, 2, "level"),
        (1, 2, 2, "stage"),
        (3, 3, 1, "level"),
        (3, 4, 1, None),
    ]


def test_direct_encounters_are_not_counted_again_among_those_left_out() -> None:
    """1, 2 and 3 beat each other in a ring and total points decide; 3 beat 1, but with 2 gone on 1 stays above 3."""
    first = pool(
        [1, 2, 3, 4],
        partie({1: 9, 2: 8}),
        partie({2: 10, 3: 3}),
        partie({3: 9, 1: 8}),
        tie_breaks=["direct_encounter", "total_points"],
    )
    assert [number for _, number, *_ in ranks(ranking(first))] == [2, 1, 3, 4]
    assert ranks(ranking(first), ranking(pool([2])))[1:] == [
        (2, 1, 1, "total_points"),
        (3, 3, 1, "match_points"),
        (4, 4, 1, None),
    ]


def test_neighbours_between_whom_somebody_went_on_are_told_apart_by_their_ranks() -> None:
    answer: Any = explain_stages({"format": "etapes/1", "stages": [ranking(A), ranking(pool([2]))]})
    second = answer["rows"][1]
    assert second["entry"] == 1
    assert second["why"] == {"code": "separated", "key": "stage_rank", "upper": "1", "lower": "3", "passed": []}


def test_level_neighbours_stay_level_when_one_between_them_went_on() -> None:
    assert ranks(ranking(pool([1, 2, 3])), ranking(pool([2])))[1:] == [(2, 1, 1, "level"), (2, 3, 1, None)]


def test_somebody_may_come_in_at_a_later_stage() -> None:
    assert ranks(ranking(pool([1])), ranking(pool([7, 8], partie({7: 1, 8: 2}))))[0] == (1, 8, 2, "match_points")


def test_those_without_a_rank_stand_last_the_withdrawn_after_those_under_a_minimum() -> None:
    said = {"primary": "mean_points", "minimum": 1}
    first = pool([1, 2, 3, 4], partie({1: 9, 2: 3}), **said)
    first["entries"][1]["withdrawn"] = True
    final = pool([1, 4], **said | {"minimum": 0})
    final["entries"][1]["withdrawn"] = True
    assert [(row["rank"], row["entry"], row["stage"]) for row in rows(ranking(first), ranking(final))] == [
        (1, 1, 2),
        (None, 3, 1),
        (None, 4, 2),
        (None, 2, 1),
    ]


# pools


def test_each_pool_keeps_its_order_and_mean_match_points_decide_across() -> None:
    assert ranks(ranking(A, B)) == [
        (1, 1, 1, "mean_match_points"),
        (2, 4, 1, "pool_rank"),
        (3, 2, 1, "level"),
        (3, 5, 1, "pool_rank"),
        (5, 6, 1, "mean_match_points"),
        (6, 3, 1, None),
    ]
    assert rows(ranking(A, B))[1]["values"] == {"pool_rank": "1", "mean_match_points": "3/2"}


def test_across_pools_direct_encounter_is_left_aside_and_the_next_key_decides() -> None:
    said = {"tie_breaks": ["direct_encounter", "km"]}
    a = pool([1, 2], partie({1: 9, 2: 3}), **said)
    b = pool([3, 4], partie({3: 8, 4: 4}), **said)
    assert [(number, by) for _, number, _, by in ranks(ranking(a, b))] == [
        (1, "km"),
        (3, "pool_rank"),
        (4, "km"),
        (2, None),
    ]


def test_a_pool_keeps_its_order_where_the_keys_across_would_turn_it() -> None:
    """In its pool 1 stands above 2 by a bye, whose points a mean leaves aside."""
    a = pool([1, 2, 3], partie({2: 9, 3: 3}), byes=[bye(1), bye(1, round=98)])
    b = pool([4, 5], partie({4: 9, 5: 3}))
    assert [number for _, number, *_ in ranks(ranking(a, b))] == [4, 1, 2, 5, 3]


def test_lots_decide_across_pools_as_within_one() -> None:
    said = {"tie_breaks": ["draw"], "secret": "s1"}
    one_table = [number for _, number, *_ in ranks(ranking(pool([1, 2], **said)))]
    across = ranks(ranking(pool([1], **said), pool([2], **said)))
    assert [number for _, number, *_ in across] == one_table
    assert across[0][3] == "draw"


@pytest.mark.parametrize(("primary", "mean"), [("match_points", "1"), ("mean_match_points", "1"), ("km", "2")])
def test_a_penalty_comes_off_the_mean_where_it_is_one_of_match_points(primary: str, mean: str) -> None:
    said: dict[str, Any] = {"primary": "total_points" if primary == "km" else primary}
    a = pool([1, 2], partie({1: 9, 2: 3}), partie({1: 9, 2: 3}), **said)
    a["entries"][0]["penalty"] = 2
    of = rows(ranking(a, pool([3], **said)))
    assert next(row for row in of if row["entry"] == 1)["values"]["mean_match_points"] == mean


def test_the_pool_of_each_is_said() -> None:
    answer: Any = explain_stages({"format": "etapes/1", "stages": [ranking(A, B), ranking(pool([1]))]})
    assert [(row["entry"], row["pool"]) for row in answer["rows"]][:3] == [(1, None), (4, 2), (2, 1)]


# who goes on


def test_the_first_of_each_pool_go_on_in_the_order_across_pools() -> None:
    found = qualified(tables(A, B), per_pool=2)
    assert found == Qualified((1, 4, 2, 5), (), {1: 1, 4: 2, 2: 3, 5: 3, 6: 5, 3: 6})


def test_the_best_others_go_on_besides() -> None:
    assert qualified(tables(A, B), per_pool=2, best_others=1).through == (1, 4, 2, 5, 6)
    assert qualified(tables(A, B), best_others=2).through == (1, 4)


def test_a_tie_of_the_best_others_is_told() -> None:
    found = qualified(tables(A, B), per_pool=1, best_others=1)
    assert (found.through, found.ties) == ((1, 4), (Tie((2, 5), 1, None),))


def test_a_tie_at_the_limit_of_a_pool_is_told_and_the_best_others_wait() -> None:
    level = pool([7, 8, 9], partie({7: 9, 8: 3}), partie({7: 9, 9: 3}), partie({8: 5, 9: 5}))
    found = qualified(tables(A, level), per_pool=2, best_others=1)
    assert (found.through, found.ties) == ((1, 7, 2), (Tie((8, 9), 1, 2),))


def test_of_one_pool_a_tie_has_no_pool() -> None:
    assert qualified(tables(pool([1, 2])), per_pool=1).ties == (Tie((1, 2), 1, None),)


def test_level_entries_that_all_go_on_are_no_tie() -> None:
    assert qualified(tables(pool([1, 2])), per_pool=2) == Qualified((1, 2), (), {1: 1, 2: 1})


def test_the_withdrawn_do_not_go_on_and_where_too_few_are_left_fewer_go_on() -> None:
    a = pool([1, 2, 3], partie({1: 9, 2: 3}))
    a["entries"][0]["withdrawn"] = True
    found = qualified(tables(a), per_pool=3)
    assert (found.through, found.ties) == ((2, 3), ())
    assert found.seeds[1] is None


def test_nobody_goes_on_where_nobody_is_asked_for() -> None:
    assert qualified(tables(A, B)).through == ()


@pytest.mark.parametrize("asked", [{"per_pool": -1}, {"best_others": -1}])
def test_fewer_than_nobody_cannot_go_on(asked: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="nobody"):
        qualified(tables(A), **asked)
    with pytest.raises(ValueError, match="nobody"):
        qualified([], per_pool=1)


def test_the_first_of_any_stage_by_its_whole_order() -> None:
    (stage,) = stages_standings(read_stages({"format": "etapes/1", "stages": [ranking(A, B)]})).stages
    assert first_of(stage.rows, 2).through == (1, 4)
    assert first_of(stage.rows, 3).ties == (Tie((2, 5), 1, None),)


# carried over


def test_results_among_the_qualified_count_in_the_next_stage_as_set() -> None:
    final = pool([1, 2], partie({1: 3, 2: 9}))
    assert rows(ranking(A), ranking(final, carry_over="none"))[0]["values"] == {"match_points": "2"}
    carried = rows(ranking(A), ranking(final, carry_over="qualified"))
    assert [(row["entry"], row["values"]["match_points"]) for row in carried][:2] == [(1, "2"), (2, "2")]


def test_results_against_those_left_out_byes_and_penalties_are_not_carried_over() -> None:
    first = pool([1, 2, 3], partie({1: 9, 2: 3}), partie({1: 9, 3: 3}), byes=[bye(1)])
    first["entries"][0]["penalty"] = 1
    carried = rows(ranking(first), ranking(pool([1, 2]), carry_over="qualified"))
    assert [(row["entry"], row["values"]["match_points"]) for row in carried][:2] == [(1, "2"), (2, "0")]


def test_a_table_with_one_who_is_left_out_is_not_carried_over() -> None:
    first = pool([1, 2, 3, 4], partie({1: 9, 2: 6, 3: 3}), partie({1: 9, 2: 6, 4: 3}), table=3)
    final = pool([1, 2, 3], table=3)
    carried = rows(ranking(first), ranking(final, carry_over="qualified"))
    assert [(row["entry"], row["values"]["match_points"]) for row in carried][:3] == [(1, "4"), (2, "2"), (3, "0")]


def test_results_of_several_pools_are_carried_into_the_pool_where_both_are() -> None:
    first = ranking(A, B)
    final = ranking(pool([1, 4]), pool([2, 5]), carry_over="qualified")
    assert {row["entry"]: row["values"]["mean_match_points"] for row in rows(first, final)[:4]} == dict.fromkeys(
        [1, 2, 4, 5]
    )
    together = ranking(pool([1, 2]), pool([4, 5]), carry_over="qualified")
    assert {row["entry"]: row["values"]["mean_match_points"] for row in rows(first, together)[:4]} == {
        1: "2",
        4: "2",
        2: "0",
        5: "0",
    }


def test_what_was_carried_over_is_carried_on() -> None:
    second = ranking(pool([1, 2]), carry_over="qualified")
    third = ranking(pool([1, 2]), carry_over="qualified")
    assert rows(ranking(A), second, third)[0]["values"] == {"match_points": "2"}
    assert rows(ranking(A), second | {"carry_over": "none"}, third)[0]["values"] == {"match_points": "0"}


def test_open_and_void_parties_are_not_carried_over() -> None:
    first = pool([1, 2], partie({1: 9, 2: 3}, status="open"), partie({1: 9, 2: 3}, status="void"))
    assert rows(ranking(first), ranking(pool([1, 2]), carry_over="qualified"))[0]["values"] == {"match_points": "0"}


# the ranks of the stage before


def test_a_knock_out_falls_back_on_the_ranks_across_the_pools_before() -> None:
    level = partie({2: 5, 4: 5}, round=1) | {
        "extra": partie({2: 1, 4: 1})["manches"][0] | {"entries": [2, 4]},
        "number": 1,
    }
    knockout = {
        "kind": "knockout",
        "table": 2,
        "decided_by": "points",
        "entries": [{"number": 2, "name": "E2"}, {"number": 4, "name": "E4"}],
        "parties": [level],
    }
    assert [number for _, number, *_ in ranks(ranking(A, B), knockout)][:2] == [4, 2]


# withdrawal in a round robin (STANDINGS 2)


@pytest.mark.parametrize(
    ("played", "scheduled", "becomes"),
    [
        (0, 1, "void"),
        (1, 1, "forfeit"),
        (2, 5, "void"),
        (3, 5, "forfeit"),
        (2, 6, "void"),
        (3, 6, "forfeit"),
        (0, 0, "forfeit"),
    ],
)
def test_before_half_of_its_parties_all_are_void_from_half_on_the_rest_is_forfeited(
    played: int, scheduled: int, becomes: str
) -> None:
    assert withdrawal_in_round_robin(played, scheduled) == becomes


@pytest.mark.parametrize(("played", "scheduled"), [(-1, 5), (6, 5), (0, -1)])
def test_no_more_can_have_been_played_than_were_scheduled(played: int, scheduled: int) -> None:
    with pytest.raises(ValueError, match="cannot have been played"):
        withdrawal_in_round_robin(played, scheduled)
