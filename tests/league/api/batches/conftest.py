"""A hall, its programs, and nobody who works beside the tests."""

import pytest
from django.test import Client

from league.models import Championship
from tests.league.api.batches.cases import Sender, hall, sender_to


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What a worker would be woken for: nobody works beside these tests."""
    asked: list[int] = []
    monkeypatch.setattr("league.api.batches.wake_batch", asked.append)
    return asked


@pytest.fixture
def championship() -> Championship:
    return hall()


@pytest.fixture
def sender(client: Client, championship: Championship) -> Sender:
    return sender_to(client, championship)
