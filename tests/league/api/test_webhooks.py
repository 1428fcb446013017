"""Webhooks through the API: made, changed, stopped, tested; what was sent read."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.models import Championship, Delivery, Membership, Scope, Webhook
from league.services import outward, waking
from league.services.feed import number_changes
from league.services.outward import Answer
from tests.factories import ChampionshipFactory, UserFactory
from tests.league.api.conftest import JSON, token
from tests.league.api.program import as_described
from tests.league.webhook_cases import changed, work_off

URL = "https://hooks.example.org/bornage"
Ask = Callable[..., Any]


@pytest.fixture(autouse=True)
def _wakes_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "ask", lambda *_, **__: None)


@pytest.fixture
def cup(db: None) -> Championship:
    made: Championship = ChampionshipFactory(slug="cup")
    number_changes()  # what making it has changed is not told of
    return made


@pytest.fixture
def ask(cup: Championship, client: Client) -> Ask:
    """Ask below /webhooks with a token that may manage; `as_`: with another Authorization header."""
    usual = token(cup.created_by, Scope.READ, Scope.MANAGE)

    def ask(method: str, at: str = "", body: Any = None, as_: str = usual, **headers: str) -> Any:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if as_:
            sent["Authorization"] = as_
        data = b"" if body is None else json.dumps(body)
        address = f"/api/v1/championships/cup/webhooks{at}"
        answer = client.generic(method, address, data, content_type=JSON, headers=sent)
        as_described(method, address, answer)
        return answer

    return ask


@pytest.fixture
def made(ask: Ask) -> dict[str, Any]:
    answer = ask("POST", "", {"url": URL, "kinds": ["ranking"]})
    assert answer.status_code == 201, answer.content
    said: dict[str, Any] = answer.json()
    assert answer.headers["Location"] == f"/api/v1/championships/cup/webhooks/{said['id']}"
    return said


def test_made_it_is_read_and_listed(ask: Ask, made: dict[str, Any]) -> None:
    assert (made["url"], made["kinds"], made["state"]) == (URL, ["ranking"], "active")
    assert made["secret"].startswith("whsec_")
    assert ask("GET", f"/{made['id']}").json() == made
    assert ask("GET").json()["items"] == [made]


def test_the_same_request_again_makes_no_second_one(ask: Ask) -> None:
    first, second = (ask("POST", "", {"url": URL}, Idempotency_Key="k") for _ in range(2))
    assert first.json() == second.json()
    assert Webhook.objects.count() == 1


@pytest.mark.parametrize("role", ["organiser", "referee", "auditor"])
def test_who_may_not_change_the_championship_sees_none(
    ask: Ask, cup: Championship, made: dict[str, Any], role: str
) -> None:
    somebody = UserFactory()
    Membership.objects.create(user=somebody, championship=cup, role=role)
    for header in (token(somebody, Scope.READ, Scope.MANAGE), token(cup.created_by, Scope.READ, Scope.HAND_IN), ""):
        for at in ("", f"/{made['id']}", f"/{made['id']}/deliveries"):
            answer = ask("GET", at, as_=header)
            assert answer.status_code == 403
            assert "whsec_" not in answer.content.decode()
        assert ask("POST", "", {"url": URL}, as_=header).status_code in (401, 403)


def test_a_draft_is_not_there_for_strangers(ask: Ask, cup: Championship, made: dict[str, Any]) -> None:
    Championship.objects.update(visibility="draft")
    assert ask("GET", "", as_="").status_code == 404
    assert ask("GET").status_code == 200


def test_another_championships_webhook_is_not_there(ask: Ask, made: dict[str, Any]) -> None:
    Webhook.objects.update(championship=ChampionshipFactory())
    at = f"/{made['id']}"
    assert ask("GET", at).status_code == 404
    assert ask("DELETE", at, If_Match="*").status_code == 404
    for deed in ("pause", "resume", "test"):
        assert ask("POST", f"{at}/{deed}").status_code == 404


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"url": "https://10.0.0.1/"}, "private-address"),
        ({"url": "gopher://example.org/"}, "not-http"),
        ({"url": "https://example.org:22/"}, "bad-port"),
        ({"url": "https://a@example.org/"}, "user-info"),
        ({"url": ""}, "bad-field"),
        ({"url": URL, "kinds": ["player"]}, "bad-field"),
        ({"url": URL, "secret": "whsec_"}, "bad-field"),
        ({}, "bad-field"),
    ],
)
def test_what_cannot_be_is_refused(ask: Ask, body: Any, code: str) -> None:
    answer = ask("POST", "", body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert not Webhook.objects.exists()


def test_changed_on_the_state_that_was_read(ask: Ask, made: dict[str, Any]) -> None:
    at = f"/{made['id']}"
    assert ask("PATCH", at, {"url": f"{URL}/2"}).status_code == 428
    etag = ask("GET", at).headers["ETag"]
    answer = ask("PATCH", at, {"url": f"{URL}/2"}, If_Match=etag)
    assert (answer.status_code, answer.json()["url"], answer.json()["kinds"]) == (200, f"{URL}/2", ["ranking"])
    stale = ask("PATCH", at, {"kinds": []}, If_Match=etag)
    assert stale.status_code == 412
    assert stale.json()["present"] == answer.json()
    assert ask("PATCH", at, {"kinds": []}, If_Match=answer.headers["ETag"]).json()["kinds"] == []


def test_paused_resumed_another_secret_and_removed(ask: Ask, made: dict[str, Any]) -> None:
    at = f"/{made['id']}"
    assert ask("POST", f"{at}/pause").json()["state"] == "paused"
    assert ask("POST", f"{at}/resume", {"skip": True}).json()["state"] == "active"
    assert ask("POST", f"{at}/secret").status_code == 428
    assert ask("POST", f"{at}/secret", If_Match="*").json()["secret"] != made["secret"]
    assert ask("DELETE", at, If_Match="*").status_code == 204
    assert ask("GET", at).status_code == 404
    assert ask("GET").json()["items"] == []


def test_deliveries_are_read_with_their_attempts_and_sent_again(
    ask: Ask, cup: Championship, made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [Answer(500, "<b>no</b>", None), Answer(200, "", None), Answer(200, "", None)]
    monkeypatch.setattr(outward, "post", lambda *_: answers.pop(0))
    at = f"/{made['id']}"
    tested = ask("POST", f"{at}/test")
    assert tested.status_code == 201
    work_off(made["id"])
    read = ask("GET", tested.headers["Location"].partition("/webhooks")[2]).json()
    assert (read["state"], read["status"], read["message"]["type"]) == ("given-up", 500, "test")
    assert [(one["status"], one["error"], one["answer"]) for one in read["attempts"]] == [(500, "status", "<b>no</b>")]

    Delivery.objects.all().delete()
    changed(cup, "ranking", "")
    work_off(made["id"])
    (line,) = ask("GET", f"{at}/deliveries").json()["items"]
    assert (line["state"], line["status"]) == ("delivered", 200)
    again = ask("POST", f"{at}/deliveries/{line['message_id']}/resend")
    assert (again.status_code, again.json()["state"]) == (200, "waiting")
    work_off(made["id"])
    read = ask("GET", f"{at}/deliveries/{line['message_id']}").json()
    assert (read["state"], len(read["attempts"])) == ("delivered", 2)
    assert ask("POST", f"{at}/deliveries/msg_none/resend").status_code == 404


def test_a_message_that_waits_in_the_order_of_a_stopped_webhook_stays_there(
    ask: Ask, cup: Championship, made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outward, "post", lambda *_: Answer(500, "", None))
    changed(cup, "ranking", "")
    work_off(made["id"])
    ask("POST", f"/{made['id']}/pause")
    answer = ask("POST", f"/{made['id']}/deliveries/{Delivery.objects.get().message_id}/resend")
    assert (answer.status_code, answer.json()["code"]) == (409, "webhook-stopped")


def test_there_is_a_limit(ask: Ask) -> None:
    for number in range(10):
        assert ask("POST", "", {"url": f"{URL}/{number}"}).status_code == 201
    answer = ask("POST", "", {"url": URL})
    assert (answer.status_code, answer.json()["code"]) == (409, "too-many-webhooks")


def test_what_is_remembered_is_answered_to_no_token_of_another_championship(cup: Championship, ask: Ask) -> None:
    made = ask("POST", "", {"url": URL}, Idempotency_Key="k")
    elsewhere = token(cup.created_by, Scope.MANAGE, championship=ChampionshipFactory(owner=cup.created_by))
    said = ask("POST", "", {"url": URL}, as_=elsewhere, Idempotency_Key="k")
    assert (made.status_code, said.status_code) == (201, 422)
    assert made.json()["secret"] not in said.content.decode()
    assert ask("POST", "", {"url": URL}, Idempotency_Key="k").content == made.content
