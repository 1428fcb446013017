"""Jobs: thin, with ids as arguments, idempotent. They take up work that stands in rows; a message only wakes them."""

from datetime import timedelta

import structlog
from celery import shared_task
from django.utils import timezone

from league.models import Championship, IdempotencyRecord
from league.services.journal import OVERDUE
from league.services.renewal import renew_live_ranking

log = structlog.get_logger(__name__)

IDEMPOTENCY_KEPT = timedelta(days=2)


@shared_task
def renew_ranking(championship_id: int) -> None:
    """Replace the live ranking of a championship, if it is marked as due."""
    position = renew_live_ranking(championship_id=championship_id)
    log.info("ranking_renewed", championship=championship_id, position=position)


@shared_task
def sweep() -> None:
    """Take up every ranking whose mark is overdue: its message was lost, the broker was down, or a worker was killed.

    A fault in one championship does not keep the others waiting.
    """
    overdue = Championship.objects.filter(ranking_due_since__lt=timezone.now() - OVERDUE)
    for championship_id in overdue.order_by("ranking_due_since").values_list("pk", flat=True):
        try:
            renew_live_ranking(championship_id=championship_id)
        except Exception:
            log.exception("ranking_not_renewed", championship=championship_id)


@shared_task
def forget_answers() -> None:
    """Forget remembered answers that nobody will ask for again."""
    IdempotencyRecord.objects.filter(at__lt=timezone.now() - IDEMPOTENCY_KEPT).delete()
