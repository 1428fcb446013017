"""What a valid sheet hardly ever says: warned of, never refused, and rare in simulated manches."""

from typing import Any

import pytest

from engine.replay import judge
from engine.simulate import simulate
from scoring.sheet_warnings import sheet_warnings, warning_name
from scoring.sheets import judge_sheet, sheet_from_outcome
from tests.scoring.sheet_cases import blank, sheet

ALL = ["AS", "CI", "IN", "VP"]
EXHAUSTED = {"end": "exhausted", "sabot_empty": True}


def names(document: dict[str, Any]) -> list[str]:
    """The warnings of a valid sheet, as they are acknowledged."""
    assert judge_sheet(document)["valid"]
    return [warning_name(warning) for warning in sheet_warnings(document)]


def standing(document: dict[str, Any], label: str) -> dict[str, Any]:
    """The sheet of a team that played no étape."""
    return blank(document, f"teams.{label}.steps")


def test_an_ordinary_sheet_has_none() -> None:
    assert names(sheet()) == []


@pytest.mark.parametrize(("bottes", "warned"), [(ALL, True), (ALL[:3], False)])
def test_four_coups_fourres_of_one_team(bottes: list[str], warned: bool) -> None:
    document = sheet({"bottes": bottes, "coups_fourres": bottes})
    assert names(document) == (["four-coups-fourres:A"] if warned else [])


@pytest.mark.parametrize(("count", "warned"), [(4, True), (3, True), (2, False)])
def test_many_bottes_of_a_team_that_stands(count: int, warned: bool) -> None:
    document = standing(sheet({"bottes": []}, {"km": 0, "bottes": ALL[:count]}), "B")
    assert names(document) == (["bottes-without-km:B"] if warned else [])


@pytest.mark.parametrize(
    ("steps", "warned"),
    [({"25": 2, "50": 9, "100": 1, "200": 2}, True), ({"25": 0, "50": 8, "100": 2, "200": 2}, False)],
)
def test_many_cards_of_one_distance(steps: dict[str, int], warned: bool) -> None:
    document = standing(sheet({"n200": 2, "steps": steps}, {"km": 0}), "B")
    assert names(document) == (["many-of-one-distance:A"] if warned else [])


def test_nobody_drove() -> None:
    document = standing(sheet({"km": 0}, {"km": 0}, end="interrupted"), "B")
    assert names(document) == ["nobody-drove"]


@pytest.mark.parametrize(("count", "warned"), [(4, False), (3, True), (0, True)])
def test_a_botte_that_lies_nowhere_after_the_last_card(count: int, warned: bool) -> None:
    document = sheet({"km": 900, "bottes": ALL[:count]}, **EXHAUSTED)
    assert names(document) == (["bottes-left"] if warned else [])


@pytest.mark.parametrize(("count", "sabot_empty", "warned"), [(1, True, True), (2, True, False), (0, False, False)])
def test_few_bottes_of_a_late_arrival(count: int, sabot_empty: bool, warned: bool) -> None:
    document = sheet({"bottes": ALL[:count]}, sabot_empty=sabot_empty)
    assert names(document) == (["bottes-left-late"] if warned else [])


def test_a_sheet_with_faults_has_no_warnings() -> None:
    faulty = sheet({"km": 990, "bottes": ALL, "coups_fourres": ALL})
    assert sheet_warnings(faulty) == []
    assert sheet_warnings(blank(sheet({"bottes": ALL, "coups_fourres": ALL}), "teams.B.km")) == []
    assert sheet_warnings("no sheet") == []


def test_each_leads_to_a_cell_and_says_what() -> None:
    (warning,) = sheet_warnings(sheet({"km": 900, "bottes": ["VP"]}, **EXHAUSTED))
    assert warning.field == "sabot_empty"
    assert warning.message.params == {"count": 1}


def test_simulated_manches_have_hardly_any() -> None:
    warned = 0
    for number in range(300):
        outcome = judge(simulate("classique", 2, 1, f"warnings {number}")).outcome
        assert outcome is not None
        warned += bool(sheet_warnings(sheet_from_outcome(outcome, "classique", 1)))
    assert warned <= 4
