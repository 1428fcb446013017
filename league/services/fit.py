"""Does a document fit its partie (RULES 13)? Asked before its own verdict counts; the codes belong to the records.

A misfit is said as a verdict of the same shape as a refusal of the engine: `why` has a `sentence` (message id), its
`params`, and the `paragraph`.
"""

from collections.abc import Callable, Iterator
from typing import Any

from engine.messages import N_
from engine.rulebooks import RULEBOOKS, HouseError, Rulebook
from league.models import Kind, MancheStatus, PartieStatus
from league.services.documents import Reading
from league.services.progress import Table, interrupted, is_settled

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


def seat_labels(table_labels: list[str], players: int, manche: int) -> list[str]:
    """The seats of a manche in order of play: a1, b1, a2, b2 … turned by one a manche (RULES 13).

    >>> seat_labels(["A", "B"], 2, 2)
    ['b1', 'a2', 'b2', 'a1']
    """
    seats = [f"{label.lower()}{position}" for position in range(1, players + 1) for label in table_labels]
    turn = (manche - 1) % len(seats)
    return seats[turn:] + seats[:turn]


def misfit(reading: Reading, table: Table, number: int) -> Verdict | None:
    """The verdict of a document that does not fit manche `number` of the partie, or None if it fits.

    A malformed document says nothing that could be compared, and bad house rules are the document's own fault: for
    those its own verdict is the answer.
    """
    if reading.document is None:
        return None
    if reading.document["rulebook"] == table.championship.rulebook:
        try:
            played = RULEBOOKS[table.championship.rulebook].with_house(reading.document.get("house", {}))
        except HouseError:
            return None
    else:
        played = None
    for code, params in _findings(reading, table, number, played):
        return _verdict(code, params, reading.kind)
    return None


def second_interrupted(reading: Reading, table: Table, number: int) -> Verdict | None:
    """The verdict of a valid document that would be the partie's second manche stopped by the referee, or None."""
    if reading.verdict["outcome"]["end"] != "interrupted":
        return None
    others = [manche for manche in table.manches if manche.number != number and manche.status != MancheStatus.VOID]
    return _verdict("second-interrupted", {}, reading.kind) if interrupted(others) else None


def _verdict(code: str, params: dict[str, Any], kind: Kind) -> Verdict:
    paragraph = "STANDINGS 1" if code == "second-interrupted" else "RULES 13"
    why = {"sentence": SENTENCES[code], "params": params, "paragraph": paragraph}
    if kind == Kind.SHEET:
        return {"valid": False, "faults": [[code, None]], "why": [{"code": code, "team": None, **why}]}
    return {"valid": False, "code": code, "at": None, "why": {"move": None, "player": None, "state": None, **why}}


def _findings(reading: Reading, table: Table, number: int, played: Rulebook | None) -> Iterator[Finding]:
    document, championship = reading.document or {}, table.championship
    if played is None:
        yield "other-rulebook", {"expected": championship.rulebook, "found": document["rulebook"]}
        return
    expected = RULEBOOKS[championship.rulebook].with_house(championship.house)
    if played != expected:
        keys = sorted({*championship.house, *document.get("house", {})})
        differing = [key for key in keys if getattr(played, key) != getattr(expected, key)]
        yield "other-rules", {"keys": ", ".join(differing)}
    yield from _other_target(document, table, expected)
    labels = [seat.label for seat in table.seats]
    check: Callable[..., Iterator[Finding]] = _other_sheet if reading.kind == Kind.SHEET else _other_log
    yield from check(document, labels, championship.players_per_team, number)
    yield from _other_manche(table, number)


def _other_target(document: dict[str, Any], table: Table, rulebook: Rulebook) -> Iterator[Finding]:
    shape = rulebook.table(len(table.seats), table.championship.players_per_team)
    if shape is None:
        return
    target = table.championship.target
    # a table with one entry less may not have the championship's target: then its own first one holds
    expected = target if target in shape.targets else shape.targets[0]
    found = document.get("target", shape.targets[0])
    if found != expected:
        yield "other-target", {"expected": expected, "found": found}


def _other_sheet(document: dict[str, Any], labels: list[str], players: int, _number: int) -> Iterator[Finding]:
    if sorted(document["teams"]) != labels or document["players_per_team"] != players:
        expected = f"{', '.join(labels)} × {players}"
        found = f"{', '.join(sorted(document['teams']))} × {document['players_per_team']}"
        yield "other-table", {"expected": expected, "found": found}


def _other_log(document: dict[str, Any], labels: list[str], players: int, number: int) -> Iterator[Finding]:
    teams = {label: [f"{label.lower()}{position}" for position in range(1, players + 1)] for label in labels}
    found_teams = {label: sorted(members) for label, members in document["teams"].items()}
    if found_teams != teams:
        yield "other-table", {"expected": _teams_in_words(teams), "found": _teams_in_words(found_teams)}
    seats = seat_labels(labels, players, number)
    if document["seats"] != seats:
        yield "other-seats", {"expected": " ".join(seats), "found": " ".join(document["seats"])}


def _teams_in_words(teams: dict[str, list[str]]) -> str:
    return " | ".join(f"{label}: {' '.join(teams[label])}" for label in sorted(teams))


def _other_manche(table: Table, number: int) -> Iterator[Finding]:
    manche = table.manche(number)
    corrects = manche is not None and manche.current is not None
    if table.partie.status == PartieStatus.VOID or (table.partie.status != PartieStatus.OPEN and not corrects):
        yield "partie-over", {}
    before = [other for other in table.manches if other.number < number and not is_settled(other)]
    if before or manche is None:
        yield "manche-out-of-order", {"expected": before[0].number if before else table.manches[-1].number + 1}
