"""The verdict on whatever was handed in: a hand log or a score sheet, decoded, as JSON or as text (RULES 10 and 11).

`judge_bytes` and `judge_document` are the doors' way in: they give what RULES promise, in JSON's types, and never raise
for bad input. `examine` gives the same as a value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.notation import HandLog
from engine.outcome import Outcome
from engine.refusals import Refusal, explain_log
from engine.replay import judge
from engine.rulebooks import Rulebook
from scoring.claims import claim_findings
from scoring.documents import Document, Kind, Writing, open_bytes, open_document
from scoring.faults import refusal_document
from scoring.points import TeamScore, score
from scoring.sheets import JudgedSheet, judge_reading


@dataclass(frozen=True, slots=True)
class Judged:
    """A document and what was found.

    `code` is the refusal of a log, the first fault of a sheet, None when valid; then there is an `outcome`, and a
    `score` if the `rulebook` (house rules laid over) has points. `claim` is what the document announced, valid or not.
    `verdict` is all of it in JSON's types.
    """

    document: Document
    verdict: dict[str, Any]
    code: str | None = None
    rulebook: Rulebook | None = None
    outcome: Outcome | None = None
    score: dict[str, TeamScore] | None = None
    claim: Mapping[str, int] | None = None

    @property
    def kind(self) -> Kind:
        """Whether it is a log or a sheet."""
        return self.document.kind

    @property
    def valid(self) -> bool:
        """Whether the rules let it through."""
        return self.code is None


def judge_document(document: object) -> dict[str, Any]:
    """The verdict on a decoded JSON document, a log or a sheet. Never raises for a bad one.

    Beside the keys of RULES 10 and 11 there is `why`: of a refused log an object (`scoring.faults.refusal_document`),
    of a sheet a list parallel to `faults`; and `claim_differences` (`scoring.claims`) where a claim differs.
    """
    return examine(open_document(document)).verdict


def judge_bytes(raw: bytes, writing: Writing | None = None) -> dict[str, Any]:
    """The verdict on a document as it came in, JSON or a text log; see `judge_document`. Never raises for a bad one.

    Faults of form have their `line` and `column` then.
    """
    return examine(open_bytes(raw, writing)).verdict


def examine(document: Document) -> Judged:
    """Judge a document that was read by `scoring.documents`. Never raises for a bad one."""
    if document.sheet is not None:
        return _examine_sheet(document, judge_reading(document.sheet))
    if document.log is not None:
        return _examine_log(document, document.log)
    assert document.error is not None
    return _refused(document, explain_log(document.error.code, document.error, None, None))


def _examine_log(document: Document, log: HandLog) -> Judged:
    found = judge(log)
    if (refusal := found.refusal) is not None:
        return _refused(document, refusal, found.rulebook)
    assert found.outcome is not None
    assert found.rulebook is not None
    scores = score(found.outcome, found.rulebook)
    verdict: dict[str, Any] = {"valid": True, "code": None, "at": None} | claim_findings(log.claim, scores)
    verdict |= {"outcome": found.outcome.to_document(), "score": scores}
    return Judged(document, verdict, None, found.rulebook, found.outcome, scores, log.claim)


def _refused(document: Document, refusal: Refusal, rulebook: Rulebook | None = None) -> Judged:
    why = refusal_document(refusal, document.error)
    verdict = {"valid": False, "code": refusal.code, "at": refusal.at, "why": why}
    claim = None if document.log is None else document.log.claim
    return Judged(document, verdict, refusal.code, rulebook, claim=claim)


def _examine_sheet(document: Document, found: JudgedSheet) -> Judged:
    verdict = found.to_document()
    if document.text is not None:
        entries = [*verdict["why"], *verdict.get("malformed", ())]
        places = document.locate([fault.path for fault in (*found.faults, *found.malformed)])
        for entry, (line, column) in zip(entries, places, strict=True):
            entry["line"], entry["column"] = line, column
    code = None if found.valid else found.faults[0].code
    if found.sheet is None:
        return Judged(document, verdict, code)
    return Judged(document, verdict, code, found.sheet.rulebook, found.outcome, found.score, found.sheet.claim)
