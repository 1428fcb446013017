"""Score sheets, format `marque/1`: judged, scored while they are typed, and made from a replayed manche (RULES 11).

The points come from `scoring.points`, as a replayed log's do. `scoring.sheet_document` reads the cells,
`scoring.sheet_faults` finds what is wrong with them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import BOTTES
from engine.outcome import Outcome, TeamOutcome
from scoring.claims import claim_findings
from scoring.faults import Fault
from scoring.points import TeamScore, score
from scoring.sheet_document import FORMAT, Form, Reading, Sheet, read_sheet
from scoring.sheet_faults import STILL_TO_FILL, find_faults, winner_of


@dataclass(frozen=True, slots=True)
class JudgedSheet:
    """What judging a sheet says.

    `faults` is empty for a valid sheet, which has an `outcome`, and a `score` where its rulebook has points.
    `malformed` lists the cells whose form is wrong, `sheet` is None unless the frame holds.
    """

    sheet: Sheet | None
    faults: tuple[Fault, ...] = ()
    malformed: tuple[Fault, ...] = ()
    outcome: Outcome | None = None
    score: dict[str, TeamScore] | None = None

    @property
    def valid(self) -> bool:
        """Whether the sheet has no fault."""
        return not self.faults

    def to_document(self) -> dict[str, Any]:
        """The verdict of RULES 11 in JSON's types.

        Beside the keys of RULES: `why`, parallel to `faults` (see `Fault.to_document`); `malformed`, in the same form,
        all cells of a malformed sheet; `claim_differences` (see `scoring.claims`) where a claim differs.
        """
        document: dict[str, Any] = {
            "valid": self.valid,
            "faults": [[fault.code, fault.team] for fault in self.faults],
            "why": [fault.to_document() for fault in self.faults],
        }
        if self.malformed:
            document["malformed"] = [fault.to_document() for fault in self.malformed]
        if self.outcome is None:
            return document
        claim = None if self.sheet is None else self.sheet.claim
        document |= claim_findings(claim, self.score)
        return document | {"outcome": self.outcome.to_document(), "score": self.score}


def judge_sheet(document: object) -> dict[str, Any]:
    """The verdict on a decoded JSON sheet, in JSON's types (`JudgedSheet.to_document`). Never raises for a bad one."""
    return examine_sheet(document).to_document()


def examine_sheet(document: object) -> JudgedSheet:
    """The verdict on a decoded JSON sheet, as a value (RULES 11). Never raises for a bad one."""
    return judge_reading(read_sheet(document))


def judge_reading(reading: Reading) -> JudgedSheet:
    """The verdict on a sheet that was read."""
    if reading.problems:
        malformed = tuple(problem.fault for problem in reading.problems)
        return JudgedSheet(reading.sheet, malformed[:1], malformed)
    if reading.frame_fault is not None:
        return JudgedSheet(None, (reading.frame_fault,))
    assert reading.sheet is not None
    return _judge(reading.sheet)


def _judge(sheet: Sheet) -> JudgedSheet:
    if faults := find_faults(sheet):
        return JudgedSheet(sheet, tuple(faults))
    outcome = _outcome(sheet)
    return JudgedSheet(sheet, outcome=outcome, score=score(outcome, sheet.rulebook))


def _outcome(sheet: Sheet) -> Outcome:
    """The outcome that a sheet without faults states."""
    assert sheet.end is not None
    return Outcome(
        end=sheet.end,
        winner=winner_of(sheet),
        couronnement=sheet.end == "target" and sheet.sabot_empty is True,
        extension=sheet.extension,
        teams=_team_outcomes(sheet),
    )


def _team_outcomes(sheet: Sheet) -> dict[str, TeamOutcome]:
    return {
        label: TeamOutcome(
            km=team.km or 0,
            n200=team.known_200s,
            bottes=_known_bottes(team.bottes),
            coups_fourres=_known_bottes(team.coups_fourres),
        )
        for label, team in sheet.teams.items()
    }


