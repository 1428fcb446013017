"""Who sends batches, what stands in them, and how far they have come."""

import json
from typing import Any

from django.test import Client

from league.api import batch_work
from league.models import Batch, Championship, Scope
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, sheet
from tests.league.api.conftest import token

NDJSON = "application/x-ndjson"
Sent = Any


class Sender:
    """Somebody who sends batches into a championship, or into their account."""

    def __init__(self, client: Client, authorization: str, address: str) -> None:
        self.client, self.authorization, self.address = client, authorization, address

    def send(self, *items: Any, body: bytes | None = None, media: str = NDJSON, **headers: str) -> Sent:
        said = lines(*items) if body is None else body
        both = {"Authorization": self.authorization, **headers}
        # the client leaves the type of an empty body out
        return self.client.post(self.address, said, content_type=media, headers=both, CONTENT_TYPE=media)

    def answers(self, *items: Any, **how: Any) -> list[dict[str, Any]]:
        said = self.send(*items, **how)
        assert said.status_code == 200, said.content
        return read(said.content)

    def get(self, address: str) -> Any:
        return self.client.get(address, headers={"Authorization": self.authorization})


def lines(*items: Any) -> bytes:
    return b"".join((item if isinstance(item, bytes) else json.dumps(item).encode()) + b"\n" for item in items)


def read(body: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in body.splitlines()]


def result(partie: Any = 1, manche: Any = 1, b: int = 475, **more: Any) -> dict[str, Any]:
    return {"result": {"partie": partie, "manche": manche, "sheet": sheet({"A": 1000, "B": b}), **more}}


def summary(answers: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(one["line"], one["state"], one["status"], one.get("code")) for one in answers]


def hall(parties: int = 1) -> Championship:
    championship: Championship = ChampionshipFactory(
        partie_end="manches", partie_end_value=99, owner=UserFactory(may_organise=True)
    )
    PartieFactory.create_batch(parties, championship=championship)
    return championship


def sender_to(client: Client, championship: Championship) -> Sender:
    text = token(championship.created_by, Scope.READ, Scope.HAND_IN, Scope.MANAGE)
    return Sender(client, text, f"/api/v1/championships/{championship.slug}/batches")


def manches(last: int, partie: Any = 1, first: int = 1) -> list[dict[str, Any]]:
    return [result(partie, number, 25 * (number % 40)) for number in range(first, last + 1)]


def kept(sender: Sender, *items: Any) -> Batch:
    """A batch that was sent, and that nobody works at yet."""
    said = sender.send(*items, Prefer="respond-async")
    assert said.status_code == 202
    return Batch.objects.get(pk=said.json()["id"])


def states(batch: Batch) -> list[str]:
    return list(batch.items.order_by("line").values_list("state", flat=True))


def work_some(batch: Batch, items: int) -> None:
    """Let a worker do so many items, and be gone."""
    for item in batch.items.filter(state="waiting").order_by("line")[:items]:
        slug = batch.championship.slug if batch.championship else None
        assert batch_work._do(batch, item.pk, bytes(item.body), slug)
