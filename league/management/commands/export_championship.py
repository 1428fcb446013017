"""`manage.py export_championship SLUG [FILE]`: a championship as one open document, docs/dump.md."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import CommandError

from league.management.english import EnglishCommand
from league.models import Championship
from league.selectors.dump import dump
from league.services.locks import one_moment
from league.services.renewal import renew_live_ranking


class Command(EnglishCommand):
    """The file stands under its name only once it is whole; without one the dump goes to standard output."""

    help = "Write a championship with every log and sheet into one file (championnat/1)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what the command takes."""
        parser.add_argument("slug", help="the address of the championship")
        parser.add_argument(
            "file", nargs="?", default="-", help="a file that there is not yet; - or nothing: standard output"
        )
        parser.add_argument(
            "--private",
            action="store_true",
            help="with real names, licences, addresses, attempts, disputes, the audit, and the secret of the draws",
        )
        parser.add_argument("--force", action="store_true", help="write over a file that is there")

    def handle(self, *, slug: str, file: str, private: bool, force: bool, **options: Any) -> None:
        """Write it. Raises CommandError."""
        championship = Championship.objects.filter(slug=slug).first()
        if championship is None:
            raise CommandError(f"there is no championship {slug}")
        if championship.ranking_due_since is not None:
            renew_live_ranking(championship_id=championship.pk)
        if file == "-":
            self._write(sys.stdout.buffer, championship.pk, private=private)
            sys.stdout.buffer.flush()
        else:
            self._into_file(Path(file), championship.pk, private=private, force=force)
        if not private and "draw" in championship.tie_breaks and championship.shown_secret is None:
            self.stderr.write("The secret of the draws is left out until the championship is finished: no lots.")

    def _into_file(self, path: Path, championship_id: int, *, private: bool, force: bool) -> None:
        if path.exists() and not force:
            raise CommandError(f"{path} is there already: name another file, or say --force")
        partial = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with os.fdopen(
                os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666), "wb"
            ) as out:
                self._write(out, championship_id, private=private)
            partial.replace(path)
        except OSError as fault:
            raise CommandError(f"{path} cannot be written: {fault.strerror or fault}") from fault
        finally:
            partial.unlink(missing_ok=True)
        self.stderr.write(f"{path}: {path.stat().st_size} bytes")

    def _write(self, out: BinaryIO, championship_id: int, *, private: bool) -> None:
        with one_moment():
            for piece in dump(championship_id=championship_id, private=private):
                out.write(piece)
