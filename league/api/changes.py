"""The feed: what changed, in the order of commits, asked once or listened to."""

from typing import Final

from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import parameters
from league.api.change_shapes import ChangesSerializer, cursor_of
from league.api.feed_reader import LARGEST_WITH_DATA, LIMIT, PARAMETERS, reader_of
from league.api.manches import as_is
from league.api.openapi import problems
from league.api.problems import RequestFault
from league.api.streams import EVENTS, Events, streamed
from league.api.throttles import sender_of
from league.api.views import ApiView
from league.api.waiting import SEATS

LONGEST_WAIT: Final = 25
"""Seconds; what stands between gives up after thirty."""
RETRY_AFTER: Final = "5"
"""Seconds after which who found no seat may ask again."""

_WAIT = OpenApiParameter(
    "wait",
    {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT, "default": 0},
    description="Seconds to wait for something where there is nothing. Answered at once, with Retry-After, while too "
    "many wait already.",
)
_LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    str,
    OpenApiParameter.HEADER,
    description="The id of the last event that came, as browsers send it; goes before `after`.",
)
_STREAM = {
    (200, EVENTS): {
        "type": "string",
        "description": "First an event `state` with `next` and `head`, then an event `change` for each change, whose "
        "data are an item of the other address. The id of each is a cursor. It ends after some minutes: come back.",
    }
}


class ChangesView(ApiView):
    """The feed of everything that is listed."""

    @extend_schema(
        operation_id="list_changes",
        tags=["changes"],
        parameters=[*PARAMETERS, LIMIT, _WAIT],
        responses={200: ChangesSerializer, **problems(400)},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """What changed in public championships, of their players, and of clubs, in the order of commits."""
        return _answered(request, None)


class ChampionshipChangesView(ApiView):
    """The feed of a championship."""

    @extend_schema(
        operation_id="list_championship_changes",
        tags=["changes"],
        parameters=[*PARAMETERS, LIMIT, _WAIT],
        responses={200: ChangesSerializer, **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """What changed in a championship, in the order of commits: `data` is what everybody sees once it is public."""
        return _answered(request, slug)


class ChangesStreamView(ApiView):
    """The feed of everything that is listed, listened to."""

    renderer_classes = (as_is(EVENTS),)

    @extend_schema(
        operation_id="stream_changes",
        tags=["changes"],
        parameters=[*PARAMETERS, _LAST_EVENT_ID],
        responses={**_STREAM, **problems(400, 503)},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """As `changes`, as server-sent events."""
        return _listened(request, None)


class ChampionshipChangesStreamView(ApiView):
    """The feed of a championship, listened to."""

    renderer_classes = (as_is(EVENTS),)

    @extend_schema(
        operation_id="stream_championship_changes",
        tags=["changes"],
        parameters=[*PARAMETERS, _LAST_EVENT_ID],
        responses={**_STREAM, **problems(400, 404, 503)},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """As the `changes` of a championship, as server-sent events."""
        return _listened(request, slug)


def _answered(request: Request, slug: str | None) -> Response:
    reader = reader_of(request, slug)
    seconds = parameters.integer(request, "wait", least=0, most=LONGEST_WAIT) or 0
    start = reader.start()
    part, waits = reader.read(start), False
    if seconds and not part.items:
        sender = sender_of(request)
        waits = SEATS.take(sender)
        if waits:
            try:
                part = reader.wait(part.next, seconds)
            finally:
                SEATS.leave(sender)
    response = Response({"items": part.items, "next": cursor_of(part.next), "head": cursor_of(part.head)})
    if seconds and not part.items and not waits:
        response["Retry-After"] = RETRY_AFTER
    return response


def _listened(request: Request, slug: str | None) -> HttpResponseBase:
    reader = reader_of(request, slug, limit=LARGEST_WITH_DATA)
    start = reader.start()
    sender = sender_of(request)
    if not SEATS.take(sender):
        message = _("Too many listen at the moment. Come again in some seconds, or ask without listening.")
        raise RequestFault("too-many-listeners", message, status=503, headers={"Retry-After": RETRY_AFTER})
    return streamed(Events(reader, start, sender))
