"""A team's display, and what one card does to it (RULES 5 and 6): the rules of the piles, each written once.

A `Display` is a readable value. Because few displays exist (1,920) and few cards (19), what a card does to a display is
remembered as a number in a `Transitions` table, filled in on first use by the readable functions below: a replay then
looks up one integer a move.

>>> rules = PileRules(start_feu_vert=True, vp_starts=True, feu_vert_after_parade=True, lifts=False)
>>> lay(rules, Display(), "25")
'stopped'
>>> green = lay(rules, Display(), "FV")
>>> strike(rules, green, "PE").attack, lay(rules, green, "25") == green
('PE', True)
"""

from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

from engine.cards import ANSWERED_BY, ATTAQUES, BOTTES, CARDS, ETAPES, NUMBER, PARADES, SHIELDED_BY
from engine.rulebooks import Rulebook

MOST_200S: Final = 2
"""200s that a team may expose in a manche (RULES 5)."""

_ANSWERS: Final = {parade: attack for attack, parade in ANSWERED_BY.items()}
_STOPPERS: Final = ("", *(attack for attack in ATTAQUES if attack != "LV"))
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


# ---- displays as numbers ---------------------------------------------------------------------------------------------

CARD_BITS: Final = 5
WARD: Final = len(BOTTES)
"""Added to a botte's card number to look up the coup-fourré instead of the botte exposed on one's own turn."""
_UNKNOWN: Final = -1
_REFUSED: Final = -2
_CODES: Final = (
    "stopped",
    "speed-limited",
    "third-200",
    "not-limited",
    "needless-feu-vert",
    "nothing-to-repair",
    "immune",
    "already-limited",
    "target-stopped",
)


def encode(display: Display) -> int:
    """The display's number, its low `CARD_BITS` bits free for a card."""
    number = display.n200
    for botte in BOTTES:
        number = number * 2 + (botte in display.bottes)
    number = number * 2 + display.limited
    number = number * len(_STOPPERS) + _STOPPERS.index(display.attack)
    return (number * len(Base) + display.base) << CARD_BITS


def decode(number: int) -> Display:
    """The display of a number (low bits ignored); undoes `encode`."""
    number, base = divmod(number >> CARD_BITS, len(Base))
    number, attack = divmod(number, len(_STOPPERS))
    number, limited = divmod(number, 2)
    n200, mask = divmod(number, 1 << len(BOTTES))
    bottes = frozenset(botte for place, botte in enumerate(reversed(BOTTES)) if mask >> place & 1)
    return Display(Base(base), _STOPPERS[attack], bool(limited), bottes, n200)


_LAST: Final = Display(Base.BOTTE, _STOPPERS[-1], limited=True, bottes=frozenset(BOTTES), n200=MOST_200S)
"""The display with the highest number."""


def exposed(number: int) -> tuple[str, ...]:
    """The bottes exposed on the display of this number, sorted by code."""
    return _EXPOSED[number // _BOTTES_FROM % len(_EXPOSED)]


_BOTTES_FROM: Final = (2 * len(_STOPPERS) * len(Base)) << CARD_BITS
_EXPOSED: Final = [tuple(sorted(decode(mask * _BOTTES_FROM).bottes)) for mask in range(1 << len(BOTTES))]


class Transitions:
    """What each card does to each display under one set of `PileRules`.

    `table[display + card]` is the next display's number, or negative: then `look` says whether it is a refusal.
    """

    __slots__ = ("rules", "table")

    def __init__(self, rules: PileRules) -> None:
        self.rules = rules
        everything = encode(_LAST) + (1 << CARD_BITS)
        self.table = [_UNKNOWN] * everything

    def look(self, key: int) -> int:
        """The entry of `display + card`, worked out if nobody asked before; negative for a refusal."""
        entry = self.table[key]
        if entry == _UNKNOWN:
            entry = self.table[key] = self._work_out(key)
        return entry

    def refusal(self, key: int) -> str | None:
        """The code with which the piles refuse `display + card`, or None."""
        entry = self.look(key)
        return None if entry >= 0 else _CODES[_REFUSED - entry]

    def _work_out(self, key: int) -> int:
        display, card = decode(key), key & ((1 << CARD_BITS) - 1)
        after: Display | str
        if card >= len(CARDS):
            after = ward_off(display, CARDS[card - WARD])
        elif CARDS[card] in ATTAQUES:
            after = strike(self.rules, display, CARDS[card])
        else:
            after = lay(self.rules, display, CARDS[card])
        return _REFUSED - _CODES.index(after) if isinstance(after, str) else encode(after)


@cache
def transitions(rules: PileRules) -> Transitions:
    """The shared table of these rules (there are sixteen at most)."""
    return Transitions(rules)


START: Final = encode(Display())
assert NUMBER["AS"] + WARD < 1 << CARD_BITS
assert set(PARADES) == set(ANSWERED_BY.values())
