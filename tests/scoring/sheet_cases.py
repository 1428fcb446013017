"""Score sheets to start from: the tests change one thing of them."""

from copy import deepcopy
from typing import Any

_CLASSIQUE: dict[str, Any] = {
    "format": "marque/1",
    "rulebook": "classique",
    "players_per_team": 1,
    "end": "target",
    "sabot_empty": False,
    "teams": {
        "A": {"km": 1000, "n200": 0, "bottes": ["VP"], "coups_fourres": []},
        "B": {"km": 475, "steps": {"25": 1, "50": 1, "100": 2, "200": 1}, "bottes": [], "coups_fourres": []},
    },
}


def sheet(team_a: dict[str, Any] | None = None, team_b: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A valid sheet of two teams under classique, with cells of the teams and of the frame replaced by those given."""
    document = deepcopy(_CLASSIQUE)
    document["teams"]["A"] |= team_a or {}
    document["teams"]["B"] |= team_b or {}
    return document | changes


def fournier(km_a: int, **changes: Any) -> dict[str, Any]:
    """A sheet of two players under fournier, where a rallonge can be called; B has 475 km."""
    return sheet({"km": km_a}, rulebook="fournier", **changes)


def blank(document: dict[str, Any], path: str) -> dict[str, Any]:
    """The document without the cell at `path`, such as `teams.A.km`."""
    holder = document
    *way, last = path.split(".")
    for step in way:
        holder = holder[step]
    del holder[last]
    return document
