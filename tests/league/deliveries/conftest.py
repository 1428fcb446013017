"""A webhook and the real server that it is sent to."""

import ipaddress
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from league.models import Webhook
from league.services import waking
from tests.league.deliveries.cases import NOON
from tests.league.webhook_cases import webhook_to
from tests.league.webhook_receiver import Receiver, receiving


@pytest.fixture(autouse=True)
def _wakes_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests send themselves."""
    monkeypatch.setattr(waking, "ask", lambda *_, **__: None)


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    with receiving() as one:
        yield one


@pytest.fixture
def webhook(db: None, receiver: Receiver) -> Webhook:
    with time_machine.travel(NOON - timedelta(hours=1)):
        return webhook_to(receiver.url)
