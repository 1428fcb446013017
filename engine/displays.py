"""A team's display, and what one card does to it (RULES 5 and 6): the rules of the piles, each written once.

A `Display` is a readable value. Because few displays exist (1,920) and few cards (19), what a card does to a display is
remembered in the display's `Row`, filled in on first use by the readable functions below: a replay then looks up one
place in a list a move.

>>> rules = PileRules(start_feu_vert=True, vp_starts=True, feu_vert_after_parade=True, lifts=False)
>>> lay(rules, Display(), "25")
'stopped'
>>> green = lay(rules, Display(), "FV")
>>> strike(rules, green, "PE").attack, lay(rules, green, "25") == green
('PE', True)
"""

from enum import IntEnum
from functools import cache
from typing import Any, Final, NamedTuple

from engine.cards import ANSWERED_BY, ATTAQUES, BOTTES, CARDS, ETAPES, NUMBER, PARADES, SHIELDED_BY
from engine.rulebooks import Rulebook

MOST_200S: Final = 2
"""200s that a team may expose in a manche (RULES 5)."""

_ANSWERS: Final = {parade: attack for attack, parade in ANSWERED_BY.items()}
_AT_THE_LIMIT: Final = ("25", "50")


class Base(IntEnum):
    """What lies on the battle pile, an attack on top left aside."""

    EMPTY = 0
    FEU_VERT = 1
    PARADE = 2
    BOTTE = 3  # a botte that stands in the place of the attack that it repaired


class Display(NamedTuple):
    """One team's piles: `attack` is the card on top of the battle pile ("" if none), `bottes` those exposed."""

    base: Base = Base.EMPTY
    attack: str = ""
    limited: bool = False
    bottes: frozenset[str] = frozenset()
    n200: int = 0


class PileRules(NamedTuple):
    """The parameters of a rulebook that the piles depend on (RULES 12)."""

    start_feu_vert: bool
    vp_starts: bool
    feu_vert_after_parade: bool
    lifts: bool

    @classmethod
    def of(cls, rulebook: Rulebook) -> "PileRules":
        """Those of `rulebook`."""
        return cls(
            rulebook.start_feu_vert,
            rulebook.vp_starts,
            rulebook.feu_vert_after_parade,
            rulebook.botte_on_attack == "lifts",
        )


def rolls(rules: PileRules, display: Display) -> bool:
    """Whether the team may lay étapes (RULES 5)."""
    if display.attack:
        return False
    if "VP" in display.bottes and (rules.vp_starts or display.base is not Base.EMPTY):
        return True
    if display.base is Base.FEU_VERT:
        return True
    if display.base is Base.EMPTY:
        return not rules.start_feu_vert
    return not rules.feu_vert_after_parade


def lay(rules: PileRules, display: Display, card: str) -> Display | str:
    """The display after its own team lays `card` on it, or the refusal's code (RULES 5; 10, steps 10 and 11).

    The total of km is not known here: `over-target` is asked by `engine.play`.
    """
    if card in ETAPES:
        return _lay_etape(rules, display, card)
    if card in BOTTES:
        return _expose(display, card, lifts=rules.lifts)
    if card == "FL":
        return display._replace(limited=False) if display.limited else "not-limited"
    if card == "FV":
        return _lay_feu_vert(rules, display)
    if display.attack and display.attack == _ANSWERS[card]:
        return display._replace(attack="", base=Base.PARADE)
    return "nothing-to-repair"


def _lay_etape(rules: PileRules, display: Display, card: str) -> Display | str:
    if not rolls(rules, display):
        return "stopped"
    if display.limited and card not in _AT_THE_LIMIT:
        return "speed-limited"
    if card != "200":
        return display
    return display._replace(n200=display.n200 + 1) if display.n200 < MOST_200S else "third-200"


def _lay_feu_vert(rules: PileRules, display: Display) -> Display | str:
    green = display._replace(attack="", base=Base.FEU_VERT)
    if display.attack:
        return green if display.attack == "FR" else "needless-feu-vert"
    prioritaire = "VP" in display.bottes
    if display.base is Base.EMPTY:
        wanted = rules.start_feu_vert and not (prioritaire and rules.vp_starts)
    else:
        wanted = display.base is not Base.FEU_VERT and rules.feu_vert_after_parade and not prioritaire
    return green if wanted else "needless-feu-vert"


def _expose(display: Display, botte: str, *, lifts: bool) -> Display:
    """A botte on one's own turn takes its attack away; it repairs (stands in its place) or lifts (RULES 5)."""
    after = display._replace(bottes=display.bottes | {botte}, limited=display.limited and SHIELDED_BY["LV"] != botte)
    if not display.attack or SHIELDED_BY[display.attack] != botte:
        return after
    return after._replace(attack="", base=display.base if lifts else Base.BOTTE)


def strike(rules: PileRules, display: Display, attack: str) -> Display | str:
    """The display after `attack` is played on it by another team, or the refusal's code (RULES 5; 10, step 9)."""
    if SHIELDED_BY[attack] in display.bottes:
        return "immune"
    if attack == "LV":
        return "already-limited" if display.limited else display._replace(limited=True)
    return display._replace(attack=attack) if rolls(rules, display) else "target-stopped"


def ward_off(before: Display, botte: str) -> Display:
    """The display after a coup-fourré, from that `before` the attack (RULES 6.2): the botte stands in no pile."""
    return _expose(before, botte, lifts=True)


# ---- displays that know what comes after them ------------------------------------------------------------------------

Row = list[Any]
"""A display with what each card makes of it: at a card's number the row after it, None if that is refused or not yet
worked out; at a botte's number + `WARD` the row after a coup-fourré; at `DISPLAY` and `EXPOSED` what it is a row of."""

WARD: Final = len(BOTTES)
DISPLAY: Final = len(CARDS) + WARD
EXPOSED: Final = DISPLAY + 1
"""The bottes exposed, sorted by code."""


class Transitions:
    """What each card does to each display under one set of `PileRules`."""

    __slots__ = ("rows", "rules", "start")

    def __init__(self, rules: PileRules) -> None:
        self.rules = rules
        self.rows: dict[Display, Row] = {}
        self.start = self.row(Display())

    def row(self, display: Display) -> Row:
        """The one row of this display."""
        row = self.rows.get(display)
        if row is None:  # several threads may come here at once: the first one's row stays
            row = self.rows.setdefault(display, [*[None] * DISPLAY, display, tuple(sorted(display.bottes))])
        return row

    def look(self, row: Row, card: int) -> Row | None:
        """The row after `card`, worked out if nobody asked before; None if the piles refuse it."""
        if row[card] is None:
            after = self._work_out(row[DISPLAY], card)
            if isinstance(after, Display):
                row[card] = self.row(after)
        following: Row | None = row[card]
        return following

    def refusal(self, row: Row, card: int) -> str | None:
        """The code with which the piles refuse `card`, or None."""
        after = self._work_out(row[DISPLAY], card)
        return after if isinstance(after, str) else None

    def _work_out(self, display: Display, card: int) -> Display | str:
        if card >= len(CARDS):
            return ward_off(display, CARDS[card - WARD])
        if CARDS[card] in ATTAQUES:
            return strike(self.rules, display, CARDS[card])
        return lay(self.rules, display, CARDS[card])


@cache
def transitions(rules: PileRules) -> Transitions:
    """The shared rows of these rules (there are sixteen sets of them at most)."""
    return Transitions(rules)


assert NUMBER["AS"] + WARD < DISPLAY
assert set(PARADES) == set(ANSWERED_BY.values())
