"""Jobs: thin, with ids as arguments, idempotent. They take up work that stands in rows; a message only wakes them."""

from datetime import timedelta

import structlog
from celery import shared_task
from django.utils import timezone

from league.models import IdempotencyRecord
from league.services import batch_waking, batches, deliveries, waking
from league.services.feed import number_changes
from league.services.journal import OVERDUE
from league.services.overdue import confirm_all_overdue
from league.services.received_mail import forget_mails
from league.services.renewal import renew_all_due, renew_live_ranking

log = structlog.get_logger(__name__)

IDEMPOTENCY_KEPT = timedelta(days=2)


@shared_task
def renew_ranking(championship_id: int) -> None:
    """Replace the live ranking of a championship, if it is marked as due."""
    position = renew_live_ranking(championship_id=championship_id)
    log.info("ranking_renewed", championship=championship_id, position=position)
    waking.wake(championship_id)


@shared_task
def confirm_overdue(championship_id: int) -> None:
    """Let the results of a championship count that nobody contested in time."""
    counted = confirm_all_overdue(now=timezone.now(), championship_id=championship_id)
    log.info("overdue_confirmed", championship=championship_id, results=counted)


@shared_task
def sweep() -> None:
    """Take up every ranking whose mark is overdue: its message was lost, the broker down, or a worker killed.

    Before that, results that nobody contested in time come to count.
    """
    confirm_all_overdue(now=timezone.now())
    renew_all_due(marked_before=timezone.now() - OVERDUE)


@shared_task
def send_deliveries(webhook_id: int) -> None:
    """Send what a webhook waits for; where there is much of it, others have their turn in between."""
    from league.api.webhook_events import told  # the door whose answers messages repeat

    if deliveries.work_off(webhook_id=webhook_id, tell=told):
        waking.ask(webhook_id)


@shared_task
def sweep_deliveries() -> None:
    """Ask for whatever is due: changes whose message was lost, attempts whose time has come, what a killed one had."""
    number_changes()
    for webhook_id in deliveries.due(timezone.now()):
        waking.ask(webhook_id)


@shared_task
def work_batch(batch_id: int, lane: int) -> None:
    """Work at a lane of a batch; where there is much of it, others have their turn in between."""
    from league.api.batch_work import work_and_go_on  # the door through which the items come in

    work_and_go_on(batch_id, lane)


@shared_task
def sweep_batches() -> None:
    """Have taken up every batch that nobody works at: its message was lost, or a worker killed."""
    batch_waking.wake_stale()


@shared_task
def forget_answers() -> None:
    """Forget remembered answers that nobody will ask for again, and what was sent long ago."""
    batches.forget_batches(now=timezone.now())
    deliveries.forget_deliveries()
    forget_mails()
    IdempotencyRecord.objects.filter(at__lt=timezone.now() - IDEMPOTENCY_KEPT).delete()
