"""What the table announced, held against what was computed (RULES 10, the claim)."""

from collections.abc import Mapping
from typing import Any, Final

from engine.messages import N_
from scoring.points import TeamScore

_OTHER_TOTAL: Final = N_("{team} announced {claimed} points, the score comes to {computed}.")
_NOT_ANNOUNCED: Final = N_("Nothing was announced for {team}, the score comes to {computed}.")
_NO_SUCH_TEAM: Final = N_("{claimed} points were announced for {team}, which is no team of this manche.")


def claim_holds(claim: Mapping[str, int], scores: Mapping[str, TeamScore]) -> bool:
    """Whether the claim names exactly the teams, each with its computed total."""
    return claim == {label: team["total"] for label, team in scores.items()}


def claim_findings(claim: Mapping[str, int] | None, scores: Mapping[str, TeamScore] | None) -> dict[str, Any]:
    """What a verdict says of a claim: `claim_ok`, and `claim_differences` where it differs.

    Nothing without a claim, or where the rulebook has no points (RULES 10).
    """
    if claim is None or scores is None:
        return {}
    if claim_holds(claim, scores):
        return {"claim_ok": True}
    return {"claim_ok": False, "claim_differences": claim_differences(claim, scores)}


def claim_differences(claim: Mapping[str, int], scores: Mapping[str, TeamScore]) -> list[dict[str, Any]]:
    """One finding a team whose announced total is not the computed one, by label, in JSON's types.

    `claimed` and `computed` are points, or null (the team was not announced; it is none of the manche). `lines` are
    the computed ones, to be read against the table's own sheet; `forgotten` names those worth just what is missing.
    """
    return [
        _difference(label, claim.get(label), scores.get(label))
        for label in sorted(claim.keys() | scores.keys())
        if label not in claim or label not in scores or claim[label] != scores[label]["total"]
    ]


def _difference(label: str, claimed: int | None, team: TeamScore | None) -> dict[str, Any]:
    lines = {} if team is None else team["lines"]
    computed = None if team is None else team["total"]
    missing = None if claimed is None or computed is None else computed - claimed
    if computed is None:
        sentence, params = _NO_SUCH_TEAM, {"claimed": claimed}
    elif claimed is None:
        sentence, params = _NOT_ANNOUNCED, {"computed": computed}
    else:
        sentence, params = _OTHER_TOTAL, {"claimed": claimed, "computed": computed}
    return {
        "team": label,
        "claimed": claimed,
        "computed": computed,
        "lines": dict(lines),
        "forgotten": [code for code, points in lines.items() if points == missing],
        "sentence": sentence,
        "params": {"team": label, **params},
        "paragraph": "RULES 10",
    }
