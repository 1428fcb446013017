"""`manage.py renew_rankings`: take up every live ranking that is due, for machines where no beat sweeps."""

from typing import Any

from django.core.management.base import BaseCommand

from league.models import Championship
from league.services.renewal import renew_live_ranking


class Command(BaseCommand):
    """Run at every start of a site without workers: a process that was killed may have left marks behind."""

    help = "Renew every live ranking that does not count all results yet."

    def handle(self, *args: Any, **options: Any) -> None:
        """Renew them one after the other."""
        due = Championship.objects.filter(ranking_due_since__isnull=False).order_by("ranking_due_since")
        for championship_id in due.values_list("pk", flat=True):
            position = renew_live_ranking(championship_id=championship_id)
            if options["verbosity"] > 1:
                self.stdout.write(f"{championship_id}: {position}")
