"""`manage.py revoke_token PREFIX`: make a program's key worthless, for good."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from league.management.english import EnglishCommand
from league.models import ApiToken
from league.policy import Actor
from league.services.tokens import revoke_token


class Command(EnglishCommand):
    """Takes the beginning that lists show, or the whole token that was found somewhere."""

    help = "Revoke a token of the API."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("token", help="bornage_PREFIX as list_tokens shows it; a whole token does too")

    def handle(self, *args: Any, **options: Any) -> None:
        """Revoke it. Raises CommandError."""
        prefix = options["token"].removeprefix("bornage_").partition("_")[0]
        token = ApiToken.objects.filter(prefix=prefix).first()
        if token is None:
            raise CommandError(f"there is no token that begins with bornage_{prefix}")
        revoke_token(actor=Actor(request_id="revoke_token"), token_id=token.pk)
        self.stdout.write(f"{token.name}: revoked")
