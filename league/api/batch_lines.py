"""The body of a batch: lines of JSON (NDJSON), read as a stream into a temporary file, never more than a piece at once.

It is kept there until all of it has come: a sender who breaks off, or is slow, holds no transaction open and leaves
nothing behind.
"""

import hashlib
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Final

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.bodies import incomplete, media_type, pieces_of
from league.api.problems import RequestFault, problem
from league.errors import TooLarge
from league.services.batches import Line

NDJSON: Final = "application/x-ndjson"
MOST_ITEMS: Final = 10_000
LANES: Final = 4
"""How many workers may be at a batch of many parties side by side."""

_GZIP: Final = "gzip"
_PIECE: Final = 64 * 1024  # bytes
_IN_MEMORY: Final = 1024 * 1024  # bytes


class _Said(msgspec.Struct):
    partie: int | str


class _Head(msgspec.Struct):
    """As much of a line as says in which lane it goes. Whether it is right is seen when it is done."""

    result: _Said | None = None


@dataclass(slots=True)
class Body:
    """What came in: its digest, and how many items it has."""

    file: IO[bytes]
    sha256: str
    item_count: int = 0
    lanes: int = 1

    def lines(self, request: Request) -> Iterator[Line]:
        """The items, each with its lane; one that is too long has its answer already."""
        for number, text in _numbered(self.file):
            if len(text) > settings.BODY_LIMIT:
                refused = problem(request, TooLarge(settings.BODY_LIMIT))
                said = {"status": 413, "code": "too-large", "problem": msgspec.json.decode(refused.content)}
                yield Line(number, b"", answer=said)
            else:
                yield Line(number, text, self._lane(text))

    def _lane(self, text: bytes) -> int:
        if self.lanes == 1:
            return 0
        partie = _partie_of(text)
        return zlib.crc32(str(partie).encode()) % self.lanes


@contextmanager
def received(request: Request) -> Iterator[Body]:
    """The body of a request that brings a batch, whole.

    Raises RequestFault: 415, 411, 400 `incomplete-body` or `malformed-body` (no gzip); 413 `too-large`,
    `too-many-items`; 422 `empty-batch`.
    """
    media_type(request, (NDJSON,), encodings=(_GZIP,))
    digest = hashlib.sha256()
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        for piece in _plain(request):
            digest.update(piece)
            file.write(piece)
        body = Body(file, digest.hexdigest())
        _look_through(body)
        yield body


def _plain(request: Request) -> Iterator[bytes]:
    """The body without its compression, piece by piece. The limit is that of both."""
    limit = settings.BATCH_LIMIT
    total = 0
    try:
        pieces = pieces_of(request.META, limit)
        packed = request.META.get("HTTP_CONTENT_ENCODING", "").lower() == _GZIP
        for piece in _unpacked(pieces) if packed else pieces:
            total += len(piece)
            if total > limit:
                raise TooLarge(limit)
            yield piece
    except TooLarge:
        message = _("A batch has at most %(limit)s MiB: send several.") % {"limit": limit // 1024**2}
        raise RequestFault("too-large", message, status=413, extra={"limit": limit}) from None


def _unpacked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    unpacker, begun = zlib.decompressobj(wbits=31), False  # 31: gzip
    try:
        for piece in pieces:
            rest = piece
            while rest:
                if unpacker.eof:  # another member follows
                    unpacker = zlib.decompressobj(wbits=31)
                begun = True
                yield unpacker.decompress(rest, _PIECE)
                rest = unpacker.unconsumed_tail or unpacker.unused_data
        yield unpacker.flush()
    except zlib.error as error:
        raise RequestFault("malformed-body", _("This is not gzip: %(why)s") % {"why": error}) from None
    if begun and not unpacker.eof:
        raise incomplete()


def _look_through(body: Body) -> None:
    """Count the items, and see whether several workers may be at them.

    They may where every line is a result of a partie that is always named in one way: then the items of a partie stay
    in order if they share a lane. Anything else may stand upon the line before it.
    """
    named: Counter[type | None] = Counter()
    parties = set()
    for number, text in _numbered(body.file):
        body.item_count += 1
        if body.item_count > MOST_ITEMS:
            message = _("A batch has at most %(n)s items: send several.") % {"n": MOST_ITEMS}
            raise RequestFault("too-many-items", message, status=413, extra={"limit": MOST_ITEMS, "line": number})
        partie = _partie_of(text)
        named[type(partie) if partie is not None else None] += 1
        parties.add(partie)
    if not body.item_count:
        raise RequestFault("empty-batch", _("There is no line in it."), status=422)
    if len(named) == 1 and None not in named:
        body.lanes = min(LANES, len(parties))


def _partie_of(text: bytes) -> int | str | None:
    try:
        said = msgspec.json.decode(text, type=_Head).result
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return said.partie if said else None


def _numbered(file: Any) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1. One over the limit is cut off behind it."""
    limit = settings.BODY_LIMIT
    file.seek(0)
    number = 0
    while text := file.readline(limit + 2):
        number += 1
        rest = text
        while rest and not rest.endswith(b"\n"):
            rest = file.readline(_PIECE)
        text = text.rstrip(b"\r\n")
        if text.strip():
            yield number, text
