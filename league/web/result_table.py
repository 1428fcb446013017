"""A recorded result as a score table, for the pages of everybody and of organisers."""

from league.models import Championship
from league.selectors.manches import ResultView
from league.services.settings_of_play import laid_rulebook
from league.web.scores import Column, ScoreTable, score_table


def result_table(result: ResultView, championship: Championship) -> ScoreTable:
    """The score of a version, line by line, with what the table announced where that differs."""
    claimed = {one["team"]: one["claimed"] for one in result.verdict.get("claim_differences", ())}
    teams = result.verdict["outcome"]["teams"]
    columns = [
        Column(
            label=score.label,
            name=score.team,
            km=score.km,
            won=score.won,
            bottes=teams[score.label]["bottes"],
            coups_fourres=teams[score.label]["coups_fourres"],
            lines=dict(score.lines),
            computed=score.points,
            penalty=score.penalty,
            penalty_reason=score.penalty_reason,
            claimed=claimed.get(score.label),
        )
        for score in result.scores
    ]
    return score_table(columns, laid_rulebook(championship))
