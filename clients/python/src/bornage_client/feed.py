"""What changed, in order, without gap or repeat; and a mirror that is kept equal by it."""

from collections.abc import Iterator, MutableMapping
from typing import Any, cast

from bornage_client.shapes import Change
from bornage_client.transport import Transport

Key = tuple[str, str | None, str]
"""Kind, championship and key of a thing."""

_PUBLIC_ALONE = frozenset({"player", "club"})


class Feed:
    """The changes of a site, or of one championship, after a cursor. Keep `cursor` to go on where you were."""

    def __init__(self, transport: Transport, path: str = "changes", *, cursor: str | None = None) -> None:
        self._transport = transport
        self._path = path
        self.cursor = cursor

    def read(self, *, wait: int = 0, limit: int = 100) -> list[Change]:
        """The next changes; empty where there are none, after `wait` seconds (at most 25). The cursor moves on."""
        params = {"after": self.cursor, "limit": limit, "wait": wait or None}
        said = self._transport.get(self._path, params).json()
        self.cursor = said["next"]
        return cast("list[Change]", said["items"])

    def to_head(self, *, limit: int = 100) -> Iterator[Change]:
        """All changes up to now."""
        while True:
            before = self.cursor
            found = self.read(limit=limit)
            yield from found
            if not found and self.cursor == before:
                return

    def follow(self, *, wait: int = 20) -> Iterator[Change]:
        """Changes for ever, as they come."""
        while True:
            yield from self.read(wait=wait)


class Mirror:
    """A copy of what a feed shows. `things` may be any mapping of yours; keep `feed.cursor` beside it."""

    def __init__(self, feed: Feed, things: MutableMapping[Key, Any] | None = None) -> None:
        self.feed = feed
        self.things: MutableMapping[Key, Any] = {} if things is None else things

    def update(self) -> int:
        """Take in all changes up to now; how many there were."""
        count = 0
        for change in self.feed.to_head():
            self.take(change)
            count += 1
        return count

    def take(self, change: Change) -> None:
        """Take in one change. A championship that is not public any more takes all that is in it along."""
        key = (change["kind"], change["championship"], change["key"])
        data = change.get("data")
        if data is not None:
            self.things[key] = data
            return
        self.things.pop(key, None)
        if change["kind"] == "championship":
            for other in [
                other for other in self.things if other[1] == change["key"] and other[0] not in _PUBLIC_ALONE
            ]:
                del self.things[other]
