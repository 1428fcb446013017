"""Waking whoever sends to webhooks: a worker, or without a broker a thread of this process.

The rows are the truth: what is lost here is taken up by the sweep, or by the next that is asked for.
"""

import time
from dataclasses import dataclass

import structlog
from django.db import connection, transaction
from kombu.exceptions import OperationalError

from league.models import Championship, Webhook, WebhookState
from league.services.held_back import hold

log = structlog.get_logger(__name__)

_QUIET = 30.0  # seconds
_broker_failed_at: float | None = None


@dataclass(frozen=True, slots=True)
class _Wake:
    championship_id: int

    def __call__(self) -> None:
        wake(self.championship_id)


def wake_after_commit(championship: Championship) -> None:
    """Wake a championship's webhooks once the transaction has changed it, once however often it is called.

    Whoever has locked it knows whether there are any; one that is made at that very moment is swept up.
    """
    if not vars(championship).get("has_webhooks", True):
        return
    asked = _Wake(championship.pk)
    if not any(asked in each for each in connection.run_on_commit):
        transaction.on_commit(asked, robust=True)


def wake(championship_id: int) -> None:
    """Ask for the sending to each active webhook of a championship."""
    if hold(("webhooks", championship_id), lambda: wake(championship_id)):
        return
    rows = Webhook.objects.filter(championship_id=championship_id, state=WebhookState.ACTIVE, removed_at=None)
    for webhook_id in rows.values_list("pk", flat=True):
        ask(webhook_id)


def ask(webhook_id: int, *, after: float = 0) -> None:
    """Ask for the sending to a webhook, after so many seconds; a broker that cannot be reached is no fault.

    A request would wait for its connect time-out each time: after one failure it is left alone for half a minute.
    """
    global _broker_failed_at
    # tasks and the thread call services, so they cannot be imported above
    from league.services.sending_here import send_here
    from league.tasks import send_deliveries

    if send_deliveries.app.conf.task_always_eager:
        send_here()
        return
    if _broker_failed_at is not None and time.monotonic() - _broker_failed_at < _QUIET:
        return
    try:
        send_deliveries.apply_async((webhook_id,), countdown=after)
        _broker_failed_at = None
    except OperationalError as error:
        _broker_failed_at = time.monotonic()
        log.warning("broker_unreachable", webhook=webhook_id, error=str(error))
