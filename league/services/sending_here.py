"""Sending to webhooks without a broker: by a thread of this process (`here`).

What an earlier process had is sent again by the thread of the next one, which starts with it (league.wsgi), or by
`manage.py send_deliveries`. The claims of `deliveries` keep several senders apart.
"""

from typing import Final

from django.utils import timezone

from league.services.deliveries import due, next_due
from league.services.feed import number_changes
from league.services.here import Here


def send_all_due() -> None:
    """Send whatever is due, and return."""
    from league.tasks import send_deliveries  # tasks call services, so they cannot be imported above

    number_changes()
    for webhook_id in due(timezone.now()):
        send_deliveries(webhook_id)


def _send() -> float | None:
    send_all_due()
    at = next_due()
    return None if at is None else (at - timezone.now()).total_seconds()


SENDER: Final = Here("deliveries", _send, failed="deliveries_not_sent")
