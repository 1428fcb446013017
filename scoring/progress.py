"""A progress bar for commands that read long files: on standard error, and only when that is a terminal."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_WIDTH = 24
_PAUSE = 0.1  # seconds between two drawings
_CLEAR_LINE = "\r\x1b[K"


class Progress:
    """How far a command is. `total` is in bytes, 0 where it is not known."""

    def __init__(self, stream: TextIO, total: int) -> None:
        self._stream = stream
        self._total = total
        self._bytes = 0
        self._documents = 0
        self._due = 0.0
        self._drawn = False
        self._on = stream.isatty()

    def count(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """`lines`, counted as they pass."""
        for line in lines:
            self._bytes += len(line)
            yield line

    def step(self) -> None:
        """One more document is done."""
        self._documents += 1
        if self._on and time.monotonic() >= self._due:
            self._stream.write(_CLEAR_LINE + self._line())
            self._stream.flush()
            self._due = time.monotonic() + _PAUSE
            self._drawn = True

    def clear(self) -> None:
        """Take the bar off, so that other lines can be printed."""
        if self._drawn:
            self._stream.write(_CLEAR_LINE)
            self._stream.flush()
            self._drawn = False

    def _line(self) -> str:
        documents = f"documents: {self._documents:,}"
        if not self._total:
            return documents
        done = min(self._bytes / self._total, 1)
        filled = int(done * _WIDTH)
        return f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {done:4.0%}  {documents}"


@contextmanager
def progress(total: int) -> Iterator[Progress]:
    """A bar that is gone when the work is done or broken off."""
    bar = Progress(sys.stderr, total)
    try:
        yield bar
    finally:
        bar.clear()
