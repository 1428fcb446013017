"""The itemised points of one manche: an outcome and a rulebook in, lines and totals out (RULES 8).

Replayed logs and score sheets are scored here, and nowhere else. The amounts are the rulebook's; this file only knows
who earns which line. `LINES` describes the lines for pages.
"""

from typing import Final, NamedTuple, TypedDict

from engine.cards import BOTTES
from engine.messages import N_
from engine.outcome import Outcome, TeamOutcome
from engine.rulebooks import Rulebook


class TeamScore(TypedDict):
    """Points of one team: `lines` by code, in the order of `LINES`, none worth 0; `total` is their sum."""

    lines: dict[str, int]
    total: int


class Line(NamedTuple):
    """What a score line is, for pages and slips.

    `code` is stable API; `name` and `rule` are message ids; `parameter` is the `Rulebook` attribute that holds the
    amount, None for the km, which are worth a point each; `paragraph` is where RULES says so.
    """

    code: str
    name: str
    rule: str
    parameter: str | None
    paragraph: str = "RULES 8"


LINES: Final = (
    Line("km", N_("Distance"), N_("One point a kilometre."), None),
    Line("bottes", N_("Safeties"), N_("For each safety exposed."), "botte"),
    Line("quatre-bottes", N_("All four safeties"), N_("For a team that exposed all four."), "quatre_bottes"),
    Line("coups-fourres", N_("Coups fourrés"), N_("For each, beside what the safety itself is worth."), "coup_fourre"),
    Line("victoire", N_("Victory"), N_("For the winner."), "victoire"),
    Line("couronnement", N_("Delayed action"), N_("For a winner on an empty draw pile."), "couronnement"),
    Line("sans-200", N_("Without 200"), N_("For a winner that exposed no 200."), "sans_200"),
    Line("capot", N_("Shutout"), N_("For opponents that exposed no distance card."), "capot"),
    Line(
        "rallonge",
        N_("Extension"),
        N_("For the team that called the extension if it wins, otherwise for each of its opponents."),
        "rallonge",
    ),
)
"""Every score line, in the order of RULES 8, which is the order of a score's lines too."""


def score(outcome: Outcome, rulebook: Rulebook) -> dict[str, TeamScore] | None:
    """The points of each team, in the outcome's (ASCII) order of labels; None where the rulebook has none (RULES 8).

    The winner's `n200` may be None only where `sans_200` is worth nothing.
    """
    if not rulebook.has_points:
        return None
    teams = outcome.teams
    # every replayed log passes here: what most manches do not have is asked for once, outside the loop
    finished = outcome.end != "interrupted"
    winner = outcome.winner if finished else None
    capots = [label for label, team in teams.items() if not team.km] if finished else None
    caller = outcome.extension if finished else None
    scores: dict[str, TeamScore] = {}
    for label, team in teams.items():
        lines = _lines_on_the_table(team, rulebook)
        if label == winner:
            _add_winner_lines(lines, team, rulebook, outcome.couronnement)
        if capots:
            _add_capot(lines, label, winner, capots, len(teams), rulebook)
        # the caller if it wins, else everybody but the caller
        if caller is not None and rulebook.rallonge and (label == caller) == (winner == caller):
            lines["rallonge"] = rulebook.rallonge
        scores[label] = {"lines": lines, "total": sum(lines.values())}
    return scores


def _lines_on_the_table(team: TeamOutcome, rulebook: Rulebook) -> dict[str, int]:
    """What a team has for its own display alone, all that an interrupted manche scores."""
    lines: dict[str, int] = {}
    if team.km:
        lines["km"] = team.km
    if bottes := len(team.bottes):
        if rulebook.botte:
            lines["bottes"] = bottes * rulebook.botte
        if bottes == len(BOTTES) and rulebook.quatre_bottes:
            lines["quatre-bottes"] = rulebook.quatre_bottes
    if team.coups_fourres and rulebook.coup_fourre:
        lines["coups-fourres"] = len(team.coups_fourres) * rulebook.coup_fourre
    return lines


def _add_winner_lines(lines: dict[str, int], team: TeamOutcome, rulebook: Rulebook, couronnement: bool) -> None:
    if rulebook.victoire:
        lines["victoire"] = rulebook.victoire
    if couronnement and rulebook.couronnement:
        lines["couronnement"] = rulebook.couronnement
    if team.n200 == 0 and rulebook.sans_200:
        lines["sans-200"] = rulebook.sans_200


def _add_capot(
    lines: dict[str, int], label: str, winner: str | None, capots: list[str], teams: int, rulebook: Rulebook
) -> None:
    """The shutouts that `label` is paid for, among the teams `capots` that exposed no étape."""
    beaten = len(capots) - (label in capots)
    if rulebook.capot_to == "shutout_winner":
        paid = int(label == winner and beaten == teams - 1)  # once, however many opponents there are
    elif rulebook.capot_to == "driving_opponents" and label in capots:
        paid = 0
    else:
        paid = beaten
    if paid and rulebook.capot:
        lines["capot"] = paid * rulebook.capot
