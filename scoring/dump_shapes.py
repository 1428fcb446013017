"""What a member of a dump may be. A check takes a value and its path, and returns the value or raises `RankingError`.

A `Shape` is the check of an object, which comes back with all its members. `scoring.dump_format` has them all.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from scoring.ranking_shapes import At, items, members, one_of, refuse, text, whole

Check = Callable[[object, At], Any]

_LARGEST_POSITION: Final = 2**62
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Shape:
    """An object: its required members, and its optional ones with what they are where they are left out."""

    def __init__(self, required: Mapping[str, Check], optional: Mapping[str, tuple[Check, Any]] | None = None) -> None:
        self.required = MappingProxyType(dict(required))
        self.optional = MappingProxyType(dict(optional or {}))

    def __call__(self, value: object, at: At) -> dict[str, Any]:
        """The object with all its members."""
        given = members(value, at, tuple(self.required), tuple(self.optional))
        found = {name: check(given[name], (*at, name)) for name, check in self.required.items()}
        for name, (check, default) in self.optional.items():
            found[name] = check(given[name], (*at, name)) if name in given else default
        return found

    def written(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """The members as a dump has them: those that are as if they were left out are."""
        found = {name: value[name] for name in self.required}
        found |= {n: value[n] for n, (_, default) in self.optional.items() if n in value and value[n] != default}
        return found


def positive(value: object, at: At) -> int:
    """A number from 1."""
    return whole(value, at, 1)


def count(value: object, at: At) -> int:
    """A number from 0."""
    return whole(value, at, 0)


def position(value: object, at: At) -> int:
    """A position in a journal, from 0: it may be larger than other numbers."""
    return whole(value, at, 0, _LARGEST_POSITION)


def moment(value: object, at: At) -> str:
    """A time in ISO 8601 with its distance from UTC."""
    said = text(value, at)
    try:
        parsed = datetime.fromisoformat(said)
    except ValueError:
        refuse(at, "is no time in ISO 8601")
    if parsed.tzinfo is None:
        refuse(at, "is a time without its distance from UTC")
    return said


def words(value: object, at: At) -> str:
    """Text that a database can keep."""
    said = text(value, at)
    if "\x00" in said:
        refuse(at, "holds the character NUL")
    return said


def name(value: object, at: At) -> str:
    """Text that is not empty."""
    said = words(value, at)
    if not said.strip():
        refuse(at, "is empty")
    return said


def digest(value: object, at: At) -> str:
    """SHA-256 in hexadecimal digits."""
    said = text(value, at)
    if not _SHA256.fullmatch(said):
        refuse(at, "is no SHA-256 in 64 hexadecimal digits")
    return said


def anything(value: object, at: At) -> Any:
    """Any value of JSON, kept as it is."""
    return value


def mapping(value: object, at: At) -> dict[str, Any]:
    """An object, kept as it is."""
    if type(value) is not dict:
        refuse(at, "is not an object")
    return value


def maybe(check: Check) -> Check:
    """Null, or what fits."""
    return lambda value, at: None if value is None else check(value, at)


def choice(*choices: str) -> Check:
    """One of a few words."""
    return lambda value, at: one_of(value, at, choices)


def each(check: Check) -> Check:
    """A list of what fits."""
    return lambda value, at: [check(one, (*at, place)) for place, one in enumerate(items(value, at))]
