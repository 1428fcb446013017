"""Thousands of items at once: sent as NDJSON, done by the site, each answered on its own."""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from bornage_client.errors import ConflictError
from bornage_client.shapes import Batch, Json
from bornage_client.transport import Transport

NDJSON = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """What became of a line. `state`: saved, repeated (it was there already), refused, failed or cancelled."""

    line: int
    state: str
    status: int | None
    code: str | None
    location: str | None
    data: Json | None
    problem: Json | None

    @property
    def is_there(self) -> bool:
        """Whether the item is with the site now."""
        return self.state in ("saved", "repeated")


class BatchRun:
    """A batch that a site has taken in. It goes on there whatever becomes of this object: take it up by its id."""

    def __init__(self, transport: Transport, batch: Batch) -> None:
        self._transport = transport
        self.batch = batch

    @property
    def is_over(self) -> bool:
        """Whether it is done or cancelled, as far as is known here."""
        return self.batch["state"] in ("done", "cancelled")

    def look(self) -> Batch:
        """How far it has come now."""
        self.batch = cast(Batch, self._transport.get(self.batch["url"], remembers=False).json())
        return self.batch

    def wait(self, *, seconds: float | None = None, every: float = 1.0) -> Batch:
        """Wait until it is over; raises TimeoutError after `seconds`."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self.is_over:
            if until is not None and time.monotonic() > until:
                raise TimeoutError(f"batch {self.batch['id']} is at {self.batch['done']} of {self.batch['items']}")
            self._transport.sleep(every)
            self.look()
        return self.batch

    def cancel(self) -> Batch:
        """Stop it: what is done stays, what is not is never done. One that is over meanwhile stays as it is."""
        if not self.is_over:
            with suppress(ConflictError):
                self._transport.write("POST", self.batch["url"] + "/cancel")
        return self.look()

    def answers(self) -> Iterator[BatchAnswer]:
        """The answers up to now, in the order of the lines."""
        said = self._transport.get(self.batch["answers_url"], accept=NDJSON, remembers=False).content
        for line in filter(None, said.split(b"\n")):  # not splitlines: other line ends may stand in a text
            one = json.loads(line)
            yield BatchAnswer(**{name: one.get(name) for name in BatchAnswer.__slots__})


def as_lines(items: Iterable[Any]) -> bytes:
    """Items as the lines of a batch."""
    return b"".join(json.dumps(item, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for item in items)


def send(transport: Transport, path: str, items: Iterable[Any], *, key: str = "") -> BatchRun:
    """Send a batch; the same key again finds the same batch."""
    headers = {"Content-Type": NDJSON, "Prefer": "respond-async"}
    response = transport.write("POST", path, content=as_lines(items), key=key, headers=headers)
    return BatchRun(transport, cast(Batch, response.json()))
