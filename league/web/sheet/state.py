"""What a sheet that is being typed comes to now: its score or what it would pay so far, and what is still to do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.services.settings_of_play import laid_rulebook
from league.web.scores import Column, ScoreTable, columns_of_verdict, score_table
from league.web.sheet.cells import Cells, SheetTable, cell_name, cells_of, document_of
from league.wording import sentence
from scoring.faults import Fault
from scoring.sheet_warnings import sheet_warnings, warning_name
from scoring.sheets import score_preview


@dataclass(frozen=True, slots=True)
class Todo:
    """Something to do about the sheet, in words; `cell` may be empty. `missing`: the cell is only not filled in."""

    cell: str
    words: str
    missing: bool


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning: the name by which it is acknowledged, its cell, and its words."""

    name: str
    cell: str
    words: str


@dataclass(frozen=True, slots=True)
class SheetState:
    """The document of what is typed, its cells with their notes, its score, one line that says where it stands, and
    everything that is still to do.

    `is_complete`: it could be handed in as it is. `differences`: where the claim differs, in words. `warnings`: what it
    hardly ever says, which somebody must acknowledge before it is handed in.
    """

    document: Mapping[str, Any]
    cells: Cells
    score: ScoreTable | None
    is_complete: bool
    said: str
    todo: Sequence[Todo]
    differences: Sequence[str]
    warnings: Sequence[Warned]


def sheet_state(table: SheetTable, typed: Mapping[str, str]) -> SheetState:
    """Judge what is typed; nothing is kept."""
    document = document_of(table, typed)
    preview = score_preview(document)
    found = sheet_warnings(document)
    cells = cells_of(table, typed, preview, [warning.to_document() for warning in found])
    return SheetState(
        document=document,
        cells=cells,
        score=_score(table, document, preview),
        is_complete=preview["complete"],
        said=_where_it_stands(preview),
        todo=list(_todo(cells)),
        differences=[sentence(one) for one in preview.get("claim_differences", ())],
        warnings=[_warned(warning) for warning in found],
    )


def _warned(warning: Fault) -> Warned:
    document = warning.to_document()
    return Warned(warning_name(warning), cell_name(document), sentence(document))


def _score(table: SheetTable, document: Mapping[str, Any], preview: Mapping[str, Any]) -> ScoreTable | None:
    rulebook = laid_rulebook(table.championship)
    if preview["complete"]:
        return score_table(columns_of_verdict(preview, document.get("claim"), table.teams), rulebook)
    if preview["score"] is None:
        return None
    columns = [
        Column(
            label=label,
            name=table.teams[label],
            km=team["lines"].get("km", 0),
            won=False,
            bottes=document["teams"][label]["bottes"],
            coups_fourres=document["teams"][label]["coups_fourres"],
            lines=team["lines"],
            computed=team["total"],
        )
        for label, team in preview["score"].items()
    ]
    return score_table(columns, rulebook)


def _where_it_stands(preview: Mapping[str, Any]) -> str:
    wrong, missing = len(preview["faults"]), len(preview["missing"])
    if preview["complete"]:
        winner = preview["outcome"]["winner"]
        if preview.get("claim_ok") is False:
            return _("The sheet is complete; what the table announced differs.")
        return _("The sheet is complete: %(team)s wins.") % {"team": winner} if winner else _("The sheet is complete.")
    said = []
    if wrong:
        said.append(ngettext("%(n)s thing is wrong.", "%(n)s things are wrong.", wrong) % {"n": wrong})
    if missing:
        said.append(ngettext("%(n)s answer is missing.", "%(n)s answers are missing.", missing) % {"n": missing})
    return " ".join(said)


def _todo(cells: Cells) -> Iterator[Todo]:
    """What is wrong in its own words, what is missing by the name of its cell; in the order of the form."""
    for note in cells.notes:
        yield Todo("", note.words, note.missing)
    for cell in cells.all:
        for note in cell.faults:
            yield Todo(cell.name, cell.full_label if note.missing else note.words, note.missing)
