"""STANDINGS 5: who goes on from a knock-out table, and the ranking of a knock-out, worked out by hand."""

from typing import Any

import pytest

from scoring.knockout import Advance, advance
from scoring.partie_reader import read_partie
from scoring.parties import PartieResult, result
from scoring.ranking_document import DecidedBy
from scoring.stage_document import ExtraManche
from scoring.stage_reader import read_stages
from scoring.stages import explain_stages, rank_stages, stages_standings
from tests.scoring.ranking_documents import Document, document, manche, partie

EVERYBODY = frozenset(range(1, 20))


def table(of: Document, size: int, decided_by: DecidedBy = "points") -> PartieResult:
    whole = {"number": 1, "round": 1, **of}
    return result(read_partie(whole, (), EVERYBODY, size, decided_by), size, decided_by)


def extra(points: dict[int, int], decided_by: DecidedBy = "points", **said: Any) -> ExtraManche:
    knockout = {
        "kind": "knockout",
        "table": 4,
        "decided_by": decided_by,
        "entries": [{"number": number, "name": "E"} for number in EVERYBODY],
        "parties": [
            {"number": 1, "round": 1, **partie(entries=[1, 2, 3, 4])}
            | {"extra": manche(points, **said) | {"entries": list(points)}}
        ],
    }
    (stage,) = read_stages({"format": "etapes/1", "stages": [knockout]}).stages
    found: Any = stage
    read: ExtraManche = found.parties[0].extra
    return read


# one table


def test_the_first_of_a_table_goes_on() -> None:
    assert advance(table(partie({1: 3, 2: 9}), 2), 1) == Advance((2,), (1,), (), 0, None, "places")


def test_the_first_two_of_four_go_on_level_or_not() -> None:
    of = table(partie({1: 9, 2: 3, 3: 9, 4: 1}), 4)
    assert advance(of, 2) == Advance((1, 3), (2, 4), (), 0, None, "places")


def test_those_level_at_the_limit_wait_for_one_more_manche_among_them() -> None:
    of = table(partie({1: 9, 2: 3, 3: 3, 4: 3}), 4)
    assert advance(of, 3, earlier={2: 1, 3: 2, 4: 3}) == Advance((1,), (), (2, 3, 4), 2, "extra_manche", None)
    assert advance(of, 1) == Advance((1,), (2, 3, 4), (), 0, None, "places")


def test_one_more_manche_decides() -> None:
    of = table(partie({1: 9, 2: 3, 3: 3, 4: 1}), 4)
    decided = advance(of, 2, extra=extra({2: 100, 3: 300}), earlier={2: 1, 3: 2})
    assert decided == Advance((1, 3), (2, 4), (), 0, None, "extra_manche")


def test_level_in_the_extra_manche_too_the_better_rank_of_the_stage_before_decides() -> None:
    of = table(partie({1: 9, 2: 3, 3: 3, 4: 1}), 4)
    decided = advance(of, 2, extra=extra({2: 100, 3: 100}), earlier={2: 5, 3: 4})
    assert decided == Advance((1, 3), (2, 4), (), 0, None, "earlier_rank")


def test_an_extra_manche_that_splits_three_in_part_leaves_the_rest_to_the_rank_before() -> None:
    of = table(partie({1: 3, 2: 3, 3: 3}), 3)
    decided = advance(of, 2, extra=extra({1: 9, 2: 5, 3: 5}), earlier={1: 9, 2: 8, 3: 7})
    assert decided == Advance((1, 3), (2,), (), 0, None, "earlier_rank")
    assert advance(of, 1, extra=extra({1: 9, 2: 5, 3: 5})).by == "extra_manche"


@pytest.mark.parametrize("earlier", [{}, {2: 4, 3: 4}, {2: None, 3: None}])
def test_level_in_the_stage_before_too_somebody_has_to_rule(earlier: dict[int, int | None]) -> None:
    of = table(partie({1: 9, 2: 3, 3: 3, 4: 1}), 4)
    decided = advance(of, 2, extra=extra({2: 100, 3: 100}), earlier=earlier)
    assert decided == Advance((1,), (4,), (2, 3), 1, "ruling", None)


def test_whoever_has_a_rank_of_the_stage_before_goes_on_before_one_without() -> None:
    of = table(partie({1: 3, 2: 3}), 2)
    assert advance(of, 1, earlier={1: None, 2: 12}, more_manches=False).through == (2,)


def test_where_no_manche_can_be_played_any_more_the_stage_before_decides_at_once() -> None:
    of = table(partie({1: 3, 2: 3}), 2)
    assert advance(of, 1, earlier={1: 2, 2: 1}, more_manches=False) == Advance((2,), (1,), (), 0, None, "earlier_rank")
    assert advance(of, 1, more_manches=False).needs == "ruling"


