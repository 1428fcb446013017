"""A document that was handed in, read but not judged yet: a hand log or a score sheet, in JSON or in text.

A `format` that begins with `marque` makes a sheet, anything else a log (RULES 9 and 11). `scoring.verdicts` judges what
is read here.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, Literal, TypeGuard

from engine.json_place import Path, locate_all
from engine.messages import N_, printable
from engine.notation import FormatError, HandLog, read_document, to_document
from engine.text_notation import read_text
from scoring.json_stream import Decoded, decode, json_documents
from scoring.sheet_document import Reading, read_sheet

Kind = Literal["log", "sheet"]
Writing = Literal["json", "text"]

Place = tuple[int, int] | tuple[None, None]
"""A line and column, or neither."""

_SHEET_FORMATS: Final = "marque"
_RANKING_FORMATS: Final = "classement"
_EMPTY: Final = N_("the document is empty")
_IS_RANKING: Final = N_("“{found}” is a ranking's document: a hand log or a score sheet is expected")
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Document:
    """A document as far as it could be read.

    A log has `log`, or `error` if it is not of the format; a sheet has `sheet`, which knows what is wrong with it.
    `data` is the decoded JSON, and `text` the JSON as it was written, from line `first_line` of its file on; both None
    where there is none.
    """

    kind: Kind
    writing: Writing
    log: HandLog | None = None
    error: FormatError | None = None
    sheet: Reading | None = None
    data: Any = None
    text: str | None = None
    first_line: int = 1

    @property
    def contents(self) -> dict[str, Any] | None:
        """The document's JSON form, a text log's too; None where it is not of its format."""
        if self.log is not None:
            return to_document(self.log)
        return self.data if self.sheet is not None and not self.sheet.problems else None

    def locate(self, paths: Sequence[Path]) -> list[Place]:
        """Line and column, from 1, of each of these members in the JSON text; None, None if it came decoded."""
        return _places(self.text, paths, self.first_line)


def _places(text: str | None, paths: Sequence[Path], first_line: int) -> list[Place]:
    if text is None:
        return [(None, None)] * len(paths)
    return [(line + first_line - 1, column) for line, column in locate_all(text, paths)]


def open_document(data: object) -> Document:
    """Read a decoded JSON document. Never raises for a bad one."""
    return _open_decoded(Decoded(data, None, None, 1))


def open_bytes(raw: bytes, writing: Writing | None = None) -> Document:
    """Read a document as it came, UTF-8 with or without a byte order mark. Never raises for a bad one.

    `writing` is what the sender said; where nothing was said, what begins with a brace is JSON.
    """
    if writing is None:
        writing = "json" if begins_json(raw) else "text"
    return _open_decoded(decode(raw)) if writing == "json" else _open_text(raw)


def begins_json(raw: bytes) -> bool:
    """Whether a document that begins with `raw` is JSON rather than text: its first sign is a brace."""
    return raw.removeprefix(_BOM).lstrip().startswith(b"{")


def read_documents(lines: Iterable[bytes]) -> Iterator[Document]:
    """The documents of one file, in order; none where there is only white space.

    A file that begins with a brace is JSON, one document or many (`scoring.json_stream`); anything else is one text
    log. Lines keep their ends, as a binary file gives them; `first_line` of a document is the one on which it begins.

    >>> file = [b'{"format": "marque/1"}\\n', b"{\\n", b' "format": "marque/1"}\\n', b"{]\\n", b"{}"]
    >>> [document.first_line for document in read_documents(file)]
    [1, 2, 4, 5]
    """
    lines = iter(lines)
    blank: list[bytes] = []
    for line in lines:
        if begins_json(line):
            yield from map(_open_decoded, json_documents(chain([line], lines), len(blank) + 1))
        elif line.removeprefix(_BOM).strip():
            yield _open_text(b"".join(chain(blank, [line], lines)))
        blank.append(line)


def _open_text(raw: bytes) -> Document:
    if not raw.removeprefix(_BOM).strip():
        return Document("log", "text", error=FormatError(_EMPTY, 1, 1))
    try:
        return Document("log", "text", log=read_text(raw))
    except FormatError as error:
        return Document("log", "text", error=error)


def _open_decoded(found: Decoded) -> Document:
    data, text, error, first_line = found
    if error is not None:
        return Document("log", "json", error=error, first_line=first_line)
    if is_sheet(data):
        return Document("sheet", "json", sheet=read_sheet(data), data=data, text=text, first_line=first_line)
    log = None
    try:
        log = read_document(data)
    except FormatError as unplaced:
        error = _for_ranking(data) or unplaced
        error = error.moved(*_places(text, [error.path], first_line)[0])
    return Document("log", "json", log, error, None, data, text, first_line)


def _for_ranking(data: object) -> FormatError | None:
    """What to say of a document of the other kind, which is ranked, not judged."""
    if not _is_of(data, _RANKING_FORMATS):
        return None
    return FormatError(_IS_RANKING, path=("format",), params={"found": printable(data["format"])})


def is_sheet(data: object) -> bool:
    """Whether a decoded document is a score sheet: its `format` begins with `marque`."""
    return _is_of(data, _SHEET_FORMATS)


def _is_of(data: object, formats: str) -> TypeGuard[dict[str, Any]]:
    """Whether the `format` of a decoded document begins so."""
    name = data.get("format") if isinstance(data, dict) else None
    return isinstance(name, str) and name.startswith(formats)
