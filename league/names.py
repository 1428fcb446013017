"""How names are compared and sorted: accents and case folded, so that Zoé, ZOE and zoe are near (DESIGN 4)."""

import re
import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache

from scoring.names import folded

_DIGITS = re.compile(r"\d+")
_SLIPS_FROM = 5
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


def is_near(one: str, other: str) -> bool:
    """Whether two folded names are near-duplicates: like enough, or one letter apart in names of five and more.

    Names that differ in their numbers only are told apart by them.

    >>> is_near("dupond", "dupont"), is_near("zoe dupont", "dupont zoe"), is_near("lea", "leo")
    (True, True, False)
    >>> is_near("joueur 12", "joueur 13")
    False
    """
    first, numbers = _shape(one)
    second, others = _shape(other)
    if numbers != others:
        return False
    if first == second:
        return True
    both = len(first) + len(second)
    longer = max(len(first), len(second))
    if longer >= _SLIPS_FROM and _one_letter_apart(first, second):
        return True
    # likeness counts signs in common, in order; many pairs have too few in any order
    common = sum(min(first.count(sign), second.count(sign)) for sign in set(first))
    return 2 * common >= NEAR * both and SequenceMatcher(None, first, second).ratio() >= NEAR


@lru_cache(maxsize=1 << 14)
def _shape(folded: str) -> tuple[str, tuple[str, ...]]:
    """A folded name with its words in order, and its numbers."""
    return _sorted_words(folded), tuple(_DIGITS.findall(folded))


def _one_letter_apart(one: str, other: str) -> bool:
    """Whether one letter changed, added or left out makes one of the other, or two neighbours changed places."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    at = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[at + 1 : at + 2] + one[at : at + 1] == other[at : at + 2]
    return one[at + 1 :] == other[at + 1 :] or (swapped and one[at + 2 :] == other[at + 2 :])


def _sorted_words(folded: str) -> str:
    return " ".join(sorted(folded.replace("-", " ").split()))
