"""Writing the journal of results, and with it the mark that the live ranking is due.

Whatever changes what a ranking counts takes the next position of its championship, under the championship's lock. The
same UPDATE sets the mark. The mark is the truth; the message that is sent after commit only wakes a worker, so it may
be lost, and several results in a row send one.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from league.models import Championship, Entry, Manche, Partie, Result, ResultEvent, What
from league.services.held_back import hold
from league.services.messages import post

OVERDUE = timedelta(seconds=20)
"""A mark older than this has lost its message: the sweep takes it up, and the next result sends another one."""


@dataclass(frozen=True, slots=True)
class Line:
    """What happened, and to what."""

    what: What
    partie: Partie | None = None
    manche: Manche | None = None
    result: Result | None = None
    entry: Entry | None = None
    reason: str = ""


def confirmed_or_corrected(result: Result) -> What:
    """What it is that a result comes to count: a correction where an earlier version of it has counted before."""
    replaced = result.supersedes
    if replaced is None:
        return What.CONFIRMED
    if replaced.confirmed_at is None:
        earlier = Result.objects.filter(manche=result.manche_id, version__lt=replaced.version)
        if not earlier.filter(confirmed_at__isnull=False).exists():
            return What.CONFIRMED
    return What.CORRECTED


def write(championship: Championship, *lines: Line) -> None:
    """Append lines to the journal of a locked championship, and mark its ranking as due. Without a line: nothing."""
    if not lines:
        return
    now = timezone.now()
    first = championship.journal_position + 1
    ResultEvent.objects.bulk_create(
        ResultEvent(
            championship=championship,
            position=position,
            what=line.what,
            partie=line.partie,
            manche=line.manche,
            result=line.result,
            entry=line.entry,
            reason=line.reason,
            at=now,
        )
        for position, line in enumerate(lines, first)
    )
    marked_before = championship.ranking_due_since
    championship.journal_position += len(lines)
    championship.ranking_due_since = marked_before or now
    Championship.objects.filter(pk=championship.pk).update(
        journal_position=championship.journal_position, ranking_due_since=championship.ranking_due_since
    )
    if marked_before is None or now - marked_before > OVERDUE:
        transaction.on_commit(lambda: wake(championship.pk), robust=True)


def wake(championship_id: int) -> None:
    """Ask for the renewal of a live ranking."""
    if hold(("ranking", championship_id), lambda: wake(championship_id)):
        return
    from league.tasks import renew_ranking  # tasks call services, so they cannot be imported above

    post(lambda: renew_ranking.delay(championship_id), championship=championship_id)
