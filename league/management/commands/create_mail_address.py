"""`manage.py create_mail_address EMAIL CHAMPIONSHIP`: make a secret address for results and print it, this once."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from league.errors import UserFault
from league.management.english import EnglishCommand
from league.models import Championship, User
from league.policy import Action, Actor, may
from league.services.mail_addresses import create_mail_address


class Command(EnglishCommand):
    """Prints nothing but the address, so that a script can keep it."""

    help = "Make an address to which somebody sends results by mail; it is shown this once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("email", help="of the account that hands in")
        parser.add_argument("championship", help="by its address (slug)")
        parser.add_argument("--name", default="By mail", help="what it is called in lists")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the address. Raises CommandError."""
        try:
            user = User.objects.get_by_natural_key(options["email"])
        except User.DoesNotExist:
            raise CommandError(f"nobody has an account with {options['email']}") from None
        championship = Championship.objects.filter(slug=options["championship"]).first()
        if championship is None:
            raise CommandError(f"there is no championship {options['championship']}")
        actor = Actor(user=user, request_id="create_mail_address")
        if not may(actor, Action.HAND_IN, championship):
            raise CommandError(f"{options['email']} may not hand in there")
        try:
            _made, text = create_mail_address(actor=actor, user=user, championship=championship, name=options["name"])
        except UserFault as fault:
            raise CommandError("\n".join(str(one.message) for one in fault.faults)) from fault
        self.stdout.write(text)
