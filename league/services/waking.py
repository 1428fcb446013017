"""Waking whoever sends to webhooks: a worker, or without a broker a thread of this process.

The rows are the truth: what is lost here is taken up by the sweep, or by the next that is asked for.
"""

from dataclasses import dataclass

from django.db import connection, transaction

from league.models import Championship, Webhook, WebhookState
from league.services.held_back import hold
from league.services.messages import post


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
    """Ask for the sending to a webhook, after so many seconds."""
    # tasks and the thread call services, so they cannot be imported above
    from league.services.sending_here import SENDER
    from league.tasks import send_deliveries

    if send_deliveries.app.conf.task_always_eager:
        SENDER.ask()
        return
    post(lambda: send_deliveries.apply_async((webhook_id,), countdown=after), webhook=webhook_id)