def test_an_extra_manche_without_one_of_those_level_decides_nothing() -> None:
    of = table(partie({1: 3, 2: 3, 3: 3}), 3)
    assert advance(of, 1, extra=extra({1: 9, 2: 5})).level == (1, 2, 3)


def test_an_extra_manche_counts_for_those_level_only() -> None:
    """3 played in it too, since it was level before a correction."""
    of = table(partie({1: 3, 2: 3, 3: 1}), 3)
    assert advance(of, 1, extra=extra({1: 5, 2: 9, 3: 20})).through == (2,)


def test_where_manches_decide_the_extra_manche_is_decided_by_its_winner_then_km() -> None:
    of = table(partie(manche({1: 5, 2: 5, 3: 5}, winner=None)), 3, "manches")
    won = extra({1: 0, 2: 0, 3: 0}, "manches", winner=2, km={1: 900, 2: 100, 3: 50})
    assert advance(of, 1, decided_by="manches", extra=won).through == (2,)
    nobody = extra({1: 0, 2: 0, 3: 0}, "manches", winner=None, km={1: 900, 2: 100, 3: 50})
    assert advance(of, 1, decided_by="manches", extra=nobody).through == (1,)


def test_whoever_forfeits_never_goes_on_and_fewer_do() -> None:
    of = table(partie({1: 9, 2: 3, 3: 1}, forfeits=[1, 2]), 3)
    assert advance(of, 2) == Advance((3,), (1, 2), (), 0, None, "places")


def test_those_left_without_a_legal_table_are_level() -> None:
    of = table(partie(entries=[1, 2, 3], forfeits=[3]), 3)
    assert advance(of, 1).level == (1, 2)


def test_a_team_falls_back_on_the_rank_of_its_best_partner() -> None:
    teams = partie({1: 3, 2: 3})
    del teams["entries"]
    of = table(teams | {"teams": [[1, 8], [2, 9]]}, 2)
    assert advance(of, 1, earlier={1: 1, 8: 9, 2: 2, 9: 3}, more_manches=False).through == (1,)
    assert advance(of, 1, earlier={1: 4, 8: 9, 2: 7, 9: 3}, more_manches=False).through == (2,)
    assert advance(of, 1, earlier={1: 4, 8: 9, 2: 4, 9: 8}, more_manches=False).through == (2,)


# a whole knock-out


def knockout(entries: int, *parties: Document, **said: Any) -> Document:
    of = document(entries)
    return {
        "kind": "knockout",
        "table": 2,
        "decided_by": "points",
        "entries": of["entries"],
        "parties": [{"number": n, **each} for n, each in enumerate(parties, start=1)],
        **said,
    }


def rows(*stages: Document) -> list[Document]:
    answer: Any = rank_stages({"format": "etapes/1", "stages": list(stages)})
    return list(answer["rows"])


def ranks(*stages: Document) -> list[tuple[int | None, int, str | None]]:
    return [(row["rank"], row["entry"], row["above_next_by"]) for row in rows(*stages)]


SEMI_FINALS = (partie({1: 9, 4: 3}, round=1), partie({2: 9, 3: 3}, round=1))


def test_who_goes_out_in_the_same_round_shares_a_rank() -> None:
    of = knockout(4, *SEMI_FINALS, partie({1: 3, 2: 9}, round=2))
    assert ranks(of) == [(1, 2, "round_reached"), (2, 1, "round_reached"), (3, 3, "level"), (3, 4, None)]
    assert rows(of)[0]["values"] == {"round_reached": "3", "place_match": None}


def test_a_place_match_parts_those_who_went_out_in_the_same_round() -> None:
    final, third = partie({1: 3, 2: 9}, round=2, place=1), partie({3: 1, 4: 7}, round=2, place=3)
    of = knockout(4, *SEMI_FINALS, final, third)
    assert ranks(of) == [(1, 2, "place_match"), (2, 1, "round_reached"), (3, 4, "place_match"), (4, 3, None)]
    assert [row["values"]["place_match"] for row in rows(of)] == ["1", "2", "3", "4"]


def test_a_final_of_four_places_its_whole_table() -> None:
    of = knockout(5, partie({1: 9, 2: 5, 3: 5, 4: 1}, round=2, place=1), table=4, byes=[])
    assert ranks(of) == [
        (1, 1, "place_match"),
        (2, 2, "level"),
        (2, 3, "place_match"),
        (4, 4, "round_reached"),
        (5, 5, None),
    ]


