"""`python -m scoring judge [FILE… | -]`: hand logs and score sheets to their verdicts (RULES 10 and 11).

Each file is a JSON document, many of them (NDJSON), or a text log. Every document is answered by a line, in order: its
verdict, with the `file` and the `line` on which it begins. With `--explain` people read it instead. Documents are
forgotten one by one, so files may be of any length.
"""

import argparse
import json
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.messages import printable
from scoring.document_stream import read_documents
from scoring.progress import progress
from scoring.verdict_text import explanation
from scoring.verdicts import Judged, examine

if TYPE_CHECKING:
    # argparse has no public name for what add_subparsers returns.
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001

VALID, REFUSED, UNREADABLE = 0, 1, 2
"""Exit statuses; the highest of all documents is the command's."""
STANDARD_INPUT: Final = "-"


class UnreadableFileError(Exception):
    """A file that cannot be opened or read to its end; says why."""


def register(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "judge",
        help="judge hand logs bornes/1 and score sheets marque/1",
        description="Judge hand logs and score sheets, a verdict a line. Exit status: 0 all are valid, 1 some were "
        "refused, 2 something could not be read.",
    )
    parser.add_argument(
        "files",
        nargs="*",
        default=[STANDARD_INPUT],
        metavar="FILE",
        help="a JSON document, one a line (NDJSON), or a text log; - or nothing: standard input",
    )
    parser.add_argument("--explain", action="store_true", help="print for people, with the score line by line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer every document of the files and return the exit status."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    status = VALID
    with progress(_size(arguments.files)) as bar:
        for file in arguments.files:
            found = 0
            try:
                for document in read_documents(bar.count(_lines(file))):
                    found += 1
                    judged = examine(document)
                    if sys.stdout.isatty():
                        bar.clear()
                    _answer(judged, file, explain=arguments.explain)
                    status = max(status, VALID if judged.valid else REFUSED)
                    bar.step()
                if not found:
                    raise UnreadableFileError("there is no document")
            except UnreadableFileError as fault:
                bar.clear()
                print(f"judge: {printable(file, 200)}: {fault}", file=sys.stderr)
                status = UNREADABLE
    return status


def _answer(judged: Judged, file: str, *, explain: bool) -> None:
    line = judged.document.first_line
    if explain:
        text = explanation(judged, f"{printable(file, 200)}, line {line}")
    else:
        text = json.dumps(judged.verdict | {"file": file, "line": line})
    # whoever feeds standard input document by document waits for each answer
    print(text, flush=file == STANDARD_INPUT)


def _lines(file: str) -> Iterator[bytes]:
    """The lines of a file or of standard input.

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


def _size(files: Sequence[str]) -> int:
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
