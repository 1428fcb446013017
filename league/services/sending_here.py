"""Sending to webhooks without a broker: one thread of this process, so that no request waits for the network.

It lives as long as something waits to be sent, and ends with the process: what it had is sent again by the thread of
the next one, which starts with it (league.wsgi), or by `manage.py send_deliveries`. Several processes may have one
each; the claims of `deliveries` keep them apart.
"""

import threading
from typing import Final

import structlog
from django.db import connection
from django.utils import timezone

from league.services.deliveries import due, next_due
from league.services.feed import number_changes

log = structlog.get_logger(__name__)

_LONGEST_SLEEP: Final = 60.0  # seconds

_lock = threading.Lock()
_asked = threading.Event()
_thread: threading.Thread | None = None


def send_here() -> None:
    """Let the thread look what is to be sent; it is started if there is none."""
    global _thread
    with _lock:
        _asked.set()
        if _thread is None:
            _thread = threading.Thread(target=_run, name="deliveries", daemon=True)
            _thread.start()


def send_all_due() -> None:
    """Send whatever is due, and return."""
    from league.tasks import send_deliveries  # tasks call services, so they cannot be imported above

    number_changes()
    for webhook_id in due(timezone.now()):
        send_deliveries(webhook_id)


def _run() -> None:
    try:
        while True:
            _asked.clear()
            send_all_due()
            if not _wait():
                return
    except Exception:
        log.exception("deliveries_not_sent")
        _leave()
    finally:
        connection.close()


def _wait() -> bool:
    """Wait until something is due or asked for; False when nothing waits at all, and the thread has left its place."""
    at = next_due()
    if at is None:
        with _lock:
            if not _asked.is_set():
                _forget()
                return False
        return True
    seconds = (at - timezone.now()).total_seconds()
    _asked.wait(min(max(seconds, 0.0), _LONGEST_SLEEP))
    return True


def _leave() -> None:
    with _lock:
        _forget()


def _forget() -> None:
    global _thread
    _thread = None
