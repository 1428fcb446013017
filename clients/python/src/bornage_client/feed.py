"""What changed, in order, without gap or repeat; and a mirror that is kept equal by it."""

from collections.abc import Iterator, MutableMapping
from typing import Any, cast

from bornage_client.shapes import Change, Changes
from bornage_client.transport import Transport

Key = tuple[str, str | None, str]
"""Kind, championship and key of a thing."""


class Feed:
    """The changes of a site, or of one championship, after a cursor.

    `cursor` stands behind what was taken: it moves on when the next change is asked for. Keep that of a change with
    what you make of it, and give it to another process to go on.
    """

    def __init__(self, transport: Transport, path: str = "changes", *, cursor: str | None = None) -> None:
        self._transport = transport
        self._path = path
        self.cursor = cursor

    def read(self, *, wait: int = 0, limit: int = 100) -> list[Change]:
        """The next changes; empty where there are none, after `wait` seconds (at most 25). The cursor moves on."""
        said, _pause = self._read(wait, limit)
        self.cursor = said["next"]
        return said["items"]

    def to_head(self, *, limit: int = 100) -> Iterator[Change]:
        """All changes up to now."""
        while True:
            said, _pause = self._read(0, limit)
            yield from self._taken(said)
            if said["next"] == said["head"]:
                return

    def follow(self, *, wait: int = 20) -> Iterator[Change]:
        """Changes for ever, as they come."""
        while True:
            said, pause = self._read(wait, 100)
            yield from self._taken(said)
            if pause:  # too many wait already
                self._transport.sleep(pause)

    def _read(self, wait: int, limit: int) -> tuple[Changes, float]:
        params = {"after": self.cursor, "limit": limit, "wait": wait or None}
        response = self._transport.get(self._path, params, remembers=False, wait=wait)
        return cast(Changes, response.json()), float(response.headers.get("Retry-After", 0))

    def _taken(self, said: Changes) -> Iterator[Change]:
        for change in said["items"]:
            yield change
            self.cursor = change["cursor"]
        self.cursor = said["next"]


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
        """Take in one change: the thing as it is now, or that it is gone."""
        key = (change["kind"], change["championship"], change["key"])
        if change["data"] is None:
            self.things.pop(key, None)
        else:
            self.things[key] = change["data"]

    def of(self, kind: str, championship: str | None = None) -> dict[str, Any]:
        """What there is of a kind, in a championship or, of players and clubs, in none: by key."""
        return {key: data for (one, slug, key), data in self.things.items() if (one, slug) == (kind, championship)}
