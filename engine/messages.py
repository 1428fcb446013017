"""Marking of texts that users read, and the names of the cards.

The engine knows no language: it hands out English message ids with named parameters, and the doors translate them.
Catalogues are extracted by looking for `N_("…")`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple


def N_(text: str) -> str:  # noqa: N802 (gettext's usual name)
    """`text` as it is, marked for the catalogues."""
    return text


class Message(NamedTuple):
    """A sentence for users: an English message id and its parameters.

    Parameters named `card`, `attack`, `botte` and `answer` are card codes, to be put in words; one that is an object
    `{"sentence", "params"}` is a message of its own; all others are labels or numbers to show as they are.
    """

    text: str
    params: dict[str, Any]

    def __str__(self) -> str:
        """In English."""
        return worded(self.text, self.params, str)

    def as_param(self) -> dict[str, Any]:
        """The message as a parameter of another one, in JSON's types."""
        return {"sentence": self.text, "params": self.params}


def worded(text: str, params: Mapping[str, Any], translate: Callable[[str], str]) -> str:
    """A message in a language: `translate` gives a message id in it.

    >>> worded("{player} does not hold {card}.", {"player": "a1", "card": "FV"}, str)
    'a1 does not hold Green light.'
    """
    words = {}
    for key, value in params.items():
        if isinstance(value, Mapping) and "sentence" in value:
            words[key] = worded(value["sentence"], value.get("params", {}), translate)
        elif key in CARD_PARAMS and value in CARD_NAMES:
            words[key] = translate(CARD_NAMES[value])
        else:
            words[key] = value
    return translate(text).format(**words)


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


def printable(text: str, most: int = 80) -> str:
    """A stranger's `text` cut to `most` characters, with a sign for whatever cannot be shown, stored or sent.

    >>> printable("A\\x00B")
    'A\N{REPLACEMENT CHARACTER}B'
    """
    head = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:most])
    return head + "…" if len(text) > most else head
