"""`manage.py make_organiser EMAIL`: make an account that may make championships, or let one in again."""

import getpass
import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from league.errors import UserFault
from league.management.english import EnglishCommand
from league.policy import Actor
from league.services.accounts import make_organiser

PASSWORD_VARIABLE = "BORNAGE_PASSWORD"  # noqa: S105 — the name of a variable, not a password


class Command(EnglishCommand):
    """Asks for the password, or reads it from BORNAGE_PASSWORD; never from the arguments, which others can list."""

    help = "Make an organiser's account, or give an existing one a new password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("email")
        parser.add_argument("--name", default="", help="displayed name; a new account needs one")
        parser.add_argument("--staff", action="store_true", help="may also open the administration pages")
        parser.add_argument("--no-password", action="store_true", help="its owner sets one by mail")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the account. Raises CommandError with every fault."""
        password = None if options["no_password"] else os.environ.get(PASSWORD_VARIABLE) or getpass.getpass()
        try:
            user = make_organiser(
                actor=Actor(request_id="make_organiser"),
                email=options["email"],
                display_name=options["name"],
                password=password,
                staff=options["staff"],
            )
        except UserFault as fault:
            raise CommandError("\n".join(f"{one.field or one.code}: {one.message}" for one in fault.faults)) from fault
        self.stdout.write(f"{user.display_name} <{user.email}>")
