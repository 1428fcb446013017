"""STANDINGS 7: a document that does not fit is refused with the path of the very member, and never with a traceback."""

import copy
from typing import Any

import pytest

from scoring.ranking_document import RankingError
from scoring.standings import rank
from tests.scoring.ranking_documents import Document, bye, document, partie

FULL: Document = document(
    [
        {"number": 1, "name": "Zoé", "penalty": 1},
        {"number": 2, "name": "Ana", "withdrawn": True},
        {"number": 3, "name": "Eloi"},
        {"number": 4, "name": "Maïté"},
    ],
    partie({1: 900, 2: 300, 3: 100}, {1: 100, 2: 300, 3: 0}, forfeits=[2], status="closed"),
    partie({4: 900, 2: 300}, status="void"),
    table=3,
    tie_breaks=["direct_encounter", "total_points", "draw"],
    secret="noix",
    scale=[4, 2, 0],
    best_n=3,
    minimum=2,
    byes=[bye(4, round=1), bye(4, round=2)],
)


def refusal(of: object) -> RankingError:
    with pytest.raises(RankingError) as caught:
        rank(of)
    assert caught.value.code == "bad-ranking"
    return caught.value


def with_member(*path: str | int, value: object) -> Document:
    """The full document with the member at the path set."""
    of = copy.deepcopy(FULL)
    holder: Any = of
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return of


def without(*path: str | int) -> Document:
    of = copy.deepcopy(FULL)
    holder: Any = of
    for step in path[:-1]:
        holder = holder[step]
    del holder[path[-1]]
    return of


def test_the_full_document_fits() -> None:
    rank(FULL)


@pytest.mark.parametrize("member", ["byes", "scale", "best_n", "minimum"])
def test_a_member_that_may_be_left_out(member: str) -> None:
    rank(without(member))


@pytest.mark.parametrize(
    ("path", "at"),
    [
        (("format",), "format"),
        (("table",), "table"),
        (("decided_by",), "decided_by"),
        (("primary",), "primary"),
        (("tie_breaks",), "tie_breaks"),
        (("entries",), "entries"),
        (("parties",), "parties"),
        (("secret",), "secret"),
        (("entries", 2, "number"), "entries[2].number"),
        (("entries", 2, "name"), "entries[2].name"),
        (("parties", 1, "number"), "parties[1].number"),
        (("parties", 1, "round"), "parties[1].round"),
        (("parties", 1, "entries"), "parties[1].entries"),
        (("parties", 1, "manches"), "parties[1].manches"),
        (("parties", 0, "manches", 1, "points"), "parties[0].manches[1].points"),
        (("parties", 0, "manches", 1, "km"), "parties[0].manches[1].km"),
        (("parties", 0, "manches", 1, "winner"), "parties[0].manches[1].winner"),
        (("parties", 0, "manches", 1, "coups_fourres"), "parties[0].manches[1].coups_fourres"),
        (("parties", 0, "manches", 1, "km", "3"), 'parties[0].manches[1].km["3"]'),
        (("byes", 1, "round"), "byes[1].round"),
        (("byes", 1, "entry"), "byes[1].entry"),
    ],
)
def test_a_missing_member(path: tuple[str | int, ...], at: str) -> None:
    fault = refusal(without(*path))
    assert fault.at == at
    assert "missing" in fault.why


@pytest.mark.parametrize(
    ("path", "at"),
    [
        (("title",), "title"),
        (("entries", 0, "penalties"), "entries[0].penalties"),
        (("parties", 0, "forfeit"), "parties[0].forfeit"),
        (("parties", 0, "manches", 1, "score"), "parties[0].manches[1].score"),
        (("parties", 0, "manches", 1, "points", "4"), 'parties[0].manches[1].points["4"]'),
        (("parties", 0, "manches", 1, "points", "01"), 'parties[0].manches[1].points["01"]'),
        (("byes", 0, "why"), "byes[0].why"),
        (("two words",), '["two words"]'),
        (("é\ud800",), '["\\u00e9\\ud800"]'),
        (("x" * 5000,), '["' + "x" * 40 + '\\u2026"]'),
        ((7,), None),
    ],
)
def test_an_unknown_member_at_every_level(path: tuple[str | int, ...], at: str | None) -> None:
    assert refusal(with_member(*path, value=1)).at == at


