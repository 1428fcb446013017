"""Server-sent events (the HTML standard, 9.2): a feed to which somebody listens.

Written by the thread of the request, since an async view hangs under gunicorn's threads. A stream ends by itself after
some minutes: the listener comes back with the id of the last event, and has missed nothing.
"""

import time
from collections.abc import Generator
from typing import Any, Final

import msgspec
from django.http import StreamingHttpResponse
from django.utils import translation
from django.utils.translation import get_language
from rest_framework.exceptions import APIException

from league.api.change_shapes import cursor_of
from league.api.feed_reader import Part, Reader
from league.api.waiting import SEATS, let_go
from league.errors import UserFault

EVENTS: Final = "text/event-stream"
LASTS: Final = 240
"""Seconds after which a stream ends."""
BEATS: Final = 10
"""Seconds between two signs of life; who has gone away is noticed by them."""
COMES_BACK: Final = 2000
"""Milliseconds after which a listener comes back."""


class Events:
    """What is sent, in bytes, and the seat that the request has taken: it is given back once, whatever happens."""

    def __init__(self, reader: Reader, start: int, sender: str, *, lasts: float = LASTS, beats: float = BEATS) -> None:
        self._sent = _sent(reader, start, lasts, beats, get_language())
        self._sender, self._has_seat = sender, True

    def __iter__(self) -> "Events":
        return self

    def __next__(self) -> bytes:
        return next(self._sent)

    def close(self) -> None:
        """The end, also of a stream of which nothing was read. Django calls it when the request is over."""
        self._sent.close()
        if self._has_seat:
            self._has_seat = False
            SEATS.leave(self._sender)
            let_go()


def streamed(events: Events) -> StreamingHttpResponse:
    """The answer: nothing on the way may keep it back or keep it."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events, content_type=f"{EVENTS}; charset=utf-8", headers=headers)


def _sent(
    reader: Reader, position: int, lasts: float, beats: float, language: str | None
) -> Generator[bytes, None, None]:
    ends = time.monotonic() + lasts
    part = Part([], position, position)
    with translation.override(language):
        try:
            part = reader.read(position)
            state = {"next": cursor_of(part.next), "head": cursor_of(part.head)}
            yield f"retry: {COMES_BACK}\n".encode() + _event("state", cursor_of(position), state)
            while True:
                for item in part.items:
                    yield _event("change", item["cursor"], item)
                # what was left aside is passed over for good
                yield f": still here\nid: {cursor_of(part.next)}\n\n".encode()
                left = ends - time.monotonic()
                if left <= 0:
                    return
                part = reader.wait(part.next, min(beats, left))
        except (UserFault, APIException):  # it may not be read any more: who comes back is told why
            return


def _event(name: str, cursor: str, data: Any) -> bytes:
    text = msgspec.json.encode(data, enc_hook=str)
    return b"event: %s\nid: %s\ndata: %s\n\n" % (name.encode(), cursor.encode(), text)
