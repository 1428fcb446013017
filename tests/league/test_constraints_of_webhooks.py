"""What the database holds of webhooks and deliveries also when the services are passed by."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from league.models import Delivery, Webhook
from league.services.deliveries import new_delivery
from league.services.webhook_messages import new_message_id
from tests.league.test_constraints import again, refuses, update
from tests.league.webhook_cases import webhook_to

pytestmark = pytest.mark.django_db

BROKEN: list[tuple[str, Callable[[], Any]]] = [
    ("league_webhook_settings", update(Webhook, state="asleep")),
    ("league_webhook_settings", update(Webhook, url="")),
    ("league_webhook_settings", update(Webhook, secret="")),
    ("league_webhook_previous_secret", update(Webhook, previous_secret="whsec_")),
    ("league_webhook_previous_secret", update(Webhook, previous_until=timezone.now())),
    ("league_delivery_message_unique", again(Delivery, by_hand=True)),
    ("league_delivery_one_waits", lambda: again(Delivery, message_id=new_message_id())()),
    ("league_delivery_state", update(Delivery, next_at=None)),
    ("league_delivery_state", update(Delivery, state="delivered", next_at=None)),
    ("league_delivery_state", update(Delivery, state="given-up")),
    ("league_delivery_state", update(Delivery, state="lost", next_at=None)),
]


@pytest.mark.parametrize(("name", "broken"), BROKEN, ids=[f"{at}-{name}" for at, (name, _) in enumerate(BROKEN)])
def test_a_constraint_holds_when_services_are_passed_by(name: str, broken: Callable[[], Any]) -> None:
    new_delivery(webhook_to("https://hooks.example.org/"), "changes", {}, position=1)
    with refuses(name), transaction.atomic():
        broken()