TEXTS: list[object] = [None, True, 3, 1.5, [], {}, "\ud800"]
WHOLE: list[object] = [None, True, False, "1", 1.0, [], {}, 10**9 + 1, -(10**9) - 1, 10**5000, float("nan")]
LISTS: list[object] = [None, True, 3, "1", {}, {"0": 1}]
OBJECTS: list[object] = [None, True, 3, "1", [], [{}]]
FROM_ONE = [*WHOLE, 0, -1]
FROM_NOUGHT = [*WHOLE, -1]
DECIMAL: list[object] = [None, True, "1", [], 10**10, 1e300, float("inf"), float("nan"), 1e-7, 0.12345678]
"""Values that are none of a kind."""


@pytest.mark.parametrize(
    ("path", "at", "wrong"),
    [
        (("format",), "format", [*TEXTS, "classement/2", "bornes/1", ""]),
        (("table",), "table", [*WHOLE, 0, 1, 5]),
        (("decided_by",), "decided_by", [*TEXTS, "km", "Points"]),
        (("primary",), "primary", [*TEXTS, "elo", "buchholz", "draw", "km", "direct_encounter"]),
        (("tie_breaks",), "tie_breaks", LISTS),
        (("tie_breaks", 1), "tie_breaks[1]", [*TEXTS, "elo", "match_points", "best_n", "mean_points"]),
        (("secret",), "secret", TEXTS),
        (("best_n",), "best_n", FROM_ONE),
        (("minimum",), "minimum", FROM_NOUGHT),
        (("scale",), "scale", [*LISTS, [], [4, 2], [4, 2, 1, 0]]),
        (("scale", 1), "scale[1]", DECIMAL),
        (("entries",), "entries", LISTS),
        (("entries", 1), "entries[1]", OBJECTS),
        (("entries", 1, "number"), "entries[1].number", [*FROM_ONE, 1]),
        (("entries", 1, "name"), "entries[1].name", TEXTS),
        (("entries", 1, "penalty"), "entries[1].penalty", [*DECIMAL, -1, -0.5]),
        (("entries", 1, "withdrawn"), "entries[1].withdrawn", [None, 0, 1, "true", []]),
        (("parties",), "parties", LISTS),
        (("parties", 1), "parties[1]", OBJECTS),
        (("parties", 1, "number"), "parties[1].number", [*FROM_ONE, 1]),
        (("parties", 1, "round"), "parties[1].round", FROM_ONE),
        (("parties", 1, "entries"), "parties[1].entries", [*LISTS, [], [4], [4, 4], [4, 2, 2], [1, 2, 3, 4]]),
        (("parties", 1, "entries", 1), "parties[1].entries[1]", [*WHOLE, 0, 9, -2]),
        (("parties", 0, "forfeits"), "parties[0].forfeits", [*LISTS, [2, 2]]),
        (("parties", 0, "forfeits", 0), "parties[0].forfeits[0]", [*WHOLE, 4, 9]),
        (("parties", 0, "status"), "parties[0].status", [*TEXTS, "Closed", "done"]),
        (("parties", 0, "manches"), "parties[0].manches", LISTS),
        (("parties", 0, "manches", 1), "parties[0].manches[1]", OBJECTS),
        (("parties", 0, "manches", 1, "winner"), "parties[0].manches[1].winner", [*WHOLE[1:], 4, 9]),
        (("parties", 0, "manches", 1, "points"), "parties[0].manches[1].points", OBJECTS),
        (("parties", 0, "manches", 1, "points", "2"), 'parties[0].manches[1].points["2"]', WHOLE),
        (("parties", 0, "manches", 1, "km", "2"), 'parties[0].manches[1].km["2"]', FROM_NOUGHT),
        (("parties", 0, "manches", 1, "coups_fourres", "2"), 'parties[0].manches[1].coups_fourres["2"]', FROM_NOUGHT),
        (("byes",), "byes", LISTS),
        (("byes", 1), "byes[1]", [*OBJECTS, {"round": 1, "entry": 4}]),
        (("byes", 1, "round"), "byes[1].round", FROM_ONE),
        (("byes", 1, "entry"), "byes[1].entry", [*WHOLE, 0, 9]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_value_that_is_not_of_its_kind(path: tuple[str | int, ...], at: str, wrong: list[object]) -> None:
    for value in wrong:
        fault = refusal(with_member(*path, value=value))
        assert fault.at == at, value
        assert len(fault.why) < 300


@pytest.mark.parametrize("of", [None, True, 0, 1.5, "", "{}", [], [FULL], (), object(), b"{}"])
def test_a_document_that_is_no_object_is_refused_as_a_whole(of: object) -> None:
    assert refusal(of).at is None


# keys: what is offered, repeated, needed


@pytest.mark.parametrize("key", ["total_points", "best_n", "mean_points"])
def test_a_primary_key_with_points_is_not_offered_where_manches_decide(key: str) -> None:
    of = document(1, decided_by="manches", primary=key, best_n=1, minimum=1)
    assert refusal(of).at == "primary"


@pytest.mark.parametrize("key", ["total_points", "mean_difference"])
def test_a_tie_break_with_points_is_not_offered_where_manches_decide(key: str) -> None:
    assert refusal(document(1, decided_by="manches", tie_breaks=["km", key])).at == "tie_breaks[1]"


def test_the_mean_km_difference_is_not_offered_where_points_decide() -> None:
    assert refusal(document(1, tie_breaks=["mean_km_difference"])).at == "tie_breaks[0]"


@pytest.mark.parametrize("key", ["manches_won", "total_points"])
def test_the_primary_key_is_no_tie_break_again(key: str) -> None:
    assert refusal(document(1, primary=key, tie_breaks=["km", key])).at == "tie_breaks[1]"


def test_a_tie_break_does_not_stand_twice() -> None:
    assert refusal(document(1, tie_breaks=["km", "buchholz", "km"])).at == "tie_breaks[2]"


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ({"primary": "best_n"}, "best_n"),
        ({"primary": "mean_points"}, "minimum"),
        ({"tie_breaks": ["km", "draw"]}, "secret"),
    ],
)
def test_what_a_key_needs_is_missing(said: dict[str, Any], at: str) -> None:
    assert refusal(document(1, **said)).at == at


# manches and parties


def test_a_partie_of_table_two_is_never_one_entry_alone() -> None:
    assert refusal(document(2, partie({1: 900}))).at == "parties[0].entries"


def test_points_may_be_left_out_only_where_manches_decide() -> None:
    of = document(2, partie({1: 900, 2: 300}), decided_by="manches")
    del of["parties"][0]["manches"][0]["points"]
    assert rank(of)
    of["decided_by"] = "points"
    assert refusal(of).at == "parties[0].manches[0].points"


def test_points_that_are_given_are_whole_where_manches_decide_too() -> None:
    of = document(2, partie({1: 900, 2: 300}), decided_by="manches")
    del of["parties"][0]["manches"][0]["points"]["2"]
    assert refusal(of).at == 'parties[0].manches[0].points["2"]'


@pytest.mark.parametrize("status", ["open", "void", "closed"])
def test_the_figures_of_every_partie_are_held_against_the_format_whatever_its_status(status: str) -> None:
    of = document(2, partie({1: 900, 2: 300}, status=status))
    of["parties"][0]["manches"][0]["km"]["1"] = -25
    assert refusal(of).at == 'parties[0].manches[0].km["1"]'


# byes


def test_no_second_bye_in_a_round() -> None:
    assert refusal(document(1, byes=[bye(1, round=3), bye(1, round=4), bye(1, round=3)])).at == "byes[2]"


@pytest.mark.parametrize("status", ["open", "closed"])
def test_no_bye_in_a_round_where_the_entry_sits_in_a_partie(status: str) -> None:
    of = document(2, partie({1: 900, 2: 300}, round=3, status=status), byes=[bye(1, round=2), bye(2, round=3)])
    assert refusal(of).at == "byes[1]"


def test_a_bye_in_the_round_of_a_void_partie_fits() -> None:
    rank(document(2, partie({1: 900, 2: 300}, round=3, status="void"), byes=[bye(2, round=3)]))
    rank(document(2, partie(entries=[1, 2], round=3), byes=[bye(2, round=3)]))


# the refusal itself


def test_a_refusal_as_data() -> None:
    of = with_member("parties", 1, "entries", value=[4, 4])
    assert refusal(of).as_data() == {"code": "bad-ranking", "at": "parties[1].entries", "why": "has an entry twice"}


def test_ranking_leaves_the_document_as_it_was() -> None:
    of = copy.deepcopy(FULL)
    rank(of)
    assert of == FULL
