"""A document as it comes in: its bytes, never more than BODY_LIMIT of them, whatever the framing.

Django reads no body that does not say its length: one that comes in chunks is read here, from the server's own stream.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.problems import RequestFault
from league.errors import TooLarge
from scoring.documents import begins_json

JSON = "application/json"
TEXT = "text/plain"
BORNES = "application/vnd.bornes"
MEDIA_TYPES = (JSON, BORNES, TEXT)
"""What a log or a sheet may come as. BORNES is the text writing of a log (RULES 9)."""

_JSON_TYPES = (JSON, "application/merge-patch+json")
_READ = "_bornage_body"
_PIECE = 64 * 1024  # bytes
_CHARSETS = ("utf-8", "utf8", "us-ascii")


def read_document(request: Request) -> bytes:
    """The body of a request that brings a log or a sheet.

    Raises RequestFault: 415 for another media type, character set or a compressed body; 411, 400 `incomplete-body`;
    400 `malformed-log` for what is called JSON and does not begin as a log or a sheet does. Raises TooLarge.
    """
    media = media_type(request)
    body = _read(request.META, settings.BODY_LIMIT)
    if media == JSON and not begins_json(body):
        message = _("This body is called JSON, and does not begin with a brace. A text log is text/plain.")
        raise RequestFault("malformed-log", message, extra={"line": 1, "column": 1})
    return body


def read_json(request: Request) -> bytes:
    """The body of a request that brings JSON, empty where it brings nothing; read once, however often it is asked for.

    Raises RequestFault: 415 for another media type or a compressed body; 411, 400 `incomplete-body`. Raises TooLarge.
    """
    known: bytes | None = getattr(request, _READ, None)
    if known is None:
        known = _read(request.META, settings.BODY_LIMIT)
        if known:
            media_type(request, _JSON_TYPES)
        setattr(request, _READ, known)
    return known


def media_type(request: Request, welcome: Sequence[str] = MEDIA_TYPES, *, encodings: Sequence[str] = ()) -> str:
    """What a body comes as, one of those that are welcome, plain or in one of these encodings. Raises RequestFault."""
    said = request.META.get("CONTENT_TYPE", "")
    media: str
    media, *parameters = [part.strip().lower() for part in said.split(";")]
    charset = next((p.partition("=")[2].strip('"') for p in parameters if p.startswith("charset=")), "utf-8")
    if media not in welcome or charset not in _CHARSETS:
        raise _unsupported(_("Send it as %(types)s, in UTF-8.") % {"types": ", ".join(welcome)}, welcome)
    if request.META.get("HTTP_CONTENT_ENCODING", "identity").lower() not in ("identity", *encodings):
        raise _unsupported(_("Send it without compression."), welcome, encodings)
    return media


def _unsupported(message: str, welcome: Sequence[str], encodings: Sequence[str] = ()) -> RequestFault:
    headers = {"Accept-Post": ", ".join(welcome), "Accept-Encoding": ", ".join((*encodings, "identity"))}
    return RequestFault("unsupported-media-type", message, status=415, headers=headers)


def _read(environ: dict[str, Any], limit: int) -> bytes:
    return b"".join(pieces_of(environ, limit))


def pieces_of(environ: dict[str, Any], limit: int) -> Iterator[bytes]:
    """The body piece by piece, by its length, or to its end where the server takes the framing off itself.

    Raises TooLarge beyond `limit` bytes, unread where the length says so; RequestFault 411, 400 `incomplete-body`.
    """
    stream = environ["wsgi.input"]
    said = environ.get("CONTENT_LENGTH") or ""
    if said.isascii() and said.isdecimal():
        length = int(said)
        if length > limit:
            raise TooLarge(limit)
        read = 0
        for piece in _up_to(stream, length):
            read += len(piece)
            yield piece
        if read < length:
            raise incomplete()
        return
    if "chunked" not in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
        return
    if not environ.get("wsgi.input_terminated"):
        message = _("Say how long the body is: chunks cannot be read here.")
        raise RequestFault("length-required", message, status=411)
    read = 0
    for piece in _up_to(stream, limit + 1):
        read += len(piece)
        if read > limit:
            raise TooLarge(limit)
        yield piece


def _up_to(stream: Any, most: int) -> Iterator[bytes]:
    missing = most
    try:
        while missing and (piece := stream.read(min(missing, _PIECE))):
            missing -= len(piece)
            yield piece
    except Exception as error:  # every server has its own for a sender who breaks off or frames wrongly
        raise incomplete() from error


def incomplete() -> RequestFault:
    """The fault of a body that ends too early."""
    return RequestFault("incomplete-body", _("The body broke off: send it again."))
