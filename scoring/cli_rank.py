"""`python -m scoring rank [FILE | -]`: rankings from documents `classement/1` (STANDINGS 7).

The file is a JSON document, or many of them (NDJSON). Each is answered by a line, in order: its rows, or its refusal.
With `--explain` people read it instead.
"""

import argparse
import json
import sys
from typing import Final

from engine.messages import printable
from scoring.input_files import STANDARD_INPUT, UnreadableFileError, lines_of
from scoring.json_stream import Decoded, json_documents
from scoring.ranking_document import RankingError
from scoring.ranking_reader import read
from scoring.ranking_text import explanation, refusal
from scoring.standings import standings

SUMMARY: Final = "compute rankings from documents classement/1"
STATUSES: Final = "Exit status: 0 all were ranked, 1 some were refused, 2 something could not be read."
RANKED, REFUSED, UNREADABLE = 0, 1, 2
"""Exit statuses; the highest of all documents is the command's."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command is told."""
    parser.add_argument(
        "file",
        nargs="?",
        default=STANDARD_INPUT,
        metavar="FILE",
        help="one JSON document, or one a line; - or nothing: standard input",
    )
    parser.add_argument("--explain", action="store_true", help="print for people, with why each stands above the next")


def run(arguments: argparse.Namespace) -> int:
    """Answer every document of the file and return the exit status."""
    status = None
    try:
        for found in json_documents(lines_of(arguments.file)):
            if arguments.explain and status is not None:
                print()
            this, text = _answer(found, explain=arguments.explain)
            print(text, flush=True)  # whoever feeds a pipe document by document waits for each answer
            status = max(this, status or RANKED)
        if status is None:
            raise UnreadableFileError("there is no document")
    except UnreadableFileError as fault:
        print(f"rank: {printable(arguments.file, 200)}: {fault}", file=sys.stderr)
        return UNREADABLE
    return status


def _answer(found: Decoded, *, explain: bool) -> tuple[int, str]:
    """The status of one document and the text that answers it: a line of JSON, or lines for people."""
    if found.error is not None:
        unread = RankingError(None, str(found.error))
        return UNREADABLE, refusal(found.error) if explain else json.dumps(unread.as_data())
    try:
        ranking = standings(read(found.data))
    except RankingError as fault:
        return REFUSED, refusal(fault) if explain else json.dumps(fault.as_data())
    return RANKED, explanation(ranking) if explain else json.dumps(ranking.as_answer())
