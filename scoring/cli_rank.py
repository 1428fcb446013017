"""`python -m scoring rank [FILE | -]`: rankings from documents `classement/1`, `etapes/1` and `circuit/1` (STANDINGS).

The file is a JSON document, or many of them (NDJSON). Each is answered by a line, in order: its rows, or its refusal.
What is no JSON from its first sign on is refused as a whole. A dump `championnat/1`, which may be long, stands alone in
its file and is read piece by piece: its documents are judged again, and its championship ranked from what they come to.
With `--explain` people read it instead.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from engine.messages import printable
from scoring.documents import begins_json
from scoring.dump_reader import dump_document
from scoring.dump_stream import DumpError, is_dump
from scoring.input_files import STANDARD_INPUT, UnreadableFileError, lines_of
from scoring.json_stream import Decoded, decode, json_documents
from scoring.ranking_document import RankingError
from scoring.ranking_text import explanation, refusal
from scoring.rankings import ranking

SUMMARY: Final = "compute rankings from documents classement/1, etapes/1 and circuit/1, or a dump championnat/1"
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
        for found in _documents(lines_of(arguments.file)):
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


def _documents(lines: Iterator[bytes]) -> Iterator[Decoded | DumpError]:
    """The documents of a file; a file that does not begin with a brace, such as a text log, is one bad document."""
    for number, line in enumerate(lines, start=1):
        if begins_json(line):
            begun = _begun(line, lines)
            if is_dump(b"".join(begun)):
                yield _ranked_from(chain(begun, lines), number)
            else:
                yield from json_documents(chain(begun, lines), number)
        elif line.strip():
            yield decode(b"".join(chain([line], lines)).rstrip(), number)


def _begun(line: bytes, lines: Iterator[bytes]) -> list[bytes]:
    """The lines that show whether a dump begins: more than one where the first is only a brace."""
    begun = [line]
    while not b"".join(begun).strip(b"\xef\xbb\xbf \t\r\n{") and (following := next(lines, None)) is not None:
        begun.append(following)
    return begun


def _ranked_from(lines: Iterable[bytes], number: int) -> Decoded | DumpError:
    """What a dump is ranked from, as if it stood in its place."""
    try:
        return Decoded(dump_document(lines), None, None, number)
    except DumpError as fault:
        return fault


def _answer(found: Decoded | DumpError, *, explain: bool) -> tuple[int, str]:
    """The status of one document and the text that answers it: a line of JSON, or lines for people."""
    if isinstance(found, DumpError):
        status = UNREADABLE if found.code == "malformed" else REFUSED
        return status, refusal(found) if explain else json.dumps(found.as_data())
    if found.error is not None:
        unread = RankingError(None, str(found.error))
        return UNREADABLE, refusal(found.error) if explain else json.dumps(unread.as_data())
    try:
        ranked = ranking(found.data)
    except RankingError as fault:
        return REFUSED, refusal(fault) if explain else json.dumps(fault.as_data())
    return RANKED, explanation(ranked) if explain else json.dumps(ranked.as_answer())
