"""`manage.py send_deliveries`: what is due to webhooks is sent now, without a worker."""

from typing import Any

from league.management.english import EnglishCommand
from league.services.sending_here import send_all_due


class Command(EnglishCommand):
    """Sends what is due."""

    help = "Send to webhooks what is due, in this process."

    def handle(self, *args: Any, **options: Any) -> None:
        """Send it."""
        send_all_due()
