r"""Hand logs as people write them: the text writing of `bornes/1` (RULES 9).

    log     = [ BOM ] { tag newline } ( newline { separator | word } | end )
    tag     = "[" name " " '"' { character | \" | \\ | \n } '"' "]"
    word    = { digits "." } [ move ]
    comment = "{" { any character but "}" } "}"
    separator = white space | comment
    newline = LF | CRLF

White space is space, tab, CR, LF, VT and FF; other blanks of Unicode are ordinary characters. The blank line between
tags and moves holds nothing but white space. Numbers and comments are not kept. Reading what was written gives the same
log back; a log with something that has no text writing is refused by `to_text`.

>>> log = read_text('''[Format "bornes/1"]
... [Rulebook "classique"]
... [Teams "A: a1 | B: b1"]
... [Seats "a1 b1"]
...
... 1. a1:FV b1:LV>A 2. a1:-25 {a comment}
... ''')
>>> log.moves
['a1:FV', 'b1:LV>A', 'a1:-25']
>>> read_text(to_text(log)) == log
True
"""

import re
from collections.abc import Callable
from typing import Any, Final

from engine.json_place import place
from engine.messages import N_, Message, printable
from engine.moves import LABEL
from engine.notation import (
    FORMAT,
    LARGEST,
    OWN_TAGS,
    WHOLE_NUMBER,
    FormatError,
    HandLog,
    decode_utf8,
    is_tag_name,
)

_TAG = re.compile(r'\[(?P<name>[A-Za-z][A-Za-z0-9_]{0,31}) "(?P<value>[^"\\\n]*(?:\\["\\n][^"\\\n]*)*)"\]\r?')
_ESCAPE = re.compile(r'\\(["\\n])')
_SPACE: Final = " \t\r\n\v\f"
_COMMENT = re.compile(r"\{[^}]*\}")
_COMMENT_OR_BRACE = re.compile(r"\{[^}]*\}|[{}]")
_WORD = re.compile(rf"[^{_SPACE}]+")
_NUMBERS = re.compile(r"\A(?:[0-9]+\.)+")
_UNWRITABLE = re.compile(rf"[{_SPACE}{{}}]|[0-9]+\.")
_INTEGER = re.compile(r"-?[0-9]{1,10}")
_LABEL = re.compile(LABEL)
_SEATS = re.compile(rf"{LABEL}(?: {LABEL})*+")
_DECK = re.compile(rf"{_WORD.pattern}(?: {_WORD.pattern})*+")
_HOUSE_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HOUSE_PAIR = re.compile(rf"(?P<key>[^{_SPACE}=]+)=(?P<value>[^{_SPACE}=]+)")
_TEAM = re.compile(rf"(?P<label>{LABEL}):(?P<players>(?: {LABEL})*)")
_CLAIM = re.compile(rf"(?P<label>{LABEL}) (?P<points>{_INTEGER.pattern})")
_PER_LINE: Final = 12


class ConversionError(ValueError):
    """A well-formed log that has no text writing; says what of it."""

    code = "no-text-writing"


def read_text(source: bytes | str) -> HandLog:
    """The log that a text writing holds.

    Raises:
        FormatError: with line and column.
    """
    text = decode_utf8(source)
    own: dict[str, Any] = {}
    tags: dict[str, str] = {}
    at, line = 0, 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line += 1
        if not text[at:end].strip(_SPACE):
            break
        name, value = _read_tag(text, at, end, line)
        if name in own or name in tags:
            raise FormatError(N_("the tag {name} stands twice"), line, 1, params={"name": name})
        if name in OWN_TAGS:
            own[name] = _read_own(name, value, line)
        else:
            tags[name] = value
        at = end + 1
    for name in ("Format", "Rulebook", "Teams", "Seats"):
        if name not in own:
            raise FormatError(N_("the tag {name} is missing"), max(line, 1), 1, params={"name": name})
    return HandLog(
        rulebook=own["Rulebook"],
        teams=own["Teams"],
        seats=own["Seats"],
        moves=_read_moves(text, at),
        deck=own.get("Deck"),
        target=own.get("Target"),
        house=own.get("House", {}),
        claim=own.get("Claim"),
        tags=tags,
    )


def _read_tag(text: str, start: int, end: int, line: int) -> tuple[str, str]:
    match = _TAG.fullmatch(text, start, end)
    if match is None:
        raise FormatError(N_('a tag is expected: [Name "value"]'), line, 1)
    value = match["value"]
    if "\\" in value:
        value = _ESCAPE.sub(lambda escape: "\n" if escape[1] == "n" else escape[1], value)
    return match["name"], value


def _read_moves(text: str, start: int) -> list[str]:
    rest = text[start:]
    if "{" in rest or "}" in rest:
        _check_braces(text, start)
        rest = _COMMENT.sub(" ", rest)
    words = _WORD.findall(rest)
    return [move for word in words if (move := _NUMBERS.sub("", word) if "." in word else word)]


def _check_braces(text: str, start: int) -> None:
    """Whether every brace opens or closes a comment."""
    for comment in _COMMENT_OR_BRACE.finditer(text, start):
        if comment[0] == "{":
            raise FormatError(N_("a comment is not closed"), *place(text, comment.start()))
        if comment[0] == "}":
            raise FormatError(N_("a comment is closed that was not opened"), *place(text, comment.start()))


