"""How names are compared and sorted: accents and case folded, so that Zoé, ZOE and zoe are near (DESIGN 4)."""

import unicodedata
from difflib import SequenceMatcher

from scoring.names import folded

NEAR = 0.85
"""From this likeness (0 to 1) on, two folded names are told to be near-duplicates."""


def fold(name: str) -> str:
    """The name as it is matched and sorted: as rankings list it (STANDINGS 3), with single white space.

    >>> fold("  Zoé  ÇELIK ")
    'zoe celik'
    """
    return " ".join(folded(name).split())


def tidy(name: str) -> str:
    """The name as it is kept and shown: composed, white space single, nothing that cannot be seen.

    >>> tidy(" Zoe\\u0301\\t Celik\\u200b")
    'Zoé Celik'
    """
    composed = unicodedata.normalize("NFC", name)
    visible = "".join(sign if sign.isprintable() else " " if sign.isspace() else "" for sign in composed)
    return " ".join(visible.split())


def likeness(one: str, other: str) -> float:
    """How near two folded names are, from 0 to 1; the order of their words does not matter.

    >>> likeness("celik zoe", "zoe celik")
    1.0
    """
    return SequenceMatcher(None, _sorted_words(one), _sorted_words(other)).ratio()


def _sorted_words(folded: str) -> str:
    return " ".join(sorted(folded.replace("-", " ").split()))
