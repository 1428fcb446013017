"""`manage.py renew_rankings`: take up every live ranking that is due, for machines where no beat sweeps."""

from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from league.management.english import EnglishCommand
from league.services.overdue import confirm_all_overdue
from league.services.renewal import renew_all_due


class Command(EnglishCommand):
    """Run at every start of a site without workers (`make run`): a process that was killed may have left marks."""

    help = "Renew every live ranking that does not count all results yet."

    def handle(self, *args: Any, **options: Any) -> None:
        """Renew them one after the other, past those that fail; raise CommandError in the end if any did."""
        confirm_all_overdue(now=timezone.now())
        positions = renew_all_due(marked_before=timezone.now())
        if options["verbosity"] > 1:
            for championship_id, position in positions.items():
                self.stdout.write(f"{championship_id}: {position}")
        failed = [str(championship_id) for championship_id, position in positions.items() if position is None]
        if failed:
            raise CommandError(f"not renewed: {', '.join(failed)}")
