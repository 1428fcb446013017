"""Lists, followed page by page to their end."""

from collections.abc import Iterator, Mapping
from typing import Any

from bornage_client.transport import Transport


def items(transport: Transport, path: str, params: Mapping[str, Any] | None = None) -> Iterator[Any]:
    """The items of a list, page after page, as they are asked for; `limit` in `params`: how many a page."""
    page = transport.get(path, {"limit": 100, **(params or {})}).json()
    while True:
        yield from page["items"]
        if page["next"] is None:
            return
        page = transport.get(page["next"]).json()
