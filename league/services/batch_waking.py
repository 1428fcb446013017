"""Waking whoever works at a batch: workers, one for each lane, or without a broker a thread of this process (`here`).

What a thread left is taken up by the next, when a batch is sent or looked at.
"""

from typing import Final

from django.utils import timezone

from league.models import Batch, BatchState
from league.services.batches import lanes_waiting, take_up_stale
from league.services.here import Here
from league.services.messages import post


def wake_batch(batch_id: int) -> None:
    """Ask for the work at every lane of a batch in which something waits."""
    for lane in lanes_waiting(batch_id):
        wake_lane(batch_id, lane)


def wake_lane(batch_id: int, lane: int) -> None:
    """Ask for the work at a lane; what is lost is made up for by the sweep."""
    from league.tasks import work_batch  # tasks call services, so they cannot be imported above

    if work_batch.app.conf.task_always_eager:
        WORKER.ask()
        return
    post(lambda: work_batch.delay(batch_id, lane), batch=batch_id)


def wake_stale() -> list[int]:
    """Take up every batch that has lost its workers; return their ids."""
    found = take_up_stale(now=timezone.now())
    for batch_id in found:
        wake_batch(batch_id)
    return found


def _work() -> None:
    from league.tasks import work_batch

    rows = Batch.objects.filter(state__in=[BatchState.WAITING, BatchState.RUNNING])
    for batch_id in rows.order_by("pk").values_list("pk", flat=True):
        for lane in lanes_waiting(batch_id):
            work_batch(batch_id, lane)


WORKER: Final = Here("batches", _work, failed="batches_not_worked_off")
