"""Where things stand in a JSON text, for an error to say it: line and column, from 1 (RULES 9).

Only what was refused is looked at here, a second time and slowly, so that reading what is good stays quick.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

from engine.messages import N_, Message, printable

HALF_PAIR = N_("half of a surrogate pair is no character")
_SPACE = re.compile(r"[ \t\n\r]*")
_SIGN = re.compile(r'["{}\[\]]|-?(?:NaN|Infinity|[0-9][0-9.eE+-]*)')
_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\]]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")

_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Expecting value": N_("a value is expected"),
        "Expecting property name enclosed in double quotes": N_("a key in double quotes is expected"),
        "Expecting ':' delimiter": N_("a colon is expected"),
        "Expecting ',' delimiter": N_("a comma is expected"),
        "Illegal trailing comma before end of object": N_("a comma stands before the end"),
        "Illegal trailing comma before end of array": N_("a comma stands before the end"),
        "Extra data": N_("something follows the end"),
        "Unterminated string starting at": N_("a text is not closed"),
        "Invalid control character at": N_("a text holds a control character"),
        "Invalid \\escape": N_("there is no such escape"),
        "Invalid \\uXXXX escape": N_("four hexadecimal digits must follow \\u"),
    }
)
"""What the standard library says of a text that is no JSON, in words that can be translated."""


def reason(said: str) -> str | dict[str, Any]:
    """What the standard library's decoder said, as a parameter of a message; as it is where it is not known."""
    return Message(_REASONS[said], {}).as_param() if said in _REASONS else said


def place(text: str, at: int) -> tuple[int, int]:
    """Line and column of the character at index `at`."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


Path = tuple[str | int, ...]


def locate(text: str, path: Path) -> tuple[int, int]:
    """Line and column of the value at `path` in the valid JSON `text`; of the last step found if it misses."""
    return locate_all(text, [path])[0]


def locate_all(text: str, paths: Sequence[Path]) -> list[tuple[int, int]]:
    """As `locate`, for several paths: no part of the text is read twice, however many there are."""
    root = _Wanted()
    for number, path in enumerate(paths):
        wanted = root
        for step in path:
            wanted.numbers.append(number)
            wanted = wanted.members.setdefault(step, _Wanted())
        wanted.numbers.append(number)
    found = [0] * len(paths)
    # nested just as deeply as it could be decoded from a few calls less: then the place of an outer member must do
    with suppress(RecursionError):
        _walk(text, _skip(text, 0), root, found)
    return [place(text, at) for at in found]


class _Wanted:
    """What is looked for below one value: its members by key, and the numbers of the paths that lead through it."""

    __slots__ = ("members", "numbers")

    def __init__(self) -> None:
        self.members: dict[str | int, _Wanted] = {}
        self.numbers: list[int] = []


def _walk(text: str, at: int, wanted: _Wanted, found: list[int]) -> None:
    """Notes the index of the value at `at` for the paths that lead through it, then goes on to the members wanted."""
    for number in wanted.numbers:
        found[number] = at
    left = len(wanted.members)
    if not left or text[at] not in "{[":
        return
    for key, member in _members(text, at):
        if key in wanted.members:
            _walk(text, member, wanted.members[key], found)
            left -= 1
            if not left:
                return


def _members(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    """Key or number, and index, of each member of the object or list that begins at `at`."""
    decoder = json.JSONDecoder()
    closing, at, number = {"{": "}", "[": "]"}[text[at]], _skip(text, at + 1), 0
    while text[at] != closing:
        key: str | int = number
        if closing == "}":
            key, at = decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # past the colon
        yield key, at
        _, at = decoder.raw_decode(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at, number = _skip(text, at + 1), number + 1


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def first_fault(text: str) -> tuple[Message, int]:
    """What a text of JSON's grammar holds that different programs read differently, and the index where it begins.

    That is a key twice in one object, NaN or an infinity, an integer of thousands of digits, or half of a surrogate
    pair; whichever stands first. There must be one.
    """
    decoder, at = json.JSONDecoder(), 0
    keys: list[set[str]] = []  # of every object and list around this place
    while match := _SIGN.search(text, at):
        sign, start, at = match[0], match.start(), match.end()
        if sign[0] == '"':
            value, at = decoder.raw_decode(text, start)
            if _SURROGATE.search(value):
                return Message(HALF_PAIR, {}), start
            if text.startswith(":", _skip(text, at)):
                if value in keys[-1]:
                    return Message(N_("the key “{what}” stands twice in one object"), {"what": printable(value)}), start
                keys[-1].add(value)
        elif sign in "{[":
            keys.append(set())
        elif sign in "}]":
            keys.pop()
        elif not sign.strip("-").isdigit():
            if sign.strip("-") in ("NaN", "Infinity"):
                return Message(N_("{what} is no number of JSON"), {"what": sign}), start
        elif len(sign.strip("-")) > sys.get_int_max_str_digits():
            return Message(N_("an integer has thousands of digits"), {}), start
    raise ValueError("nothing is wrong with this text")


def deepest(text: str) -> int:
    """The index of the bracket that is nested deepest, the first of them."""
    depth = most = at = 0
    for bracket in _BRACKET.finditer(text):
        if bracket[0] in "{[":
            depth += 1
            if depth > most:
                most, at = depth, bracket.start()
        elif bracket[0] in "}]":
            depth -= 1
    return at
