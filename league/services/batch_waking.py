"""Waking whoever works at a batch: workers, one for each lane, or without a broker a thread of this process.

The thread lives as long as something is to be done, and ends with its process: what it left is taken up by the next
that is asked for, by a batch that is sent or looked at. Several processes may have one each: items are claimed.
"""

import threading
import time

import structlog
from django.db import connection
from django.utils import timezone
from kombu.exceptions import OperationalError

from league.models import Batch, BatchState
from league.services.batches import lanes_waiting, take_up_stale

log = structlog.get_logger(__name__)

_QUIET = 30.0  # seconds
_broker_failed_at: float | None = None

_lock = threading.Lock()
_asked = threading.Event()
_thread: threading.Thread | None = None


def wake_batch(batch_id: int) -> None:
    """Ask for the work at every lane of a batch in which something waits."""
    for lane in lanes_waiting(batch_id):
        wake_lane(batch_id, lane)


def wake_lane(batch_id: int, lane: int) -> None:
    """Ask for the work at a lane; a broker that cannot be reached is no fault: the sweep makes up for it.

    A request would wait for its connect time-out each time: after one failure it is left alone for half a minute.
    """
    global _broker_failed_at
    from league.tasks import work_batch  # tasks call services, so they cannot be imported above

    if work_batch.app.conf.task_always_eager:
        work_here()
        return
    if _broker_failed_at is not None and time.monotonic() - _broker_failed_at < _QUIET:
        return
    try:
        work_batch.delay(batch_id, lane)
        _broker_failed_at = None
    except OperationalError as error:
        _broker_failed_at = time.monotonic()
        log.warning("broker_unreachable", batch=batch_id, error=str(error))


def wake_stale() -> list[int]:
    """Take up every batch that has lost its workers; return their ids."""
    found = take_up_stale(now=timezone.now())
    for batch_id in found:
        wake_batch(batch_id)
    return found


def work_here() -> None:
    """Let the thread of this process look what is to be done; it is started if there is none."""
    global _thread
    with _lock:
        _asked.set()
        if _thread is None:
            _thread = threading.Thread(target=_run, name="batches", daemon=True)
            _thread.start()


def _run() -> None:
    from league.tasks import work_batch

    try:
        while True:
            _asked.clear()
            for batch_id in _open_batches():
                for lane in lanes_waiting(batch_id):
                    work_batch(batch_id, lane)
            if _is_over():
                return
    except Exception:
        log.exception("batches_not_worked_off")
        _is_over(whatever=True)
    finally:
        connection.close()


def _open_batches() -> list[int]:
    rows = Batch.objects.filter(state__in=[BatchState.WAITING, BatchState.RUNNING])
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _is_over(*, whatever: bool = False) -> bool:
    """Leave the thread's place unless it was asked for again meanwhile."""
    global _thread
    with _lock:
        if _asked.is_set() and not whatever:
            return False
        _thread = None
        return True
