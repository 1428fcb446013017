"""What the commands read: files by their names, or standard input."""

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

STANDARD_INPUT: Final = "-"


class UnreadableFileError(Exception):
    """A file that cannot be opened, or read to its end, or that holds no document; says why."""


def lines_of(file: str) -> Iterator[bytes]:
    """The lines of a file or of standard input, with their ends.

    Raises:
        UnreadableFileError: it cannot be opened, or not read to its end.
    """
    try:
        if file == STANDARD_INPUT:
            yield from sys.stdin.buffer
        else:
            with Path(file).open("rb") as lines:
                yield from lines
    except OSError as fault:
        raise UnreadableFileError(fault.strerror or str(fault)) from None


def size_of(files: Sequence[str]) -> int:
    """Bytes of all files together, 0 if one of them is a pipe or a terminal."""
    total = 0
    for file in files:
        try:
            status = os.fstat(sys.stdin.fileno()) if file == STANDARD_INPUT else Path(file).stat()
        except (OSError, ValueError):
            continue  # it will be told when its turn comes
        if not stat.S_ISREG(status.st_mode):
            return 0
        total += status.st_size
    return total
