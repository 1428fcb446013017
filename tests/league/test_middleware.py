"""Every request has an id of our own and one line in the log that says nothing private; no body is too large."""

import logging
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.timezone import get_current_timezone_name

from league.middleware import BodyLimit


def requests(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """The lines of the request log."""
    return [record.msg for record in caplog.records if record.name == "league.requests"]


def test_the_id_of_the_answer_is_the_one_in_the_log_and_never_the_senders(client: Client, caplog) -> None:
    with caplog.at_level(logging.INFO, "league.requests"):
        answer = client.get("/health/live", HTTP_X_REQUEST_ID="forged\nline")
    (line,) = requests(caplog)
    assert line["request_id"] == answer["X-Request-ID"]
    assert len(line["request_id"]) == 32
    assert (line["route"], line["method"], line["status"]) == ("health/live", "GET", 200)


def test_neither_query_nor_address_of_the_sender_is_logged(client: Client, caplog) -> None:
    with caplog.at_level(logging.INFO, "league.requests"):
        client.get("/health/live?token=secret", REMOTE_ADDR="192.0.2.9")
    (line,) = requests(caplog)
    assert "secret" not in str(line)
    assert "192.0.2.9" not in str(line)


def test_two_requests_have_two_ids(client: Client) -> None:
    assert client.get("/health/live")["X-Request-ID"] != client.get("/health/live")["X-Request-ID"]


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "zone"), [("/en/", "Pacific/Auckland"), ("/api/v1/clubs", "UTC")])
def test_pages_have_the_sites_time_and_programs_utc(
    client: Client, settings, monkeypatch, path: str, zone: str
) -> None:
    settings.PAGES_TIME_ZONE = "Pacific/Auckland"
    zones = []
    handle = BodyLimit.__call__
    monkeypatch.setattr(
        BodyLimit, "__call__", lambda self, request: zones.append(get_current_timezone_name()) or handle(self, request)
    )
    client.get(path)
    assert zones == [zone]
    assert get_current_timezone_name() == "UTC", "nothing is left for the next request of this thread"


LIMIT = 1024 * 1024


@pytest.mark.django_db
@pytest.mark.parametrize(("size", "status"), [(LIMIT, 404), (LIMIT + 1, 413)])
def test_a_body_of_one_mib_passes_and_one_byte_more_does_not(client: Client, size: int, status: int) -> None:
    answer = client.post("/api/v1/nothing-here", b"x" * size, content_type="text/plain")
    assert answer.status_code == status


def test_a_program_is_told_by_a_code(client: Client) -> None:
    answer = client.post("/api/v1/nothing-here", b"x" * (LIMIT + 1), content_type="text/plain")
    assert answer["Content-Type"] == "application/problem+json"
    assert (answer.json()["code"], answer.json()["status"]) == ("too-large", 413)


def test_a_person_who_sends_too_large_a_file_is_shown_a_page(client: Client) -> None:
    answer = client.post("/nothing-here", {"log": SimpleUploadedFile("log.txt", b"x" * (LIMIT + 100_000))})
    assert answer.status_code == 413
    assert "413.html" in [template.name for template in answer.templates]


@pytest.mark.django_db
def test_a_file_of_one_mib_passes_with_the_form_around_it(client: Client) -> None:
    answer = client.post("/nothing-here", {"log": SimpleUploadedFile("log.txt", b"x" * LIMIT)})
    assert answer.status_code == 404