def test_level_in_a_place_match_the_extra_manche_then_the_stage_before() -> None:
    third = partie({3: 5, 4: 5}, round=2, place=3)
    assert ranks(knockout(4, *SEMI_FINALS, third))[2:] == [(3, 3, "level"), (3, 4, None)]
    won = third | {"extra": manche({3: 1, 4: 2}) | {"entries": [3, 4]}}
    assert [number for _, number, _ in ranks(knockout(4, *SEMI_FINALS, won))[2:]] == [4, 3]
    level = third | {"extra": manche({3: 2, 4: 2}) | {"entries": [3, 4]}}
    before = {"kind": "ranking", "pools": [document(4, partie({4: 9, 3: 1}))]}
    assert [number for _, number, _ in ranks(before, knockout(4, *SEMI_FINALS, level))[2:]] == [4, 3]


def test_places_are_played_for_over_several_rounds_and_the_last_match_counts() -> None:
    """All lose to somebody out of sight; then 1 to 4 play for the places from 5 on."""
    of = knockout(
        4,
        partie({1: 9, 2: 3}, round=2, place=5),
        partie({3: 9, 4: 3}, round=2, place=5),
        partie({1: 3, 3: 9}, round=3, place=5),
        partie({2: 3, 4: 9}, round=3, place=7),
    )
    assert [(number, row["values"]["place_match"]) for row in rows(of) for number in [row["entry"]]] == [
        (3, "5"),
        (1, "6"),
        (4, "7"),
        (2, "8"),
    ]


def test_of_two_matches_for_a_place_in_one_round_that_of_the_higher_number_counts() -> None:
    first, second = partie({1: 9, 2: 3}, round=2, place=3), partie({1: 3, 2: 9}, round=2, place=1)
    for one, other in [(1, 2), (2, 1)]:
        of = knockout(2)
        of["parties"] = [first | {"number": one}, second | {"number": other}]
        places = {row["entry"]: row["values"]["place_match"] for row in rows(of)}
        assert places == ({2: "1", 1: "2"} if other == 2 else {1: "3", 2: "4"})


def test_whoever_forfeits_a_place_match_has_its_last_place() -> None:
    of = knockout(2, partie(entries=[1, 2], forfeits=[1], round=1, place=1))
    assert ranks(of) == [(1, 2, "place_match"), (2, 1, None)]


def test_a_bye_goes_on_and_an_open_partie_places_nobody() -> None:
    of = knockout(3, partie({1: 9, 2: 3}, round=1, status="open"), byes=[{"round": 1, "entry": 3}])
    assert ranks(of) == [(1, 3, "round_reached"), (2, 1, "level"), (2, 2, None)]


def test_a_void_partie_is_as_if_never_drawn() -> None:
    of = knockout(
        2, partie({1: 9, 2: 3}, round=5, status="void"), partie({1: 9, 2: 3}, round=5, place=1, status="void")
    )
    assert {row["entry"]: row["values"]["round_reached"] for row in rows(of)} == {1: "1", 2: "1"}


def test_whoever_sits_in_the_next_round_has_reached_it_whatever_a_correction_says_since() -> None:
    of = knockout(4, partie({1: 3, 4: 9}, round=1), SEMI_FINALS[1], partie({1: 3, 2: 9}, round=2, place=1))
    assert [(number, by) for _, number, by in ranks(of)] == [
        (2, "place_match"),
        (1, "place_match"),
        (4, "round_reached"),
        (3, None),
    ]


def test_partners_of_a_team_share_its_way() -> None:
    final = partie({1: 9, 3: 5}, round=1)
    del final["entries"]
    of = knockout(4, final | {"teams": [[1, 4], [3, 2]], "place": 1})
    assert ranks(of) == [(1, 1, "level"), (1, 4, "place_match"), (3, 2, "level"), (3, 3, None)]


def test_the_withdrawn_have_no_rank_and_stand_last() -> None:
    of = knockout(3, partie({1: 9, 2: 3}, round=1))
    of["entries"][0]["withdrawn"] = True
    assert ranks(of) == [(1, 2, "level"), (1, 3, None), (None, 1, None)]


def test_why_in_words_of_data() -> None:
    of = knockout(2, partie({1: 3, 2: 9}, round=1, place=1))
    first: Any = explain_stages({"format": "etapes/1", "stages": [of]})["rows"]
    assert first[0]["why"] == {
        "code": "separated",
        "key": "place_match",
        "upper": "1",
        "lower": "2",
        "passed": [{"code": "level", "key": "round_reached", "value": "1"}],
    }


def test_the_ranks_of_a_stage_are_at_hand_for_the_next() -> None:
    of = read_stages({"format": "etapes/1", "stages": [knockout(4, *SEMI_FINALS)]})
    (stage,) = stages_standings(of).stages
    assert stage.ranks == {1: 1, 2: 1, 3: 3, 4: 3}
