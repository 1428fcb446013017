"""Work without a broker: a thread of this process, so that no request waits for it.

It lives as long as something is to be done, and ends with its process: what it left is taken up by the next that is
asked for. Several processes may have one each; what they work at is claimed.
"""

import threading
from collections.abc import Callable
from typing import Final

import structlog
from django.db import connection

log = structlog.get_logger(__name__)

_LONGEST_SLEEP: Final = 60.0  # seconds


class Here:
    """Something that is done here. `work` does what there is, and returns in how many seconds something is due again,
    None when nothing waits at all. A failure of ours is logged as `failed`, and ends the thread.
    """

    def __init__(self, name: str, work: Callable[[], float | None], *, failed: str) -> None:
        self.thread: threading.Thread | None = None
        self._name, self._work, self._failed = name, work, failed
        self._lock = threading.Lock()
        self._asked = threading.Event()

    def ask(self) -> None:
        """Let the thread look what is to be done; it is started if there is none."""
        with self._lock:
            self._asked.set()
            if self.thread is None:
                self.thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self.thread.start()

    def _run(self) -> None:
        try:
            while True:
                self._asked.clear()
                seconds = self._work()
                if seconds is not None:
                    self._asked.wait(min(max(seconds, 0.0), _LONGEST_SLEEP))
                elif self._is_over():
                    return
        except Exception:
            log.exception(self._failed)
            with self._lock:
                self.thread = None
        finally:
            connection.close()

    def _is_over(self) -> bool:
        """Leave the thread's place unless it was asked for again meanwhile."""
        with self._lock:
            if self._asked.is_set():
                return False
            self.thread = None
            return True
