"""A feed as a request asks for it: from which cursor, which kinds, with what is there now or without."""

import time
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from league.api import parameters
from league.api.change_shapes import bad_cursor, folded, position_of, shown, with_few_rankings
from league.api.identity import actor_of, require_still_known
from league.api.problems import RequestFault
from league.api.waiting import LOOKOUT, let_go
from league.models import Championship, ChangeKind
from league.selectors.addresses import championship_at
from league.selectors.feed import LARGEST, changes
from league.services.feed import number_changes

LARGEST_WITH_DATA: Final = 100
NOW: Final = "now"
ASKED_EVERY: Final = 10.0
"""Seconds that somebody waits before it is looked whether they may still be answered."""
_ASKED_JUST_NOW: Final = 4.0  # seconds; with the above, a token that is no longer good ends a wait within 15

PARAMETERS: Final = [
    OpenApiParameter(
        "after",
        str,
        description="A cursor: `next`, or that of an item; they are good for ever. Left out: from the beginning. "
        "`now`: only what comes from now on.",
    ),
    OpenApiParameter("kinds", str, description=f"Only these, separated by commas: {', '.join(ChangeKind.values)}."),
    OpenApiParameter("data", bool, description="`false` leaves `data` out."),
]
LIMIT: Final = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": LARGEST, "default": LARGEST_WITH_DATA},
    description=f"Changes that are looked at, with `data` at most {LARGEST_WITH_DATA}. Several of one thing are "
    "answered as the last of them, so there may be fewer items, or none: what tells where it goes on is `next`.",
)


@dataclass(frozen=True, slots=True)
class Part:
    """Some changes as they are answered; `next`: the position up to which they go; `head`: that of the last of all."""

    items: list[dict[str, Any]]
    next: int
    head: int


@dataclass(slots=True)
class Reader:
    """Reads what a request asks for, part by part; whether it may is asked of policy each time, and who it is that asks
    every few seconds.

    `slug`: of a championship, or None for everything that is listed.
    """

    request: Request
    slug: str | None
    kinds: tuple[str, ...]
    with_data: bool
    limit: int
    _asked_at: float = field(default_factory=time.monotonic, init=False, compare=False, repr=False)

    def start(self) -> int:
        """The position from which the request goes on. Raises RequestFault `bad-cursor`, NotFound."""
        self._championship()
        cursor, field = self.request.META.get("HTTP_LAST_EVENT_ID"), "Last-Event-ID"
        if cursor is None:
            cursor, field = parameters.text(self.request, "after"), "after"
        if cursor is None:
            return 0
        head = number_changes()
        position = head if (cursor, field) == (NOW, "after") else position_of(cursor, field=field)
        if position > head:
            raise bad_cursor(field)
        return position

    def read(self, after: int) -> Part:
        """What comes after a position. Raises NotFound; as `require_still_known`."""
        self._ask_who()
        championship = self._championship()
        found = changes(
            after=after,
            limit=self.limit,
            championship_id=championship.pk if championship else None,
            kinds=self.kinds,
        )
        lines = with_few_rankings(found.lines) if self.with_data else found.lines
        end = found.next if len(lines) == len(found.lines) else lines[-1].position
        items = shown(folded(lines), championship=championship, with_data=self.with_data)
        return Part(items, end, found.head)

    def wait(self, after: int, seconds: float) -> Part:
        """What comes after a position, if need be within so many seconds; without a connection meanwhile.

        Raises as `read`, which looks again who asks.
        """
        deadline = time.monotonic() + seconds
        part = self.read(after)
        while not part.items:
            let_go()
            left = deadline - time.monotonic()
            if not LOOKOUT.wait_beyond(part.next, min(left, ASKED_EVERY)) and left <= ASKED_EVERY:
                break
            part = self.read(part.next)
        return part

    def _ask_who(self) -> None:
        now = time.monotonic()
        if now - self._asked_at >= _ASKED_JUST_NOW:
            require_still_known(self.request)
            self._asked_at = now

    def _championship(self) -> Championship | None:
        return None if self.slug is None else championship_at(actor_of(self.request), self.slug)


def reader_of(request: Request, slug: str | None, *, limit: int | None = None) -> Reader:
    """What a request asks for. `limit`: where it is not the request's own. Raises RequestFault."""
    with_data = parameters.truth(request, "data") is not False and _names_data(request)
    if limit is None:
        most = LARGEST_WITH_DATA if with_data else LARGEST
        limit = parameters.integer(request, "limit", most=most) or LARGEST_WITH_DATA
    return Reader(request, slug, _kinds(request), with_data, limit)


def _kinds(request: Request) -> tuple[str, ...]:
    said = parameters.text(request, "kinds")
    kinds = () if said is None else tuple(said.split(","))
    if set(kinds) <= set(ChangeKind.values):
        return kinds
    message = _("Some of these are expected, separated by commas: %(choices)s.") % {
        "choices": ", ".join(ChangeKind.values)
    }
    raise RequestFault("bad-parameter", message, field="kinds")


def _names_data(request: Request) -> bool:
    """Whether `fields`, where it is said, asks for data."""
    said = request.query_params.get("fields")
    return said is None or any(path == "items" or path.startswith("items.data") for path in said.split(","))
