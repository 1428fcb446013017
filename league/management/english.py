"""What commands say to a terminal is in English, whatever language the site speaks."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation


class EnglishCommand(BaseCommand):
    """A command whose words, those of services too, are English.

    Its own words have no translation, and half a sentence in another language helps nobody. What it writes for others
    (a mail's answer, say) chooses its language itself.
    """

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run it."""
        with translation.override("en"):
            return super().execute(*args, **options)
