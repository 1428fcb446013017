"""Reading a score sheet, format `marque/1`, and holding its frame against the rulebooks (RULES 11).

The reader looks at every cell and lists all that is wrong with their form. It serves the sheet that is handed in, where
any of it is a `malformed-sheet`, and the sheet that is still being typed, where an empty cell is only not filled yet.
What the sheet says is `scoring.sheet_faults`' business.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple

from engine.cards import ETAPES
from engine.messages import N_, Message, printable
from engine.moves import is_label
from engine.notation import LARGEST
from engine.outcome import ENDS
from engine.rulebooks import RULEBOOKS, HouseError, Rulebook, TableShape
from scoring.faults import Fault

FORMAT: Final = "marque/1"
MOST_PROBLEMS: Final = 50
"""Malformed cells that a reading lists; one is enough to refuse the sheet."""


class TeamSheet(NamedTuple):
    """A team's column. None: not filled in. `steps` has every distance; bottes are as listed, unknown ones too."""

    km: int | None
    steps: Mapping[str, int] | None
    n200: int | None
    bottes: tuple[str, ...]
    coups_fourres: tuple[str, ...]

    @property
    def known_200s(self) -> int | None:
        """How many 200s: the counts are believed before `n200`."""
        return self.n200 if self.steps is None else self.steps["200"]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet whose frame holds. `rulebook` has the house rules laid over it; `teams` stand in ASCII order.

    `first_target` is in km, the one that holds without a rallonge. None: not filled in, or not said.
    """

    rulebook: Rulebook
    shape: TableShape
    first_target: int
    end: str | None
    sabot_empty: bool | None
    extension: str | None
    teams: Mapping[str, TeamSheet]
    claim: Mapping[str, int] | None

    @property
    def target(self) -> int:
        """Km of the target in force: after a call, the extended one where the table has one."""
        if self.extension is not None and self.shape.extended is not None:
            return self.shape.extended
        return self.first_target


class Form(Enum):
    """What is wrong with the form of a cell."""

    WRONG = "wrong"
    UNFILLED = "unfilled"  # a required one is missing, or null
    BLANK = "blank"  # an optional one is null instead of left out


class Problem(NamedTuple):
    """A cell whose form is not that of a finished sheet."""

    form: Form
    fault: Fault


class Reading(NamedTuple):
    """What reading gave: the sheet where its frame holds, or the frame's fault, and all `problems` of form.

    Neither sheet nor fault is there when the frame cannot be made out for its form.
    """

    sheet: Sheet | None
    problems: tuple[Problem, ...]
    frame_fault: Fault | None


class _Kind(NamedTuple):
    fits: Callable[[Any], bool]
    advice: str


def _is_whole(value: object) -> bool:
    return type(value) is int and -LARGEST <= value <= LARGEST  # not isinstance: true is no number of km


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_WHOLE = _Kind(_is_whole, N_("Write a whole number here, with digits only."))
_TEXT = _Kind(lambda value: isinstance(value, str), N_("Write a text here."))
_SWITCH = _Kind(lambda value: isinstance(value, bool), N_("Say true or false here."))
_TEXTS = _Kind(_is_texts, N_("Write a list of safeties here, such as [“VP”]."))
_OBJECT = _Kind(lambda value: isinstance(value, dict), N_("Write an object here."))
_FORMAT = _Kind(lambda value: value == FORMAT, N_("Write “marque/1” here: no other format of sheets is known."))
_END = _Kind(
    lambda value: isinstance(value, str) and value in ENDS,
    N_("Say how the manche ended: target, exhausted, blocked or interrupted."),
)
_MISSING: Final = N_("Fill in this cell: a sheet needs it.")
_NULL: Final = N_("Leave this cell out when it is not known: null is no value.")
_LABEL: Final = N_("Name a team by a letter and up to 15 letters, digits or underscores.")
_DISTANCE: Final = N_("Count the cards of 25, 50, 75, 100 and 200: no other distance exists.")


class _Cells:
    """Reads cells one after the other, and keeps what is wrong with their form."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def note(self, form: Form, path: tuple[str, ...], advice: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(form, Fault("malformed-sheet", None, path, Message(advice, {}))))

    def read(self, holder: Mapping[str, Any], path: tuple[str, ...], kind: _Kind, required: bool = False) -> Any:
        """The value of the cell at `path`, whose last step is its key in `holder`; None where it has no such value."""
        value = holder.get(path[-1])
        if value is None:
            if required:
                self.note(Form.UNFILLED, path, _MISSING)
            elif path[-1] in holder:
                self.note(Form.BLANK, path, _NULL)
        elif not kind.fits(value):
            self.note(Form.WRONG, path, kind.advice)
            value = None
        return value

    def read_team(self, label: str, column: object) -> TeamSheet:
        path = ("teams", str(label))
        if not is_label(label):
            self.note(Form.WRONG, path, _LABEL)
        if not isinstance(column, dict):
            self.note(Form.WRONG, path, _OBJECT.advice)
            column = {}
        return TeamSheet(
            km=self.read(column, (*path, "km"), _WHOLE, required=True),
            steps=self._read_steps(column, (*path, "steps")),
            n200=self.read(column, (*path, "n200"), _WHOLE),
            bottes=tuple(self.read(column, (*path, "bottes"), _TEXTS, required=True) or ()),
            coups_fourres=tuple(self.read(column, (*path, "coups_fourres"), _TEXTS, required=True) or ()),
        )

    def _read_steps(self, column: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, int] | None:
        counts = self.read(column, path, _OBJECT)
        if counts is None:
            return None
        steps = dict.fromkeys(ETAPES, 0)
        before = len(self.problems)
        for distance in counts:
            if distance not in steps:
                self.note(Form.WRONG, (*path, str(distance)), _DISTANCE)
            elif (count := self.read(counts, (*path, distance), _WHOLE)) is not None:
                steps[distance] = count
        return steps if len(self.problems) == before else None  # with one count in doubt the others say nothing

    def read_claim(self, document: Mapping[str, Any]) -> dict[str, int] | None:
        claim: dict[str, int] | None = self.read(document, ("claim",), _OBJECT)
        for label in claim or ():
            if not is_label(label):
                self.note(Form.WRONG, ("claim", str(label)), _LABEL)
            self.read(claim or {}, ("claim", label), _WHOLE, required=True)
        return claim


