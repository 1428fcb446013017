"""What the engine and scoring say, in the reader's language.

They hand out codes, and English message ids with parameters (`engine.messages`); both doors word them here. Nothing
else translates their texts.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext

from engine.messages import CARD_NAMES, worded
from scoring.faults import with_texts
from scoring.points import LINES
from scoring.why import FURTHER_KEY_NAMES, KEY_NAMES

_LINES: Final = {line.code: line for line in LINES}


def card(code: str) -> str:
    """The name of a card, the code itself where it is none."""
    name = CARD_NAMES.get(code)
    return gettext(name) if name else code


def sentence(said: Mapping[str, Any]) -> str:
    """A sentence of a verdict: an object with `sentence` (message id) and `params`."""
    return worded(said["sentence"], said["params"], gettext)


def verdict_in_words(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """A verdict for programs, which need not put its sentences together themselves: each has its `text` beside it."""
    return with_texts(verdict, gettext)


def line_name(code: str) -> str:
    """What a score line is called (RULES 8)."""
    return gettext(_LINES[code].name) if code in _LINES else code


def key_name(key: str) -> str:
    """What a ranking key is called, or what else separates rows (STANDINGS 3 and 5)."""
    name = KEY_NAMES.get(key) or FURTHER_KEY_NAMES.get(key)
    return gettext(name) if name else key


def value(text: str | None, *, decimals: int = 3) -> str:
    """An exact value of a ranking as people read it: rounded, in the language's own writing; a dash for none.

    >>> value("7/2"), value("1/3"), value("-12"), value(None)
    ('3.5', '0.333', '-12', '–')
    """
    if text is None:
        return "–"
    exact = Fraction(text)
    scaled = round(exact * 10**decimals)
    shown = decimals
    while shown and scaled % 10 == 0:
        scaled, shown = scaled // 10, shown - 1
    return str(number_format(Decimal(scaled).scaleb(-shown), decimal_pos=shown))
