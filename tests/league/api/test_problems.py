"""Errors as problem+json (RFC 9457): whatever goes wrong, and wherever."""

from typing import Any

import pytest
import time_machine
from django.core.exceptions import SuspiciousOperation
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language

from league.api.problem_types import PROBLEM_TYPES
from league.api.rulebooks import codes
from league.errors import Faults, UserFault
from league.models import Championship
from tests.league.api.conftest import World

PROBLEM = "application/problem+json"


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    said: dict[str, Any] = answer.json()
    assert (answer.status_code, answer["Content-Type"], said["status"], said["code"]) == (status, PROBLEM, status, code)
    assert said["type"] == f"/docs/problems#{code}"
    assert said["request_id"] == answer["X-Request-ID"]
    assert said["title"]
    assert said["detail"]
    assert answer["Cache-Control"] == "no-store"
    return said


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/api/", "/api/v1", "/api/v1/", "/api/v1/championships/", "/api/v2/clubs", "/api/v1/nothing"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_unknown_address_is_404(client: Client, path: str, method: str) -> None:
    problem(client.generic(method, path), 404, "not-found")


@pytest.mark.django_db
def test_a_page_for_people_stays_a_page(client: Client) -> None:
    answer = client.get("/en/no-such-page")
    assert (answer.status_code, answer["Content-Type"]) == (404, "text/html; charset=utf-8")


@pytest.mark.django_db
@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*"])
def test_another_form_is_406_and_says_what_can_be_had(client: Client, accept: str) -> None:
    said = problem(client.get(reverse("api-clubs"), HTTP_ACCEPT=accept), 406, "not-acceptable")
    assert said["offered"] == ["application/json", "text/csv"]


@pytest.mark.django_db
def test_a_browser_is_answered_in_json(client: Client) -> None:
    answer = client.get(reverse("api-clubs"), HTTP_ACCEPT="text/html,application/xhtml+xml,*/*;q=0.8")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


def test_a_host_that_is_not_ours_is_400(client: Client) -> None:
    problem(client.get("/api/v1/clubs", HTTP_HOST="elsewhere.example"), 400, "bad-request")


