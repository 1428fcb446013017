"""How every write of the API is done: once, in one transaction, on the state that was read."""

import json
import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from league.models import Club, ExternalId, IdempotencyRecord, Scope
from league.services.once import claim
from tests.factories import UserFactory
from tests.league.api.conftest import token


@pytest.fixture
def manager(db: None) -> dict[str, Any]:
    """The headers of somebody who may make clubs."""
    return {"headers": {"Authorization": token(UserFactory(may_organise=True), Scope.MANAGE)}}


def make(client: Client, manager: dict[str, Any], body: Any, **headers: str) -> Any:
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    both = {**manager["headers"], **headers}
    return client.post("/api/v1/clubs", text, content_type="application/json", headers=both)


class TestTheBody:
    @pytest.mark.parametrize(
        ("body", "status", "code", "field"),
        [
            ("{", 400, "malformed-body", None),
            ("\xff", 400, "malformed-body", None),
            ("[]", 422, "bad-field", None),
            ("{}", 422, "bad-field", "name"),
            ({"name": 3}, 422, "bad-field", "name"),
            ({"name": "Le Relais", "nom": "Le Relais"}, 422, "bad-field", "nom"),
            ({"name": ""}, 422, "required", "name"),
            ({"name": "Le Relais", "external_id": "a b"}, 422, "bad-external-id", "external_id"),
        ],
    )
    def test_what_is_wrong_is_said_where_it_is(
        self, client: Client, manager: dict[str, Any], body: Any, status: int, code: str, field: str | None
    ) -> None:
        said = make(client, manager, body.encode("latin-1") if isinstance(body, str) else body)
        assert (said.status_code, said.json()["code"], said.json().get("field")) == (status, code, field)
        assert not Club.objects.exists()

    def test_another_type_is_not_read(self, client: Client, manager: dict[str, Any]) -> None:
        said = client.post("/api/v1/clubs", "name=x", content_type="text/plain", **manager)
        assert (said.status_code, said.json()["code"]) == (415, "unsupported-media-type")


class TestTheKey:
    def test_the_same_request_gets_the_same_answer(self, client: Client, manager: dict[str, Any]) -> None:
        first = make(client, manager, {"name": "Le Relais"}, **{"Idempotency-Key": "k"})
        again = make(client, manager, {"name": "Le Relais"}, **{"Idempotency-Key": '"k"'})
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.content == again.content
        assert again["Idempotency-Replayed"] == "true"
        assert "Idempotency-Replayed" not in first
        assert again["ETag"] == first["ETag"]
        assert Club.objects.count() == 1

    def test_a_refusal_is_remembered_too(self, client: Client, manager: dict[str, Any]) -> None:
        make(client, manager, {"name": "Le Relais"})
        first = make(client, manager, {"name": "le relais"}, **{"Idempotency-Key": "k"})
        Club.objects.all().delete()
        again = make(client, manager, {"name": "le relais"}, **{"Idempotency-Key": "k"})
        assert (first.status_code, first.json()["code"]) == (409, "club-exists")
        assert again.content == first.content
        assert again["Content-Type"] == "application/problem+json"

    def test_another_request_is_refused(self, client: Client, manager: dict[str, Any]) -> None:
        make(client, manager, {"name": "Le Relais"}, **{"Idempotency-Key": "k"})
        said = make(client, manager, {"name": "La Borne"}, **{"Idempotency-Key": "k"})
        assert (said.status_code, said.json()["code"]) == (422, "key-reused")
        assert Club.objects.count() == 1

    def test_of_another_account_it_is_another_key(self, client: Client, manager: dict[str, Any]) -> None:
        make(client, manager, {"name": "Le Relais"}, **{"Idempotency-Key": "k"})
        other = {"headers": {"Authorization": token(UserFactory(may_organise=True), Scope.MANAGE)}}
        assert make(client, other, {"name": "La Borne"}, **{"Idempotency-Key": "k"}).status_code == 201

    def test_a_failure_of_ours_leaves_nothing(
        self, client: Client, manager: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client.raise_request_exception = False
        monkeypatch.setattr("league.api.clubs._shown_club", lambda _id: 1 / 0)
        assert make(client, manager, {"name": "Le Relais"}, **{"Idempotency-Key": "k"}).status_code == 500
        assert not Club.objects.exists()
        assert not IdempotencyRecord.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_while_the_first_is_under_way_the_second_is_told_so(client: Client) -> None:
    user = UserFactory(may_organise=True)
    manager = {"headers": {"Authorization": token(user, Scope.MANAGE)}}
    held, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        from django.db import transaction

        with transaction.atomic():
            claim(user=user, name="k")
            held.set()
            go_on.wait(20)
        connection.close()

    first = threading.Thread(target=hold)
    first.start()
    assert held.wait(20)
    said = make(client, manager, {"name": "Le Relais"}, **{"Idempotency-Key": "k"})
    go_on.set()
    first.join()
    assert (said.status_code, said.json()["code"]) == (409, "in-progress")
    assert make(client, manager, {"name": "Le Relais"}, **{"Idempotency-Key": "k"}).status_code == 201


class TestExternalIds:
    def test_the_same_request_again_finds_what_it_made(self, client: Client, manager: dict[str, Any]) -> None:
        first = make(client, manager, {"name": "Le Relais", "external_id": "c:1"})
        again = make(client, manager, {"name": "Le Relais", "external_id": "c:1"})
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json() == again.json()
        assert Club.objects.count() == ExternalId.objects.count() == 1

    def test_another_request_is_told_what_there_is(self, client: Client, manager: dict[str, Any]) -> None:
        first = make(client, manager, {"name": "Le Relais", "external_id": "c:1"})
        said = make(client, manager, {"name": "La Borne", "external_id": "c:1"})
        assert (said.status_code, said.json()["code"]) == (409, "external-id-taken")
        assert said.json()["present"] == first.json()
        assert Club.objects.count() == 1
