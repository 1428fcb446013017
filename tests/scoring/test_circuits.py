"""STANDINGS 5: circuits, worked out by hand, refused, and held against a ranking written apart."""

import copy
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.circuit_document import read_circuit
from scoring.circuits import circuit_standings, explain_circuit, points_of_ranks, rank_circuit
from scoring.ranking_document import RankingError
from scoring.why import FURTHER_KEY_NAMES, KEY_NAMES
from tests.scoring.naive_circuit import circuit, legs
from tests.scoring.ranking_documents import Document
from tests.scoring.stage_strategies import circuits
from tests.scoring.test_stage_properties import broken_somewhere

many = settings(deadline=None)


def of(entries: int, *championships: list[tuple[int | None, list[int]]], **said: Any) -> Document:
    """A circuit of E1, E2, …; a championship is a list of ranks with those who have them."""
    return {
        "format": "circuit/1",
        "by": "player",
        "points": [10, 6, 4, 3, 2, 1],
        "entries": [{"number": number, "name": f"E{number}"} for number in range(1, entries + 1)],
        "championships": [
            {"number": n, "results": [{"rank": rank, "entries": who} for rank, who in results]}
            for n, results in enumerate(championships, start=1)
        ],
        **said,
    }


def rows(document: Document) -> list[Document]:
    answer: Any = rank_circuit(document)
    return list(answer["rows"])


def points(document: Document) -> dict[int, str]:
    return {row["entry"]: row["values"]["circuit_points"] for row in rows(document)}


def test_points_by_final_place_are_added_up() -> None:
    document = of(3, [(1, [1]), (2, [2]), (3, [3])], [(1, [2]), (2, [3]), (3, [1])])
    assert points(document) == {2: "16", 1: "14", 3: "10"}
    assert [(row["rank"], row["entry"], row["above_next_by"]) for row in rows(document)] == [
        (1, 2, "circuit_points"),
        (2, 1, "circuit_points"),
        (3, 3, None),
    ]


def test_a_shared_rank_has_the_mean_of_the_places_that_it_takes_up() -> None:
    document = of(5, [(1, [1]), (2, [2]), (2, [3]), (2, [4]), (5, [5])])
    assert points(document) == {1: "10", 2: "13/3", 3: "13/3", 4: "13/3", 5: "2"}


def test_a_rank_shared_over_the_end_of_the_table_has_its_part_of_nothing() -> None:
    assert points(of(3, [(1, [1]), (2, [2]), (2, [3])], points=[10, 5])) == {1: "10", 2: "5/2", 3: "5/2"}


def test_each_player_of_a_team_has_the_points_of_its_place() -> None:
    assert points(of(4, [(1, [1, 2]), (2, [3, 4])])) == {1: "10", 2: "10", 3: "6", 4: "6"}


def test_a_row_of_players_who_are_not_ranked_takes_up_its_place() -> None:
    assert points(of(1, [(1, []), (2, [1])])) == {1: "6"}
    assert points(of(1, [(1, []), (1, [1])])) == {1: "8"}


def test_a_row_without_a_rank_has_no_points() -> None:
    row = rows(of(1, [(None, [1])]))[0]
    assert (row["rank"], row["values"]) == (1, {"circuit_points": "0", "places": None})
    assert row["legs"] == [{"championship": 1, "points": "0", "counts": True}]


def test_the_best_n_count_and_the_others_are_shown() -> None:
    document = of(2, [(1, [2]), (2, [1])], [(1, [1])], [(1, [1])], best_n=2)
    assert points(document) == {1: "20", 2: "10"}
    assert rows(document)[0]["legs"] == [
        {"championship": 1, "points": "6", "counts": False},
        {"championship": 2, "points": "10", "counts": True},
        {"championship": 3, "points": "10", "counts": True},
    ]


def test_of_level_results_the_earlier_counts() -> None:
    assert [leg["counts"] for leg in rows(of(1, [(1, [1])], [(1, [1])], best_n=1))[0]["legs"]] == [True, False]


# clubs


def test_a_club_has_the_sum_of_its_players_points() -> None:
    """The winners are both of club 1; the second team is of both clubs."""
    document = of(2, [(1, [1, 1]), (2, [1, 2]), (3, [2])], by="club")
    assert points(document) == {1: "26", 2: "10"}


