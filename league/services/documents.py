"""A document as it came in, read and judged. Nothing here touches a row: it is done before any lock is taken."""

import hashlib
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings

from engine.rulebooks import Rulebook
from league.errors import TooLarge
from league.models import Kind, Media
from scoring.documents import open_bytes
from scoring.verdicts import Judged, examine


class Frame(NamedTuple):
    """What a document says of its table: the rulebook with house rules laid over, the target in km, who plays.

    `teams` are labels in ASCII order; `members` their players, `seats` the players in order of play: both None in a
    sheet, which does not say.
    """

    rulebook: Rulebook
    target: int
    teams: tuple[str, ...]
    players_per_team: int
    members: dict[str, list[str]] | None = None
    seats: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What was handed in: the bytes, their digest, and what judging them says (RULES 10 and 11)."""

    body: bytes
    sha256: str
    judged: Judged

    @property
    def media(self) -> Media:
        """JSON or text."""
        return Media(self.judged.document.writing)

    @property
    def kind(self) -> Kind:
        """A log or a sheet."""
        return Kind(self.judged.kind)

    @property
    def verdict(self) -> dict[str, Any]:
        """The verdict in JSON's types."""
        return self.judged.verdict

    @property
    def frame(self) -> Frame | None:
        """What the document says of its table, None where it is refused before it has one."""
        document, rulebook = self.judged.document, self.judged.rulebook
        if rulebook is None:
            return None
        if document.sheet is not None:
            sheet = document.sheet.sheet
            return Frame(rulebook, sheet.first_target, tuple(sheet.teams), sheet.shape.players) if sheet else None
        log = document.log
        if log is None:
            return None
        players = len(log.seats) // len(log.teams)
        shape = rulebook.table(len(log.teams), players)
        if shape is None:
            return None
        return Frame(rulebook, shape.target(log.target), tuple(sorted(log.teams)), players, log.teams, tuple(log.seats))


def read_document(body: bytes) -> Reading:
    """Read and judge what was handed in. Raises TooLarge; never for bad content, which is a verdict."""
    if len(body) > settings.BODY_LIMIT:
        raise TooLarge(settings.BODY_LIMIT)
    return Reading(body, hashlib.sha256(body).hexdigest(), examine(open_bytes(body)))


def refusal_code(verdict: dict[str, Any]) -> str | None:
    """The code of a log's refusal or of a sheet's first fault; None for a valid document."""
    if verdict["valid"]:
        return None
    return str(verdict["code"] if verdict.get("code") else verdict["faults"][0][0])
