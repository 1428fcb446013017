"""A log or a sheet judged for anybody: a pure function, nothing of it is stored."""

import json
from dataclasses import dataclass
from typing import Any

from league.services.documents import Reading, read_document
from scoring.sheet_warnings import sheet_warnings, warning_name

__all__ = ["Reading", "Warned", "check", "warnings_of"]


def check(*, body: bytes) -> Reading:
    """Judge a document as it came: its kind, its writing, its digest, its verdict. Touches no row. Raises TooLarge."""
    return read_document(body)


@dataclass(frozen=True, slots=True)
class Warned:
    """What a sheet hardly ever says: its name, by which it is acknowledged, and the document that says why."""

    name: str
    why: dict[str, Any]


def warnings_of(*, body: bytes) -> list[Warned]:
    """The warnings of a sheet that has no fault (scoring.sheet_warnings); none of a log, or of what is no document."""
    try:
        found = sheet_warnings(json.loads(body))
    except ValueError:
        return []
    return [Warned(warning_name(warning), warning.to_document()) for warning in found]