def test_a_club_has_its_best_players_of_each_championship_only_where_that_is_set() -> None:
    document = of(2, [(1, [1, 1]), (2, [1, 2]), (3, [2])], [(1, [2]), (2, [1])], by="club", best_of_club=1)
    assert points(document) == {1: "16", 2: "16"}
    assert points(document | {"best_n": 1}) == {1: "10", 2: "10"}


# ties


def test_level_in_points_more_first_places_stand_above_then_more_seconds() -> None:
    table = [4, 2, 2, 1]
    document = of(3, [(1, [1]), (2, [3]), (3, [2])], [(1, []), (2, []), (3, [2])], [(1, []), (2, [3])], points=table)
    assert points(document) == {1: "4", 3: "4", 2: "4"}
    assert [(row["entry"], row["above_next_by"]) for row in rows(document)] == [(1, "places"), (3, "places"), (2, None)]
    answer: Any = explain_circuit(document)
    assert answer["rows"][0]["why"] == {
        "code": "separated",
        "key": "places",
        "upper": "1 × 1",
        "lower": "2 × 2",
        "passed": [{"code": "level", "key": "circuit_points", "value": "4"}],
    }


def test_a_place_that_did_not_count_among_the_best_counts_here() -> None:
    document = of(2, [(1, [1]), (2, [2])], [(1, [2]), (2, [1])], [(1, []), (2, [2])], best_n=1)
    assert points(document) == {1: "10", 2: "10"}
    assert [row["entry"] for row in rows(document)] == [2, 1]


def test_a_shared_first_place_is_a_first_place() -> None:
    document = of(2, [(1, [1]), (1, [])], [(1, []), (2, [2])], points=[4, 4])
    assert points(document) == {1: "4", 2: "4"}
    assert [(row["entry"], row["above_next_by"]) for row in rows(document)] == [(1, "places"), (2, None)]


def test_level_in_points_and_places_share_the_rank_and_are_listed_by_name() -> None:
    document = of(3, [(1, [1]), (1, [2]), (3, [3])])
    document["entries"][0]["name"], document["entries"][1]["name"] = "Zoé", "ana"
    assert [(row["rank"], row["entry"], row["above_next_by"]) for row in rows(document)] == [
        (1, 2, "level"),
        (1, 1, "circuit_points"),
        (3, 3, None),
    ]
    answer: Any = explain_circuit(document)
    assert [passed["key"] for passed in answer["rows"][0]["why"]["passed"]] == ["circuit_points", "places"]


def test_every_code_that_separates_rows_has_a_name_and_none_has_two() -> None:
    codes = {"stage", "stage_rank", "pool_rank", "round_reached", "place_match", "circuit_points", "places"}
    assert set(FURTHER_KEY_NAMES) == codes
    assert not codes & set(KEY_NAMES)


def test_a_circuit_of_nobody_and_of_nothing() -> None:
    assert rows(of(0)) == []
    assert points(of(1)) == {1: "0"}
    assert rows(of(1))[0]["legs"] == []


def test_points_may_be_decimal_and_stay_exact() -> None:
    assert points(of(2, [(1, [1]), (1, [2])], points=[0.1, 0.2])) == {1: "3/20", 2: "3/20"}


def test_a_table_shorter_than_a_rank_has_nothing_for_it() -> None:
    assert points_of_ranks([Fraction(3)], [1, 2, None]) == {1: Fraction(3), 2: Fraction(0)}


# refusals

GOOD = of(3, [(1, [1, 2]), (2, [3])], [(1, []), (1, [2]), (None, [1])], best_n=1)
GOOD["championships"][0]["name"] = "Bayonne"
CLUBS = GOOD | {"by": "club", "best_of_club": 2}


def at(document: object) -> str | None:
    with pytest.raises(RankingError) as caught:
        rank_circuit(document)
    assert caught.value.why
    return caught.value.at


def with_member(*path: str | int, value: object, document: Document = GOOD) -> Document:
    changed = copy.deepcopy(document)
    holder: Any = changed
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return changed


def test_the_good_ones_fit() -> None:
    rank_circuit(GOOD)
    rank_circuit(CLUBS)
    assert circuit_standings(read_circuit(GOOD)).document.championships[0].name == "Bayonne"


