"""The shapes that members of a ranking document may have, each held against a value at a path.

A path is a tuple of names and places and becomes text only in a refusal. Every function returns the value in its type
or raises `RankingError`, whatever Python object it is given.
"""

import json
import math
import re
from collections.abc import Container, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NoReturn, cast

from engine.notation import LARGEST
from scoring.ranking_document import RankingError

At = tuple[str | int, ...]

DECIMALS = 6

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_SHOWN = 40
_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number with decimals",
    str: "text",
    list: "a list",
    dict: "an object",
}


def refuse(at: At, why: str) -> NoReturn:
    """Raise the refusal of the member at a path."""
    raise RankingError(path(at), why)


def path(at: At) -> str | None:
    """A path as text, or None for the document itself.

    >>> path(("parties", 3, "manches", 0, "points", "12"))
    'parties[3].manches[0].points["12"]'
    """
    text = "".join(map(_step, at))
    return text.removeprefix(".") or None


def _step(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    if len(part) <= _SHOWN and _PLAIN_NAME.fullmatch(part):
        return f".{part}"
    return f"[{quoted(part)}]"


def quoted(text: str) -> str:
    """Text of unknown origin for a message: in ASCII, and cut when it is long."""
    return json.dumps(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def members(value: object, at: At, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, object]:
    """An object that has all the required members and none but these and the optional ones."""
    if type(value) is not dict:
        refuse(at, f"is not an object but {kind(value)}")
    found = len(value)
    for name in required:
        if name not in value:
            refuse((*at, name), "is missing")
    found -= len(required)
    for name in optional:
        found -= name in value
    if found:
        _refuse_unknown(value, at, {*required, *optional})
    return cast("dict[str, object]", value)


def _refuse_unknown(value: dict[object, object], at: At, known: set[str]) -> NoReturn:
    name = next(name for name in value if name not in known)
    if type(name) is not str:
        refuse(at, "has a member whose name is no text")
    refuse((*at, name), "does not belong here")


def items(value: object, at: At) -> list[object]:
    """A list."""
    if type(value) is not list:
        refuse(at, f"is not a list but {kind(value)}")
    return cast("list[object]", value)


def whole(value: object, at: At, lowest: int = -LARGEST, highest: int = LARGEST) -> int:
    """A whole number in bounds; true and false are none, and neither is 2.0."""
    if type(value) is not int:
        refuse(at, f"is not a whole number but {kind(value)}")
    if not lowest <= value <= highest:
        refuse(at, f"is not within {lowest} to {highest}")
    return value


def exact(value: object, at: At, lowest: int = -LARGEST) -> Fraction:
    """A number of at most six decimals, taken as it is written: 0.1 is a tenth.

    >>> exact(0.1, ())
    Fraction(1, 10)
    """
    if type(value) is not float:
        return Fraction(whole(value, at, lowest))
    if not (math.isfinite(value) and lowest <= value <= LARGEST):
        refuse(at, f"is not within {lowest} to {LARGEST}")
    number = Fraction(Decimal(repr(value)))
    if (number * 10**DECIMALS).denominator != 1:
        refuse(at, f"has more than {DECIMALS} decimals")
    return number


def text(value: object, at: At) -> str:
    """Text that has a UTF-8 writing, so without half of a surrogate pair."""
    if type(value) is not str:
        refuse(at, f"is not text but {kind(value)}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            refuse(at, "has half of a surrogate pair")
    return value


def one_of(value: object, at: At, choices: Sequence[str]) -> str:
    """Text that is one of a few words."""
    chosen = text(value, at)
    if chosen not in choices:
        refuse(at, f"is {quoted(chosen)}, none of {', '.join(choices)}")
    return chosen


def fresh_number(value: object, at: At, taken: Container[int]) -> int:
    """A number from 1 that was not given before."""
    number = whole(value, at, 1)
    if number in taken:
        refuse(at, f"is {number} a second time")
    return number


def truth(value: object, at: At) -> bool:
    """True or false."""
    if type(value) is not bool:
        refuse(at, f"is neither true nor false but {kind(value)}")
    return value


def kind(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    return _KINDS.get(type(value), "no JSON value")
