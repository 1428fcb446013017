"""Requests that wait for something to happen: few at a time, and one look at the database for all of them.

A waiting request keeps a thread of its process, so only some may wait at once (FEED_WAITERS of each process): who finds
no seat free is told so at once. It keeps neither a transaction nor a connection: the waiters of a process share one
look at the feed, a few times a second, taken by whichever of them wakes first.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.db import connection

from league.services.feed import number_changes

EVERY: Final = 0.25
"""Seconds between two looks."""


class Seats:
    """How many requests of this process may wait at once; one sender has half of the seats at most."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, sender: str) -> bool:
        """Take a seat if one is free. Whoever takes one gives it back with `leave`."""
        most = settings.FEED_WAITERS
        with self._lock:
            is_free = self._taken.total() < most and self._taken[sender] < max(1, most // 2)
            self._taken[sender] += is_free
        return is_free

    def leave(self, sender: str) -> None:
        """Give a seat back."""
        with self._lock:
            self._taken[sender] -= 1
            self._taken += Counter()  # forgets who has none


class Lookout:
    """Looks for a number that grows, for all who wait for it."""

    def __init__(self, look: Callable[[], int], every: float = EVERY) -> None:
        self._look, self._every = look, every
        self._condition = threading.Condition()
        self._seen, self._seen_at, self._is_looking = 0, float("-inf"), False

    def wait_beyond(self, position: int, seconds: float) -> bool:
        """Whether the number is greater than `position`, now or within so many seconds. Raises what a look raises."""
        deadline = time.monotonic() + seconds
        while True:
            with self._condition:
                now = time.monotonic()
                due_in = self._seen_at + self._every - now
                # what was seen long ago may be wrong by now: a database can be put back to a day before
                if due_in > 0 and self._seen > position:
                    return True
                if now >= deadline:
                    return False
                if self._is_looking or due_in > 0:
                    # while somebody looks, their answer wakes everybody
                    self._condition.wait(min(deadline - now, self._every if self._is_looking else due_in))
                    continue
                self._is_looking = True
            self._look_now()

    def _look_now(self) -> None:
        seen = None
        try:
            seen = self._look()
        finally:
            with self._condition:
                self._is_looking, self._seen_at = False, time.monotonic()
                self._seen = self._seen if seen is None else seen
                self._condition.notify_all()


def let_go() -> None:
    """Give this thread's connection back, to the pool if there is one; the next query takes another."""
    if not connection.in_atomic_block:
        connection.close()


def _look() -> int:
    try:
        return number_changes()
    finally:
        let_go()


SEATS: Final = Seats()
LOOKOUT: Final = Lookout(_look)
