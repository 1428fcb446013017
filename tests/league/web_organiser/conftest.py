"""What tests of the organisers' pages start from: a championship with two parties, its owner, an organiser, others."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.translation import override

from league.models import Championship, Entry, Membership, Partie, Role, User
from league.services.renewal import renew_live_ranking
from league.web.organiser.deeds import new_key
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory, play, sheet

HOME = "/en/organise/coupe/"


@dataclass
class Hall:
    """A public championship of two-entry tables, three manches a partie, and who runs it.

    Partie 1: manche 1 counts (corrected once), manche 2 has a claim that differs; a log was refused for it before.
    Partie 2, round 2: nothing yet.
    """

    championship: Championship
    entries: list[Entry]
    first: Partie
    second: Partie
    attempt: int
    owner: User
    organiser: User
    stranger: User
    clients: dict[str, Client] = field(default_factory=dict)

    def client(self, user: User | None) -> Client:
        """A browser in which somebody is signed in, or nobody."""
        name = user.email if user else ""
        if name not in self.clients:
            self.clients[name] = Client()
            if user:
                self.clients[name].force_login(user)
        return self.clients[name]


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    cache.clear()
    with override("en"):
        yield


@pytest.fixture
def hall(db: None) -> Hall:
    """See `Hall`."""
    championship = ChampionshipFactory(name="Coupe", slug="coupe", partie_end="manches", partie_end_value=3)
    entries = EntryFactory.create_batch(4, championship=championship)
    first = PartieFactory(championship=championship, entries=entries[:2])
    play(first, 1, sheet())
    play(first, 1, sheet({"A": 1000, "B": 500}), reason="A card was overlooked", replaces=1)
    refused = play(first, 2, sheet({"A": 990, "B": 0}))
    play(first, 2, sheet(claim={"A": 1500, "B": 475}))
    second = PartieFactory(championship=championship, entries=entries[2:], round=2)
    organiser = UserFactory()
    Membership.objects.create(user=organiser, championship=championship, role=Role.ORGANISER)
    stranger = ChampionshipFactory(slug="other", visibility="draft").created_by
    renew_live_ranking(championship_id=championship.pk)
    assert refused.attempt is not None
    return Hall(championship, entries, first, second, refused.attempt, championship.created_by, organiser, stranger)


@pytest.fixture
def owner(hall: Hall) -> Client:
    """The owner's browser."""
    return hall.client(hall.owner)


@pytest.fixture
def send(owner: Client) -> Callable[..., Any]:
    """Send a deed's form as the owner's browser does; `key` makes it the same form again."""

    def send(address: str, do: str = "", *, key: str = "", client: Client = owner, **fields: Any) -> Any:
        said = {"do": do, "key": key or new_key(), **fields}
        return client.post(HOME + address, {name.replace("__", "-"): value for name, value in said.items()})

    return send


def cells(km: dict[str, int] | None = None, **changes: str) -> dict[str, str]:
    """What somebody types into a sheet of two teams: A arrives with two 200s, B stands at `km` or 475."""
    typed = {"end": "target", "sabot_empty": "no", "do": "hand-in", "replaces": "0"}
    for label, value in (km or {"A": 1000, "B": 475}).items():
        typed |= {f"{label}-km": str(value), f"{label}-n200": "2" if value >= 400 else "0"}
    return typed | changes
