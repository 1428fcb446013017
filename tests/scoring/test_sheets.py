"""RULES 11: the faults of a score sheet, all at once, and what a valid one is worth."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.sheets import examine_sheet, judge_sheet
from tests.scoring.sheet_cases import blank, fournier, sheet

VECTORS = Path(__file__).parent.parent / "conformance" / "sheets.ndjson"
ADDED = ("why", "malformed", "claim_differences")
"""Keys that a verdict has beside those of RULES 11."""


def faults(document: dict[str, Any]) -> list[list[str | None]]:
    return judge_sheet(document)["faults"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("line", VECTORS.read_text("utf-8").splitlines(), ids=lambda line: json.loads(line)["id"])
def test_conformance(line: str) -> None:
    vector = json.loads(line)
    verdict = judge_sheet(vector["sheet"])
    assert {key: value for key, value in verdict.items() if key not in ADDED} == vector["expect"]
    assert [[why["code"], why["team"]] for why in verdict["why"]] == verdict["faults"]


def test_the_sheet_of_the_rules_scores_as_they_say() -> None:
    verdict = judge_sheet(sheet(claim={"A": 1800, "B": 475}))
    assert verdict["claim_ok"] is True
    assert verdict["score"] == {
        "A": {"lines": {"km": 1000, "bottes": 100, "victoire": 400, "sans-200": 300}, "total": 1800},
        "B": {"lines": {"km": 475}, "total": 475},
    }
    assert verdict["outcome"] == {
        "end": "target",
        "winner": "A",
        "couronnement": False,
        "extension": None,
        "teams": {
            "A": {"km": 1000, "bottes": ["VP"], "coups_fourres": []},
            "B": {"km": 475, "bottes": [], "coups_fourres": []},
        },
    }


CASES = {
    "blocked where the rulebook has no such end": (
        sheet({"km": 900}, end="blocked", sabot_empty=True),
        [["end-not-allowed", None]],
    ),
    "extension where the table has none, of which nothing else is said": (
        sheet(extension="nobody"),
        [["extension-not-allowed", None]],
    ),
    "extension by no team, which extends the target all the same": (
        fournier(1000, extension="C"),
        [["unknown-team", None]],
    ),
    "caller below the first target": (fournier(1000, extension="B"), [["caller-below-target", "B"]]),
    "over 700 without a caller": (
        fournier(1000),
        [["extension-missing", None], ["km-over-target", "A"], ["no-team-on-target", None]],
    ),
    "over the extended target no caller helps": (
        fournier(1025),
        [["km-over-target", "A"], ["no-team-on-target", None]],
    ),
    "km negative": (sheet(team_b={"km": -25, "steps": {}}), [["km-not-multiple", "B"], ["steps-disagree", "B"]]),
    "km no multiple of 25": (sheet(team_b={"km": 480}), [["km-not-multiple", "B"], ["steps-disagree", "B"]]),
    "n200 negative": (sheet({"n200": -1}), [["bad-count", "A"]]),
    "a count negative": (sheet(team_b={"steps": {"25": -1, "100": 5}}), [["bad-count", "B"]]),
    "both counts negative are one fault": (
        sheet(team_b={"km": 0, "steps": {"200": -1, "100": 2}, "n200": -1}),
        [["bad-count", "B"]],
    ),
    "unknown bottes are left aside": (
        sheet({"bottes": ["XX", "XX", "VP"], "coups_fourres": ["YY"]}),
        [["unknown-botte", "A"]],
    ),
    "an étape is no botte": (sheet({"bottes": ["25"]}), [["unknown-botte", "A"]]),
    "counts that do not add up": (sheet(team_b={"steps": {"100": 4}}), [["steps-disagree", "B"]]),
    "counts that disagree with n200": (sheet(team_b={"n200": 0}), [["steps-disagree", "B"]]),
    "counts are believed before n200": (
        sheet(team_b={"km": 600, "steps": {"200": 3}, "n200": 2}),
        [["steps-disagree", "B"], ["too-many-200", "B"]],
    ),
    "a third 200": (sheet({"n200": 3}), [["too-many-200", "A"]]),
    "a coup-fourré without its botte": (sheet({"coups_fourres": ["AS"]}), [["coup-fourre-without-botte", "A"]]),
    "a botte twice in one team": (sheet({"bottes": ["VP", "VP"]}), [["botte-twice", "A"]]),
    "a coup-fourré twice in one team": (sheet({"coups_fourres": ["VP", "VP"]}), [["botte-twice", "A"]]),
    "a botte of two teams is the later one's fault": (sheet(team_b={"bottes": ["VP"]}), [["botte-twice", "B"]]),
    "nobody on the target": (sheet({"km": 975}), [["no-team-on-target", None]]),
    "two on the target, whatever the end": (
        sheet(team_b={"km": 1000, "steps": {"100": 10}}, end="interrupted"),
        [["two-teams-on-target", None]],
    ),
    "on the target, but stopped by the referee": (sheet(end="interrupted"), [["target-but-other-end", "A"]]),
    "exhausted with cards in the sabot": (sheet({"km": 900}, end="exhausted"), [["sabot-not-empty", None]]),
    "faults by code, then team, null first": (
        sheet({"km": 990, "coups_fourres": ["AS"]}, {"bottes": ["VP"], "coups_fourres": ["CI"]}),
        [
            ["botte-twice", "B"],
            ["coup-fourre-without-botte", "A"],
            ["coup-fourre-without-botte", "B"],
            ["km-not-multiple", "A"],
            ["no-team-on-target", None],
        ],
    ),
}


@pytest.mark.parametrize(("document", "expected"), CASES.values(), ids=CASES.keys())
def test_fault(document: dict[str, Any], expected: list[list[str | None]]) -> None:
    assert faults(document) == expected


def test_more_200s_than_km_are_impossible_where_no_counts_say_otherwise() -> None:
    document = blank(sheet(team_b={"km": 375, "n200": 2}), "teams.B.steps")
    assert faults(document) == [["km-impossible", "B"]]


def test_negative_km_are_not_called_impossible_too() -> None:
    assert faults(blank(sheet(team_b={"km": -25, "n200": 1}), "teams.B.steps")) == [["km-not-multiple", "B"]]


@pytest.mark.parametrize(
    ("team_a", "team_b"),
    [
        ({"steps": {"25": 6, "50": 1, "100": 8}}, {"km": 125, "steps": {"25": 5}}),  # eleven 25s
        ({"n200": 2}, {"km": 600, "steps": {"200": 3}}),  # five 200s: n200 counts for them
    ],
    ids=["eleven-25s", "five-200s"],
)
def test_all_teams_together_have_one_deck(team_a: dict[str, Any], team_b: dict[str, Any]) -> None:
    assert ["deck-exceeded", None] in faults(sheet(team_a, team_b))


def four_teams(km: list[int], n200: list[int | None]) -> dict[str, Any]:
    teams = {
        label: {"km": kms, "bottes": [], "coups_fourres": []} | ({} if count is None else {"n200": count})
        for label, kms, count in zip("ABCD", km, n200, strict=True)
    }
    return sheet(teams=teams, end="interrupted")


@pytest.mark.parametrize(
    ("km", "n200", "exceeded"),
    [
        ([975, 975, 975, 575], [None] * 4, False),  # 3500 km, the whole deck
        ([975, 975, 975, 600], [None] * 4, True),
        ([900, 900, 900, 0], [0, 0, 0, 0], False),  # 2700 km, the whole deck without 200s
        ([900, 900, 925, 0], [0, 0, 0, 0], True),
        ([900, 900, 925, 0], [0, 0, 0, None], False),  # D's 200s are not known
        ([900, 900, 925, 200], [0, 0, 0, 1], True),
        ([900, 900, 900, 200], [0, 0, 0, 1], False),
    ],
)
def test_km_of_all_teams_fit_the_deck(km: list[int], n200: list[int | None], exceeded: bool) -> None:
    assert faults(four_teams(km, n200)) == ([["deck-exceeded", None]] if exceeded else [])


def test_missing_200s_are_asked_of_the_winner_only_where_they_pay() -> None:
    document = blank(sheet(), "teams.A.n200")
    assert faults(document) == [["missing-200s", "A"]]
    assert faults(document | {"house": {"sans_200": 0}}) == []
    assert faults(document | {"rulebook": "moderne"}) == []
    assert faults(blank(blank(sheet(), "teams.B.steps"), "sabot_empty")) == [["missing-sabot", None]]


def test_missing_200s_are_asked_of_the_winner_by_most_km() -> None:
    document = blank(sheet({"km": 900}, end="exhausted", sabot_empty=True), "teams.A.n200")
    assert faults(document) == []
    assert faults(document | {"house": {"most_km_wins": True}}) == [["missing-200s", "A"]]
    assert faults(document | {"house": {"most_km_wins": True}, "end": "interrupted"}) == []
    level = blank(sheet({"km": 475}, end="exhausted", sabot_empty=True), "teams.A.n200")
    assert faults(level | {"house": {"most_km_wins": True}}) == []


def test_missing_sabot_is_asked_only_where_it_pays() -> None:
    document = blank(sheet(), "sabot_empty")
    assert faults(document) == [["missing-sabot", None]]
    assert faults(document | {"rulebook": "dujardin-2010"}) == []
    assert faults(document | {"house": {"couronnement": 0}}) == []


def test_couronnement_is_stated_even_where_it_earns_nothing() -> None:
    verdict = judge_sheet(sheet(rulebook="dujardin-2010", sabot_empty=True))
    assert verdict["outcome"]["couronnement"] is True
    assert "couronnement" not in verdict["score"]["A"]["lines"]


def test_an_empty_sabot_at_another_end_is_no_couronnement() -> None:
    verdict = judge_sheet(sheet({"km": 900}, end="exhausted", sabot_empty=True))
    assert verdict["outcome"]["couronnement"] is False


def test_a_claim_that_differs_is_a_finding_not_a_fault() -> None:
    verdict = judge_sheet(sheet(claim={"A": 1500, "C": 3}))
    assert verdict["valid"] is True
    assert verdict["claim_ok"] is False
    by_team = {difference["team"]: difference for difference in verdict["claim_differences"]}
    assert (by_team["A"]["claimed"], by_team["A"]["computed"]) == (1500, 1800)
    assert by_team["A"]["forgotten"] == ["sans-200"]
    assert (by_team["B"]["claimed"], by_team["B"]["computed"]) == (None, 475)
    assert (by_team["C"]["claimed"], by_team["C"]["computed"]) == (3, None)


def test_moderne_has_nothing_to_hold_a_claim_against() -> None:
    verdict = judge_sheet(sheet(rulebook="moderne", claim={"A": 1}))
    assert verdict["score"] is None
    assert "claim_ok" not in verdict


def test_the_teams_stand_in_ascii_order_whatever_the_sheet_says() -> None:
    document = sheet()
    document["teams"] = dict(reversed(document["teams"].items()))
    assert list(judge_sheet(document)["outcome"]["teams"]) == ["A", "B"]


@pytest.mark.parametrize(("document", "expected"), CASES.values(), ids=CASES.keys())
def test_every_fault_says_which_cell_and_what_to_do(document: dict[str, Any], expected: list[Any]) -> None:
    for fault in examine_sheet(document).faults:
        holder: Any = document
        for step in fault.path[:-1]:
            holder = holder[step]
        assert isinstance(holder, dict), "the path leads to a cell of this sheet"
        assert fault.paragraph.startswith("RULES ")
        sentence = str(fault.message)
        assert "{" not in sentence
        assert fault.team is None or fault.team in sentence
