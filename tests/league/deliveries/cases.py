"""What tests of deliveries do and look at."""

from datetime import UTC, datetime

from league.models import Delivery, Webhook
from tests.league.webhook_cases import work_off
from tests.league.webhook_receiver import Receiver

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def send(webhook: Webhook) -> None:
    work_off(webhook.pk)


def told(receiver: Receiver) -> list[list[int]]:
    """The positions that each message told of."""
    return [came.positions for came in receiver.came]


def only(webhook: Webhook) -> Delivery:
    return webhook.deliveries.get()
