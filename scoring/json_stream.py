"""JSON documents out of a stream of lines, one at a time: each over any number of lines, or one a line (NDJSON).

No more is kept than the document under way. A line that is a document by itself is one. A line that is none opens a
document over several lines where it leaves a bracket open and the next line goes on with it; else it is a broken
document of its own. So is what is under way when a line begins another document, and what follows is read as if the
broken one were not there.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from engine.notation import FormatError, decode_json, decode_utf8

_BRACKETS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{\]}]', re.DOTALL)
_GOES_ON = re.compile(rb'[\s"\[\]{},:0-9-]|true|false|null')
_BEGINS = re.compile(rb'\{.*"format"\s*:')


class Decoded(NamedTuple):
    """A JSON document as far as it could be read: the `data` of its `text`, or the `error` that says why it is none.

    It begins on line `first_line` of its file, which the lines of `error` are counted in too.
    """

    data: Any
    text: str | None
    error: FormatError | None
    first_line: int


def decode(raw: bytes, first_line: int = 1) -> Decoded:
    """Decode one document, UTF-8 with or without a byte order mark; never raises for a bad one."""
    try:
        text = decode_utf8(raw)
        return Decoded(decode_json(text), text, None, first_line)
    except FormatError as error:
        line = None if error.line is None else error.line + first_line - 1
        return Decoded(None, None, error.moved(line, error.column), first_line)


def json_documents(lines: Iterable[bytes], first_line: int = 1) -> Iterator[Decoded]:
    """The documents in order, blank lines left out. Lines keep their ends, as a binary file gives them.

    >>> [found.data for found in json_documents([b'{"a": 1}\\n', b"\\n", b'{"a": 2}'])]
    [{'a': 1}, {'a': 2}]
    >>> [found.data for found in json_documents([b"{\\n", b'  "a": 1\\n', b"}\\n"])]
    [{'a': 1}]
    """
    kept: list[bytes] = []  # of a document over several lines, which begins on line `begun` and leaves `depth` open
    begun = depth = 0
    for number, line in enumerate(lines, start=first_line):
        if kept and _breaks_off(kept, line):
            yield _joined(kept, begun)
            kept = []
        if kept:
            kept.append(line)
            depth += _opened(line)
            if depth <= 0:
                yield _joined(kept, begun)
                kept = []
        elif line.strip():
            decoded = decode(line.rstrip(), number)
            depth = _opened(line) if decoded.error else 0
            if depth <= 0:
                yield decoded
            else:
                kept, begun = [line], number
    if kept:
        yield _joined(kept, begun)


def _joined(kept: list[bytes], begun: int) -> Decoded:
    return decode(b"".join(kept).rstrip(), begun)


def _breaks_off(kept: list[bytes], line: bytes) -> bool:
    """Whether `line` shows that the lines kept are a broken document: it begins another, or goes on with none."""
    return _BEGINS.match(line) is not None or (len(kept) == 1 and not _GOES_ON.match(line))


def _opened(line: bytes) -> int:
    """How many more brackets the line opens than it closes, those in strings left aside."""
    signs = _BRACKETS.findall(line)
    return sum(signs.count(sign) for sign in (b"[", b"{")) - sum(signs.count(sign) for sign in (b"]", b"}"))
