"""Lists, followed page by page to their end."""

from collections.abc import Iterator, Mapping
from typing import Any

from bornage_client.shapes import Json
from bornage_client.transport import Transport

_TURNS = 20


def items(transport: Transport, path: str, params: Mapping[str, Any] | None = None) -> Iterator[Any]:
    """The items of a list, page after page, as they are asked for; `limit` in `params`: how many a page."""
    for page in _pages(transport, path, params):
        yield from page["items"]


def together(transport: Transport, path: str, params: Mapping[str, Any] | None, *, by: tuple[str, ...]) -> list[Any]:
    """The items of a list that is replaced as a whole: read anew when a page is not of the same state, told `by`.

    Where it is replaced faster than it can be read, what came last.
    """
    found: list[Any] = []
    for _turn in range(_TURNS):
        pages = list(_pages(transport, path, params))
        found = [item for page in pages for item in page["items"]]
        if all(page[name] == pages[0][name] for page in pages for name in by):
            break
    return found


def _pages(transport: Transport, path: str, params: Mapping[str, Any] | None) -> Iterator[Json]:
    page = transport.get(path, {"limit": 100, **(params or {})}).json()
    while True:
        yield page
        if page["next"] is None:
            return
        page = transport.get(page["next"]).json()
