"""RULES 11: the frame of a sheet, refused alone and in order; and whatever else may be handed in as one."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.sheets import examine_sheet, judge_sheet, score_preview
from tests.scoring.sheet_cases import blank, sheet

REQUIRED = ["format", "rulebook", "players_per_team", "end", "teams", "teams.A.km", "teams.B.bottes"]
REQUIRED += ["teams.A.coups_fourres"]


@pytest.mark.parametrize("path", REQUIRED)
def test_a_required_cell_that_is_missing_is_malformed_and_named(path: str) -> None:
    verdict = judge_sheet(blank(sheet(), path))
    assert verdict["faults"] == [["malformed-sheet", None]]
    assert verdict["why"][0]["field"] == path
    assert verdict["why"][0]["sentence"] == "Fill in this cell: a sheet needs it."


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"format": "marque/2"}, "format"),
        ({"rulebook": 3}, "rulebook"),
        ({"players_per_team": True}, "players_per_team"),
        ({"players_per_team": 1.0}, "players_per_team"),
        ({"end": "won"}, "end"),
        ({"end": ["target"]}, "end"),
        ({"sabot_empty": 0}, "sabot_empty"),
        ({"target": "1000"}, "target"),
        ({"target": 10**9 + 1}, "target"),
        ({"target": float("nan")}, "target"),
        ({"house": []}, "house"),
        ({"extension": 7}, "extension"),
        ({"claim": [1]}, "claim"),
        ({"claim": {"A": "1"}}, "claim.A"),
        ({"claim": {"é": 1}}, "claim.é"),
        ({"teams": []}, "teams"),
        ({"teams": {"A": []}}, "teams.A"),
        ({"team_a": {"km": "1000"}}, "teams.A.km"),
        ({"team_a": {"km": True}}, "teams.A.km"),
        ({"team_a": {"n200": 1.0}}, "teams.A.n200"),
        ({"team_a": {"bottes": "VP"}}, "teams.A.bottes"),
        ({"team_a": {"bottes": ["VP", None]}}, "teams.A.bottes"),
        ({"team_b": {"steps": [1]}}, "teams.B.steps"),
        ({"team_b": {"steps": {"30": 1}}}, "teams.B.steps.30"),
        ({"team_b": {"steps": {"25": False}}}, "teams.B.steps.25"),
    ],
)
def test_a_cell_of_the_wrong_form_is_malformed_and_named(changes: dict[str, Any], field: str) -> None:
    verdict = judge_sheet(sheet(**changes))
    assert verdict["faults"] == [["malformed-sheet", None]]
    assert verdict["why"][0]["field"] == field


@pytest.mark.parametrize("key", ["sabot_empty", "target", "house", "extension", "claim"])
def test_an_optional_cell_is_left_out_rather_than_null(key: str) -> None:
    assert judge_sheet(sheet(**{key: None}))["faults"] == [["malformed-sheet", None]]


@pytest.mark.parametrize("label", ["", "é", "1A", "A" * 17, "A B", "\ud800", "A\n"])
def test_a_bad_label_is_malformed(label: str) -> None:
    document = sheet()
    document["teams"][label] = document["teams"].pop("B")
    assert judge_sheet(document)["faults"] == [["malformed-sheet", None]]


def test_all_malformed_cells_are_listed_at_once() -> None:
    verdict = judge_sheet(blank(sheet({"km": "1000"}, {"bottes": None}, sabot_empty="no"), "end"))
    assert [why["field"] for why in verdict["malformed"]] == ["end", "sabot_empty", "teams.A.km", "teams.B.bottes"]
    assert verdict["why"] == verdict["malformed"][:1]


def test_unknown_keys_are_ignored() -> None:
    document = sheet({"mood": "good"}, note={"by": None})
    assert judge_sheet(document) == judge_sheet(sheet())


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"end": "won", "rulebook": "x"}, "malformed-sheet"),
        ({"rulebook": "x", "house": {"x": 1}}, "unknown-rulebook"),
        ({"house": {"x": 1}, "players_per_team": 9}, "bad-house"),
        ({"house": {"botte": True}}, "bad-house"),
        ({"house": {"botte": []}}, "bad-house"),
        ({"rulebook": "moderne", "house": {"botte": 100}}, "bad-house"),
        ({"players_per_team": 9, "target": 900}, "bad-table"),
        ({"players_per_team": 0}, "bad-table"),
        ({"players_per_team": -1}, "bad-table"),
        ({"teams": {}}, "bad-table"),
        ({"target": 900, "team_a": {"km": 3}}, "bad-target"),
        ({"target": 700, "rulebook": "dujardin-2010"}, "bad-target"),
    ],
)
def test_a_wrong_frame_refuses_alone_with_the_first_that_is_wrong(changes: dict[str, Any], code: str) -> None:
    assert judge_sheet(sheet(**changes))["faults"] == [[code, None]]


ROOTS = [None, True, 3, 2.5, "marque/1", [], [sheet()], {}, {"format": "marque/1"}]


@pytest.mark.parametrize("document", ROOTS, ids=repr)
def test_what_is_no_sheet_at_all_is_malformed(document: object) -> None:
    assert judge_sheet(document)["faults"] == [["malformed-sheet", None]]


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**9, -(10**9), 10**9 + 1, 10**400, 0, -1, 25, 700, 1000])
    | st.floats(allow_nan=True)
    | st.text(st.characters(), max_size=40)
    | st.sampled_from(
        ["A", "B", "VP", "CI", "200", "target", "blocked", "fournier", "moderne", "\udcff", "{team}", "{"]
    ),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(), max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every member of a document, the document itself first."""
    yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from paths(value[key], (*path, key))


WHOLE = sheet(
    {"steps": {"100": 10}},
    target=1000,
    house={"botte": 100},
    extension="A",
    claim={"A": 1800, "B": 475},
)
PATHS = list(paths(WHOLE))


@given(st.lists(st.tuples(st.sampled_from(PATHS), ANYTHING), max_size=3), st.sampled_from(["classique", "fournier"]))
def test_anything_anywhere_gives_a_verdict(changes: list[tuple[tuple[str | int, ...], object]], rulebook: str) -> None:
    document: Any = deepcopy(WHOLE) | {"rulebook": rulebook}
    for path, value in changes:
        document = replaced(document, path, value)
    for verdict in (judge_sheet(document), score_preview(document)):
        json.dumps(verdict, ensure_ascii=False, allow_nan=False).encode("utf-8")
        for why in verdict["why"]:
            assert why["sentence"].format(**why["params"])
    assert examine_sheet(document).valid == (not judge_sheet(document)["faults"])


def replaced(document: Any, path: tuple[str | int, ...], value: object) -> Any:
    """The document with the member at `path` replaced; unchanged where an earlier change took the way to it."""
    if not path:
        return value
    if not isinstance(document, dict | list):
        return document
    twin = deepcopy(document)
    try:
        twin[path[0]] = replaced(document[path[0]], path[1:], value)  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        return document
    return twin


def test_deep_nesting_gives_a_verdict() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert judge_sheet(sheet({"bottes": deep}))["faults"] == [["malformed-sheet", None]]
    while deep:  # taken apart by hand: the interpreter would recurse
        deep = deep.pop()
