"""Documents out of a file, one at a time: a text log, a JSON document over many lines, or one a line (NDJSON).

What begins with a brace is JSON, anything else is one text log. JSON is read line by line, and no more is kept than the
document under way. A line that is a document by itself is one. A line that is none opens a document over several lines
where it leaves a bracket open and the next line goes on with it; else it is a broken document of its own, and so the
lines after it are read as if it were not there.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from scoring.documents import BOM, Document, begins_json, open_json, open_text

_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]')
_GOES_ON = re.compile(rb"\s|[\"\]}]")


def read_documents(lines: Iterable[bytes]) -> Iterator[Document]:
    """The documents of one file, in order; none where there is only white space.

    `first_line` of each is the line on which it begins. Lines keep their line ends, as a binary file gives them.

    >>> file = [b'{"format": "marque/1"}\\n', b"{\\n", b' "format": "marque/1"}\\n', b"{]\\n", b"{}"]
    >>> [document.first_line for document in read_documents(file)]
    [1, 2, 4, 5]
    """
    lines = iter(lines)
    blank: list[bytes] = []
    for line in lines:
        if begins_json(line):
            yield from _read_json(chain([line.removeprefix(BOM)], lines), len(blank) + 1)
        elif line.removeprefix(BOM).strip():
            yield open_text(b"".join(chain(blank, [line], lines)))
        blank.append(line)


def _read_json(lines: Iterable[bytes], first_line: int) -> Iterator[Document]:
    kept: list[bytes] = []  # of a document over several lines, which begins on line `begun` and leaves `depth` open
    begun = depth = 0
    for number, line in enumerate(lines, start=first_line):
        if kept and _breaks_in(line, kept):
            yield _joined(kept, begun)
            kept = []
        if kept:
            kept.append(line)
            depth += _opened(line)
            if depth <= 0:
                yield _joined(kept, begun)
                kept = []
        elif line.strip():
            document = open_json(line.rstrip(), number)
            depth = 0 if document.is_json else _opened(line)
            if depth <= 0:
                yield document
            else:
                kept, begun = [line], number
    if kept:
        yield _joined(kept, begun)


def _joined(kept: list[bytes], begun: int) -> Document:
    return open_json(b"".join(kept).rstrip(), begun)


def _breaks_in(line: bytes, kept: list[bytes]) -> bool:
    """Whether `line` shows that the lines kept are a broken document, and begins another."""
    if len(kept) == 1:
        return not _GOES_ON.match(line)
    return line.startswith(b"{") and _is_document(line)


def _is_document(line: bytes) -> bool:
    data = open_json(line).data
    return isinstance(data, dict) and "format" in data


def _opened(line: bytes) -> int:
    """How many more brackets the line opens than it closes, those in strings left aside."""
    signs = [sign for sign in _BRACKETS.findall(line) if not sign.startswith(b'"')]
    return sum(1 if sign in b"[{" else -1 for sign in signs)
