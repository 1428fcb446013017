"""Lists written as files, with the columns that an import reads."""

import csv
import io
from collections.abc import Iterator, Sequence

from league.listed import Listed
from league.services.list_columns import Column, columns_of_lists, titles
from league.spreadsheets import no_date, no_formula

CSV, XLSX = "csv", "xlsx"
CONTENT_TYPES = {
    CSV: "text/csv; charset=utf-8",
    XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_YES_NO = {"fr": ("oui", "non"), "en": ("yes", "no")}


def list_file(*, listed: Sequence[Listed], size: int, language: str, ending: str) -> bytes:
    """Entries of `size` players as a CSV or XLSX (`ending`) in a language.

    A CSV begins with a byte order mark, by which Excel knows UTF-8; its cells are parted as Excel expects it in the
    language: by `,` in English, else by `;`. A cell that a spreadsheet would take for a formula begins with `'`, in a
    CSV one that it would take for a date (`12/34`) too: a cell of a workbook says that it is a text.
    """
    columns = columns_of_lists(size)
    rows = [titles(columns, language), *(list(_cells(entry, columns, language)) for entry in listed)]
    return _workbook(rows) if ending == XLSX else _csv(rows, "," if language == "en" else ";")


def _cells(entry: Listed, columns: Sequence[Column], language: str) -> Iterator[str]:
    yes, no = _YES_NO["fr" if language == "fr" else "en"]
    for column, place in columns:
        if column == "number":
            yield str(entry.number or "")
        elif column == "team":
            yield no_formula(entry.team)
        elif len(entry.players) < max(place, 1):
            yield ""
        else:
            value = getattr(entry.players[max(place, 1) - 1], column)
            yield (yes if value else no) if column == "minor" else no_formula(value)


def _csv(rows: Sequence[Sequence[str]], parting: str) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=parting, lineterminator="\r\n").writerows(map(no_date, row) for row in rows)
    return written.getvalue().encode("utf-8-sig")


def _workbook(rows: Sequence[Sequence[str]]) -> bytes:
    from openpyxl import Workbook  # takes long to import, and hardly any request needs it
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.freeze_panes = "A2"
    for place, title in enumerate(rows[0]):
        sheet.column_dimensions[chr(ord("A") + place)].width = max(10, len(title) + 4)
    for row in rows:
        cells = []
        for text in row:
            cell = WriteOnlyCell(sheet, value=text)
            cell.data_type = "s"  # never a formula, and licence numbers keep their zeros
            cells.append(cell)
        sheet.append(cells)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()
