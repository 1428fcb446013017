"""Every address of the API for everybody who may come: generated from the addresses, so that none is forgotten."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.api.urls import urlpatterns
from league.models import ApiToken, Championship, Scope
from league.services.championships import change_championship
from league.services.tokens import revoke_token
from tests.factories import ChampionshipFactory, UserFactory, as_bytes, owner_of, sheet
from tests.league.api.conftest import JSON, World, expired, token

READS = {
    "api-championships": (),
    "api-championship": ("slug",),
    "api-entries": ("slug",),
    "api-entry": ("slug", "number"),
    "api-teams": ("slug",),
    "api-team": ("slug", "team"),
    "api-rounds": ("slug",),
    "api-round": ("slug", "number"),
    "api-stages": ("slug",),
    "api-parties": ("slug",),
    "api-partie": ("slug", "number"),
    "api-manches": ("slug",),
    "api-manche": ("slug", "number", "manche"),
    "api-results": ("slug", "number", "manche"),
    "api-result": ("slug", "number", "manche", "version"),
    "api-document": ("slug", "number", "manche", "version"),
    "api-steps": ("slug", "number", "manche", "version"),
    "api-ranking": ("slug",),
    "api-classement": ("slug",),
    "api-published-rankings": ("slug",),
    "api-published-ranking": ("slug", "version"),
    "api-journal": ("slug",),
    "api-circuits": (),
    "api-championship-changes": ("slug",),
    "api-changes": (),
    "api-clubs": (),
    "api-club": ("club",),
    "api-players": (),
    "api-player": ("player",),
    "api-rulebooks": (),
    "api-rulebook": ("rulebook",),
    "api-codes": (),
    "api-schema": (),
    "api-docs": (),
}
ELSEWHERE = {
    "api-stage-coming",
    "api-stage-entries",
    "api-stage-ranking",
    "api-stage-bracket",
    "api-published-stage-ranking",
    "api-draw",
    "api-clock",
    "api-bye",
    "api-circuit-ranking",
    "api-circuit-document",
    "api-webhook-deliveries",
    "api-webhook-delivery",
    "api-batch",
    "api-batch-answers",
    "api-batch-items",
    "api-dispute",
    "api-disputes",
    "api-own-manche",
    "api-registration",
    "api-registrations",
    "api-table-link",
    "api-waiting",
}
"""Reads of what the small world has not: tested beside the writes that make it, held against the document there."""
WRITES = {
    str(pattern.name): frozenset(pattern.callback.view_class.writes)
    for pattern in urlpatterns
    if hasattr(pattern.callback, "view_class") and pattern.callback.view_class.writes
}
"""The methods that take a token, by the name of their address: as the views say."""
STREAMS = ("api-changes-stream", "api-championship-changes-stream")
"""Events that go on and on: tests/league/feed listens to them."""
BY_ANYBODY = {"api-check": "POST"}
OF_A_CHAMPIONSHIP = [name for name, parts in READS.items() if "slug" in parts]


def address(world: World, name: str) -> str:
    values: dict[str, Any] = {
        "slug": world.championship.slug,
        "number": 1,
        "manche": 1,
        "version": 1,
        "team": world.team,
        "player": world.player,
        "club": world.championship.club.slug,
        "rulebook": "classique",
    }
    return reverse(name, kwargs={part: values[part] for part in READS[name]})


def show(championship: Championship, visibility: str) -> None:
    championship.refresh_from_db()
    change_championship(
        actor=owner_of(championship),
        championship_id=championship.pk,
        version=championship.version,
        settings={"visibility": visibility},
    )


def test_every_address_is_in_these_tables() -> None:
    assert {pattern.name for pattern in urlpatterns} == {*READS, *ELSEWHERE, *WRITES, *BY_ANYBODY, *STREAMS}


JSON_READS = [name for name in READS if name != "api-docs"]


def test_anybody_may_read(client: Client, world: World) -> None:
    for name in READS:
        answer = client.get(address(world, name))
        assert answer.status_code == 200, (name, answer.content)
        assert answer["Content-Type"] == ("text/html; charset=utf-8" if name == "api-docs" else JSON), name
        assert answer["X-Request-ID"], name


def test_head_answers_as_get_without_a_body(client: Client, world: World) -> None:
    for name in READS:
        answer = client.head(address(world, name))
        assert (answer.status_code, answer.content) == (200, b""), name


@pytest.mark.parametrize("whose", ["hand-in only", "of another championship", "of a stranger"])
def test_every_good_token_reads_what_anybody_may(client: Client, world: World, whose: str) -> None:
    owner = world.championship.created_by
    header = {
        "hand-in only": lambda: token(owner, Scope.HAND_IN),
        "of another championship": lambda: token(owner, championship=ChampionshipFactory(owner=owner)),
        "of a stranger": lambda: token(UserFactory()),
    }[whose]()
    for visibility in ("public", "unlisted"):
        show(world.championship, visibility)
        for name in JSON_READS:
            if name != "api-player" or visibility == "public":
                assert client.get(address(world, name), HTTP_AUTHORIZATION=header).status_code == 200, name


def test_a_token_that_is_not_good_is_refused_even_where_none_is_needed(client: Client, world: World) -> None:
    for name in JSON_READS:
        answer = client.get(address(world, name), HTTP_AUTHORIZATION="Bearer bornage_0123456789ab_nonsense")
        assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token"), name
        assert answer["WWW-Authenticate"] == 'Bearer realm="bornage", error="invalid_token"', name
    for header in bad_tokens(world):
        assert client.get(address(world, "api-ranking"), HTTP_AUTHORIZATION=header).status_code == 401


def bad_tokens(world: World) -> list[str]:
    """Expired, revoked, one letter off, none at all, empty, and of an account that was closed."""
    owner = world.championship.created_by
    revoked = token(owner)
    prefix = revoked.split("_")[1]
    revoke_token(actor=owner_of(world.championship), token_id=ApiToken.objects.get(prefix=prefix).pk)
    good = token(UserFactory())
    closed = UserFactory()
    of_closed = token(closed)
    closed.is_active = False
    closed.save()
    return [expired(owner), revoked, good[:-1] + "~", "Bearer nonsense", "Bearer ", of_closed]


def test_an_unlisted_championship_is_read_by_its_address(client: Client, world: World) -> None:
    show(world.championship, "unlisted")
    for name in OF_A_CHAMPIONSHIP:
        assert client.get(address(world, name)).status_code == 200, name


def test_a_draft_is_not_there_but_for_who_runs_it(client: Client, world: World) -> None:
    show(world.championship, "draft")
    owner = world.championship.created_by
    strangers = ["", token(UserFactory()), token(owner, championship=ChampionshipFactory(owner=owner))]
    own = token(owner)
    for name in OF_A_CHAMPIONSHIP:
        place = address(world, name)
        for header in strangers:
            answer = client.get(place, HTTP_AUTHORIZATION=header)
            assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), name
        assert client.get(place, HTTP_AUTHORIZATION=own).status_code == 200, name
    client.force_login(owner)
    for name in OF_A_CHAMPIONSHIP:
        assert client.get(address(world, name)).status_code == 200, name


def test_a_stranger_hands_nothing_in_to_a_draft_and_is_not_told_that_it_is_there(send: Any, world: World) -> None:
    show(world.championship, "draft")
    assert send(HTTP_AUTHORIZATION=token(UserFactory())).status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_other_methods_are_not_allowed(client: Client, world: World, method: str) -> None:
    for name in [*READS, *BY_ANYBODY]:
        if method in WRITES.get(name, ()) or method == BY_ANYBODY.get(name):
            continue
        client.handler.enforce_csrf_checks = True
        answer = client.generic(method, address(world, name) if name in READS else reverse(name))
        assert (answer.status_code, answer.json()["code"]) == (405, "method-not-allowed"), name
        expected = ", ".join(sorted([*WRITES.get(name, ()), *(["GET", "HEAD"] if name in READS else ["POST"])]))
        assert ", ".join(sorted(answer["Allow"].split(", "))) == expected, name


def test_a_number_that_nothing_has_is_not_found(client: Client, world: World) -> None:
    for name, parts in READS.items():
        if len(parts) < 2 and name != "api-player":
            continue
        for number in (0, 999_999, 2**31, 10**30):
            place = re.sub(r"/\d+(/(document|steps|results))?$", rf"/{number}\1", address(world, name))
            assert client.get(place).status_code == 404, place


def test_without_a_token_nothing_is_handed_in(client: Client, world: World) -> None:
    client.force_login(world.championship.created_by)
    answer = client.post(world.results(), as_bytes(sheet()), content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (401, "not-authenticated")
    assert answer["WWW-Authenticate"] == 'Bearer realm="bornage"'


def test_a_token_that_is_not_good_hands_nothing_in(send: Any, world: World) -> None:
    for header in bad_tokens(world):
        answer = send(HTTP_AUTHORIZATION=header)
        assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token")


def test_a_token_without_the_scope_hands_nothing_in(send: Any, world: World) -> None:
    answer = send(HTTP_AUTHORIZATION=token(world.championship.created_by, Scope.READ, Scope.MANAGE))
    assert (answer.status_code, answer.json()["code"]) == (403, "insufficient-scope")
    assert 'error="insufficient_scope", scope="hand_in"' in answer["WWW-Authenticate"]


def test_a_token_of_another_championship_or_of_no_organiser_hands_nothing_in(send: Any, world: World) -> None:
    owner = world.championship.created_by
    staff = UserFactory(is_staff=True)
    for header in (token(owner, championship=ChampionshipFactory(owner=owner)), token(UserFactory()), token(staff)):
        answer = send(HTTP_AUTHORIZATION=header)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-permitted")


def test_the_right_token_hands_in(send: Any, world: World) -> None:
    owner = world.championship.created_by
    assert send(HTTP_AUTHORIZATION=token(owner, Scope.HAND_IN, championship=world.championship)).status_code == 201
