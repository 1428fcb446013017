"""Hand logs, format `bornes/1`, in JSON and in text (RULES 9). The text writing is `engine.text_notation`'s.

A reader is strict and repairs nothing: what is not of the format is a `FormatError` that says where. What is of the
format but against the rules is none of its business: `engine.replay` judges that.
"""

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NoReturn

from engine.json_place import locate
from engine.moves import is_label

FORMAT: Final = "bornes/1"
LARGEST: Final = 10**9
"""Integers of a log stand within ± this (RULES 9)."""
OWN_TAGS: Final = ("Format", "Rulebook", "Teams", "Seats", "Target", "House", "Deck", "Claim")
"""The tags of the text writing that are the log's own keys; no other tag may have their names."""

_REQUIRED: Final = ("rulebook", "teams", "seats", "moves")
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

Path = tuple[str | int, ...]


class FormatError(ValueError):
    """What was handed in is not of the format: `malformed-log`.

    `line` and `column` count from 1 (a column is a character); both are None for a decoded document, which has a `path`
    such as `("moves", 3)` instead.
    """

    code = "malformed-log"

    def __init__(self, message: str, line: int | None = None, column: int | None = None, path: Path = ()) -> None:
        where = f"line {line}, column {column}: " if line is not None else f"{_spell(path)}: " if path else ""
        super().__init__(where + message)
        self.message = message
        self.line = line
        self.column = column
        self.path = path

    @property
    def field(self) -> str:
        """The path in one word: `moves[3]`."""
        return _spell(self.path)


def _spell(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


@dataclass(frozen=True, slots=True)
class HandLog:
    """A well-formed log: `teams` are label → players, `deck` is None in an open log, `claim` if there is none."""

    rulebook: str
    teams: dict[str, list[str]]
    seats: list[str]
    moves: list[str]
    deck: list[str] | None = None
    target: int | None = None
    house: dict[str, Any] = field(default_factory=dict)
    claim: dict[str, int] | None = None
    tags: dict[str, str] = field(default_factory=dict)


def is_tag_name(name: str) -> bool:
    """Whether `name` may stand among a log's own `tags` (RULES 9)."""
    return _TAG_NAME.fullmatch(name) is not None and name not in OWN_TAGS


def read_json(source: bytes | str) -> HandLog:
    """The log that a JSON text holds.

    Raises:
        FormatError: with line and column.
    """
    text = decode_utf8(source)
    document = decode_json(text)
    try:
        return read_document(document)
    except FormatError as error:
        raise FormatError(error.message, *locate(text, error.path), error.path) from None


def decode_utf8(source: bytes | str) -> str:
    """`source` as text, a byte order mark taken off.

    Raises:
        FormatError: it is not UTF-8.
    """
    try:
        text = source.decode("utf-8") if isinstance(source, bytes) else source
        if not text.isascii():
            text.encode("utf-8")  # a text may hold half of a surrogate pair
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
    except UnicodeEncodeError as error:
        before = error.object[: error.start]
    else:
        return text.removeprefix("\ufeff")
    raise FormatError("this is not UTF-8", before.count("\n") + 1, len(before) - before.rfind("\n"))


def decode_json(text: str) -> object:
    """`text` decoded; a key that stands twice in one object is an error, as are NaN and the infinities.

    Raises:
        FormatError: with line and column.
    """
    try:
        document = json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constant)
        if _ESCAPED_SURROGATE.search(text):
            json.dumps(document, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise FormatError("half of a surrogate pair is no character", 1, 1) from None
    except json.JSONDecodeError as error:
        raise FormatError(f"this is not JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise FormatError("this is nested too deeply", 1, 1) from None
    except ValueError as error:  # a twin key, a constant, an integer of thousands of digits
        raise FormatError(str(error).partition(";")[0], 1, 1) from None
    return document


def _no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands twice in one object")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def read_document(document: object) -> HandLog:
    """The log that a decoded JSON document holds. Unknown keys are left aside.

    Raises:
        FormatError: with a path.
    """
    if not isinstance(document, dict):
        raise FormatError("an object is expected")
    if document.get("format") != FORMAT:
        raise FormatError(f"“{FORMAT}” is expected", path=("format",))
    for key in _REQUIRED:
        if key not in document:
            raise FormatError(f"the key “{key}” is missing")
    return HandLog(
        rulebook=_text(document["rulebook"], ("rulebook",)),
        teams=_teams(document["teams"]),
        seats=_labels(document["seats"], ("seats",)),
        moves=_texts(document["moves"], ("moves",)),
        deck=_texts(document["deck"], ("deck",)) if "deck" in document else None,
        target=_integer(document["target"], ("target",)) if "target" in document else None,
        house=dict(_object(document["house"], ("house",))) if "house" in document else {},
        claim=_claim(document["claim"]) if "claim" in document else None,
        tags=_tags(document["tags"]) if "tags" in document else {},
    )


def to_document(log: HandLog) -> dict[str, Any]:
    """The log's JSON document; `read_document` undoes it. What the log leaves out is left out."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "rulebook": log.rulebook,
        "teams": {label: list(players) for label, players in log.teams.items()},
        "seats": list(log.seats),
    }
    if log.target is not None:
        document["target"] = log.target
    if log.house:
        document["house"] = dict(log.house)
    if log.deck is not None:
        document["deck"] = list(log.deck)
    document["moves"] = list(log.moves)
    if log.claim is not None:
        document["claim"] = dict(log.claim)
    if log.tags:
        document["tags"] = dict(log.tags)
    return document


def _text(value: object, path: Path) -> str:
    if not isinstance(value, str):
        raise FormatError("a text is expected", path=path)
    return value


def _object(value: object, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError("an object is expected", path=path)
    return value


def _texts(value: object, path: Path) -> list[str]:
    if not isinstance(value, list):
        raise FormatError("a list is expected", path=path)
    try:
        "".join(value)  # the quickest way to learn that everything is text
    except TypeError:
        index = next(index for index, item in enumerate(value) if not isinstance(item, str))
        raise FormatError("a text is expected", path=(*path, index)) from None
    return value


@lru_cache(maxsize=1024)
def _known_label(value: str) -> bool:
    return is_label(value)


def _labels(value: object, path: Path) -> list[str]:
    for index, label in enumerate(labels := _texts(value, path)):
        if not _known_label(label):
            raise FormatError("a label is a letter and up to 15 letters, digits or _", path=(*path, index))
    return labels


def _teams(value: object) -> dict[str, list[str]]:
    teams = _object(value, ("teams",))
    for label, players in teams.items():
        if not _known_label(label):
            raise FormatError("a label is a letter and up to 15 letters, digits or _", path=("teams", label))
        _labels(players, ("teams", label))
    return teams


def _integer(value: object, path: Path) -> int:
    # not isinstance: true is no integer of JSON
    if type(value) is not int or not -LARGEST <= value <= LARGEST:
        raise FormatError(f"a whole number within ±{LARGEST} is expected", path=path)
    return value


def _claim(value: object) -> dict[str, int]:
    claim = _object(value, ("claim",))
    for label, points in claim.items():
        if not _known_label(label):
            raise FormatError("a label is a letter and up to 15 letters, digits or _", path=("claim", label))
        _integer(points, ("claim", label))
    return claim


def _tags(value: object) -> dict[str, str]:
    tags = _object(value, ("tags",))
    for name, text in tags.items():
        if not is_tag_name(name):
            raise FormatError("this is no name for a tag", path=("tags", name))
        if _SURROGATE.search(_text(text, ("tags", name))):
            raise FormatError("half of a surrogate pair is no character", path=("tags", name))
    return tags
