"""Secrets in answers that are remembered for two days: not in the database, and answered again while they stand."""

import json
from typing import Any

import pytest

from league.models import IdempotencyRecord, Membership, Role, TableLink, Webhook
from league.services import waking
from tests.factories import ChampionshipFactory, PartieFactory
from tests.league.api.program import Program

pytestmark = pytest.mark.django_db

URL = "https://hooks.example.org/bornage"


@pytest.fixture(autouse=True)
def _wakes_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "ask", lambda *_, **__: None)


@pytest.fixture
def program() -> Program:
    partie = PartieFactory(championship=ChampionshipFactory(slug="cup"))
    return Program(partie.championship)


def kept() -> str:
    """Everything that is remembered, as it stands in the database."""
    rows = IdempotencyRecord.objects.values()
    return json.dumps(list(rows), default=str)


def twice(program: Program, method: str, path: str, body: Any = None, **headers: str) -> Any:
    """The answer to a request that is sent twice with its key, alike both times."""
    first = program.done(method, path, body, Idempotency_Key=f"{method} {path}".replace(" ", ":"), **headers)
    again = program.done(method, path, body, Idempotency_Key=f"{method} {path}".replace(" ", ":"), **headers)
    assert again["Idempotency-Replayed"] == "true"
    assert (again.content, again.status_code, again["ETag"]) == (first.content, first.status_code, first["ETag"])
    return first.json()


def test_the_secret_of_a_webhook(program: Program) -> None:
    made = twice(program, "POST", "/webhooks", {"url": URL})
    at = f"/webhooks/{made['id']}"
    said = [made]
    said.append(twice(program, "PATCH", at, {"kinds": ["ranking"]}, If_Match="*"))
    said.append(twice(program, "POST", f"{at}/pause"))
    said.append(twice(program, "POST", f"{at}/resume"))
    said.append(twice(program, "POST", f"{at}/secret", If_Match="*"))
    assert said[-1]["secret"] != made["secret"]
    assert all(one["secret"].startswith("whsec_") for one in said)
    assert IdempotencyRecord.objects.count() == 5
    assert "whsec_" not in kept()


def test_the_link_of_a_table(program: Program) -> None:
    link = twice(program, "POST", "/parties/1/link/renew", {"version": 0})
    assert link == program.get("/parties/1/link")
    code = link["url"].rstrip("/").rpartition("/")[2]
    assert len(code) > 20
    assert code not in kept()


def test_one_that_was_renewed_since_is_told_so(program: Program) -> None:
    made = program.post("/webhooks", {"url": URL}, Idempotency_Key="made")
    program.post(f"/webhooks/{made['id']}/secret", If_Match="*")
    assert program.refused("/webhooks", {"url": URL}, Idempotency_Key="made") == (409, "answer-gone")
    program.post("/parties/1/link/renew", {"version": 0}, Idempotency_Key="link")
    program.post("/parties/1/link/renew", {"version": 1})
    again = ("/parties/1/link/renew", {"version": 0})
    for _ in range(2):  # this refusal is not remembered instead of the answer
        assert program.refused(*again, Idempotency_Key="link") == (409, "answer-gone")
    assert (Webhook.objects.count(), TableLink.objects.get().version) == (1, 2)


def test_one_of_a_webhook_that_was_removed_is_gone_too(program: Program) -> None:
    made = program.post("/webhooks", {"url": URL}, Idempotency_Key="made")
    program.done("DELETE", f"/webhooks/{made['id']}", If_Match="*")
    assert program.refused("/webhooks", {"url": URL}, Idempotency_Key="made") == (409, "answer-gone")


def test_who_may_not_see_it_any_more_is_not_answered_it_again(program: Program) -> None:
    program.post("/webhooks", {"url": URL}, Idempotency_Key="made")
    Membership.objects.update(role=Role.ORGANISER)
    assert program.refused("/webhooks", {"url": URL}, Idempotency_Key="made") == (403, "not-permitted")


def test_another_request_with_the_key_is_refused_as_ever(program: Program) -> None:
    program.post("/webhooks", {"url": URL}, Idempotency_Key="made")
    other = {"url": f"{URL}/2"}
    assert program.refused("/webhooks", other, Idempotency_Key="made") == (422, "key-reused")