def _known_bottes(listed: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(set(listed).intersection(BOTTES)))


# ---- while it is typed -----------------------------------------------------------------------------------------------


def score_preview(document: object) -> dict[str, Any]:
    """What can be said of a sheet that is still being typed, in JSON's types.

    Empty cells are left out of the document or null; a count left out of `steps` is 0, one that is null leaves the
    counts unknown. `complete` is true when the sheet as it stands, without its nulls, would be valid: then `outcome`
    and `score` are its own. Until then `outcome` is null and `score` holds what a manche stopped now would pay (RULES
    8: km, bottes, quatre-bottes, coups-fourrés), null where the frame does not hold or there are no points. `missing`
    lists the cells still to be filled, `faults` and `why` what is wrong with the others (a cell of the wrong form is a
    `malformed-sheet`, one entry each).
    """
    reading = read_sheet(document)
    missing, faults = _sort_out(reading)
    judged = JudgedSheet(reading.sheet, tuple(faults))
    provisional: dict[str, TeamScore] | None = None
    if reading.sheet is not None:
        if not missing and not faults:
            judged = _judge(reading.sheet)
        else:
            teams = _team_outcomes(reading.sheet)
            stopped = Outcome("interrupted", winner=None, couronnement=False, extension=None, teams=teams)
            provisional = score(stopped, reading.sheet.rulebook)
    preview = {"outcome": None, "score": provisional} | judged.to_document()
    preview |= {"complete": judged.outcome is not None, "missing": [fault.to_document() for fault in missing]}
    del preview["valid"]  # nothing was handed in yet
    return preview


def _sort_out(reading: Reading) -> tuple[list[Fault], list[Fault]]:
    """The cells that are still empty, and the faults of the others."""
    missing = [problem.fault for problem in reading.problems if problem.form is Form.UNFILLED]
    faults = [problem.fault for problem in reading.problems if problem.form is Form.WRONG]
    if reading.frame_fault is not None:
        faults.append(reading.frame_fault)
    if reading.sheet is not None:
        for fault in find_faults(reading.sheet):
            (missing if fault.code in STILL_TO_FILL else faults).append(fault)
    return missing, faults


# ---- from a replayed manche ------------------------------------------------------------------------------------------


def sheet_from_outcome(
    outcome: Outcome,
    rulebook_id: str,
    players_per_team: int,
    *,
    house: Mapping[str, Any] | None = None,
    target: int | None = None,
    claim: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """The sheet, as a JSON document, that a table would hand in for a manche that ended with `outcome`.

    `house` and `target` (km) are what the log named, if anything. Judging the sheet gives the outcome and score back.
    """
    document: dict[str, Any] = {
        "format": FORMAT,
        "rulebook": rulebook_id,
        "players_per_team": players_per_team,
        "end": outcome.end,
    }
    # what `sabot_empty` says depends on the end: see RULES 11
    if outcome.end == "target":
        document["sabot_empty"] = outcome.couronnement
    elif outcome.end != "interrupted":
        document["sabot_empty"] = True
    elif outcome.sabot_left is not None:
        document["sabot_empty"] = outcome.sabot_left == 0
    optional = {"target": target, "house": dict(house) if house else None, "extension": outcome.extension}
    document |= {key: value for key, value in optional.items() if value is not None}
    document["teams"] = {label: _column(team) for label, team in outcome.teams.items()}
    if claim is not None:
        document["claim"] = dict(claim)
    return document


def _column(team: TeamOutcome) -> dict[str, Any]:
    column: dict[str, Any] = {"km": team.km}
    if team.steps is not None:
        column["steps"] = dict(team.steps)
    elif team.n200 is not None:
        column["n200"] = team.n200
    return column | {"bottes": list(team.bottes), "coups_fourres": list(team.coups_fourres)}
