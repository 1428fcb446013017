"""A score as a table: a row a line of RULES 8 with the rule behind it, a column a team."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine.rulebooks import Rulebook
from scoring.points import LINES


@dataclass(frozen=True, slots=True)
class Column:
    """A team: its label, its name (empty where only the label is known), km, and what it is paid."""

    label: str
    name: str
    km: int
    won: bool
    bottes: Sequence[str]
    coups_fourres: Sequence[str]
    lines: Mapping[str, int]
    computed: int | None
    penalty: int = 0
    penalty_reason: str = ""
    claimed: int | None = None

    @property
    def total(self) -> int | None:
        """Points after the penalty, None where the rulebook has none."""
        return None if self.computed is None else self.computed - self.penalty


@dataclass(frozen=True, slots=True)
class Row:
    """A line that somebody has. `rule` says for what it is paid, with the amount where the rulebook sets one."""

    code: str
    name: str
    rule: str
    points: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The score of a manche. Without points (`has_points`) only the km and the winner count."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    has_points: bool

    @property
    def has_penalty(self) -> bool:
        """Whether a referee took points off."""
        return any(column.penalty for column in self.columns)

    @property
    def has_claim(self) -> bool:
        """Whether the table announced totals."""
        return any(column.claimed is not None for column in self.columns)


def score_table(columns: Sequence[Column], rulebook: Rulebook) -> ScoreTable:
    """The table of what `columns` were paid under a rulebook (house rules laid over)."""
    rows = [
        Row(
            line.code,
            _(line.name),
            _rule(line.rule, line.parameter, rulebook),
            [c.lines.get(line.code) for c in columns],
        )
        for line in LINES
        if any(line.code in column.lines for column in columns)
    ]
    return ScoreTable(columns, rows, rulebook.has_points)


def _rule(rule: str, parameter: str | None, rulebook: Rulebook) -> str:
    if parameter is None:
        return _(rule)
    return _("%(rule)s %(points)s points.") % {"rule": _(rule), "points": getattr(rulebook, parameter)}


def columns_of_verdict(
    verdict: Mapping[str, Any], claim: Mapping[str, int] | None = None, names: Mapping[str, str] | None = None
) -> list[Column]:
    """The columns of a valid verdict (RULES 10 and 11), by label."""
    outcome, scores = verdict["outcome"], verdict["score"] or {}
    return [
        Column(
            label=label,
            name=(names or {}).get(label, ""),
            km=team["km"],
            won=outcome["winner"] == label,
            bottes=team["bottes"],
            coups_fourres=team["coups_fourres"],
            lines=scores.get(label, {}).get("lines", {}),
            computed=scores[label]["total"] if label in scores else None,
            claimed=(claim or {}).get(label),
        )
        for label, team in outcome["teams"].items()
    ]
