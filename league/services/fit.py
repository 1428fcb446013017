"""Does a document fit its partie (RULES 13)? Asked before its own verdict counts; the codes belong to the records.

A misfit is said as a verdict of the same shape as a refusal of the rules: `why` has a `sentence` (message id), its
`params`, and the `paragraph`.
"""

from collections.abc import Iterator
from typing import Any

from engine.messages import N_
from engine.rulebooks import HOUSE_KEYS, Rulebook
from league.models import Kind, PartieStatus
from league.seating import players_of, seat_labels
from league.services.documents import Reading
from league.services.progress import Table, is_interrupted_beside, is_settled
from league.services.settings_of_play import laid_rulebook
from scoring.frames import Frame

SENTENCES = {
    "other-rulebook": N_("This championship plays by “{expected}”, the document by “{found}”."),
    "other-rules": N_("The document's house rules are not those of the championship: {keys}."),
    "other-target": N_("At this table a manche goes to {expected} km, in the document to {found}."),
    "other-table": N_("This partie seats {expected}, the document {found}."),
    "other-seats": N_("In this manche the seats are {expected}, in the document {found}."),
    "partie-over": N_("The partie is over: no further manche belongs to it."),
    "manche-out-of-order": N_("Manche {expected} comes first: it has no result that counts yet."),
    "second-interrupted": N_("The referee has stopped a manche of this partie already: only one can count."),
}
"""The codes of RULES 13 in their order, then the one of STANDINGS 1."""

Verdict = dict[str, Any]
Finding = tuple[str, dict[str, Any]]


def misfit(reading: Reading, table: Table, number: int) -> Verdict | None:
    """The verdict of a document that does not fit manche `number` of the partie, or None if it fits.

    A document that is refused before it has a table (malformed, an unknown rulebook …) says nothing that could be
    compared: then its own verdict is the answer, unless there is no such manche to hand it in for.
    """
    frame = reading.frame
    findings = [] if frame is None else [_other_rules(frame, table), _other_table(frame, table, number)]
    for finding in (*findings, _other_manche(table, number)):
        for code, params in finding:
            return _verdict(code, params, reading.kind)
    return None


def second_interrupted(reading: Reading, table: Table, number: int) -> Verdict | None:
    """The verdict of a valid document that would be the partie's second manche stopped by the referee, or None."""
    if reading.judged.outcome is None or reading.judged.outcome.end != "interrupted":
        return None
    return _verdict("second-interrupted", {}, reading.kind) if is_interrupted_beside(table, number) else None


def paragraph_of(code: str) -> str:
    """The paragraph that one of SENTENCES comes from."""
    return "STANDINGS 1" if code == "second-interrupted" else "RULES 13"


def _verdict(code: str, params: dict[str, Any], kind: Kind) -> Verdict:
    why = {"sentence": SENTENCES[code], "params": params, "paragraph": paragraph_of(code)}
    if kind == Kind.SHEET:
        return {"valid": False, "faults": [[code, None]], "why": [{"code": code, "team": None, "field": "", **why}]}
    return {"valid": False, "code": code, "at": None, "why": {"move": None, "player": None, "state": None, **why}}


def _other_rules(frame: Frame, table: Table) -> Iterator[Finding]:
    expected = laid_rulebook(table.championship)
    if frame.rulebook.id != expected.id:
        yield "other-rulebook", {"expected": expected.id, "found": frame.rulebook.id}
    elif frame.rulebook != expected:
        differing = [key for key in HOUSE_KEYS if getattr(frame.rulebook, key) != getattr(expected, key)]
        yield "other-rules", {"keys": ", ".join(differing)}
    target = _target(expected, table)
    if frame.target != target:
        yield "other-target", {"expected": target, "found": frame.target}


def _target(rulebook: Rulebook, table: Table) -> int:
    """The km of a manche at this table: one entry less may mean a table without the championship's target."""
    shape = rulebook.table(len(table.seats), table.championship.players_per_team)
    assert shape is not None  # open_partie seats nobody at a table that the rulebook has not
    chosen = table.championship.target
    return shape.target(chosen if chosen in shape.targets else None)


def _other_table(frame: Frame, table: Table, number: int) -> Iterator[Finding]:
    players = table.championship.players_per_team
    labels = [seat.label for seat in table.seats]
    if list(frame.teams) != labels or frame.players_per_team != players:
        expected, found = f"{' '.join(labels)} × {players}", f"{' '.join(frame.teams)} × {frame.players_per_team}"
        yield "other-table", {"expected": expected, "found": found}
    if frame.members is None or frame.seats is None:
        return
    members = {label: players_of(label, players) for label in labels}
    if any(set(frame.members[label]) != set(members[label]) for label in labels):
        expected, found = _in_words(members), _in_words(frame.members)
        yield "other-table", {"expected": expected, "found": found}
    seats = seat_labels(labels, players, number)
    if list(frame.seats) != seats:
        yield "other-seats", {"expected": " ".join(seats), "found": " ".join(frame.seats)}


def _in_words(members: dict[str, list[str]]) -> str:
    return " | ".join(f"{label}: {' '.join(members[label])}" for label in sorted(members))


def _other_manche(table: Table, number: int) -> Iterator[Finding]:
    manche = table.manche(number)
    corrects = manche is not None and manche.current is not None
    if table.partie.status == PartieStatus.VOID or (table.partie.status != PartieStatus.OPEN and not corrects):
        yield "partie-over", {}
    before = [other for other in table.manches if other.number < number and not is_settled(other)]
    if before or manche is None:
        yield "manche-out-of-order", {"expected": before[0].number if before else table.manches[-1].number + 1}