# ---- the values of the eight tags ------------------------------------------------------------------------------------


def _read_own(name: str, value: str, line: int) -> Any:
    try:
        return _READERS[name](value)
    except _BadValueError as error:
        params = {"name": name, "what": error.detail.as_param()}
        raise FormatError(N_("{name}: {what}"), line, len(name) + 4, params=params) from None


class _BadValueError(ValueError):
    """A tag's value is not of its key's form."""

    def __init__(self, text: str, **params: str | int) -> None:
        super().__init__(text)
        self.detail = Message(text, dict(params))


def _read_format(value: str) -> str:
    if value != FORMAT:
        raise _BadValueError(N_("“{format}” is expected"), format=FORMAT)
    return value


def _read_integer(value: str) -> int:
    if not _INTEGER.fullmatch(value) or not -LARGEST <= int(value) <= LARGEST:
        raise _BadValueError(WHOLE_NUMBER, most=LARGEST)
    return int(value)


def _read_words(value: str, words: re.Pattern[str], word: re.Pattern[str], what: str) -> list[str]:
    read = value.split(" ") if value else []
    if read and not words.fullmatch(value):
        wrong = next(text for text in read if not word.fullmatch(text))
        raise _BadValueError(what, found=printable(wrong))
    return read


def _read_seats(value: str) -> list[str]:
    return _read_words(value, _SEATS, _LABEL, N_("players separated by one space are expected, not “{found}”"))


def _read_deck(value: str) -> list[str]:
    return _read_words(value, _DECK, _WORD, N_("cards separated by one space are expected, not “{found}”"))


def _read_pairs(value: str, pair: re.Pattern[str], separator: str, form: str) -> list[re.Match[str]]:
    matches: list[re.Match[str]] = []
    seen: set[str] = set()
    for part in value.split(separator) if value else []:
        match = pair.fullmatch(part)
        if match is None:
            raise _BadValueError(N_("“{form}” is expected, not “{found}”"), form=form, found=printable(part))
        if match[1] in seen:
            raise _BadValueError(N_("{found} stands twice"), found=printable(match[1]))
        seen.add(match[1])
        matches.append(match)
    return matches


def _read_teams(value: str) -> dict[str, list[str]]:
    return {
        match["label"]: match["players"].split() for match in _read_pairs(value, _TEAM, " | ", "team: player player")
    }


def _read_claim(value: str) -> dict[str, int]:
    return {
        match["label"]: _read_integer(match["points"]) for match in _read_pairs(value, _CLAIM, " | ", "team points")
    }


def _read_house(value: str) -> dict[str, bool | int | str]:
    return {
        match["key"]: _read_house_value(match["value"]) for match in _read_pairs(value, _HOUSE_PAIR, " ", "key=value")
    }


def _read_house_value(value: str) -> bool | int | str:
    if value in ("true", "false"):
        return value == "true"
    return value if _HOUSE_WORD.fullmatch(value) else _read_integer(value)


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "Format": _read_format,
    "Rulebook": str,
    "Teams": _read_teams,
    "Seats": _read_seats,
    "Target": _read_integer,
    "House": _read_house,
    "Deck": _read_deck,
    "Claim": _read_claim,
}


# ---- writing ---------------------------------------------------------------------------------------------------------


def to_text(log: HandLog) -> str:
    """The log's text writing; `read_text` undoes it.

    Raises:
        ConversionError: a move, card or house rule has no text writing.
    """
    tags = [
        ("Format", FORMAT),
        ("Rulebook", log.rulebook),
        ("Teams", " | ".join(" ".join([f"{label}:", *players]) for label, players in log.teams.items())),
        ("Seats", " ".join(log.seats)),
    ]
    if log.target is not None:
        tags.append(("Target", str(log.target)))
    if log.house:
        tags.append(("House", " ".join(_write_house(key, value) for key, value in log.house.items())))
    if log.deck is not None:
        tags.append(("Deck", " ".join(_write_card(card) for card in log.deck)))
    if log.claim is not None:
        tags.append(("Claim", " | ".join(f"{label} {points}" for label, points in log.claim.items())))
    tags.extend(log.tags.items())
    assert all(name in OWN_TAGS or is_tag_name(name) for name, _ in tags)
    return "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags) + _write_moves(log.moves)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _write_card(card: str) -> str:
    if not _WORD.fullmatch(card):
        raise ConversionError(f"the card {printable(card)!r} has no text writing")
    return card


def _write_house(key: str, value: object) -> str:
    if type(value) in (bool, int, str):
        written = f"{key}={str(value).lower() if type(value) is bool else value}"
        try:
            read = _read_house(written)
        except _BadValueError:
            read = {}
        if read == {key: value} and type(read[key]) is type(value):
            return written
    raise ConversionError(f"the house rule {printable(key)!r} has no text writing")


def _write_moves(moves: list[str]) -> str:
    for move in moves:
        if not move or _UNWRITABLE.match(move) or any(sign in move for sign in _SPACE + "{}"):
            raise ConversionError(f"the move {printable(move)!r} has no text writing")
    lines = [moves[start : start + _PER_LINE] for start in range(0, len(moves), _PER_LINE)]
    return "".join(
        ("\n" if number == 0 else "") + f"{number * _PER_LINE + 1}. {' '.join(line)}\n"
        for number, line in enumerate(lines)
    )
