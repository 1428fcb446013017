"""Messages to workers. They only wake: the rows are the truth, so a broker that cannot be reached is no fault.

A request would wait for its connect time-out each time: after one failure the broker is left alone for half a minute,
and the sweeps do the work.
"""

import time
from collections.abc import Callable
from typing import Any, Final

import structlog
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)

_QUIET: Final = 30.0  # seconds
_broker_failed_at: float | None = None


def post(send: Callable[[], Any], **about: int) -> None:
    """Send a message, unless the broker has failed just now; `about` names what it is about in the log."""
    global _broker_failed_at
    if _broker_failed_at is not None and time.monotonic() - _broker_failed_at < _QUIET:
        return
    try:
        send()
        _broker_failed_at = None
    except OperationalError as error:
        _broker_failed_at = time.monotonic()
        log.warning("broker_unreachable", error=str(error), **about)
