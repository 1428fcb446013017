"""The documents of docs/examples/ do what README says of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.pools import qualified
from scoring.rankings import rank_any
from scoring.stage_reader import read_stages
from scoring.stages import stages_standings
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


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a ranking that is an example."""
    answer: Any = rank_any(json.loads((EXAMPLES / name).read_text()))
    return list(answer["rows"])


def test_stages_are_pools_and_a_knock_out_with_an_extra_manche_and_a_match_for_the_third_place() -> None:
    """Two of each pool went on; a final stage ranks above those that it left out."""
    assert [(row["rank"], row["entry"], row["stage"], row["above_next_by"]) for row in rows("stages.json")] == [
        (1, 4, 2, "place_match"),
        (2, 1, 2, "round_reached"),
        (3, 6, 2, "place_match"),
        (4, 2, 2, "stage"),
        (5, 3, 1, "mean_match_points"),
        (6, 5, 1, None),
    ]
    pools, knockout = stages_standings(read_stages(json.loads((EXAMPLES / "stages.json").read_text()))).stages
    found = qualified(pools.pools, per_pool=2)
    assert not found.ties
    assert set(found.through) == {row.entry.number for row in knockout.rows}


def test_circuit_counts_the_two_best_of_three_championships() -> None:
    """Eloi shared a second place, which is worth the mean of the second and the third."""
    assert [(row["entry"], row["values"]["circuit_points"]) for row in rows("circuit.json")] == [
        (2, "50"),
        (1, "43"),
        (3, "83/2"),
        (4, "69/2"),
    ]


def test_melee_ranks_players_of_teams_made_afresh() -> None:
    """Peio came for the second round, and has half of a bye for the first."""
    assert [(row["entry"], row["values"]["match_points"]) for row in rows("melee.json")] == [
        (2, "6"),
        (1, "4"),
        (4, "4"),
        (5, "3"),
        (3, "0"),
    ]
