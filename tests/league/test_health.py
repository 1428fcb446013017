"""The two health addresses: is the program alive, can it take results in?"""

import pytest
from django.db import DatabaseError, connection
from django.test import Client


def test_live_asks_nothing_of_the_database(client: Client) -> None:
    # Without the `db` fixture any query fails the test.
    answer = client.get("/health/live")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok"}


@pytest.mark.django_db
def test_ready_with_jobs_in_the_process(client: Client) -> None:
    answer = client.get("/health/ready")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "broker": "none"}
    assert "no-store" in answer["Cache-Control"]


def test_ready_is_503_when_the_database_is_down(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise DatabaseError("no database here")

    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/health/ready")
    assert answer.status_code == 503
    assert answer.json() == {"status": "down", "database": "down", "broker": "none"}


@pytest.mark.django_db
def test_ready_says_that_the_broker_is_down_and_stays_in_service(client: Client, settings, monkeypatch) -> None:
    from league.celery import app

    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(app.conf, "broker_url", settings.BROKER_URL)
    answer = client.get("/health/ready")
    assert answer.status_code == 200
    assert answer.json() == {"status": "degraded", "database": "ok", "broker": "down"}


def test_health_cannot_be_posted_to(client: Client) -> None:
    assert client.post("/health/live").status_code == 405
