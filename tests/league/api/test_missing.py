"""What is said of an address that leads to nothing: which thing is not there, and nothing of what may not be known."""

from typing import Any

import pytest
from django.test import Client

from league.api.missing import STEP, WORDS
from league.api.urls import urlpatterns
from league.models import Championship, Round, Scope, Visibility
from tests.factories import ChampionshipFactory, UserFactory
from tests.league.api.conftest import World, token


@pytest.fixture
def at(world: World) -> str:
    """The address of the championship."""
    return f"/api/v1/championships/{world.championship.slug}"


def missing(client: Client, address: str, **headers: str) -> tuple[Any, Any, str]:
    """Kind, key and sentence of a 404."""
    said = client.get(address, headers={"Accept-Language": "en", **headers}).json()
    assert (said["status"], said["code"]) == (404, "not-found")
    return said.get("kind"), said.get("key"), said["detail"]


GENERIC = (None, None, "There is no such page, or it is not public.")


@pytest.mark.parametrize(
    ("path", "kind", "key"),
    [
        ("/parties/99", "partie", "99"),
        ("/parties/~game-9", "partie", "~game-9"),
        ("/parties/99/manches/1", "partie", "99"),
        ("/parties/1/manches/9", "manche", "9"),
        ("/parties/1/manches/~x/results/1", "manche", "~x"),
        ("/parties/1/manches/1/results/9", "result", "9"),
        ("/parties/1/manches/1/results/9/document", "result", "9"),
        ("/manches/~mine", "manche", "~mine"),
        ("/entries/99", "entry", "99"),
        ("/teams/~t", "team", "~t"),
        ("/stages/9", "stage", "9"),
        ("/stages/9/bracket", "stage", "9"),
        ("/rounds/9", "round", "9"),
        ("/rankings/9", "ranking", "9"),
        ("/rankings/9/stages/1", "ranking", "9"),
    ],
)
def test_the_first_thing_that_is_not_there_is_named(client: Client, at: str, path: str, kind: str, key: str) -> None:
    found, said, detail = missing(client, at + path)
    assert (found, said) == (kind, key)
    assert key in detail


@pytest.mark.parametrize(
    ("address", "kind", "key"),
    [
        ("players/99999", "player", "99999"),
        ("players/~p", "player", "~p"),
        ("clubs/nowhere", "club", "nowhere"),
        ("rulebooks/house", "rulebook", "house"),
        ("batches/9", "batch", "9"),
        ("batches/9/items", "batch", "9"),
    ],
)
def test_what_belongs_to_no_championship_is_named_too(
    client: Client, db: None, address: str, kind: str, key: str
) -> None:
    header = token(UserFactory(), Scope.READ)
    assert missing(client, f"/api/v1/{address}", Authorization=header)[:2] == (kind, key)


def test_who_runs_it_is_told_of_webhooks_and_disputes(client: Client, world: World, at: str) -> None:
    header = token(world.championship.created_by, Scope.READ, Scope.MANAGE)
    for path, kind in (("/disputes/9", "dispute"), ("/webhooks/9", "webhook"), ("/registrations/9", "registration")):
        assert missing(client, at + path, Authorization=header)[:2] == (kind, "9")


def test_a_draft_is_told_from_nothing_by_nobody(client: Client, world: World, at: str) -> None:
    Championship.objects.update(visibility=Visibility.DRAFT)
    for path in ("", "/parties/1", "/parties/99", "/entries/99", "/parties/~x"):
        there, nowhere = missing(client, at + path), missing(client, f"/api/v1/championships/nothing{path}")
        assert there == nowhere == GENERIC
    header = token(world.championship.created_by, Scope.READ)
    assert missing(client, f"{at}/parties/99", Authorization=header)[:2] == ("partie", "99")


def test_a_round_that_is_being_drawn_is_no_round_to_others(client: Client, world: World, at: str) -> None:
    Round.objects.create(championship=world.championship, number=8, status="draft", seed="s")
    for path in ("", "/clock"):
        assert missing(client, f"{at}/rounds/8{path}")[:2] == ("round", "8")


def test_a_thing_that_is_there_is_not_called_missing(client: Client, world: World, at: str) -> None:
    assert missing(client, f"{at}/parties/1/manches/2/results/1/steps") == (
        None,
        None,
        "This version came as a score sheet: only a log has moves.",
    )
    assert missing(client, "/api/v1/circuits/nothing") == GENERIC


@pytest.mark.parametrize(("method", "path"), [("delete", ""), ("post", "/lock"), ("post", "/reopen")])
def test_a_round_that_was_opened_by_hand_is_said_to_be_one(
    client: Client, world: World, at: str, method: str, path: str
) -> None:
    header = token(world.championship.created_by, Scope.MANAGE)
    body = '{"reason": "x"}' if path == "/reopen" else ""
    headers = {"Authorization": header, "If-Match": "*", "Accept-Language": "en"}
    say = getattr(client, method)
    said = say(f"{at}/rounds/1{path}", body, content_type="application/json", headers=headers).json()
    assert (said["status"], said["code"]) == (404, "not-found")
    assert "Round 1 was not drawn" in said["detail"]
    gone = say(f"{at}/rounds/7{path}", body, content_type="application/json", headers=headers).json()
    assert (gone["kind"], gone["key"]) == ("round", "7")


def test_a_thing_of_another_championship_is_not_there(client: Client, at: str) -> None:
    other = ChampionshipFactory(visibility=Visibility.PUBLIC)
    assert missing(client, f"/api/v1/championships/{other.slug}/parties/1")[:2] == ("partie", "1")


def test_every_key_of_every_address_is_known() -> None:
    words = {word for one in urlpatterns for word, _name in STEP.findall(str(one.pattern))}
    assert words <= WORDS
    assert words >= {"parties", "clubs", "webhooks"}
