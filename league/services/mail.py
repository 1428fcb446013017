"""Mails, sent once what they tell of is written."""

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

_TO_CONSOLE = "django.core.mail.backends.console.EmailBackend"
_TO_NOBODY = "django.core.mail.backends.dummy.EmailBackend"

log = structlog.get_logger(__name__)


def sends_mail() -> bool:
    """Whether mail goes anywhere: not where nobody has set it up, and it is written to the console."""
    return settings.EMAIL_BACKEND not in (_TO_CONSOLE, _TO_NOBODY)


def send_after_commit(address: str, subject: str, body: str) -> None:
    """Send a mail after the transaction; one that cannot be sent is logged, and is no fault of what was done."""
    transaction.on_commit(lambda: _send(address, subject, body))


def _send(address: str, subject: str, body: str) -> None:
    try:
        send_mail(subject, body, None, [address])
    except OSError:  # what SMTP raises; whoever asked for the mail has another way
        log.warning("mail_not_sent", exc_info=True)
