"""A document as it came in, read and judged. Nothing here touches a row: it is done before any lock is taken."""

import hashlib
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from league.errors import TooLarge
from league.models import Kind, Media
from scoring.documents import open_bytes
from scoring.frames import Frame, frame_of
from scoring.verdicts import Judged, examine


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
        return frame_of(self.judged)


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
