"""How a manche ended: what a replay finds out and what a score sheet states (RULES 7, 10, 11)."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeVar

from engine.moves import laid_counts

Team = TypeVar("Team")

ENDS: Final = ("target", "exhausted", "blocked", "interrupted")


def most_km(kms: Mapping[Team, int]) -> Team | None:
    """The team with most km, nobody in a tie: the winner of a manche that nobody finished, if it has one (RULES 7).

    >>> most_km({"A": 400, "B": 325}), most_km({"A": 400, "B": 400})
    ('A', None)
    """
    best, second = sorted(kms, key=lambda team: kms[team], reverse=True)[:2]
    return best if kms[best] > kms[second] else None


class TeamOutcome(NamedTuple):
    """What one team has in front of it at the end.

    `km` are kilometres, `n200` counts the 200s (None: not known). `bottes` are those exposed, coups-fourrés included;
    both are sorted by code. `laid` holds the étapes of a replayed manche as `engine.moves.laid_etape` packs them.
    """

    km: int
    n200: int | None
    bottes: tuple[str, ...]
    coups_fourres: tuple[str, ...]
    laid: int | None = None

    @property
    def steps(self) -> dict[str, int] | None:
        """How many étapes of each distance were laid, None where it is not known (a sheet)."""
        return None if self.laid is None else laid_counts(self.laid)


class Outcome(NamedTuple):
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
        document["teams"] = {label: _team_document(team) for label, team in self.teams.items()}
        return document


def _team_document(team: TeamOutcome) -> dict[str, Any]:
    document: dict[str, Any] = {"km": team.km}
    if team.laid is not None:
        document["steps"] = team.steps
    document["bottes"] = list(team.bottes)
    document["coups_fourres"] = list(team.coups_fourres)
    return document
