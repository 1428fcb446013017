"""A document that was handed in, read but not judged yet: a hand log or a score sheet, in JSON or in text.

A `format` that begins with `marque` makes a sheet, anything else a log (RULES 9 and 11). `scoring.verdicts` judges what
is read here.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

from engine.json_place import locate
from engine.notation import FormatError, HandLog, decode_json, decode_utf8, read_document, to_document
from engine.text_notation import read_text
from scoring.sheet_document import Reading, read_sheet

Kind = Literal["log", "sheet"]
Writing = Literal["json", "text"]

_SHEET_FORMATS: Final = "marque"
BOM: Final = b"\xef\xbb\xbf"


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
    def is_json(self) -> bool:
        """Whether it came as a JSON text that could be decoded, whatever it says."""
        return self.text is not None

    @property
    def contents(self) -> dict[str, Any] | None:
        """The document's JSON form, a text log's too; None where it is not of its format."""
        if self.log is not None:
            return to_document(self.log)
        return self.data if self.sheet is not None and not self.sheet.problems else None

    def locate(self, path: tuple[str | int, ...]) -> tuple[int, int] | tuple[None, None]:
        """Line and column of a member in the JSON text, from 1; two None if the document came decoded."""
        return _place(self.text, path, self.first_line)


def _place(text: str | None, path: tuple[str | int, ...], first_line: int) -> tuple[int, int] | tuple[None, None]:
    if text is None:
        return None, None
    line, column = locate(text, path)
    return line + first_line - 1, column


def open_document(data: object) -> Document:
    """Read a decoded JSON document. Never raises for a bad one."""
    return _open_data(data, None, 1)


def open_bytes(raw: bytes, writing: Writing | None = None) -> Document:
    """Read a document as it came, UTF-8 with or without a byte order mark. Never raises for a bad one.

    `writing` is what the sender said; where nothing was said, what begins with a brace is JSON.
    """
    if writing is None:
        writing = "json" if begins_json(raw) else "text"
    return open_json(raw) if writing == "json" else open_text(raw)


def begins_json(raw: bytes) -> bool:
    """Whether a document that begins with `raw` is JSON rather than text: its first sign is a brace."""
    return raw.removeprefix(BOM).lstrip().startswith(b"{")


def open_text(raw: bytes) -> Document:
    """Read a text log. Never raises for a bad one."""
    try:
        return Document("log", "text", log=read_text(raw))
    except FormatError as error:
        return Document("log", "text", error=error)


def open_json(raw: bytes, first_line: int = 1) -> Document:
    """Read a JSON document that begins on line `first_line` of its file. Never raises for a bad one."""
    try:
        text = decode_utf8(raw)
        data = decode_json(text)
    except FormatError as error:
        line = None if error.line is None else error.line + first_line - 1
        return Document("log", "json", error=error.moved(line, error.column), first_line=first_line)
    return _open_data(data, text, first_line)


def _open_data(data: object, text: str | None, first_line: int) -> Document:
    log = error = sheet = None
    if is_sheet(data):
        sheet = read_sheet(data)
    else:
        try:
            log = read_document(data)
        except FormatError as unplaced:
            line, column = _place(text, unplaced.path, first_line)
            error = unplaced.moved(line, column)
    return Document("log" if sheet is None else "sheet", "json", log, error, sheet, data, text, first_line)


def is_sheet(data: object) -> bool:
    """Whether a decoded document is a score sheet: its `format` begins with `marque`."""
    name = data.get("format") if isinstance(data, dict) else None
    return isinstance(name, str) and name.startswith(_SHEET_FORMATS)
