"""A result of a dump, judged again: the document as it came, held against its partie; never the numbers beside it."""

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.rulebooks import RULEBOOKS, HouseError, Rulebook
from scoring.documents import open_bytes
from scoring.dump_stream import DumpError
from scoring.frames import frame_of
from scoring.ranking_shapes import At, path
from scoring.verdicts import Judged, examine


class Figures(NamedTuple):
    """What one side had of a manche; `points` is None in a rulebook without points."""

    points: int | None
    km: int
    coups_fourres: int
    won: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """Something written in a dump that is not what its documents come to.

    `code`: `score-differs`, `end-differs`, `kind-differs`, `ranking-differs`, or that of a `DumpError`.
    """

    code: str
    at: str | None
    written: Any
    found: Any
    why: str = ""

    def as_data(self) -> dict[str, Any]:
        """As the command answers it."""
        data = {"code": self.code, "at": self.at, "written": self.written, "found": self.found}
        return data | ({"why": self.why} if self.why else {})

    def __str__(self) -> str:
        said = self.why or f"is written as {self.written!r}, and comes to {self.found!r}"
        return f"{self.at or 'the dump'} {said}"


@dataclass(frozen=True, slots=True)
class Rules:
    """By which rules the championship of a dump plays: the rulebook with its house rules, players a side, target."""

    rulebook: Rulebook
    players: int
    target: int | None


def rules_of(championship: Mapping[str, Any]) -> Rules:
    """The rules of a championship. Raises `DumpError` for a rulebook or house rules that there are not."""
    rulebook = RULEBOOKS.get(championship["rulebook"])
    if rulebook is None:
        raise DumpError("bad-dump", "championship.rulebook", "is none that this program knows")
    try:
        laid = rulebook.with_house(championship["house"])
    except HouseError as fault:
        raise DumpError("bad-dump", "championship.house", f"is not possible: {fault}") from None
    return Rules(laid, championship["players_per_team"], championship["target"])


def bytes_of(document: Mapping[str, Any], at: At) -> bytes:
    """The bytes of a document as they came. Raises `DumpError`, `sha256-differs` where they are others."""
    said: str | None = document["text"]
    encoded: str | None = document["base64"]
    if (said is None) == (encoded is None):
        raise DumpError("bad-dump", path(at), "has not one of text and base64")
    if said is not None:
        body = said.encode()
    else:
        try:
            body = base64.b64decode(encoded or "", validate=True)
        except (binascii.Error, ValueError):
            raise DumpError("bad-dump", path((*at, "base64")), "is no Base64") from None
    if hashlib.sha256(body).hexdigest() != document["sha256"]:
        raise DumpError("sha256-differs", path((*at, "sha256")), "is not that of the document")
    return body


def judge_result(result: Mapping[str, Any], at: At, labels: Sequence[str], rules: Rules) -> Judged:
    """Judge the document of a result of a partie whose sides are `labels`.

    Raises `DumpError`: `bad-dump`, `sha256-differs`, `document-refused`, `document-does-not-fit`.
    """
    here = (*at, "document")
    document = result["document"]
    judged = examine(open_bytes(bytes_of(document, here)))
    if not judged.valid:
        raise DumpError("document-refused", path(here), f"is refused by the rules: {judged.code}")
    if judged.document.writing != document["media"]:
        raise DumpError("bad-dump", path((*here, "media")), f"is not {judged.document.writing}, as the document is")
    misfit = _misfit(judged, labels, rules)
    if misfit is not None:
        raise DumpError("document-does-not-fit", path(here), f"does not fit its partie: {misfit}")
    return judged


def _misfit(judged: Judged, labels: Sequence[str], rules: Rules) -> str | None:
    frame = frame_of(judged)
    assert frame is not None  # a valid document has a table
    if frame.rulebook != rules.rulebook:
        return "it is played by other rules"
    if list(frame.teams) != sorted(labels) or frame.players_per_team != rules.players:
        return f"it seats {' '.join(frame.teams)} with {frame.players_per_team} each"
    shape = rules.rulebook.table(len(labels), rules.players)
    if shape is not None and frame.target != shape.target(rules.target if rules.target in shape.targets else None):
        return f"it goes to {frame.target} km"
    return None


def figures_of(judged: Judged, label: str) -> Figures:
    """What the side of a label had, as the document comes to."""
    outcome, score = judged.outcome, judged.score
    assert outcome is not None  # a valid document has one
    team = outcome.teams[label]
    return Figures(
        score[label]["total"] if score else None, team.km, len(team.coups_fourres), won=outcome.winner == label
    )


def differences(result: Mapping[str, Any], at: At, judged: Judged) -> Iterator[Difference]:
    """What is written of a result otherwise than its document comes to."""
    assert judged.outcome is not None
    if result["kind"] != judged.kind:
        yield Difference("kind-differs", path((*at, "kind")), result["kind"], judged.kind)
    if result["end"] != judged.outcome.end:
        yield Difference("end-differs", path((*at, "end")), result["end"], judged.outcome.end)
    claim_ok = judged.verdict.get("claim_ok")
    if result["claim_ok"] != claim_ok:
        yield Difference("score-differs", path((*at, "claim_ok")), result["claim_ok"], claim_ok)
    written = {score["label"]: place for place, score in enumerate(result["scores"])}
    if sorted(written) != sorted(judged.outcome.teams) or len(written) != len(result["scores"]):
        yield Difference("score-differs", path((*at, "scores")), sorted(written), sorted(judged.outcome.teams))
        return
    for label, place in written.items():
        score, found = result["scores"][place], figures_of(judged, label)
        for name, value in found._asdict().items():
            if score[name] != value:
                yield Difference("score-differs", path((*at, "scores", place, name)), score[name], value)
