"""A document as it came in, read and judged: which writing, log or sheet, what it says about itself, its verdict.

Nothing here touches a row: the document is judged before any lock is taken.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from engine.notation import FormatError, decode_json, decode_utf8, to_document
from engine.text_notation import read_text
from league.errors import TooLarge
from league.models import Kind, Media
from scoring.verdicts import judge_bytes

_MALFORMED = frozenset({"malformed-log", "malformed-sheet"})


@dataclass(frozen=True, slots=True)
class Reading:
    """What a document is and what judging it says.

    `document` is its JSON form (a text log's too), None where it is so malformed that it says nothing about itself.
    `verdict` has the shape of RULES 10 for a log and of RULES 11 for a sheet. `body` are the bytes themselves.
    """

    body: bytes
    sha256: str
    media: Media
    kind: Kind
    document: dict[str, Any] | None
    verdict: dict[str, Any]

    @property
    def code(self) -> str | None:
        """The refusal's code, a sheet's first fault's, or None for a valid document."""
        return refusal_code(self.verdict)


def refusal_code(verdict: dict[str, Any]) -> str | None:
    """The code of a log's refusal or of a sheet's first fault; None for a valid document."""
    if verdict["valid"]:
        return None
    return str(verdict["code"] if verdict.get("code") else verdict["faults"][0][0])


def read_document(body: bytes) -> Reading:
    """Read and judge what was handed in. Raises TooLarge; never for bad content, which is a verdict."""
    if len(body) > settings.BODY_LIMIT:
        raise TooLarge(settings.BODY_LIMIT)
    verdict = judge_bytes(body)
    media = Media.JSON if body.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[") else Media.TEXT
    kind = Kind.SHEET if "faults" in verdict else Kind.LOG
    document = None if refusal_code(verdict) in _MALFORMED else _document(body, media)
    return Reading(body, hashlib.sha256(body).hexdigest(), media, kind, document, verdict)


def _document(body: bytes, media: Media) -> dict[str, Any] | None:
    try:
        document = decode_json(decode_utf8(body)) if media == Media.JSON else to_document(read_text(body))
    except FormatError:
        return None
    return document if isinstance(document, dict) else None
