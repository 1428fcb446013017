"""The log or the sheet in a mail: one, attached or in its text, from its first line to its last.

JSON ends at its closing brace. A text log has no end of its own (RULES 9): it ends above a signature (`-- `), above
quoted text, and above a paragraph in which nothing looks like a move. Where that is not clear nothing is guessed.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.cards import NUMBER
from engine.moves import LABEL
from league.errors import UserFault
from league.mails.message import Mail, Part, decoded
from scoring.documents import begins_json

MOST_TRIED = 50
"""Braces that begin no JSON, after which no more are looked at: each may cost a reading of the whole text."""

_OURS = ("application/json", "application/vnd.bornes")
_OUR_ENDINGS = (".bornes", ".json")
_TEXT = "text/plain"
_LOG = re.compile(r"[ \t]*\[Format\b")
_QUOTED_LOG = re.compile(r'>[> \t]*(?:\[Format\b|\{\s*"format")', re.IGNORECASE)
_RULE = re.compile(r"-{2,}[^-].*-{2,}|_{5,}")
"""What mail programs draw above the mail that is answered or forwarded."""
_NUMBERS = re.compile(r"\A(?:[0-9]+\.)+")
_CARD = "|".join(map(re.escape, sorted(NUMBER, key=len, reverse=True)))
_MOVE = re.compile(rf"(?:{LABEL}:\S+|[#*]|-(?:{_CARD})|(?:{_CARD})(?:>{LABEL}|[!+])?)")


@dataclass(frozen=True, slots=True)
class Found:
    """A document in UTF-8, and the words of the sender beside it: above it, or all where it is attached."""

    body: bytes
    beside: str


def document_in(mail: Mail) -> Found:
    """The one document of a mail.

    Raises UserFault: `no-document`, `html-only`, `several-documents`, `quoted-document`, `unclear-end`.
    """
    text = "\n".join(part.text for part in mail.parts if part.media == _TEXT and not part.name)
    inside = _in_text(text)
    attached = [part for part in mail.parts if _is_document(part)]
    if not attached and inside is None:
        attached = [part for part in mail.parts if part.name and _may_be_document(part)]
    if len({part.body for part in attached}) + (inside is not None) > 1:
        raise _several()
    if inside is not None:
        return inside
    if attached:
        return Found(_in_utf8(attached[0]), "\n".join(_own(text.split("\n"))))
    raise _none(mail, text)


def _is_document(part: Part) -> bool:
    if part.media in _OURS or part.name.lower().endswith(_OUR_ENDINGS):
        return True
    return bool(part.name) and _may_be_document(part) and (begins_json(part.body) or b"[Format" in part.body)


def _may_be_document(part: Part) -> bool:
    return part.media == _TEXT or part.name.lower().endswith(".txt")


def _in_utf8(part: Part) -> bytes:
    """A file as it came, put into UTF-8 where it says that it is written otherwise."""
    try:
        part.body.decode()
    except UnicodeDecodeError:
        return decoded(part.body, part.charset).encode() if part.charset else part.body
    return part.body


def _none(mail: Mail, text: str) -> UserFault:
    if any(_QUOTED_LOG.match(line) for line in text.split("\n")):
        message = _("The log stands in quoted text. Send it again without the signs > before its lines, or as a file.")
        return UserFault("quoted-document", message)
    if not text.strip() and any(part.media == "text/html" for part in mail.parts):
        message = _("This mail is HTML only, in which a log loses its lines. Send plain text, or attach a file.")
        return UserFault("html-only", message)
    message = _(
        "No log and no sheet was found in this mail. Write the log into the mail as plain text, from [Format …] on, "
        "or attach it as a file (.bornes, .json or .txt)."
    )
    return UserFault("no-document", message)


def _several() -> UserFault:
    return UserFault("several-documents", _("This mail has several documents: send one log or sheet a mail."))


def _unclear() -> UserFault:
    message = _(
        "It is not clear where the log ends. Write a line with -- alone below it, and no text between its moves, or "
        "attach it as a file."
    )
    return UserFault("unclear-end", message)


# ---- in the text -----------------------------------------------------------------------------------------------------


def _in_text(text: str) -> Found | None:
    lines = text.split("\n")
    logs = [number for number, line in enumerate(lines) if _LOG.match(line)]
    objects = _objects(text)
    if len(logs) > 1:
        raise _several()
    if not logs:
        return _json_in(text, objects)
    start = logs[0]
    while start and lines[start - 1].lstrip().startswith("["):
        start -= 1
    above = sum(len(line) + 1 for line in lines[:start])
    if any(at < above and end is not None for at, end in objects):
        raise _several()
    end = _end_of_log(lines, start)
    body = "\n".join(lines[start:end]).rstrip() + "\n"
    return Found(body.encode("utf-8", "replace"), "\n".join(_own(lines[:start])))


def _objects(text: str) -> list[tuple[int, int | None]]:
    """Where lines begin with a brace; with where the JSON object that begins there ends, None if it is none."""
    found: list[tuple[int, int | None]] = []
    decoder = json.JSONDecoder()
    behind = 0
    for match in re.finditer(r"^[ \t]*\{", text, re.MULTILINE):
        at = match.end() - 1
        if at < behind:
            continue  # inside of the one before
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            found.append((at, None))
            if len(found) > MOST_TRIED:
                break
            continue
        behind = end
        if "format" in value:
            found.append((at, end))
    return found


def _json_in(text: str, objects: Sequence[tuple[int, int | None]]) -> Found | None:
    whole = [(at, end) for at, end in objects if end is not None]
    if len(whole) > 1:
        raise _several()
    if not objects:
        return None
    at, end = whole[0] if whole else objects[0]
    above = _own(text[:at].split("\n"))
    if end is None:  # whoever judges it says where it stops being JSON
        body = "\n".join(_own(text[at:].split("\n")))
    else:
        rest_of_line = text[end:].split("\n", 1)[0]
        body = text[at:end] + rest_of_line.rstrip()
    return Found(body.rstrip().encode("utf-8", "replace") + b"\n", "\n".join(above))


def _own(lines: Sequence[str]) -> list[str]:
    """What the sender has written: what is quoted is not, and a signature ends it."""
    own = []
    for line in lines:
        if line.rstrip() == "--":
            break
        if not line.startswith(">"):
            own.append(line)
    return own


def _end_of_log(lines: Sequence[str], start: int) -> int:
    """The line at which a text log that begins at `start` has ended. Raises UserFault `unclear-end`."""
    moves = start
    while moves < len(lines) and lines[moves].strip() and not _is_mark(lines[moves]):
        moves += 1
    end, comment = moves, False
    while end < len(lines):
        if _is_mark(lines[end]):
            if comment:
                raise _unclear()
            break
        comment = _comment_after(lines[end], comment)
        end += 1
    if comment:
        return end  # whoever judges it says that the comment is not closed
    if end < len(lines) and lines[end].startswith(">"):
        if any(_has_move(line) for line in _own(lines[end:])):
            raise _unclear()
        end = _above_who_wrote(lines, moves, end)
    return _above_farewell(lines, moves, end)


def _above_who_wrote(lines: Sequence[str], moves: int, end: int) -> int:
    """Above `On Monday … wrote:`, which stands over quoted text."""
    last = end
    while last > moves and not lines[last - 1].strip():
        last -= 1
    first = last
    while first > moves and lines[first - 1].strip() and last - first < 3:
        first -= 1
    is_said = first < last and lines[last - 1].rstrip().endswith(":") and not lines[first - 1].strip()
    return first if is_said else end


def _above_farewell(lines: Sequence[str], moves: int, end: int) -> int:
    """Above words that follow the last move after an empty line; without such a line they are in the log."""
    last = end
    while last > moves and not _has_move(lines[last - 1]):
        last -= 1
    return end if last < end and lines[last].strip() else last


def _has_move(line: str) -> bool:
    return any(
        _NUMBERS.fullmatch(word) or _MOVE.fullmatch(_NUMBERS.sub("", word)) or "{" in word or "}" in word
        for word in line.split()
    )


def _is_mark(line: str) -> bool:
    return line.startswith(">") or line.rstrip() == "--" or _RULE.fullmatch(line.strip()) is not None


def _comment_after(line: str, comment: bool) -> bool:
    for sign in line:
        comment = sign == "{" if not comment else sign != "}"
    return comment
