"""Messages held back while many deeds follow each other, so that a hundred of them wake a worker once.

A message only wakes: what is lost with a process that is killed is taken up by a sweep, as ever.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Send = Callable[[], None]

_held: ContextVar[dict[Hashable, Send] | None] = ContextVar("held", default=None)


@contextmanager
def held_back() -> Iterator[Send]:
    """Hold messages back until the end, or until what is yielded is called: it sends what there is by then."""
    waiting: dict[Hashable, Send] = {}
    token = _held.set(waiting)

    def send() -> None:
        inside = _held.set(None)
        try:
            while waiting:
                _key, one = waiting.popitem()
                one()
        finally:
            _held.reset(inside)

    try:
        yield send
    finally:
        _held.reset(token)
        send()


def hold(key: Hashable, send: Send) -> bool:
    """Put a message aside if messages are held back, once for each key; whether it was."""
    waiting = _held.get()
    if waiting is None:
        return False
    waiting.setdefault(key, send)
    return True
