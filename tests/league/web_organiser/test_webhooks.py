"""The pages of webhooks: made, tested, stopped and resumed, with what was sent and answered."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.models import Delivery, Webhook
from league.services import outward, waking
from league.services.outward import Answer, NotSent
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.webhook_cases import changed, work_off

Send = Callable[..., Any]
URL = "https://hooks.example.org/bornage"
AT = "settings/webhooks/"


@pytest.fixture(autouse=True)
def _wakes_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "ask", lambda *_, **__: None)


@pytest.fixture
def made(hall: Hall, send: Send) -> Webhook:
    answer = send(AT, "make", url=URL, kinds=["ranking", "partie"])
    made = Webhook.objects.get()
    assert answer.headers["Location"] == f"{HOME}{AT}{made.pk}/"
    return made


def page(owner: Client, made: Webhook) -> str:
    return owner.get(f"{HOME}{AT}{made.pk}/").content.decode()


def answers(monkeypatch: pytest.MonkeyPatch, answer: Answer | NotSent) -> None:
    def post(*_: Any) -> Answer:
        if isinstance(answer, NotSent):
            raise answer
        return answer

    monkeypatch.setattr(outward, "post", post)


def test_made_it_is_listed_with_what_it_is_told_of(made: Webhook, owner: Client) -> None:
    assert (made.url, made.kinds, made.state) == (URL, ["partie", "ranking"], "active")
    listed = owner.get(HOME + AT).content.decode()
    assert URL in listed
    assert "parties and their results, the live ranking" in listed
    assert made.secret not in listed
    assert made.secret in page(owner, made)


def test_the_list_says_where_the_last_delivery_failed(
    made: Webhook, send: Send, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "last delivery failed" not in owner.get(HOME + AT).content.decode()
    answers(monkeypatch, NotSent("unknown-host"))
    send(f"{AT}{made.pk}/", "test")
    work_off(made.pk)
    listed = owner.get(HOME + AT).content.decode()
    assert "last delivery failed" in listed
    assert "There is no such host." in listed
    answers(monkeypatch, Answer(204, "", None))
    send(f"{AT}{made.pk}/", "test")
    work_off(made.pk)
    assert "last delivery failed" not in owner.get(HOME + AT).content.decode()


def test_the_settings_lead_there(hall: Hall, owner: Client) -> None:
    assert f'href="{HOME}{AT}"' in owner.get(HOME + "settings/").content.decode()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://127.0.0.1/", "BORNAGE_WEBHOOK_NETWORKS"),
        ("https://user:pw@example.org/", "name or a password"),
        ("ftp://example.org/", "begin with https"),
        ("https://example.org:25/", "Ports are 80"),
    ],
)
def test_an_address_that_cannot_be_is_refused_at_its_field(hall: Hall, send: Send, url: str, why: str) -> None:
    answer = send(AT, "make", url=url)
    assert answer.status_code == 422
    assert why in answer.content.decode()
    assert f'value="{url}"' in answer.content.decode()
    assert not Webhook.objects.exists()


def test_there_is_a_limit(hall: Hall, send: Send) -> None:
    for number in range(10):
        assert send(AT, "make", url=f"{URL}/{number}").status_code == 302
    assert send(AT, "make", url=URL).status_code == 409
    assert Webhook.objects.count() == 10


def test_a_test_shows_what_was_answered_escaped(
    made: Webhook, owner: Client, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(monkeypatch, Answer(500, "<script>alert(1)</script>", None))
    send(f"{AT}{made.pk}/", "test")
    work_off(made.pk)
    shown = page(owner, made)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert "<script>alert" not in shown
    assert "The answer was not 2xx." in shown


def test_why_nothing_came_is_said(made: Webhook, owner: Client, send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, NotSent("certificate"))
    send(f"{AT}{made.pk}/", "test")
    work_off(made.pk)
    assert "The certificate is not good." in page(owner, made)


def test_a_message_is_sent_again_and_sending_the_form_twice_does_it_once(
    made: Webhook, owner: Client, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(monkeypatch, Answer(200, "", None))
    changed(made.championship)
    work_off(made.pk)
    delivery = Delivery.objects.get(state="delivered")
    for _ in range(2):
        assert send(f"{AT}{made.pk}/", "again", key="k", message=delivery.message_id).status_code == 302
        work_off(made.pk)
    delivery.refresh_from_db()
    assert len(delivery.attempts) == 2


def test_another_championships_message_is_not_there(made: Webhook, send: Send) -> None:
    assert send(f"{AT}{made.pk}/", "again", message="msg_none").status_code == 404
    assert send(f"{AT}{made.pk + 1}/", "test").status_code == 404


def test_paused_resumed_changed_and_removed(made: Webhook, owner: Client, send: Send) -> None:
    at = f"{AT}{made.pk}/"
    send(at, "pause", version=1)
    assert "Nothing is sent" in page(owner, made)
    send(at, "resume", version=2)
    send(at, "change", version=3, url=f"{URL}/2")
    secret = made.secret
    send(at, "renew", version=4)
    made.refresh_from_db()
    assert (made.state, made.url, made.kinds, made.version) == ("active", f"{URL}/2", [], 5)
    assert made.secret != secret == made.previous_secret
    assert send(at, "pause", version=1).status_code == 412
    assert send(at, "remove", version=5).headers["Location"] == HOME + AT
    assert owner.get(HOME + at).status_code == 404
    assert URL not in owner.get(HOME + AT).content.decode()
