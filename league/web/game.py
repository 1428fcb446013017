"""A manche as a page shows it: its moves in words, and the table after each (RULES 4 to 7).

Everything comes from `engine.steps` or from the state of a refusal; nothing here knows what is legal.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from engine.cards import ATTAQUES, BOTTES, ETAPES
from engine.steps import Step
from league.wording import card


@dataclass(frozen=True, slots=True)
class Display:
    """What lies before a team. `name` is the entry's, or the label alone; the last of `etapes` was laid last.

    `battle` and `speed` are the cards on top of the piles, None where there is none, or none known (`piles_known`);
    `standing` says in words whether the team rolls. `coups_fourres` are among the `bottes`.
    """

    label: str
    name: str
    km: int
    standing: str
    rolls: bool
    battle: str | None
    speed: str | None
    limited: bool
    etapes: Sequence[tuple[str, int]] = ()
    bottes: Sequence[str] = ()
    coups_fourres: Sequence[str] = ()
    piles_known: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """The table at one moment. `turn` is the player whose turn it is; `hands` are empty where they are not known."""

    turn: str
    sabot_left: int
    target: int
    extension: str | None
    displays: Sequence[Display]
    hands: Sequence[tuple[str, Sequence[str]]] = ()
    discard: str | None = None
    end: str | None = None


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move in words: `number` from 1, its notation, who made it (labels) and the card, None for a declared end."""

    number: int
    notation: str
    player: str | None
    team: str | None
    card: str | None
    words: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole manche: all its moves, and the table after `step` of them."""

    moves: Sequence[MoveLine]
    step: int
    board: Board

    @property
    def last(self) -> int:
        """The number of the last move."""
        return len(self.moves)

    @property
    def move(self) -> MoveLine | None:
        """The move that led here, None at the start."""
        return self.moves[self.step - 1] if self.step else None

    @property
    def before(self) -> int | None:
        """The step before this one."""
        return self.step - 1 if self.step else None

    @property
    def after(self) -> int | None:
        """The step after this one."""
        return self.step + 1 if self.step < self.last else None


def replay(found: Sequence[Step], step: int, names: Mapping[str, str], team_of: Mapping[str, str]) -> Replay:
    """The replay of a log at a step, brought within bounds; `names` of teams and `team_of` of players by label."""
    step = min(max(step, 0), len(found) - 1)
    moves = [move_line(one, team_of) for one in found[1:]]
    return Replay(moves, step, board_of_step(found[step], names))


def move_line(step: Step, team_of: Mapping[str, str]) -> MoveLine:
    """A step's move in words."""
    notation = (step.move or "").rpartition(":")[2]
    code = notation.strip("-!+").partition(">")[0]
    return MoveLine(
        number=step.at + 1,
        notation=step.move or "",
        player=step.player,
        team=None if step.player is None else team_of[step.player],
        card=None if step.player is None else code,
        words=_words(notation, code),
    )


def _words(notation: str, code: str) -> str:
    """A legal move, its player left out."""
    if notation == "#":
        return _("The manche is declared blocked.")
    if notation == "*":
        return _("The referee stops the manche.")
    name = {"card": card(code)}
    if notation.startswith("-"):
        return _("discards %(card)s") % name
    if notation.endswith("!"):
        return _("coup fourré: %(card)s") % name
    if notation.endswith("+"):
        return _("lays %(card)s and calls the extension") % name
    if ">" in notation:
        return _("attacks %(team)s: %(card)s") % {**name, "team": notation.partition(">")[2]}
    if code in ETAPES:
        return _("lays %(card)s") % name
    return _("plays %(card)s") % name


def board_of_step(step: Step, names: Mapping[str, str]) -> Board:
    """The table after a step, with every pile and, in a closed log, every hand."""
    board = board_of_state(step.state, names)
    return replace(
        board,
        displays=[_with_piles(display, step.teams[display.label]) for display in board.displays],
        hands=list((step.hands or {}).items()),
        discard=step.discard[-1] if step.discard else None,
        end=step.end,
    )


def board_of_state(state: Mapping[str, Any], names: Mapping[str, str]) -> Board:
    """The table as a refusal tells it (`engine.refusals.describe`): no piles, the hand of who moved if it is known."""
    hands = [] if state["hand"] is None else [(state["hand_of"], state["hand"])]
    return Board(
        turn=state["turn"],
        sabot_left=state["sabot_left"],
        target=state["target"],
        extension=state["extension"],
        displays=[_display(label, team, names) for label, team in state["teams"].items()],
        hands=hands,
    )


def _display(label: str, team: Mapping[str, Any], names: Mapping[str, str]) -> Display:
    return Display(
        label=label,
        name=names.get(label, label),
        km=team["km"],
        standing=_standing(team),
        rolls=team["rolls"],
        battle=team["attack"] or ("FV" if team["under"] == "feu-vert" else None),
        speed="LV" if team["limited"] else None,
        limited=team["limited"],
        bottes=team["bottes"],
    )


def _standing(team: Mapping[str, Any]) -> str:
    if team["attack"]:
        return _("stopped: %(card)s") % {"card": card(team["attack"])}
    if team["rolls"]:
        return _("rolls, at most 50") if team["limited"] else _("rolls")
    if team["under"] == "empty":
        return _("has not started")
    return _("waits for a green light")


def _with_piles(display: Display, piles: Mapping[str, Sequence[str]]) -> Display:
    laid = Counter(piles["etapes"])
    return replace(
        display,
        battle=piles["battle"][-1] if piles["battle"] else None,
        speed=piles["speed"][-1] if piles["speed"] else None,
        etapes=[(code, laid[code]) for code in ETAPES if laid[code]],
        coups_fourres=piles["coups_fourres"],
        piles_known=True,
    )


def family(code: str) -> str:
    """A card's family, as the style sheet names it."""
    if code in ETAPES:
        return "etape"
    if code in ATTAQUES:
        return "attaque"
    return "botte" if code in BOTTES else "parade"
