"""`manage.py list_tokens [EMAIL]`: the keys of programs, never their secrets."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from league.management.english import EnglishCommand
from league.models import ApiToken, User


class Command(EnglishCommand):
    """One line a token, its columns parted by tabs, below a line with their names."""

    help = "List the tokens of the API: whose, for what, until when, last used when."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("email", nargs="?", help="only those of this account")
        parser.add_argument("--good", action="store_true", help="only those that still open something")

    def handle(self, *args: Any, **options: Any) -> None:
        """List them. Raises CommandError."""
        tokens = ApiToken.objects.select_related("user", "championship").order_by("user__email", "created_at", "id")
        if options["email"] is not None:
            try:
                tokens = tokens.filter(user=User.objects.get_by_natural_key(options["email"]))
            except User.DoesNotExist:
                raise CommandError(f"nobody has an account with {options['email']}") from None
        self.stdout.write("begins with\taccount\tname\tscopes\tchampionship\tstate\texpires\tlast used")
        now = timezone.now()
        for token in tokens.iterator():
            if options["good"] and token.state_at(now) != "good":
                continue
            self.stdout.write("\t".join(_columns(token, token.state_at(now))))


def _columns(token: ApiToken, state: str) -> list[str]:
    return [
        f"bornage_{token.prefix}",
        token.user.email,
        token.name,
        ",".join(token.scopes),
        token.championship.slug if token.championship else "-",
        state,
        *(at.isoformat(timespec="seconds") if at else "-" for at in (token.expires_at, token.last_used_at)),
    ]
