"""How a manche ended: what a replay finds out and what a score sheet states (RULES 7, 10, 11)."""

from dataclasses import dataclass
from typing import Any, Final

ENDS: Final = ("target", "exhausted", "blocked", "interrupted")


@dataclass(frozen=True, slots=True)
class TeamOutcome:
    """What one team has in front of it at the end.

    `km` are kilometres. `steps` counts the étapes of each distance (None: not known, a sheet may leave it out) and
    `n200` the 200s (None: not known). `bottes` are those exposed, coups-fourrés included; both are sorted by code.
    """

    km: int
    steps: dict[str, int] | None
    n200: int | None
    bottes: tuple[str, ...]
    coups_fourres: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a manche.

    `end` is one of `ENDS`; `winner` and `extension` (who called the rallonge) are team labels or None; `teams` stands
    in ASCII order of the labels. `sabot_left` counts cards, None where it is not known (a sheet).
    """

    end: str
    winner: str | None
    couronnement: bool
    extension: str | None
    teams: dict[str, TeamOutcome]
    sabot_left: int | None = None

    def to_document(self) -> dict[str, Any]:
        """The `outcome` member of a verdict, in JSON's types: of a replay as RULES 10, of a sheet as RULES 11."""
        document: dict[str, Any] = {
            "end": self.end,
            "winner": self.winner,
            "couronnement": self.couronnement,
            "extension": self.extension,
        }
        if self.sabot_left is not None:
            document["sabot_left"] = self.sabot_left
        document["teams"] = {label: _team_document(team, self.sabot_left) for label, team in self.teams.items()}
        return document


def _team_document(team: TeamOutcome, sabot_left: int | None) -> dict[str, Any]:
    document: dict[str, Any] = {"km": team.km}
    if sabot_left is not None:  # a replayed manche: every étape was seen
        document["steps"] = team.steps
    document["bottes"] = list(team.bottes)
    document["coups_fourres"] = list(team.coups_fourres)
    return document
