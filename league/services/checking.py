"""A log or a sheet judged for anybody: a pure function, nothing of it is stored."""

from league.services.documents import Reading, read_document

__all__ = ["Reading", "check"]


def check(*, body: bytes) -> Reading:
    """Judge a document as it came: its kind, its writing, its digest, its verdict. Touches no row. Raises TooLarge."""
    return read_document(body)
