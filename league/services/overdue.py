"""Results that the other side neither confirmed nor contested in time: they count (`Championship.confirm_minutes`).

The rows say what is overdue; whoever looks at them takes it up: beat's sweep, and where no broker and no beat are (one
club's evening), every hand-in and every renewal of a ranking, in the process. Reading a page changes nothing.

Only where another side is asked. A blind second entry never counts unconfirmed, nor what an organiser is to confirm.
"""

from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.errors import UserFault
from league.models import Championship, ChampionshipStatus, Confirmation, PartieStatus, Result, ResultState
from league.policy import Actor
from league.services.locks import lock_championship
from league.services.rulings import let_count, locked

log = structlog.get_logger(__name__)

ACTION = "confirm_overdue"
"""What the audit calls it."""


def counts_at(championship: Championship, handed_in_at: datetime) -> datetime | None:
    """When a pending result that came in then counts unless it is contested; None where it waits for somebody."""
    if championship.confirmation != Confirmation.OPPONENT or championship.confirm_minutes is None:
        return None
    return handed_in_at + timedelta(minutes=championship.confirm_minutes)


def confirm_all_overdue(*, now: datetime, championship_id: int | None = None) -> list[int]:
    """Let every result count whose time is over, of one championship or of all; return their ids.

    Each in a transaction of its own. One that cannot count (a later manche is in the way) is left to the organisers.
    """
    waiting = Championship.objects.filter(
        confirmation=Confirmation.OPPONENT, confirm_minutes__isnull=False, status=ChampionshipStatus.RUNNING
    )
    if championship_id is not None:
        waiting = waiting.filter(pk=championship_id)
    return [
        result_id
        for championship in waiting.order_by("pk")
        for result_id, manche_id, version in _overdue(championship, now).values_list("pk", "manche_id", "version")
        if _confirm_one(championship.pk, result_id, manche_id, version, now)
    ]


def wake_overdue(championship: Championship) -> None:
    """Take up what is overdue of a championship after this transaction, where no worker does."""
    if not settings.CELERY_TASK_ALWAYS_EAGER or counts_at(championship, timezone.now()) is None:
        return
    from league.tasks import confirm_overdue  # tasks call services, so they cannot be imported above

    transaction.on_commit(lambda: confirm_overdue.delay(championship.pk), robust=True)


def _overdue(championship: Championship, now: datetime) -> "QuerySet[Result]":
    minutes = timedelta(minutes=championship.confirm_minutes or 0)
    rows = Result.objects.filter(
        current_of__partie__championship=championship,
        current_of__voided_at__isnull=True,
        state=ResultState.PENDING,
        at__lte=now - minutes,
    )
    return rows.exclude(current_of__partie__status=PartieStatus.VOID).order_by("at", "pk")


@transaction.atomic
def _confirm_one(championship_id: int, result_id: int, manche_id: int, version: int, now: datetime) -> bool:
    championship = lock_championship(pk=championship_id)
    # looked at again under the lock: meanwhile it may have been contested, or the championship changed
    if counts_at(championship, now) is None or not _overdue(championship, now).filter(pk=result_id).exists():
        return False
    try:
        with transaction.atomic():
            table, manche, result = locked(manche_id, version)
            let_count(Actor(request_id="time-out"), table, manche, result, ACTION, "")
    except UserFault as fault:
        log.warning("overdue_not_confirmed", result=result_id, code=fault.code)
        return False
    return True
