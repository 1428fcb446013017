"""RULES 11 while a sheet is typed: the score so far, the faulty cells, the cells still empty."""

from typing import Any

import pytest

from scoring.sheets import judge_sheet, score_preview
from tests.scoring.sheet_cases import blank, fournier, sheet


def fields(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["field"] for entry in entries]


def test_a_finished_sheet_is_scored_as_it_will_be_judged() -> None:
    document = sheet(claim={"A": 1500, "B": 475})
    preview, verdict = score_preview(document), judge_sheet(document)
    assert preview["complete"] is True
    assert preview["missing"] == preview["faults"] == []
    for key in ("outcome", "score", "claim_ok", "claim_differences"):
        assert preview[key] == verdict[key]


def test_an_empty_sheet_has_cells_to_fill_and_no_fault() -> None:
    document = {
        "format": "marque/1",
        "rulebook": "classique",
        "players_per_team": 1,
        "teams": {"A": {"bottes": [], "coups_fourres": []}, "B": {"km": None, "bottes": [], "coups_fourres": []}},
    }
    preview = score_preview(document)
    assert preview["complete"] is False
    assert preview["faults"] == []
    assert fields(preview["missing"]) == ["end", "teams.A.km", "teams.B.km"]
    assert preview["score"] == {"A": {"lines": {}, "total": 0}, "B": {"lines": {}, "total": 0}}


def test_until_all_is_known_only_what_lies_on_the_table_is_scored() -> None:
    preview = score_preview(blank(sheet({"km": 400, "coups_fourres": ["VP"]}), "teams.B.km"))
    assert fields(preview["missing"]) == ["teams.B.km"]
    assert preview["outcome"] is None
    # B's distance is not known, which is not 0: no capot
    assert preview["score"]["A"]["lines"] == {"km": 400, "bottes": 100, "coups-fourres": 300}


def test_no_team_on_the_target_is_said_only_when_every_distance_is_there() -> None:
    assert score_preview(blank(sheet({"km": 400}), "teams.B.km"))["faults"] == []
    assert score_preview(sheet({"km": 400}))["faults"] == [["no-team-on-target", None]]


def test_optional_cells_that_this_sheet_depends_on_are_to_be_filled_not_faults() -> None:
    preview = score_preview(blank(blank(sheet(), "sabot_empty"), "teams.A.n200"))
    assert preview["faults"] == []
    assert fields(preview["missing"]) == ["teams.A.n200", "sabot_empty"]


def test_null_is_an_empty_cell() -> None:
    preview = score_preview(sheet({"n200": None}, target=None, house=None, extension=None, claim=None))
    assert fields(preview["missing"]) == ["teams.A.n200"]
    assert preview["faults"] == []


def test_a_cell_of_the_wrong_form_is_marked_and_the_others_are_scored() -> None:
    preview = score_preview(sheet({"km": "12x"}, {"bottes": ["CI"]}))
    assert fields(preview["why"]) == ["teams.A.km"]
    assert preview["faults"] == [["malformed-sheet", None]]
    assert preview["score"]["B"] == {"lines": {"km": 475, "bottes": 100}, "total": 575}


def test_a_count_of_the_wrong_form_leaves_the_counts_unknown() -> None:
    preview = score_preview(sheet(team_b={"steps": {"25": "x", "100": 1}}))
    assert preview["faults"] == [["malformed-sheet", None]]


def test_a_fault_is_marked_while_other_cells_are_empty() -> None:
    preview = score_preview(blank(sheet(team_b={"bottes": ["VP"]}), "end"))
    assert preview["faults"] == [["botte-twice", "B"]]
    assert fields(preview["why"]) == ["teams.B.bottes"]
    assert fields(preview["missing"]) == ["end"]


def test_nobody_wins_by_most_km_before_every_distance_is_there() -> None:
    document = sheet({"km": 900, "n200": None}, rulebook="dujardin-2010", end="exhausted", sabot_empty=True)
    assert fields(score_preview(document)["missing"]) == ["teams.A.n200"]
    assert fields(score_preview(blank(document, "teams.B.km"))["missing"]) == ["teams.B.km"]


def test_who_called_is_asked_as_soon_as_a_team_is_over_the_first_target() -> None:
    preview = score_preview(blank(fournier(900), "teams.B.km"))
    assert ["extension-missing", None] in preview["faults"]


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({"rulebook": "x"}, [["unknown-rulebook", None]]),
        ({"players_per_team": 9}, [["bad-table", None]]),
        ({"format": "marque/2"}, [["malformed-sheet", None]]),
    ],
)
def test_without_a_frame_nothing_is_scored(changes: dict[str, Any], faults: list[Any]) -> None:
    preview = score_preview(sheet(**changes))
    assert preview["faults"] == faults
    assert preview["score"] is None
    assert preview["complete"] is False
