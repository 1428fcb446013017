"""`manage.py create_token EMAIL NAME`: make a program's key and print it, this once."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from league.errors import UserFault
from league.management.english import EnglishCommand
from league.models import Championship, Scope, User
from league.policy import Actor
from league.services.tokens import create_token


class Command(EnglishCommand):
    """Prints nothing but the token, so that a script can keep it."""

    help = "Make a token for the API; it is shown this once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("email", help="of the account that the program acts for")
        parser.add_argument("name", help="what the token is called in lists")
        parser.add_argument("--scope", action="append", choices=Scope.values, help="default: read and hand_in")
        parser.add_argument("--championship", help="the only one that it is good for, by its address (slug)")
        parser.add_argument("--days", type=int, help="how long it is good; default: until it is revoked")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the token. Raises CommandError."""
        try:
            user = User.objects.get_by_natural_key(options["email"])
        except User.DoesNotExist:
            raise CommandError(f"nobody has an account with {options['email']}") from None
        championship = None
        if options["championship"] is not None:
            championship = Championship.objects.filter(slug=options["championship"]).first()
            if championship is None:
                raise CommandError(f"there is no championship {options['championship']}")
        days = options["days"]
        try:
            _token, text = create_token(
                actor=Actor(user=user, request_id="create_token"),
                user=user,
                name=options["name"],
                scopes=options["scope"] or [Scope.READ, Scope.HAND_IN],
                championship=championship,
                expires_at=None if days is None else timezone.now() + timedelta(days=days),
            )
        except UserFault as fault:
            raise CommandError("\n".join(f"{one.field}: {one.message}" for one in fault.faults)) from fault
        self.stdout.write(text)
