"""What is done with webhooks, for the test that each of it is written down."""

from collections.abc import Callable
from typing import Any

from league.models import Webhook
from league.services import webhooks

Do = Callable[..., Any]
Tried = Callable[[Any], Any]
URL = "https://hooks.example.org/bornage"


def _made(hall: Any) -> Webhook:
    made: Webhook = hall.on_championship(webhooks.make_webhook, url=URL)
    return made


def _on_webhook(service: Do, **how: Any) -> Tried:
    return lambda hall: hall.do(service, webhook_id=_made(hall).pk, version=1, **how)


def _resumed(hall: Any) -> Any:
    paused = _on_webhook(webhooks.pause_webhook)(hall)
    return hall.do(webhooks.resume_webhook, webhook_id=paused.pk, version=2)


def _tested(hall: Any) -> Any:
    return hall.do(webhooks.send_test_message, webhook_id=_made(hall).pk)


def _sent_again(hall: Any) -> Any:
    delivery = _tested(hall)
    return hall.do(webhooks.send_again, webhook_id=delivery.webhook_id, message_id=delivery.message_id)


DONE: dict[str, Tried] = {
    "change_webhook": _on_webhook(webhooks.change_webhook, url=f"{URL}/2", kinds=["ranking"]),
    "make_webhook": _made,
    "pause_webhook": _on_webhook(webhooks.pause_webhook),
    "remove_webhook": _on_webhook(webhooks.remove_webhook),
    "renew_webhook_secret": _on_webhook(webhooks.renew_webhook_secret),
    "resume_webhook": _resumed,
    "send_again": _sent_again,
    "send_test_message": _tested,
}
