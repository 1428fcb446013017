"""A small championship with something of everything in it, and tokens to come in with."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.notation import to_document
from engine.simulate import simulate
from engine.text_notation import to_text
from league.models import Championship, Entry, Partie, Scope, User
from league.services.entries import add_team
from league.services.parties import add_bye
from league.services.publishing import publish
from league.services.tokens import create_token
from tests.factories import (
    ChampionshipFactory,
    ClubFactory,
    EntryFactory,
    PartieFactory,
    PlayerFactory,
    as_bytes,
    owner_of,
    play,
    sheet,
)

JSON = "application/json"
BORNES = "application/vnd.bornes"


@pytest.fixture(autouse=True)
def _fresh_allowances() -> None:
    cache.clear()


def log_as_json(seed: int = 1, first: int = 0) -> bytes:
    """A complete closed log of a table of two, as JSON."""
    return as_bytes(to_document(simulate("classique", 2, 1, seed, first=first)))


def log_as_text(seed: int = 1, first: int = 0) -> bytes:
    """The same log in the text writing."""
    return to_text(simulate("classique", 2, 1, seed, first=first)).encode()


def token(user: User, *scopes: str, championship: Championship | None = None, **how: Any) -> str:
    """The Authorization header of a new token of this user."""
    _row, text = create_token(
        actor=how.pop("actor", None) or _actor(user),
        user=user,
        name="a program",
        scopes=scopes or [Scope.READ, Scope.HAND_IN],
        championship=championship,
        **how,
    )
    return f"Bearer {text}"


def _actor(user: User) -> Any:
    from league.policy import Actor

    return Actor(user=user)


@dataclass
class World:
    """`partie` has a log as manche 1, a sheet as manche 2, and awaits manche 3; round 1 has a bye; version 1 is out."""

    championship: Championship
    partie: Partie
    bye: Entry
    team: int
    player: int

    def results(self, manche: int = 3) -> str:
        """Where to hand in for a manche of the partie."""
        return reverse("api-results", args=(self.championship.slug, self.partie.number, manche))


@pytest.fixture
def world(db: None) -> World:
    championship = ChampionshipFactory(club_id=ClubFactory().pk, partie_end="manches", partie_end_value=4)
    partie = PartieFactory(championship=championship)
    play(partie, 1, to_document(simulate("classique", 2, 1, 1)))
    play(partie, 2, sheet())
    bye = EntryFactory(championship=championship)
    actor = owner_of(championship)
    add_bye(actor=actor, entry_id=bye.pk, round=1)
    player = PlayerFactory(licence="L-777")
    team = add_team(actor=actor, championship_id=championship.pk, player_ids=[player.pk], name="Réserve")
    publish(actor=actor, championship_id=championship.pk, label="After round 1", round=1)
    championship.refresh_from_db()
    return World(championship, partie, bye, team.pk, player.pk)


@pytest.fixture
def authorization(world: World) -> str:
    """The header of the owner's token."""
    return token(world.championship.created_by)


Send = Callable[..., Any]


@pytest.fixture
def send(client: Client, world: World, authorization: str) -> Send:
    """Hand in a document for manche 3 of the world's partie, with the owner's token unless told otherwise."""

    def hand_in(
        body: bytes | None = None, media: str = JSON, *, manche: int = 3, query: str = "", **headers: str
    ) -> Any:
        if "HTTP_AUTHORIZATION" not in headers:
            headers["HTTP_AUTHORIZATION"] = authorization
        sent = as_bytes(sheet()) if body is None else body
        # the client leaves the type of an empty body out
        return client.post(world.results(manche) + query, sent, content_type=media, CONTENT_TYPE=media, **headers)

    return hand_in


def expired(user: User) -> str:
    """The header of a token whose time is over."""
    from league.models import ApiToken

    header = token(user)
    ApiToken.objects.filter(user=user).update(expires_at=timezone.now() - timedelta(seconds=1))
    return header
