"""`python -m scoring rank [FILE | -]`: rankings from documents `classement/1` (STANDINGS 7).

Each document is answered by a line, in order: its rows, or its refusal. With `--explain` people read it instead. Exit
status: 0 all were ranked, 1 some were refused, 2 something could not be read.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from engine.notation import FormatError
from scoring.ranking_document import RankingError
from scoring.ranking_reader import read
from scoring.ranking_stream import documents
from scoring.ranking_text import explanation, refusal
from scoring.standings import standings

if TYPE_CHECKING:
    # argparse has no public name for what add_subparsers returns.
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001

RANKED, REFUSED, UNREADABLE = 0, 1, 2
"""Exit statuses; the highest of all documents is the command's."""


def register(subparsers: "Subparsers") -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "rank",
        help="compute rankings from documents classement/1",
        description="Compute rankings from documents classement/1.",
        epilog="Exit status: 0 all were ranked, 1 some were refused, 2 something could not be read.",
    )
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="one JSON document, or one a line; - or nothing: standard input",
    )
    parser.add_argument("--explain", action="store_true", help="print for people, with why each stands above the next")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer every document of the file and return the exit status."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with _opened(arguments.file) as lines:
            return answer_all(documents(lines), explain=arguments.explain)
    except BrokenPipeError:
        raise
    except OSError as fault:
        print(f"rank: {arguments.file}: {fault.strerror}", file=sys.stderr)
        return UNREADABLE


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
    else:
        with Path(file).open("rb") as lines:
            yield lines


def answer_all(decoded: Iterable[object], *, explain: bool) -> int:
    """Print the answer to each document (see `scoring.ranking_stream.documents`) and return the exit status."""
    status = None
    for document in decoded:
        if explain and status is not None:
            print()
        this, text = answer(document, explain=explain)
        print(text, flush=True)  # whoever feeds a pipe document by document waits for each answer
        status = max(this, status or RANKED)
    if status is None:
        print("rank: there is no document", file=sys.stderr)
        return UNREADABLE
    return status


def answer(document: object, *, explain: bool) -> tuple[int, str]:
    """The status of one document and the text that answers it: a line of JSON, or lines for people."""
    if isinstance(document, FormatError):
        unread = RankingError(None, str(document))
        return UNREADABLE, refusal(document) if explain else json.dumps(unread.as_data())
    try:
        ranking = standings(read(document))
    except RankingError as fault:
        return REFUSED, refusal(fault) if explain else json.dumps(fault.as_data())
    return RANKED, explanation(ranking) if explain else json.dumps(ranking.as_answer())
