"""Marking of texts that users read, and the names of the cards.

The engine knows no language: it hands out English message ids with named parameters, and the doors translate them.
Catalogues are extracted by looking for `N_("…")`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple


def N_(text: str) -> str:  # noqa: N802 (gettext's usual name)
    """`text` as it is, marked for the catalogues."""
    return text


class Message(NamedTuple):
    """A sentence for users: an English message id and its parameters.

    Parameters named `card`, `attack`, `botte` and `answer` are card codes, for a door to put in words; all others are
    labels or numbers to show as they are.
    """

    text: str
    params: dict[str, Any]

    def __str__(self) -> str:
        """In English, with the cards in words."""
        words = {
            key: CARD_NAMES.get(value, value) if key in CARD_PARAMS else value for key, value in self.params.items()
        }
        return self.text.format(**words)


CARD_PARAMS: Final = frozenset({"card", "attack", "botte", "answer"})

CARD_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "25": N_("25 km"),
        "50": N_("50 km"),
        "75": N_("75 km"),
        "100": N_("100 km"),
        "200": N_("200 km"),
        "FR": N_("Red light"),
        "LV": N_("Speed limit"),
        "PE": N_("Out of petrol"),
        "CR": N_("Flat tyre"),
        "AC": N_("Accident"),
        "FV": N_("Green light"),
        "FL": N_("End of limit"),
        "ES": N_("Petrol"),
        "RS": N_("Spare wheel"),
        "RE": N_("Repairs"),
        "VP": N_("Right of way"),
        "CI": N_("Petrol tanker"),
        "IN": N_("Puncture-proof"),
        "AS": N_("Ace driver"),
    }
)
"""Names of the cards in English, by code."""
