"""The score sheet as a form: its cells, the document `marque/1` that they make, and the notes that belong to each.

No rule stands here. What is typed goes into the document as it is, a number where it is one; what is wrong with it, or
still missing, `scoring.sheets.score_preview` says, and this file only finds the cell to mark (RULES 11).

Names of cells: `A-km`, `A-n200`, `A-steps-100`, `A-VP` (empty, `exposed` or `coup-fourre`), `A-claim`; `end`,
`sabot_empty` (`yes`, `no`), `extension` (a label).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from engine.cards import BOTTES, ETAPES
from engine.outcome import ENDS
from engine.rulebooks import Rulebook, TableShape
from league.models import Championship
from league.services.settings_of_play import laid_rulebook
from league.wording import card, sentence
from scoring.sheet_document import FORMAT

EXPOSED, COUP_FOURRE = "exposed", "coup-fourre"
_NUMBER = re.compile(r"[+-]?[0-9]{1,12}")
_SWITCH = {"yes": True, "no": False}
_END_NAMES = {
    "target": gettext_lazy("a team arrived"),
    "exhausted": gettext_lazy("no cards were left"),
    "blocked": gettext_lazy("nobody could play any more"),
    "interrupted": gettext_lazy("the referee stopped it"),
}

_END_KEYS = {"exhausted": "/", "blocked": "#", "interrupted": "*"}
"""The signs of the hand log where it has one (RULES 9), so the same in every language."""


def ends_of(rulebook: Rulebook) -> list[tuple[str, str]]:
    """The ends of a manche that a rulebook knows, with their names (RULES 6)."""
    return [(end, str(_END_NAMES[end])) for end in ENDS if rulebook.blocked_end or end != "blocked"]


@dataclass(frozen=True, slots=True)
class SheetTable:
    """Whose sheet it is: the championship, and the teams by label with their names, in ASCII order."""

    championship: Championship
    teams: Mapping[str, str]

    @property
    def shape(self) -> TableShape:
        """The table of the rulebook at which the partie is played."""
        shape = laid_rulebook(self.championship).table(len(self.teams), self.championship.players_per_team)
        assert shape is not None  # open_partie seats nobody at a table that the rulebook has not
        return shape

    @property
    def ends(self) -> list[tuple[str, str]]:
        """The ends that the rulebook knows, with their names."""
        return ends_of(laid_rulebook(self.championship))


@dataclass(frozen=True, slots=True)
class Note:
    """What is said of a cell: `missing` while it is not filled in, `unlikely` where it may be so, else it is wrong."""

    words: str
    missing: bool = False
    unlikely: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its name, what it asks for, what stands in it, its notes, and what it offers (value and words).

    `key` turns it to the next of its choices, `keys` choose one at once (by its value): letters and signs that are
    pressed anywhere in the cells of its team, or of the sheet (`static/js/sheet_keys.js`).
    """

    name: str
    label: str
    value: str
    notes: Sequence[Note] = ()
    choices: Sequence[tuple[str, str]] = ()
    team: str = ""
    key: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def full_label(self) -> str:
        """What it asks for, said by itself: with its team."""
        return f"{self.team} · {self.label}" if self.team else self.label

    @property
    def faults(self) -> Sequence[Note]:
        """The notes that keep the sheet from being handed in."""
        return [note for note in self.notes if not note.unlikely]


@dataclass(frozen=True, slots=True)
class TeamCells:
    """A team's column."""

    label: str
    name: str
    km: Cell
    n200: Cell
    steps: Sequence[Cell]
    bottes: Sequence[Cell]
    claim: Cell
    all_bottes: Cell
    all_steps: Cell

    @property
    def counts_open(self) -> bool:
        """Whether the counts of each distance are used, or have a note, so that they are shown open."""
        return bool(self.all_steps.notes) or any(cell.value or cell.notes for cell in self.steps)


@dataclass(frozen=True, slots=True)
class Cells:
    """The whole sheet. `notes` are those of no cell."""

    teams: Sequence[TeamCells]
    end: Cell
    sabot_empty: Cell
    extension: Cell | None
    notes: Sequence[Note] = ()
    all: Sequence[Cell] = field(default=())


def document_of(table: SheetTable, said: Mapping[str, str]) -> dict[str, Any]:
    """The document that the cells make; what is empty is left out, what is no number stays text."""
    championship = table.championship
    document: dict[str, Any] = {
        "format": FORMAT,
        "rulebook": championship.rulebook,
        "players_per_team": championship.players_per_team,
    }
    if championship.house:
        document["house"] = championship.house
    if championship.target in table.shape.targets[1:]:
        document["target"] = championship.target
    document |= _filled({"end": said.get("end", ""), "extension": said.get("extension", "")})
    if said.get("sabot_empty") in _SWITCH:
        document["sabot_empty"] = _SWITCH[said["sabot_empty"]]
    document["teams"] = {label: _column(label, said) for label in table.teams}
    claim = _filled({label: _number(said.get(f"{label}-claim", "")) for label in table.teams})
    return document | _filled({"claim": claim})


def _column(label: str, said: Mapping[str, str]) -> dict[str, Any]:
    numbers = {name: _number(said.get(f"{label}-{name}", "")) for name in ("km", "n200")}
    steps = _filled({distance: _number(said.get(f"{label}-steps-{distance}", "")) for distance in ETAPES})
    played = {botte: said.get(f"{label}-{botte}", "") for botte in BOTTES}
    return {
        **_filled({**numbers, "steps": steps}),
        "bottes": sorted(botte for botte, how in played.items() if how in (EXPOSED, COUP_FOURRE)),
        "coups_fourres": sorted(botte for botte, how in played.items() if how == COUP_FOURRE),
    }


