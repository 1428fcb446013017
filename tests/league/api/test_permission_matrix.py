"""Every route and method of the API for everybody who may come, by everything they may come with.

One row says what a route and method needs (tests/league/api/rights.py); a route or method without a row fails. What is
asked is about things that are there, so that a refusal is about rights.
"""

import json
import logging
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client, override_settings
from django.urls import URLPattern, reverse

from league.api.urls import urlpatterns
from league.models import AuditEntry, Championship, Membership, Player, User
from league.services.tokens import create_token
from tests.factories import UserFactory
from tests.league.api.everything import Everything
from tests.league.api.needs import ABSENT, AT, TABLE, Row
from tests.league.api.rights import (
    DRAFT,
    ELSEWHERE,
    HAND_IN,
    HERE,
    MANAGE,
    MAY_CREATE,
    NEEDS,
    OK,
    PUBLIC,
    READ,
    RIGHTS,
    UNLISTED,
    Asks,
    expected,
)

NO_VIEW: Final = "api-docs"
"""A page that everybody may read: tests/league/api/test_openapi.py."""


def named(name: str) -> str:
    """The name of the address of a row: some have two, which differ in what they need."""
    return name.partition(" ")[0]


def routes() -> Iterator[tuple[str, URLPattern]]:
    """The routes with their names, without the page."""
    for pattern in urlpatterns:
        if pattern.name != NO_VIEW:
            yield str(pattern.name), pattern


def test_every_route_and_method_has_a_row_and_no_row_is_left_over() -> None:
    found = {
        (method.upper(), name)
        for name, pattern in routes()
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(pattern.callback.view_class, method)  # type: ignore[attr-defined]
    }
    assert {(method, named(name)) for method, name in TABLE} == found


def test_what_needs_no_scope_by_its_row_is_no_write_of_its_view() -> None:
    writes = {name: pattern.callback.view_class.writes for name, pattern in routes()}  # type: ignore[attr-defined]
    for (method, name), row in TABLE.items():
        assert bool(NEEDS[row.need].scopes) == (method in writes[named(name)]), name


WHOLE: Final = frozenset({READ, HAND_IN, MANAGE})


def the_asking() -> list[Asks]:
    """Everybody, by session and by a token for all; those with different rights by narrower tokens too."""
    found = [Asks("anonymous")]
    for actor in RIGHTS.keys() - {"anonymous"}:
        found += [Asks(actor), Asks(actor, WHOLE)]
        if actor in ("owner", "referee", "scorer", "staff"):
            found += [Asks(actor, frozenset({scope})) for scope in sorted(WHOLE)]
    bound = [("owner", HERE), ("owner", ELSEWHERE), ("organiser", ELSEWHERE), ("referee", HERE), ("staff", ELSEWHERE)]
    return sorted([*found, *(Asks(actor, WHOLE, only) for actor, only in bound)], key=str)


