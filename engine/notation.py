"""Hand logs, format `bornes/1`, in JSON and in text (RULES 9). The text writing is `engine.text_notation`'s.

A reader is strict and repairs nothing: what is not of the format is a `FormatError` that says where. What is of the
format but against the rules is none of its business: `engine.replay` judges that.
"""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, NoReturn

from engine.json_place import HALF_PAIR, deepest, first_fault, locate, place, reason
from engine.messages import N_, Message, printable
from engine.moves import is_label

FORMAT: Final = "bornes/1"
LARGEST: Final = 10**9
"""Integers of a log stand within ± this (RULES 9)."""
OWN_TAGS: Final = ("Format", "Rulebook", "Teams", "Seats", "Target", "House", "Deck", "Claim")
"""The tags of the text writing that are the log's own keys; no other tag may have their names."""

WHOLE_NUMBER: Final = N_("a whole number within ±{most} is expected")
_NO_LABEL: Final = N_("a label is a letter and up to 15 letters, digits or _")
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
_MOST_SEATS: Final = 8
"""Players at the largest table."""
_MOST_SEATINGS: Final = 256
_BOM: Final = "\ufeff"
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

Path = tuple[str | int, ...]


class FormatError(ValueError):
    """What was handed in is not of the format: `malformed-log`.

    `detail` says why, in a message. `line` and `column` count from 1 (a column is a character); both are None for a
    decoded document, which has a `path` such as `("moves", 3)` instead.
    """

    code = "malformed-log"

    def __init__(
        self,
        text: str,
        line: int | None = None,
        column: int | None = None,
        path: Path = (),
        params: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.detail = Message(text, dict(params))
        self.line = line
        self.column = column
        self.path = path
        where = f"line {line}, column {column}: " if line is not None else f"{self.field}: " if path else ""
        super().__init__(f"{where}{self.detail}")

    def moved(self, line: int | None, column: int | None) -> "FormatError":
        """The same error at another place: of a document that is a part of a file."""
        return FormatError(self.detail.text, line, column, self.path, self.detail.params)

    @property
    def field(self) -> str:
        """The path in one word that can be shown: `moves[3]`."""
        return printable(_spell(self.path))


def _spell(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


class HandLog(NamedTuple):
    """A well-formed log: `teams` are label → players, `deck` is None in an open log, `claim` if there is none."""

    rulebook: str
    teams: dict[str, list[str]]
    seats: list[str]
    moves: list[str]
    deck: list[str] | None = None
    target: int | None = None
    house: Mapping[str, Any] = _NOTHING
    claim: dict[str, int] | None = None
    tags: Mapping[str, str] = _NOTHING


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
        raise error.moved(*locate(text, error.path)) from None


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
        return text.removeprefix(_BOM)
    before = before.removeprefix(_BOM)
    raise FormatError(N_("this is not UTF-8"), *place(before, len(before)))


def decode_json(text: str) -> object:
    """`text` decoded; a key that stands twice in one object is an error, as are NaN and the infinities.

    Raises:
        FormatError: with line and column.
    """
    try:
        document = json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constant)
        if _ESCAPED_SURROGATE.search(text):
            json.dumps(document, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        params = {"reason": reason(error.msg)}
        raise FormatError(N_("this is not JSON: {reason}"), error.lineno, error.colno, params=params) from None
    except RecursionError:
        raise FormatError(N_("this is nested too deeply"), *place(text, deepest(text))) from None
    except ValueError:  # a key twice, a constant, an integer of thousands of digits, half of a surrogate pair
        fault, at = first_fault(text)
        raise FormatError(fault.text, *place(text, at), params=fault.params) from None
    return document


def _no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def read_document(document: object) -> HandLog:
    """The log that a decoded JSON document holds. Unknown keys are left aside.

    Raises:
        FormatError: with a path.
    """
    if not isinstance(document, dict):
        raise FormatError(N_("an object is expected"))
    if document.get("format") != FORMAT:
        raise FormatError(N_("“{format}” is expected"), path=("format",), params={"format": FORMAT})
    try:
        rulebook, teams = document["rulebook"], document["teams"]
        seats, moves = document["seats"], document["moves"]
    except KeyError as error:
        raise FormatError(N_("the key “{key}” is missing"), params={"key": error.args[0]}) from None
    return HandLog(
        _text(rulebook, ("rulebook",)),
        *_seating(teams, seats),
        _texts(moves, ("moves",)),
        _texts(document["deck"], ("deck",)) if "deck" in document else None,
        _integer(document["target"], ("target",)) if "target" in document else None,
        _house(document["house"]) if "house" in document else _NOTHING,
        _claim(document["claim"]) if "claim" in document else None,
        _tags(document["tags"]) if "tags" in document else _NOTHING,
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
        raise FormatError(N_("a text is expected"), path=path)
    if not value.isascii() and _SURROGATE.search(value):
        raise FormatError(HALF_PAIR, path=path)
    return value


def _object(value: object, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(N_("an object is expected"), path=path)
    return value


def _texts(value: object, path: Path) -> list[str]:
    if not isinstance(value, list):
        raise FormatError(N_("a list is expected"), path=path)
    try:
        plain = "".join(value).isascii()  # the quickest way to learn that everything is text, and as a rule plain text
    except TypeError:
        plain = False
    if not plain:
        for index, item in enumerate(value):
            _text(item, (*path, index))
    return value


_seatings: dict[tuple[str, ...], dict[str, list[str]]] = {}
"""The teams by their seats, of logs read before: the same few tables come again and again, and are looked at once."""


def _seating(teams: object, seats: object) -> tuple[dict[str, list[str]], list[str]]:
    """The teams and the seats, all of them labels."""
    if isinstance(seats, list) and isinstance(teams, dict) and _known_seating(seats) == teams:
        return teams, seats
    teams, seats = _teams(teams), _labels(seats, ("seats",))
    if len(seats) <= _MOST_SEATS:
        if len(_seatings) >= _MOST_SEATINGS:
            _seatings.clear()
        _seatings[tuple(seats)] = {label: list(players) for label, players in teams.items()}
    return teams, seats


def _known_seating(seats: list[Any]) -> dict[str, list[str]] | None:
    try:
        return _seatings.get(tuple(seats))
    except TypeError:  # what cannot be looked up is no label
        return None


def _teams(value: object) -> dict[str, list[str]]:
    teams = _object(value, ("teams",))
    for label, players in teams.items():
        _check_label(label, ("teams", label))
        _labels(players, ("teams", label))
    return teams


def _labels(value: object, path: Path) -> list[str]:
    labels = _texts(value, path)
    for index, label in enumerate(labels):
        _check_label(label, (*path, index))
    return labels


def _check_label(text: str, path: Path) -> None:
    if not is_label(text):
        raise FormatError(_NO_LABEL, path=path)


def _integer(value: object, path: Path) -> int:
    # not isinstance: true is no integer of JSON
    if type(value) is not int or not -LARGEST <= value <= LARGEST:
        raise FormatError(WHOLE_NUMBER, path=path, params={"most": LARGEST})
    return value


def _house(value: object) -> dict[str, Any]:
    house = _object(value, ("house",))
    for key, setting in house.items():
        _text(key, ("house", key))
        if isinstance(setting, str):
            _text(setting, ("house", key))
    return house


def _claim(value: object) -> dict[str, int]:
    claim = _object(value, ("claim",))
    for label, points in claim.items():
        _check_label(label, ("claim", label))
        _integer(points, ("claim", label))
    return claim


def _tags(value: object) -> dict[str, str]:
    tags = _object(value, ("tags",))
    for name, text in tags.items():
        if not is_tag_name(name):
            raise FormatError(N_("this is no name for a tag"), path=("tags", name))
        _text(text, ("tags", name))
    return tags