@pytest.mark.django_db
def test_a_request_that_django_suspects_is_400(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def suspect(*args: Any, **kwargs: Any) -> None:
        raise SuspiciousOperation("odd")

    monkeypatch.setattr("league.selectors.lists.clubs", suspect)
    client.raise_request_exception = False
    problem(client.get("/api/v1/clubs"), 400, "bad-request")


@pytest.mark.django_db
def test_a_bug_is_500_under_its_request_id_and_tells_nothing_of_itself(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError("the insides")

    monkeypatch.setattr("league.selectors.lists.clubs", fail)
    client.raise_request_exception = False
    answer = client.get("/api/v1/clubs")
    said = problem(answer, 500, "internal")
    assert "insides" not in answer.content.decode()
    assert said["request_id"]
    assert "the insides" in caplog.text, "it stands in the log"


@pytest.mark.django_db
def test_several_faults_are_told_at_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise Faults(
            [UserFault("required", "Give a name.", field="name"), UserFault("too-long", "Less.", field="note")]
        )

    monkeypatch.setattr("league.selectors.lists.clubs", refuse)
    said = problem(client.get("/api/v1/clubs"), 422, "required")
    assert said["errors"] == [
        {"code": "required", "field": "name", "detail": "Give a name."},
        {"code": "too-long", "field": "note", "detail": "Less."},
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=-1", "limit"),
        ("limit=ten", "limit"),
        ("limit=²", "limit"),
        ("limit=", "limit"),
        ("status=open", "status"),
        ("rulebook=house", "rulebook"),
        ("q=%00", "q"),
        ("club=" + "x" * 201, "club"),
    ],
)
def test_a_parameter_that_cannot_be_is_400_and_named(client: Client, query: str, field: str) -> None:
    said = problem(client.get(f"/api/v1/championships?{query}"), 400, "bad-parameter")
    assert said["field"] == field


@pytest.mark.django_db
def test_title_and_detail_are_in_the_readers_language(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def gettext(message: str) -> str:
        return f"{get_language()}: {message}"

    monkeypatch.setattr("django.utils.translation._trans.gettext", gettext)
    for language in ("fr", "en"):
        answer = client.get("/api/v1/championships/none", HTTP_ACCEPT_LANGUAGE=language)
        assert answer["Content-Language"] == language
        said = answer.json()
        assert (said["title"][:4], said["detail"][:4]) == (f"{language}: ",) * 2


def test_the_page_explains_every_code(world: World, client: Client) -> None:
    page = client.get("/docs/problems").content.decode()
    for one in codes():
        if one.kind != "line":
            assert f'id="{one.code}"' in page, one.code


def test_statuses_are_those_of_the_design() -> None:
    said = {code: kind.status for code, kind in PROBLEM_TYPES.items()}
    assert sorted(set(said.values())) == [
        400,
        401,
        403,
        404,
        405,
        406,
        409,
        411,
        412,
        413,
        415,
        422,
        428,
        429,
        500,
        503,
    ]


class TestAllowance:
    """How many requests a minute."""

    @pytest.fixture(autouse=True)
    def _two_a_minute(self) -> Any:
        # counts begin anew with each minute of the clock, which must not turn in the middle of a test
        with (
            override_settings(API_RATES={"reads": 2, "hand-ins": 1, "costly": 1}),
            time_machine.travel(timezone.now(), tick=False),
        ):
            yield

    def test_what_is_left_stands_in_the_headers_and_then_it_is_429(self, world: World, client: Client) -> None:
        first, second, third = (client.get("/api/v1/clubs") for _ in range(3))
        assert first["RateLimit-Policy"] == '"reads";q=2;w=60'
        assert first["RateLimit"].startswith('"reads";r=1;t=')
        assert second["RateLimit"].startswith('"reads";r=0;t=')
        problem(third, 429, "too-many-requests")
        assert 1 <= int(third["Retry-After"]) <= 60
        assert third["RateLimit"].startswith('"reads";r=0;t=')

    def test_addresses_and_tokens_are_counted_apart(self, world: World, client: Client, authorization: str) -> None:
        for headers in ({}, {"REMOTE_ADDR": "192.0.2.8"}, {"HTTP_AUTHORIZATION": authorization}):
            assert [client.get("/api/v1/clubs", **headers).status_code for _ in range(3)] == [200, 200, 429]

    def test_an_address_that_a_sender_makes_up_does_not_help(self, world: World, client: Client) -> None:
        answers = [client.get("/api/v1/clubs", HTTP_X_FORWARDED_FOR=f"192.0.2.{n}").status_code for n in range(3)]
        assert answers == [200, 200, 429]

    def test_behind_a_proxy_its_visitors_are_counted_apart(self, world: World, client: Client) -> None:
        with override_settings(PROXIES=1):
            answers = [
                client.get("/api/v1/clubs", HTTP_X_FORWARDED_FOR=f"203.0.113.1, 192.0.2.{n}").status_code
                for n in (1, 1, 1, 2)
            ]
        assert answers == [200, 200, 429, 200]

    def test_checks_and_hand_ins_have_allowances_of_their_own(self, send: Any, client: Client) -> None:
        assert send().status_code == 201
        problem(send(), 429, "too-many-requests")
        checks = [client.post("/api/v1/check", b"{}", content_type="application/json") for _ in range(2)]
        assert [answer.status_code for answer in checks] == [200, 429]
        assert client.get("/api/v1/clubs").status_code == 200


def test_nothing_is_half_written_when_a_bug_comes_last(
    world: World, send: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Championship.objects.get(pk=world.championship.pk).journal_position

    def fail(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("league.services.results.audit.record", fail)
    client.raise_request_exception = False
    problem(send(), 500, "internal")
    assert Championship.objects.get(pk=world.championship.pk).journal_position == before