class Gate:
    """The world, and who comes to it."""

    def __init__(self) -> None:
        self.world = Everything()
        self.users: dict[str, User] = {}
        for actor in RIGHTS:
            if actor != "anonymous":
                self.users[actor] = self._user(actor)
        self.clients = {str(asks): self._client(asks) for asks in the_asking()}
        self.deeds = AuditEntry.objects.count()

    def _user(self, actor: str) -> User:
        if actor == "owner":
            return self.world.championship.created_by
        user: User = UserFactory(may_organise=actor in MAY_CREATE, is_staff=actor == "staff")
        if actor in ("organiser", "referee", "scorer", "auditor"):
            tables = [1] if actor == "scorer" else []
            Membership.objects.create(user=user, championship=self.world.championship, role=actor, tables=tables)
        if actor == "organiser elsewhere":
            Membership.objects.create(user=user, championship=self.world.another, role="owner")
        if actor == "player":
            Player.objects.filter(pk=self.world.ids["player"]).update(user=user)
        return user

    def _client(self, asks: Asks) -> Client:
        if asks.actor == "anonymous":
            return Client()
        user = self.users[asks.actor]
        if asks.scopes is None:
            client = Client()
            client.force_login(user)
            return client
        only = {None: None, HERE: self.world.championship, ELSEWHERE: self.world.another}[asks.only]
        how = {"user": user, "name": str(asks), "scopes": asks.scopes, "championship": only}
        _row, text = create_token(actor=self.world.actor, **how)
        return Client(headers={"Authorization": f"Bearer {text}"})

    def address(self, name: str, row: Row) -> str:
        """Where a row is asked."""
        (pattern,) = {one for found, one in routes() if found == named(name)}
        wanted = pattern.pattern.converters
        values = AT | self.world.ids
        if name == "api-player-number":
            values["number"] = self.world.ids["player_number"]
        return reverse(named(name), kwargs={part: (values | row.at)[part] for part in wanted}) + row.query

    def show(self, visibility: str) -> None:
        """Make the championship so visible."""
        Championship.objects.filter(pk=self.world.championship.pk).update(visibility=visibility)

    def ask(self, method: str, address: str, row: Row, asks: Asks) -> int | str:
        """What becomes of a request; nothing of it stays."""
        body = row.body if isinstance(row.body, bytes) else b"" if row.body is None else json.dumps(row.body).encode()
        headers = {} if method == "GET" else {"If-Match": "*"}
        with transaction.atomic():
            answer = self.clients[str(asks)].generic(method, address, body, content_type=row.media, headers=headers)
            if answer.streaming:
                next(iter(answer), b"")
                answer._iterator.close()  # as a server does; it ends only once it has begun
            if answer.status_code in (401, 403, 404) and method != "GET":
                assert AuditEntry.objects.count() == self.deeds, "refused, and written all the same"
            transaction.set_rollback(True)
        if answer.status_code in (401, 403, 404):
            return answer.status_code
        done = (200, 201, 202, 204, 409, 422)
        assert answer.status_code in done, (str(asks), answer.status_code, getattr(answer, "content", b"")[:300])
        return OK


@pytest.fixture(scope="module")
def gate(django_db_setup: None, django_db_blocker: Any) -> Iterator[Gate]:
    """One world for all: each request is taken back."""
    rates = dict.fromkeys(settings.API_RATES, 10**9)
    with django_db_blocker.unblock(), override_settings(API_RATES=rates), transaction.atomic():
        logging.disable(logging.WARNING)  # thousands are refused
        yield Gate()
        logging.disable(logging.NOTSET)
        transaction.set_rollback(True)


def everybody(visibility: str) -> list[Asks]:
    """Who comes: everybody to what is public; where less is seen, those with whom that makes a difference."""
    less = {
        PUBLIC: RIGHTS.keys(),
        UNLISTED: ("anonymous", "stranger"),
        DRAFT: ("anonymous", "stranger", "owner", "referee", "scorer", "staff"),
    }[visibility]
    return [asks for asks in the_asking() if asks.actor in less]


@pytest.mark.sweep
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "name"), sorted(TABLE.keys() - ABSENT), ids=lambda said: str(said).replace(" ", "-")
)
def test_everybody_gets_what_they_may(gate: Gate, method: str, name: str) -> None:
    row = TABLE[method, name]
    address = gate.address(name, row)
    wrong = []
    of_championship = "everything" in address or "/players/" in address
    for visibility in (PUBLIC, UNLISTED, DRAFT) if of_championship else (PUBLIC,):
        gate.show(visibility)
        for asks in everybody(visibility):
            came, due = gate.ask(method, address, row, asks), expected(row.need, asks, visibility)
            if came != due:
                wrong.append(f"{visibility}: {asks}: {came}, not {due}")
    assert not wrong, "\n".join([f"{method} {address} needs to {row.need!r}", *wrong])
