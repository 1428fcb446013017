"""Who waits or listens is asked again who they are: a token that is no longer good ends it, and frees the seat."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.api import feed_reader, streams
from league.api.waiting import LOOKOUT, SEATS
from league.models import ApiToken, Scope, User
from league.services.tokens import is_still_good, revoke_token
from tests.factories import ChampionshipFactory, ClubFactory, UserFactory, owner_of
from tests.league.api.conftest import token
from tests.league.feed.mirror import V1, got

pytestmark = pytest.mark.django_db

FEED = f"{V1}/changes"
Ends = Callable[[], Any]
SECONDS = {name: getattr(feed_reader, name) for name in ("ASKED_EVERY", "_ASKED_JUST_NOW")}


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(feed_reader, "_ASKED_JUST_NOW", 0.0)
    monkeypatch.setattr(feed_reader, "ASKED_EVERY", 0.05)


@pytest.fixture
def user() -> User:
    found: User = UserFactory()
    return found


@pytest.fixture
def headers(user: User) -> dict[str, str]:
    return {"Authorization": token(user, Scope.READ)}


def revoked() -> None:
    revoke_token(actor=owner_of(ChampionshipFactory()), token_id=ApiToken.objects.get().pk)


def expired() -> None:
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def closed() -> None:
    User.objects.update(is_active=False)


ENDS = [revoked, expired, closed]


def begun(answer: Any) -> Iterator[bytes]:
    """A stream of which the beginning was read."""
    sent: Iterator[bytes] = iter(answer.streaming_content)
    assert b"event: state" in next(sent)
    assert next(sent).startswith(b": ")
    return sent


@pytest.mark.parametrize("end", ENDS)
def test_a_stream_ends(client: Client, headers: dict[str, str], end: Ends) -> None:
    answer = client.get(f"{FEED}/stream", {"after": "now"}, headers=headers)
    sent = begun(answer)
    assert SEATS._taken.total() == 1
    end()
    ClubFactory()
    assert list(sent) == []
    answer.close()
    assert SEATS._taken.total() == 0


@pytest.mark.parametrize("end", ENDS)
def test_a_wait_ends_with_what_the_next_request_would_be_answered(
    client: Client, headers: dict[str, str], end: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = got(client, FEED, after="now")["next"]

    def wait_beyond(_position: int, seconds: float) -> bool:
        assert seconds <= feed_reader.ASKED_EVERY
        end()
        return False

    monkeypatch.setattr(LOOKOUT, "wait_beyond", wait_beyond)
    answer = client.get(FEED, {"after": start, "wait": 25}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token")
    assert SEATS._taken.total() == 0


def test_a_session_that_has_ended_ends_a_stream(client: Client, user: User) -> None:
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    sent = begun(client.get(f"{FEED}/stream", {"after": "now"}))
    ClubFactory()
    assert b"event: change" in next(sent)
    client.session.flush()
    ClubFactory()
    assert b": still here" in next(sent)
    assert list(sent) == []


def test_an_account_that_is_closed_ends_the_stream_of_its_session(client: Client, user: User) -> None:
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    sent = begun(client.get(f"{FEED}/stream", {"after": "now"}))
    closed()
    ClubFactory()
    assert list(sent) == []


def test_who_shows_nothing_goes_on(client: Client) -> None:
    sent = begun(client.get(f"{FEED}/stream", {"after": "now"}))
    ClubFactory()
    assert b"event: change" in next(sent)


def test_it_is_asked_within_fifteen_seconds() -> None:
    assert max(SECONDS["ASKED_EVERY"], streams.BEATS) + SECONDS["_ASKED_JUST_NOW"] <= 15


def test_it_costs_one_query(headers: dict[str, str]) -> None:
    row = ApiToken.objects.get()
    with CaptureQueriesContext(connection) as asked:
        assert is_still_good(row)
    assert len(asked) == 1
