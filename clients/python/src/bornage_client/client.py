"""What can be asked of a site: its lists, a championship, and results handed in."""

import json
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self, cast

import httpx

from bornage_client import batches, pages
from bornage_client.batches import BatchRun
from bornage_client.feed import Feed, Mirror
from bornage_client.shapes import Batch, Entry, HandIn, Json, Partie, Player, Row
from bornage_client.transport import Retries, Transport

Ref = int | str
"""A number or an id of the site's; or your own, as `"~game-9001"`."""


class Bornage:
    """A site. `token`: needed to write, and to read what is not public. Use it as a context, or close it.

    One for each thread. `http`: a client of yours, with its proxies and certificates; it stays open.
    """

    def __init__(
        self,
        site: str,
        *,
        token: str = "",
        language: str = "en",
        retries: Retries | None = None,
        timeout: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        self.transport = Transport(site, token=token, language=language, retries=retries, timeout=timeout, http=http)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self.transport.close()

    def championships(self, **filters: Any) -> Iterator[Json]:
        """The public championships, newest first."""
        return pages.items(self.transport, "championships", filters)

    def championship(self, slug: str) -> "Championship":
        """A championship by its address; nothing is asked yet."""
        return Championship(self.transport, slug)

    def add_championship(self, *, key: str = "", **settings: Any) -> "Championship":
        """Make a championship (scope manage)."""
        made = self.transport.write("POST", "championships", json=settings, key=key).json()
        return Championship(self.transport, made["slug"])

    def players(self, **filters: Any) -> Iterator[Player]:
        """Players of public championships by name."""
        return pages.items(self.transport, "players", filters)

    def add_player(self, name: str, *, key: str = "", **more: Any) -> Json:
        """Make a player (scope manage). With an `external_id` the same call again finds who was made."""
        return cast(Json, self.transport.write("POST", "players", json={"name": name, **more}, key=key).json())

    def seen(self, path: str) -> tuple[Json, str]:
        """A thing at a path below /api/v1/ as it is now, and the ETag by which `change` knows that it still is."""
        response = self.transport.get(path)
        return cast(Json, response.json()), response.headers["ETag"]

    def change(self, path: str, changes: Mapping[str, Any], *, etag: str = "", key: str = "") -> Json:
        """PATCH a thing at a path below /api/v1/. `etag`: of the state that was `seen`; without it, of the present one.

        Raises StaleError when somebody else has changed it meanwhile. With a `key` of an earlier process give its etag.
        """
        etag = etag or self.seen(path)[1]
        headers = {"If-Match": etag}
        return cast(Json, self.transport.write("PATCH", path, json=changes, headers=headers, key=key).json())

    def batch(self, batch_id: int) -> BatchRun:
        """A batch that was sent before."""
        return BatchRun(self.transport, cast(Batch, self.transport.get(f"batches/{batch_id}", remembers=False).json()))

    def send_batch(self, items: Iterable[Any], *, key: str = "") -> BatchRun:
        """Send players and clubs: `{"player": {…}}`, one an item."""
        return batches.send(self.transport, "batches", items, key=key)

    def feed(self, cursor: str | None = None) -> Feed:
        """What changes in all that is listed."""
        return Feed(self.transport, cursor=cursor)

    def mirror(self, cursor: str | None = None) -> Mirror:
        """A copy of all that is listed; `update()` fills it."""
        return Mirror(self.feed(cursor))


class Championship:
    """A championship of a site."""

    def __init__(self, transport: Transport, slug: str) -> None:
        self.transport = transport
        self.slug = slug
        self._at = f"championships/{slug}"

    def read(self) -> Json:
        """The championship itself."""
        return cast(Json, self.transport.get(self._at).json())

    def entries(self, **filters: Any) -> Iterator[Entry]:
        """Its entries by number."""
        return pages.items(self.transport, f"{self._at}/entries", filters)

    def parties(self, **filters: Any) -> Iterator[Partie]:
        """Its parties by number; `status="open"`: those that wait for results."""
        return pages.items(self.transport, f"{self._at}/parties", filters)

    def partie(self, partie: Ref) -> Partie:
        """One partie."""
        return cast(Partie, self.transport.get(f"{self._at}/parties/{partie}").json())

    def teams(self, **filters: Any) -> Iterator[Json]:
        """Its teams, entered or not."""
        return pages.items(self.transport, f"{self._at}/teams", filters)

    def rounds(self, **filters: Any) -> Iterator[Json]:
        """Its rounds by number."""
        return pages.items(self.transport, f"{self._at}/rounds", filters)

    def ranking(self, **params: Any) -> list[Row]:
        """The rows of the ranking as it stands, all of one state; `round=3`: as of a round."""
        state = ("computed_at", "journal_position")
        return pages.together(self.transport, f"{self._at}/ranking", params, by=state)

    def ranking_as_csv(self) -> str:
        """The ranking as a table."""
        return self.transport.get(f"{self._at}/ranking", accept="text/csv").text

    def enter(
        self,
        players: Iterable[Ref | Mapping[str, Any]],
        *,
        name: str = "",
        external_id: str | None = None,
        key: str = "",
    ) -> Entry:
        """Enter players as a team (scope manage): their ids, or `{"name": …}` for new ones."""
        body = {"players": list(players), **({"name": name} if name else {}), **_named(external_id)}
        return cast(Entry, self.transport.write("POST", f"{self._at}/entries", json=body, key=key).json())

    def open_partie(
        self,
        entries: Iterable[Ref],
        *,
        round: Ref,  # noqa: A002 — what it is called everywhere
        external_id: str | None = None,
        key: str = "",
        **more: Any,
    ) -> Partie:
        """Open a partie at a free table (scope manage)."""
        body = {"entries": list(entries), "round": round, **more, **_named(external_id)}
        return cast(Partie, self.transport.write("POST", f"{self._at}/parties", json=body, key=key).json())

    def hand_in(
        self,
        partie: Ref,
        manche: Ref | None,
        document: str | bytes | Mapping[str, Any],
        *,
        reason: str | None = None,
        replaces: int | None = None,
        external_id: str | None = None,
        key: str = "",
        **more: Any,
    ) -> HandIn:
        """Hand in a log or a sheet (scope hand_in): bytes or text as they are, a mapping as JSON.

        `external_id`: what you call the manche; with `manche=None` it is the one of that name, else the one that is
        awaited. Raises RefusedError with the verdict when the rules refuse it, ConflictError when the manche has
        another result: to correct it send `replaces`, its version, and a `reason`.
        """
        content, media = as_document(document)
        at = f"{self._at}/parties/{partie}" + ("" if manche is None else f"/manches/{manche}")
        return cast(
            HandIn,
            self.transport.write(
                "POST",
                f"{at}/results",
                content=content,
                params={"reason": reason, "replaces": replaces, "external_id": external_id, **more},
                key=key,
                headers={"Content-Type": media},
            ).json(),
        )

    def send_batch(self, items: Iterable[Any], *, key: str = "") -> BatchRun:
        """Send up to 10,000 items: `{"result": {"partie": 12, "manche": 1, "log": "…"}}` and others."""
        return batches.send(self.transport, f"{self._at}/batches", items, key=key)

    def publish(self, label: str, *, key: str = "", **more: Any) -> Json:
        """Publish the ranking as it stands (scope manage)."""
        body = {"label": label, **more}
        return cast(Json, self.transport.write("POST", f"{self._at}/rankings", json=body, key=key).json())

    def feed(self, cursor: str | None = None) -> Feed:
        """What changes in it."""
        return Feed(self.transport, f"{self._at}/changes", cursor=cursor)

    def mirror(self, cursor: str | None = None) -> Mirror:
        """A copy of it; `update()` fills it."""
        return Mirror(self.feed(cursor))


def as_document(document: str | bytes | Mapping[str, Any]) -> tuple[bytes, str]:
    """A log or a sheet as it is sent, with its media type."""
    if isinstance(document, Mapping):
        return json.dumps(document, ensure_ascii=False).encode(), "application/json"
    body = document.encode() if isinstance(document, str) else document
    return body, "application/json" if body.lstrip()[:1] == b"{" else "application/vnd.bornes"


def _named(external_id: str | None) -> dict[str, str]:
    return {} if external_id is None else {"external_id": external_id}
