"""RULES 11: a sheet made from a replayed manche scores as the log does."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import to_document
from engine.outcome import Outcome, TeamOutcome
from engine.replay import judge
from engine.rulebooks import RULEBOOKS
from engine.simulate import at_random, sensibly, simulate
from scoring.points import score
from scoring.sheets import examine_sheet, sheet_from_outcome

TABLES = [
    (rulebook.id, shape.teams, shape.players, target)
    for rulebook in RULEBOOKS.values()
    for shape in rulebook.tables
    for target in (None, *shape.targets)
]
HOUSES: list[dict[str, Any]] = [
    {},
    {"most_km_wins": True, "blocked_end": True},
    {"last_card_couronnement": False, "capot_to": "driving_opponents"},
]


@given(
    st.sampled_from(TABLES),
    st.integers(0, 10_000),
    st.sampled_from([at_random, sensibly]),
    st.sampled_from(HOUSES),
    st.one_of(st.none(), st.integers(0, 80)),
)
def test_a_sheet_made_from_a_log_scores_as_the_log_does(
    table: tuple[str, int, int, int | None], seed: int, player: Any, house: dict[str, Any], stop: int | None
) -> None:
    rulebook, teams, players, target = table
    log = to_document(simulate(rulebook, teams, players, seed, player=player, target=target, house=house))
    if stop is not None and stop < len(log["moves"]):
        log["moves"] = [*log["moves"][:stop], "*"]  # the referee stops the manche
    verdict = judge(log)
    assert verdict.outcome is not None
    assert verdict.rulebook is not None
    scores = score(verdict.outcome, verdict.rulebook)
    claim = None if scores is None else {label: team["total"] for label, team in scores.items()}

    document = sheet_from_outcome(verdict.outcome, rulebook, players, house=house, target=target, claim=claim)
    judged = examine_sheet(document)

    assert judged.faults == ()
    assert judged.score == scores
    assert judged.outcome == without_what_no_sheet_says(verdict.outcome)
    assert judged.to_document().get("claim_ok") is (None if claim is None else True)


def without_what_no_sheet_says(outcome: Outcome) -> Outcome:
    teams = {label: team._replace(laid=None) for label, team in outcome.teams.items()}
    return outcome._replace(teams=teams, sabot_left=None)


@pytest.mark.parametrize("n200", [None, 1])
def test_200s_are_handed_on_where_no_counts_are_known(n200: int | None) -> None:
    teams = {
        "A": TeamOutcome(km=400, n200=n200, bottes=(), coups_fourres=()),
        "B": TeamOutcome(km=0, n200=None, bottes=("VP",), coups_fourres=()),
    }
    stopped = Outcome("interrupted", winner=None, couronnement=False, extension=None, teams=teams)
    document = sheet_from_outcome(stopped, "classique", 1)
    assert "sabot_empty" not in document
    assert examine_sheet(document).outcome == stopped
