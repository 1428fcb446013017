"""Idempotency-Key: the same request again is done once and answered alike, whatever has happened in between."""

import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from league.models import Attempt, IdempotencyRecord, Result
from league.services.parties import close_partie
from tests.factories import UserFactory, as_bytes, owner_of, sheet
from tests.league.api.conftest import JSON, World, token

OTHER = as_bytes(sheet({"A": 1000, "B": 600}))


def test_the_same_request_with_the_same_key_is_answered_as_the_first_time(send: Any) -> None:
    first, again = send(HTTP_IDEMPOTENCY_KEY="k1"), send(HTTP_IDEMPOTENCY_KEY="k1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert (first.json(), first["Location"]) == (again.json(), again["Location"])
    assert (first.get("Idempotency-Replayed"), again["Idempotency-Replayed"]) == (None, "true")
    assert Result.objects.filter(manche__number=3).count() == 1


def test_the_stored_answer_goes_before_a_correction_that_came_in_between(send: Any) -> None:
    first = send(HTTP_IDEMPOTENCY_KEY="k1")
    assert send(OTHER, query="?replaces=1&reason=Misread").status_code == 201
    assert send(HTTP_IDEMPOTENCY_KEY="k1").json() == first.json()
    assert Result.objects.get(current_of__number=3).version == 2


def test_the_stored_answer_goes_before_the_end_of_the_partie(send: Any, world: World) -> None:
    first = send(HTTP_IDEMPOTENCY_KEY="k1")
    close_partie(actor=owner_of(world.championship), partie_id=world.partie.pk, version=None, reason="Late")
    assert send(HTTP_IDEMPOTENCY_KEY="k1").json() == first.json()


def test_a_refusal_is_answered_again_and_kept_as_one_attempt(send: Any) -> None:
    wrong = as_bytes(sheet({"A": 1000, "B": 480}))
    first, again = send(wrong, HTTP_IDEMPOTENCY_KEY="k1"), send(wrong, HTTP_IDEMPOTENCY_KEY="k1")
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (422, 422, "true")
    ignored = {"request_id": ""}
    assert first.json() | ignored == again.json() | ignored
    assert Attempt.objects.count() == 1


def test_a_conflict_is_not_remembered_since_nothing_was_done(send: Any) -> None:
    send()
    assert send(OTHER, HTTP_IDEMPOTENCY_KEY="k1").status_code == 409
    assert not IdempotencyRecord.objects.exists()
    assert send(OTHER, query="?replaces=1&reason=Misread", HTTP_IDEMPOTENCY_KEY="k1").status_code == 201


@pytest.mark.parametrize("changed", ["body", "manche", "reason"])
def test_the_same_key_for_another_request_is_422_and_changes_nothing(send: Any, changed: str) -> None:
    send(HTTP_IDEMPOTENCY_KEY="k1")
    count = Result.objects.count()
    answer = {
        "body": lambda: send(OTHER, HTTP_IDEMPOTENCY_KEY="k1"),
        "manche": lambda: send(manche=4, HTTP_IDEMPOTENCY_KEY="k1"),
        "reason": lambda: send(query="?reason=x", HTTP_IDEMPOTENCY_KEY="k1"),
    }[changed]()
    assert (answer.status_code, answer.json()["code"]) == (422, "key-reused")
    assert Result.objects.count() == count
    assert not Attempt.objects.exists()


def test_a_quoted_key_is_the_same_as_a_bare_one(send: Any) -> None:
    send(HTTP_IDEMPOTENCY_KEY='"k1"')
    assert send(HTTP_IDEMPOTENCY_KEY="k1")["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("key", ["", '""', "two words", "x" * 101, "clé", "\x7f"])
def test_what_is_no_key_is_400(send: Any, key: str) -> None:
    answer = send(HTTP_IDEMPOTENCY_KEY=key)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-idempotency-key")


def test_keys_of_two_users_do_not_meet(send: Any, world: World) -> None:
    send(HTTP_IDEMPOTENCY_KEY="k1")
    answer = send(HTTP_IDEMPOTENCY_KEY="k1", HTTP_AUTHORIZATION=token(UserFactory()))
    assert answer.status_code == 403, "who may not hand in is told no stored answer of somebody else's"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("bodies", [(as_bytes(sheet()), as_bytes(sheet())), (as_bytes(sheet()), OTHER)])
def test_two_at_once_with_one_key_are_done_once(world: World, authorization: str, bodies: tuple[bytes, bytes]) -> None:
    answers: list[Any] = []
    ready = threading.Barrier(2)

    def hand_in(body: bytes) -> None:
        try:
            ready.wait(10)
            headers = {"HTTP_AUTHORIZATION": authorization, "HTTP_IDEMPOTENCY_KEY": "k"}
            answers.append(Client().post(world.results(), body, content_type=JSON, **headers))
        finally:
            connection.close()

    threads = [threading.Thread(target=hand_in, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    one, other = sorted(answers, key=lambda answer: (answer.status_code, "Idempotency-Replayed" in answer))
    assert one.status_code == 201
    if other.status_code == 409:
        assert other.json()["code"] == "in-progress", "the first was under way"
    elif bodies[0] == bodies[1]:
        assert (other.status_code, other.json(), other["Idempotency-Replayed"]) == (201, one.json(), "true")
    else:
        assert (other.status_code, other.json()["code"]) == (422, "key-reused")
    assert Result.objects.filter(manche__number=3).count() == 1
    assert not Attempt.objects.exists()
