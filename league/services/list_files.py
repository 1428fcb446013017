"""The lines of a file with a list: CSV as spreadsheets write it, or an XLSX workbook; cells as text, nothing judged.

A CSV is UTF-8, with or without a byte order mark, UTF-16 with one, or Windows-1252; its cells are parted by `;`, `,` or
tabs. Of a workbook the first sheet that is shown is read: numbers as text, formulas as the values that were kept.
"""

import csv
import datetime as dt
import io
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from league.errors import UserFault
from league.spreadsheets import unmarked

MOST_LINES = 2000
"""Lines with something in them, the first one aside."""
MOST_COLUMNS = 60
MOST_ROWS = 20_000
"""Rows of a sheet that are looked at: empty ones at its end are many at times."""
UNPACKED = 16 * 1024 * 1024
"""Bytes that a workbook may come to once it is unpacked."""
_PARTS = 500
_MOST_ELEMENTS = {"xl/worksheets/": 1_000_000, "xl/sharedStrings": 1_000_000}
"""Tags that a part may hold, by the beginning of its name; a few KiB unpack into millions of empty ones."""
_OTHER_ELEMENTS = 100_000
_PARTINGS = (";", "\t", ",")

Sheet = Iterator[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of a file that has something in it: its number, from 1, as editors count, and its cells."""

    number: int
    cells: Sequence[str]


def lines_of(body: bytes, *, known: Callable[[str], bool]) -> list[FileLine]:
    """The lines of a file, the one with the columns' titles first. `known` says whether a title is one of a column.

    Raises UserFault: `empty-file`, `file-too-large`, `not-a-list`, `old-workbook`, `bad-workbook`,
    `workbook-too-large`, `unknown-encoding`, `bad-csv`, `too-many-lines`.
    """
    if len(body) > settings.BODY_LIMIT:
        message = _("The file has more than %(limit)s KiB.") % {"limit": settings.BODY_LIMIT // 1024}
        raise UserFault("file-too-large", message, field="file")
    if not body.strip():
        raise UserFault("empty-file", _("The file is empty."), field="file")
    if body.startswith(b"PK\x03\x04"):
        return _counted(_workbook(body))
    if body.startswith(b"\xd0\xcf\x11\xe0"):
        raise UserFault("old-workbook", _("This is an old workbook: save it as XLSX or as CSV first."), field="file")
    return _counted(_csv(_text(body), known))


def _counted(rows: Iterator[tuple[int, Sequence[str]]]) -> list[FileLine]:
    found: list[FileLine] = []
    for number, cells in rows:
        tidied = [unmarked(cell.strip(" \u00a0")) for cell in cells]
        if not any(cell.strip() for cell in tidied):
            continue
        found.append(FileLine(number, tidied))
        if len(found) > MOST_LINES + 1:
            message = _("The list has more than %(most)s lines: part it.") % {"most": MOST_LINES}
            raise UserFault("too-many-lines", message, field="file")
    if not found:
        raise UserFault("empty-file", _("The file is empty."), field="file")
    return found


def _text(body: bytes) -> str:
    try:
        if body.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = body.decode("utf-16")
        else:
            text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            text = body.decode("cp1252")
        except UnicodeDecodeError:
            message = _("The letters of this file cannot be read: save it as CSV in UTF-8.")
            raise UserFault("unknown-encoding", message, field="file") from None
    if "\0" in text or text.startswith(("%PDF", "{\\rtf", "<!DOCTYPE", "<html", "<?xml")):
        raise _not_a_list()
    return text


def _not_a_list() -> UserFault:
    return UserFault("not-a-list", _("This is no list: choose a file in CSV or XLSX."), field="file")


def _csv(text: str, known: Callable[[str], bool]) -> Iterator[tuple[int, Sequence[str]]]:
    parting, skipped = _parting(text, known)
    lines = io.StringIO(text, newline="")
    for _line in range(skipped):
        lines.readline()
    reader = csv.reader(lines, delimiter=parting, strict=True)
    number = skipped + 1
    try:
        for cells in reader:
            yield number, cells
            number = skipped + reader.line_num + 1
    except csv.Error as error:
        message = _("Line %(line)s: the quotation marks of a cell do not close where they should.") % {"line": number}
        raise UserFault("bad-csv", message, field="file", extra={"line": number}) from error


def _parting(text: str, known: Callable[[str], bool]) -> tuple[str, int]:
    """What parts the cells, by the first line with something in it, and how many lines stand before that one."""
    lines = io.StringIO(text, newline="").readlines()
    first = next((place for place, line in enumerate(lines) if line.strip()), 0)
    said = re.fullmatch(r"sep=(.)", lines[first].strip(" \r\n"))  # as spreadsheets say it among themselves
    if said and said[1] in _PARTINGS:
        return said[1], first + 1

    def worth(parting: str) -> tuple[int, int]:
        try:
            cells = next(csv.reader([lines[first]], delimiter=parting), [])
        except csv.Error:  # a cell longer than any
            return 0, 0
        return sum(map(known, cells)), len(cells)

    return max(_PARTINGS, key=worth), first


def _workbook(body: bytes) -> Iterator[tuple[int, Sequence[str]]]:
    from openpyxl import load_workbook  # takes long to import, and hardly any request needs it

    _unpacks(body)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = load_workbook(io.BytesIO(body), read_only=True, data_only=True, keep_links=False)
            shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            sheet: Any = shown[0]
            rows: Sheet = sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True)
            for number, cells in enumerate(rows, 1):
                yield number, [_as_text(cell) for cell in cells]
    except Exception as error:  # a broken workbook breaks anywhere in the library
        if isinstance(error, UserFault):
            raise
        message = _("This workbook cannot be read: save it again as XLSX, or as CSV.")
        raise UserFault("bad-workbook", message, field="file") from error


def _unpacks(body: bytes) -> None:
    """Look at a workbook before it is opened: how large it comes to, and that it brings no entities of its own."""
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            parts = packed.infolist()
            # what is read of a part never exceeds the size that it declares
            if len(parts) > _PARTS or sum(part.file_size for part in parts) > UNPACKED:
                raise _too_large()
            if "xl/workbook.xml" not in packed.namelist():
                raise _not_a_list()
            for part in parts:
                if part.filename.endswith((".xml", ".rels")):
                    whole = packed.read(part).replace(b"\0", b"")
                    if b"<!DOCTYPE" in whole or b"<!ENTITY" in whole:
                        raise _not_a_list()
                    if whole.count(b"<") > _most_elements(part.filename):
                        raise _too_large()
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        message = _("This workbook cannot be read: save it again as XLSX, or as CSV.")
        raise UserFault("bad-workbook", message, field="file") from error


def _most_elements(part: str) -> int:
    return next((most for start, most in _MOST_ELEMENTS.items() if part.startswith(start)), _OTHER_ELEMENTS)


def _too_large() -> UserFault:
    message = _("This workbook is too large once it is unpacked: save the list as CSV.")
    return UserFault("workbook-too-large", message, field="file")


def _as_text(value: Any) -> str:
    """A cell as people read it: whole numbers without a point, days without an hour."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return str(value)
