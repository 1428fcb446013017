"""`manage.py demo`: makes the demonstration championship (league/demonstration.py)."""

import logging
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from league.demonstration import SLUG, make_demonstration
from league.management.english import EnglishCommand
from league.models import Championship


class Command(EnglishCommand):
    """Makes the demonstration, once."""

    help = "Make the demonstration: a championship of twelve teams with simulated manches."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the one option."""
        parser.add_argument("--if-empty", action="store_true", help="do nothing if there is any championship")

    def handle(self, *, if_empty: bool, **options: Any) -> None:
        """Make it, or say why not. Raises CommandError when it is there already."""
        if if_empty and Championship.objects.exists():
            return
        if Championship.objects.filter(slug=SLUG).exists():
            raise CommandError("The demonstration is there already.")
        self.stdout.write("Making the demonstration: twelve teams, three rounds…")
        logging.disable(logging.WARNING)  # a hundred hand-ins would fill the screen
        try:
            championship = make_demonstration()
        finally:
            logging.disable(logging.NOTSET)
        self.stdout.write(f"{championship.name}: made.")
