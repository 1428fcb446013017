"""Every request has an id of our own and one line in the log that says nothing private."""

import logging
from typing import Any

import pytest
from django.test import Client


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
