"""Blank score sheets: what a table fills in by hand, for any table of a rulebook, with house rules laid over it."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import BOTTES, ETAPES
from engine.rulebooks import Rulebook, TableShape
from league.models import LABELS
from league.web.rulebook_words import PaidLine, paid_lines
from league.web.sheet.cells import ends_of
from league.wording import card


@dataclass(frozen=True, slots=True)
class BlankSheet:
    """A blank sheet: the labels of the teams, the distances and bottes to fill in, and the lines that are paid."""

    rulebook: Rulebook
    shape: TableShape
    labels: Sequence[str]
    distances: Sequence[int]
    bottes: Sequence[str]
    ends: Sequence[str]
    lines: Sequence[PaidLine]

    @property
    def extension(self) -> int | None:
        """Km of the extended target, None where there is no extension."""
        return self.shape.extended


def blank_sheet(rulebook: Rulebook, teams: int, players: int) -> BlankSheet | None:
    """The sheet of a table; None where the rulebook has no such table."""
    shape = rulebook.table(teams, players)
    if shape is None:
        return None
    lines = [line for line in paid_lines(rulebook) if line.code != "km"]
    return BlankSheet(
        rulebook=rulebook,
        shape=shape,
        labels=LABELS[:teams],
        distances=[int(etape) for etape in ETAPES],
        bottes=[card(botte) for botte in BOTTES],
        ends=[name for _end, name in ends_of(rulebook)],
        lines=lines,
    )