def read_sheet(document: object) -> Reading:
    """Read a decoded JSON document as a sheet; nothing that it may hold raises.

    The sheet is there whenever its frame can be made out, even with problems in other cells.
    """
    cells = _Cells()
    if not isinstance(document, dict):
        cells.note(Form.WRONG, (), _OBJECT.advice)
        return Reading(None, tuple(cells.problems), None)
    cells.read(document, ("format",), _FORMAT, required=True)
    rulebook_id = cells.read(document, ("rulebook",), _TEXT, required=True)
    players = cells.read(document, ("players_per_team",), _WHOLE, required=True)
    target = cells.read(document, ("target",), _WHOLE)
    house = cells.read(document, ("house",), _OBJECT)
    columns = cells.read(document, ("teams",), _OBJECT, required=True)
    framed = all(problem.form is Form.BLANK for problem in cells.problems) and all(map(is_label, columns))
    end = cells.read(document, ("end",), _END, required=True)
    sabot_empty = cells.read(document, ("sabot_empty",), _SWITCH)
    extension = cells.read(document, ("extension",), _TEXT)
    claim = cells.read_claim(document)
    teams = {label: cells.read_team(label, columns[label]) for label in columns or ()}
    problems = tuple(cells.problems)
    if not framed:
        return Reading(None, problems, None)
    frame = _fit_frame(rulebook_id, house or {}, len(teams), players, target)
    if isinstance(frame, Fault):
        return Reading(None, problems, frame)
    rulebook, shape, first_target = frame
    teams = {label: teams[label] for label in sorted(teams)}
    sheet = Sheet(rulebook, shape, first_target, end, sabot_empty, extension, teams, claim)
    return Reading(sheet, problems, None)


def _fit_frame(
    rulebook_id: str, house: Mapping[str, Any], teams: int, players: int, target: int | None
) -> tuple[Rulebook, TableShape, int] | Fault:
    """The rulebook with its house rules, the table and its target in km; or the first of the frame's faults."""
    rulebook = RULEBOOKS.get(rulebook_id)
    if rulebook is None:
        advice = Message(
            N_("No rulebook is called {name}: name one of {known}."),
            {"name": printable(rulebook_id), "known": ", ".join(RULEBOOKS)},
        )
        return Fault("unknown-rulebook", None, ("rulebook",), advice, "RULES 3")
    try:
        rulebook = rulebook.with_house(house)
    except HouseError as error:
        params = {"key": printable(str(error.key)), "what": error.detail.as_param()}
        advice = Message(N_("The house rule {key} cannot be: {what}."), params)
        return Fault("bad-house", None, ("house", str(error.key)), advice, "RULES 12")
    shape = rulebook.table(teams, players)
    if shape is None:
        advice = Message(
            N_("{rulebook} has no such table (teams: {teams}; players in each: {players})."),
            {"rulebook": rulebook.id, "teams": teams, "players": players},
        )
        return Fault("bad-table", None, ("players_per_team",), advice, "RULES 3")
    if target is not None and target not in shape.targets:
        advice = Message(
            N_("The target cannot be {target} km at this table: choose one of {targets}."),
            {"target": target, "targets": ", ".join(map(str, shape.targets))},
        )
        return Fault("bad-target", None, ("target",), advice, "RULES 3")
    return rulebook, shape, shape.target(target)
