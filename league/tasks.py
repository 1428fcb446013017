"""Jobs: thin, with ids as arguments, idempotent. They take up work that stands in rows; a message only wakes them."""

from datetime import timedelta

import structlog
from celery import shared_task
from django.utils import timezone

from league.models import IdempotencyRecord
from league.services.journal import OVERDUE
from league.services.renewal import renew_all_due, renew_live_ranking

log = structlog.get_logger(__name__)

IDEMPOTENCY_KEPT = timedelta(days=2)


@shared_task
def renew_ranking(championship_id: int) -> None:
    """Replace the live ranking of a championship, if it is marked as due."""
    position = renew_live_ranking(championship_id=championship_id)
    log.info("ranking_renewed", championship=championship_id, position=position)


@shared_task
def sweep() -> None:
    """Take up every ranking whose mark is overdue: its message was lost, the broker down, or a worker killed."""
    renew_all_due(marked_before=timezone.now() - OVERDUE)


@shared_task
def forget_answers() -> None:
    """Forget remembered answers that nobody will ask for again."""
    IdempotencyRecord.objects.filter(at__lt=timezone.now() - IDEMPOTENCY_KEPT).delete()
