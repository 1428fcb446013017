"""Lists: `limit` items a page, found again by a cursor that nobody need understand.

A page is `{"items": [...], "next": address or null, "previous": address or null}`; the same addresses stand in the Link
header (RFC 8288). As CSV a list comes whole up to MOST_OF_TABLE lines, read CHUNK at a time; then goes on as `next`.
"""

import base64
import binascii
from collections.abc import Callable
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

import msgspec
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import parameters, tables
from league.api.problems import bad_cursor
from league.selectors.paging import LARGEST, SIZE, Page
from league.selectors.windows import Asked, Key, Window

T = TypeVar("T")

MOST_OF_TABLE: Final = 10_000
CHUNK: Final = 500

PARAMETERS = [
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MOST_OF_TABLE},
        description=f"Items a page: {SIZE}, at most {LARGEST}; as CSV {MOST_OF_TABLE}, which is the most.",
    ),
    OpenApiParameter("cursor", str, description="From `next` or `previous` of another page of the same list."),
]

ORDER: Final = OpenApiParameter(
    "order",
    str,
    enum=("name", "id"),
    description="By name, or by id: then nothing is skipped or repeated that gets another name meanwhile.",
)


class _Cursor(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    is_before: bool
    key: list[int | str]


def asked(request: Request) -> Asked:
    """Which part of a list a request asks for. Raises RequestFault."""
    size = parameters.integer(request, "limit", most=most(request)) or (MOST_OF_TABLE if is_table(request) else SIZE)
    text = request.query_params.get("cursor")
    if text is None:
        return Asked(size)
    try:
        cursor = msgspec.json.decode(base64.urlsafe_b64decode(text.encode("ascii")), type=_Cursor)
    except (ValueError, binascii.Error) as error:  # msgspec's errors are ValueErrors
        raise bad_cursor() from error
    key = tuple(cursor.key)
    return Asked(size, before=key) if cursor.is_before else Asked(size, after=key)


def is_table(request: Request) -> bool:
    """Whether a list is asked for as CSV."""
    return bool(request.accepted_media_type == tables.MEDIA)


def is_by_id(request: Request) -> bool:
    """Whether a list that is usually sorted by name is asked for by id. Raises RequestFault."""
    return parameters.choice(request, "order", ("name", "id")) == "id"


def most(request: Request) -> int:
    """How many items a page may have."""
    return MOST_OF_TABLE if is_table(request) else LARGEST


def found_by(find: Callable[..., Window[T]], request: Request) -> Window[T]:
    """The part of a list that a request asks for, of a selector that takes `asked`. Raises RequestFault."""
    part = asked(request)
    if part.size <= CHUNK:
        return find(asked=part)
    first = window = find(asked=Asked(CHUNK, part.after, part.before))
    items = list(window.items)
    while len(items) < part.size:
        following = window.next if part.before is None else window.previous
        if following is None:
            break
        size = min(CHUNK, part.size - len(items))
        window = find(asked=Asked(size, following.after, following.before))
        items = [*items, *window.items] if part.before is None else [*window.items, *items]
    start, end = (first, window) if part.before is None else (window, first)
    return Window(items, _sized(start.previous, part.size), _sized(end.next, part.size))


def _sized(part: Asked | None, size: int) -> Asked | None:
    return None if part is None else Asked(size, part.after, part.before)


def listing(request: Request, serializer: type[serializers.Serializer[Any]], window: Window[Any]) -> Response:
    """A page of a list. Other members may be added to its `data`."""
    links = {"next": _address(request, window.next), "previous": _address(request, window.previous)}
    response = Response({"items": serializer(window.items, many=True).data, **links})
    said = [
        f'<{address}>; rel="{relation}"'
        for relation, address in (("next", links["next"]), ("prev", links["previous"]))
        if address is not None
    ]
    if said:
        response["Link"] = ", ".join(said)
    return response


def _address(request: Request, part: Asked | None) -> str | None:
    if part is None:
        return None
    key: Key = part.after if part.before is None else part.before  # type: ignore[assignment]  # one of them is there
    cursor = base64.urlsafe_b64encode(msgspec.json.encode(_Cursor(part.before is not None, list(key)))).decode()
    query = {**request.query_params.dict(), "cursor": cursor}
    return request.build_absolute_uri(f"{request.path}?{urlencode(query)}")


def page_number(part: Asked) -> int:
    """The number, from 1, of a page in a list whose keys are its places 1, 2, 3 … Raises RequestFault."""
    if part.before is not None or (part.after is not None and (len(part.after) != 1 or type(part.after[0]) is not int)):
        raise bad_cursor()
    place = int(part.after[0]) if part.after else 0
    if place % part.size or not 0 <= place < 2**31:
        raise bad_cursor()
    return place // part.size + 1


def window_of_page(page: Page[Any]) -> Window[Any]:
    """A numbered page of such a list as a window."""
    before, behind = (page.number - 2) * page.size, page.number * page.size
    return Window(
        items=page.items,
        previous=Asked(page.size, after=(before,)) if page.has_previous else None,
        next=Asked(page.size, after=(behind,)) if page.has_next else None,
    )


def page_of(
    item: type[serializers.Serializer[Any]], *, name: str = "", **more: serializers.Field[Any, Any, Any, Any]
) -> Any:
    """The serializer that describes a page of these items; `more`: what it says beside them."""
    name = name or item.__name__.removesuffix("Serializer")
    fields: dict[str, Any] = {
        **more,
        "items": item(many=True),
        "next": serializers.URLField(allow_null=True),
        "previous": serializers.URLField(allow_null=True),
    }
    return type(f"{name}PageSerializer", (serializers.Serializer,), {**fields, "item_of_page": item})
