"""`manage.py import_championship FILE`: a championship from a dump championnat/1, docs/dump.md."""

import logging
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.db import connection

from league.errors import UserFault
from league.management.english import EnglishCommand
from league.models import User
from league.policy import Actor
from league.services.accounts import DEMONSTRATION_EMAIL, needs_first_account
from league.services.dump_import import import_championship
from league.services.renewal import renew_live_ranking
from scoring.input_files import UnreadableFileError, lines_of

_REQUEST = "import_championship"


class Command(EnglishCommand):
    """All of it comes in, or nothing."""

    help = "Take in a championship from a file that export_championship wrote (championnat/1)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("file", help="the dump; - : standard input")
        parser.add_argument("--owner", help="e-mail address of the account to which it will belong")
        parser.add_argument("--slug", default="", help="another address than the one that it had")

    def handle(self, *, file: str, owner: str | None, slug: str, **options: Any) -> None:
        """Take it in and renew its live ranking. Raises CommandError."""
        if User._meta.db_table not in connection.introspection.table_names():  # noqa: SLF001 — Django documents _meta
            raise CommandError("This database is empty: make its tables first, with manage.py migrate.")
        user = _owner(owner)
        logging.disable(logging.WARNING)  # the renewal would be told of twice
        try:
            imported = import_championship(actor=Actor(user=user, request_id=_REQUEST), dump=lines_of(file), slug=slug)
        except UnreadableFileError as fault:
            raise CommandError(f"{file}: {fault}") from fault
        except UserFault as fault:
            raise CommandError(f"{fault.code}: {fault.message}") from fault
        finally:
            logging.disable(logging.NOTSET)
        renew_live_ranking(championship_id=imported.championship.pk)
        new = imported.players - imported.known_players
        self.stdout.write(
            f"{imported.championship.slug}: {imported.entries} entries, {imported.results} results, "
            f"{new} new players, {imported.known_players} known ones."
        )
        if not imported.has_secret and "draw" in imported.championship.tie_breaks:
            self.stderr.write("The dump has no secret: lots are drawn by a new one from now on.")


def _owner(email: str | None) -> User:
    """The account that is named; on a site without any, that of the demonstration, whose championships the first
    account takes over.
    """
    if email is not None:
        try:
            return User.objects.get_by_natural_key(email)
        except User.DoesNotExist:
            raise CommandError(f"nobody has an account with {email}") from None
    if not needs_first_account():
        raise CommandError("say to whom it will belong: --owner with the e-mail address of an account")
    user = User.objects.filter(email=DEMONSTRATION_EMAIL).first()
    if user is None:
        user = User(email=DEMONSTRATION_EMAIL, display_name="Import", is_active=False)
        user.set_unusable_password()
        user.save()
    return user