def _filled(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in ("", {})}


def _number(text: str) -> int | str:
    """A number as people write it, “1 000” too; what is none as it was typed."""
    close = re.sub(r"\s", "", text)
    return int(close) if _NUMBER.fullmatch(close) else text.strip()[:40]


def said_of(document: Mapping[str, Any]) -> dict[str, str]:
    """What stands in the cells for a document: the way back from `document_of`, for a sheet that is corrected."""
    said = {name: str(document[name]) for name in ("end", "extension") if document.get(name) is not None}
    if document.get("sabot_empty") is not None:
        said["sabot_empty"] = "yes" if document["sabot_empty"] else "no"
    for label, team in document["teams"].items():
        said |= {f"{label}-{name}": str(team[name]) for name in ("km", "n200") if team.get(name) is not None}
        said |= {f"{label}-steps-{distance}": str(count) for distance, count in (team.get("steps") or {}).items()}
        said |= {f"{label}-{botte}": EXPOSED for botte in team["bottes"]}
        said |= {f"{label}-{botte}": COUP_FOURRE for botte in team["coups_fourres"]}
    return said | {f"{label}-claim": str(points) for label, points in (document.get("claim") or {}).items()}


def cells_of(
    table: SheetTable,
    said: Mapping[str, str],
    preview: Mapping[str, Any] | None = None,
    warnings: Sequence[Mapping[str, Any]] = (),
) -> Cells:
    """The cells with what stands in them; with a preview and warnings, also with their notes."""
    notes = _notes(preview) if preview else {}
    for warning in warnings:
        notes.setdefault(cell_name(warning), []).append(Note(sentence(warning), unlikely=True))

    def cell(name: str, label: str, choices: Sequence[tuple[str, str]] = (), **keys: Any) -> Cell:
        team = name.partition("-")[0] if "-" in name else ""
        made = Cell(name, label, said.get(name, ""), notes.pop(name, ()), choices, team, **keys)
        everything.append(made)
        return made

    everything: list[Cell] = []
    nobody = ("", pgettext("called the extension", "nobody"))
    callers = [nobody, *((label, f"{label} · {name}") for label, name in table.teams.items())]
    return Cells(
        teams=[_team_cells(cell, label, name) for label, name in table.teams.items()],
        end=cell("end", _("How it ended"), table.ends, keys=_END_KEYS),
        sabot_empty=cell(
            "sabot_empty",
            _("Was the draw pile empty?"),
            [("no", _("no")), ("yes", _("yes"))],
            keys={"no": pgettext("key for: no", "N"), "yes": pgettext("key for: yes", "Y")},
        ),
        extension=cell("extension", _("Who called the extension?"), callers, key=pgettext("key for: extension", "X"))
        if table.shape.extended
        else None,
        notes=[note for left in notes.values() for note in left],
        all=everything,
    )


def _team_cells(cell: Any, label: str, name: str) -> TeamCells:
    keys = {
        "VP": pgettext("key for: Right of way", "R"),
        "CI": pgettext("key for: Petrol tanker", "T"),
        "IN": pgettext("key for: Puncture-proof", "P"),
        "AS": pgettext("key for: Ace driver", "A"),
    }
    how = [("", _("no")), (EXPOSED, _("exposed")), (COUP_FOURRE, _("coup fourré"))]
    return TeamCells(
        label=label,
        name=name,
        km=cell(f"{label}-km", _("Kilometres")),
        n200=cell(f"{label}-n200", _("200s played")),
        steps=[cell(f"{label}-steps-{distance}", card(distance)) for distance in ETAPES],
        bottes=[cell(f"{label}-{botte}", card(botte), how, key=keys[botte]) for botte in BOTTES],
        claim=cell(f"{label}-claim", _("Total that the table announced")),
        all_bottes=cell(f"{label}-bottes", _("Safeties")),
        all_steps=cell(f"{label}-steps", _("Each distance counted")),
    )


def _notes(preview: Mapping[str, Any]) -> dict[str, list[Note]]:
    """The notes of a preview by the cell that they belong to; under an empty name those of none."""
    notes: dict[str, list[Note]] = {}
    for name, note in _each_note(preview):
        notes.setdefault(name, []).append(note)
    return notes


def _each_note(preview: Mapping[str, Any]) -> Iterator[tuple[str, Note]]:
    for missing, found in ((True, preview["missing"]), (False, preview["why"])):
        for fault in found:
            yield cell_name(fault), Note(sentence(fault), missing)


def cell_name(fault: Mapping[str, Any]) -> str:
    """The name of a fault's cell: at `teams.A.steps.200` it is `A-steps-200`; a fault of a botte is at its own."""
    parts = fault["field"].split(".")
    if parts[0] == "claim" and len(parts) == 2:
        return f"{parts[1]}-claim"
    if parts[0] != "teams" or len(parts) < 3:
        return str(fault["field"])
    botte = fault["params"].get("botte")
    if parts[2] in ("bottes", "coups_fourres"):
        return f"{parts[1]}-{botte if botte in BOTTES else 'bottes'}"
    return "-".join(parts[1:])
