"""The cards of 1000 Bornes: their codes, families, decks, and what answers and shields what (RULES 2).

Everywhere outside the engine a card is its code, a text: "25", "FR", "VP". Inside, the tables of `engine.displays` and
`engine.table` use the card's *number*, its place in `CARDS`, a small integer from 0 to 18.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

ETAPES: Final = ("25", "50", "75", "100", "200")
ATTAQUES: Final = ("FR", "LV", "PE", "CR", "AC")
PARADES: Final = ("FV", "FL", "ES", "RS", "RE")
BOTTES: Final = ("VP", "CI", "IN", "AS")
CARDS: Final = ETAPES + ATTAQUES + PARADES + BOTTES

NUMBER: Final[Mapping[str, int]] = MappingProxyType({code: number for number, code in enumerate(CARDS)})
KM: Final[Mapping[str, int]] = MappingProxyType({code: int(code) for code in ETAPES})

ANSWERED_BY: Final[Mapping[str, str]] = MappingProxyType({"FR": "FV", "LV": "FL", "PE": "ES", "CR": "RS", "AC": "RE"})
SHIELDED_BY: Final[Mapping[str, str]] = MappingProxyType({"FR": "VP", "LV": "VP", "PE": "CI", "CR": "IN", "AC": "AS"})

DECK_106: Final[Mapping[str, int]] = MappingProxyType(
    {"25": 10, "50": 10, "75": 10, "100": 12, "200": 4}
    | {"FR": 5, "LV": 4, "PE": 3, "CR": 3, "AC": 3}
    | {"FV": 14, "FL": 6, "ES": 6, "RS": 6, "RE": 6}
    | {"VP": 1, "CI": 1, "IN": 1, "AS": 1}
)
"""Copies of each card in the full deck (RULES 2)."""

DECK_101: Final[Mapping[str, int]] = MappingProxyType(
    {code: copies - (code in ATTAQUES) for code, copies in DECK_106.items()}
)
"""The deck of the small Fournier tables: one of each attack is taken out (RULES 3)."""
