"""What a document says of its table, so that it can be held against the partie that it was handed in for (RULES 13)."""

from typing import NamedTuple

from engine.rulebooks import Rulebook
from scoring.verdicts import Judged


class Frame(NamedTuple):
    """What a document says of its table: the rulebook with house rules laid over, the target in km, who plays.

    `teams` are labels in ASCII order; `members` their players, `seats` the players in order of play: both None in a
    sheet, which does not say.
    """

    rulebook: Rulebook
    target: int
    teams: tuple[str, ...]
    players_per_team: int
    members: dict[str, list[str]] | None = None
    seats: tuple[str, ...] | None = None


def frame_of(judged: Judged) -> Frame | None:
    """What a judged document says of its table, None where it is refused before it has one."""
    document, rulebook = judged.document, judged.rulebook
    if rulebook is None:
        return None
    if document.sheet is not None:
        sheet = document.sheet.sheet
        return Frame(rulebook, sheet.first_target, tuple(sheet.teams), sheet.shape.players) if sheet else None
    log = document.log
    if log is None:
        return None
    players = len(log.seats) // len(log.teams)
    shape = rulebook.table(len(log.teams), players)
    if shape is None:
        return None
    return Frame(rulebook, shape.target(log.target), tuple(sorted(log.teams)), players, log.teams, tuple(log.seats))
