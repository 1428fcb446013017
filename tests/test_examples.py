"""The documents of docs/examples/ do what README says of them."""

import json
from pathlib import Path

import pytest

from scoring.standings import rank
from scoring.verdicts import judge_bytes

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"


def verdict(name: str) -> dict[str, object]:
    """What judging an example says."""
    return judge_bytes((EXAMPLES / name).read_bytes())


@pytest.mark.parametrize("name", ["hand.bornes", "hand.json"])
def test_hand_is_valid_and_its_claim_right_in_both_writings(name: str) -> None:
    """The hand of README: the target is reached by B."""
    judged = verdict(name)
    assert (judged["valid"], judged["claim_ok"]) == (True, True)
    assert judged["score"] == {
        "A": {"lines": {"km": 375}, "total": 375},
        "B": {"lines": {"km": 1000, "bottes": 100, "coups-fourres": 300, "victoire": 400}, "total": 1800},
    }


def test_refused_lacks_a_move_so_that_the_next_is_by_the_wrong_player() -> None:
    """The log that README sends to be checked."""
    judged = verdict("refused.bornes")
    assert (judged["valid"], judged["code"], judged["at"]) == (False, "not-your-turn", 20)


def test_sheet_forgets_the_coup_fourre_in_its_claim() -> None:
    """A claim that differs is a finding, not a refusal."""
    judged = verdict("sheet.json")
    assert (judged["valid"], judged["claim_ok"]) == (True, False)


def test_ranking_breaks_a_tie_by_direct_encounter() -> None:
    """The document of README ranks four entries."""
    rows = rank(json.loads((EXAMPLES / "ranking.json").read_text()))["rows"]
    assert [(row["entry"], row["above_next_by"]) for row in rows] == [
        (4, "direct_encounter"),
        (1, "match_points"),
        (3, "match_points"),
        (2, None),
    ]
