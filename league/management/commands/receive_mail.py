"""`manage.py receive_mail`: take one mail from standard input, hand in what it holds, and answer it.

Exit codes are those of sysexits.h, by which a mail server goes: 0 the mail is dealt with, 67 there is no such address,
75 our own failure or too many mails: bring it again later.
"""

import sys
from argparse import ArgumentParser
from typing import Any, Final

import structlog
from django.conf import settings
from django.core.management.base import CommandError

from league.management.english import EnglishCommand
from league.services.mail_addresses import takes_mail
from league.services.received_mail import TooManyMails, UnknownAddress, receive_mail

EX_NOUSER: Final = 67
EX_TEMPFAIL: Final = 75

log = structlog.get_logger(__name__)


class Command(EnglishCommand):
    """Says nothing on standard output: mail servers send that to strangers."""

    help = "Take one mail with a log or a sheet from standard input, and answer it by mail."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("--to", default="", help="the address that it is delivered to; default: from its headers")

    def handle(self, *args: Any, **options: Any) -> None:
        """Take the mail. Raises CommandError with the exit code."""
        source = sys.stdin.buffer
        try:
            raw = source.read(settings.BODY_LIMIT + 1)
            while source.read(1 << 16):
                pass  # a mail server does not like to be left with what it has to say
            if not takes_mail():
                raise CommandError("BORNAGE_MAIL_TO is not set", returncode=EX_TEMPFAIL)
            receive_mail(raw=raw, to=options["to"])
        except UnknownAddress:
            raise CommandError("no such address", returncode=EX_NOUSER) from None
        except TooManyMails:
            raise CommandError("too many mails in an hour", returncode=EX_TEMPFAIL) from None
        except CommandError:
            raise
        except Exception as failure:
            log.exception("mail_not_received")
            raise CommandError("not taken: try again later", returncode=EX_TEMPFAIL) from failure