WHOLE: list[object] = [None, True, "1", 1.0, [], {}, 0, -1, 10**9 + 1]


@pytest.mark.parametrize(
    ("path", "where", "wrong"),
    [
        (("format",), "format", [None, "classement/1", 1]),
        (("by",), "by", [None, "team", "Player", []]),
        (("points",), "points", [None, 5, {}, "1"]),
        (("points", 1), "points[1]", [None, True, "1", [], 1e300, 0.1234567]),
        (("best_n",), "best_n", WHOLE),
        (("entries",), "entries", [None, {}, "1"]),
        (("entries", 1), "entries[1]", [None, 1, []]),
        (("entries", 1, "number"), "entries[1].number", [*WHOLE, 1]),
        (("entries", 1, "name"), "entries[1].name", [None, 1, "\ud800"]),
        (("entries", 1, "penalty"), "entries[1].penalty", [1]),
        (("championships",), "championships", [None, {}]),
        (("championships", 1), "championships[1]", [None, []]),
        (("championships", 1, "number"), "championships[1].number", [*WHOLE, 1]),
        (("championships", 1, "name"), "championships[1].name", [None, 3]),
        (("championships", 1, "results"), "championships[1].results", [None, {}]),
        (("championships", 1, "results", 0), "championships[1].results[0]", [None, []]),
        (("championships", 1, "results", 0, "rank"), "championships[1].results[0].rank", [*WHOLE[1:], 3]),
        (("championships", 0, "results", 1, "rank"), "championships[0].results[1].rank", [3]),
        (("championships", 1, "results", 0, "entries"), "championships[1].results[0].entries", [None, 1]),
        (("championships", 1, "results", 0, "entries"), "championships[1].results[0].entries[0]", [[4], ["1"], [True]]),
        (("championships", 1, "results", 0, "club"), "championships[1].results[0].club", [1]),
        (("title",), "title", [1]),
    ],
)
def test_a_member_that_does_not_fit(path: tuple[str | int, ...], where: str, wrong: list[object]) -> None:
    for value in wrong:
        assert at(with_member(*path, value=value)) == where, value


@pytest.mark.parametrize("member", ["format", "by", "points", "entries", "championships"])
def test_a_missing_member(member: str) -> None:
    assert at({name: value for name, value in GOOD.items() if name != member}) == member


def test_a_player_has_one_result_in_a_championship_and_a_club_may_have_many() -> None:
    twice = with_member("championships", 0, "results", 1, "entries", value=[3, 1])
    assert at(twice) == "championships[0].results[1].entries[1]"
    rank_circuit(twice | {"by": "club"})


def test_the_best_of_a_club_is_set_for_clubs_only() -> None:
    assert at(GOOD | {"best_of_club": 2}) == "best_of_club"
    for value in WHOLE:
        assert at(CLUBS | {"best_of_club": value}) == "best_of_club"


def test_the_first_rank_is_one() -> None:
    assert at(of(1, [(2, [1])])) == "championships[0].results[0].rank"


# held against a ranking written apart


@settings(many, max_examples=250)
@given(circuits())
def test_a_slow_ranking_written_apart_comes_to_the_same(document: Document) -> None:
    found = rows(document)
    assert [
        {key: row[key] for key in ("rank", "entry", "above_next_by")} | {"points": row["values"]["circuit_points"]}
        for row in found
    ] == circuit(document)
    for row in found:
        said = [(leg["championship"], Fraction(leg["points"])) for leg in row["legs"]]
        assert said == legs(document, row["entry"])
        counted = [Fraction(leg["points"]) for leg in row["legs"] if leg["counts"]]
        assert sum(counted) == Fraction(row["values"]["circuit_points"])
        assert len(counted) == min(len(said), document.get("best_n", len(said)))


@settings(many, max_examples=150)
@given(circuits(), st.sampled_from([None, True, -1, 0, 2, "club", [], [1], {}]), st.data())
def test_a_document_broken_anywhere_is_ranked_or_refused(
    document: Document, thing: object, data: st.DataObject
) -> None:
    with suppress(RankingError):
        rank_circuit(broken_somewhere(document, thing, data))
