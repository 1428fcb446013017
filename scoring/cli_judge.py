"""`python -m scoring judge [FILE… | -]`: hand logs and score sheets to their verdicts (RULES 10 and 11).

Each file is a JSON document, many of them (NDJSON), or a text log. Every document is answered by a line, in order: its
verdict, with the `file` and the `line` on which it begins, and the `text` in English of whatever it says. With
`--explain` people read it instead. Documents are forgotten one by one, so files may be of any length.
"""

import argparse
import json
import sys
from typing import Final

from engine.messages import printable
from scoring.documents import read_documents
from scoring.faults import with_texts
from scoring.input_files import STANDARD_INPUT, UnreadableFileError, lines_of, size_of
from scoring.progress import progress
from scoring.verdict_text import explanation
from scoring.verdicts import Judged, examine

SUMMARY: Final = "judge hand logs bornes/1 and score sheets marque/1"
STATUSES: Final = "Exit status: 0 all are valid, 1 some were refused, 2 something could not be read."
VALID, REFUSED, UNREADABLE = 0, 1, 2
"""Exit statuses; the highest of all documents is the command's."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command is told."""
    parser.add_argument(
        "files",
        nargs="*",
        default=[STANDARD_INPUT],
        metavar="FILE",
        help="a JSON document, one a line (NDJSON), or a text log; - or nothing: standard input",
    )
    parser.add_argument("--explain", action="store_true", help="print for people, with the score line by line")


def run(arguments: argparse.Namespace) -> int:
    """Answer every document of the files and return the exit status."""
    status = VALID
    with progress(size_of(arguments.files)) as bar:
        for file in arguments.files:
            found = 0
            try:
                for document in read_documents(bar.count(lines_of(file))):
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
        text = json.dumps(with_texts(judged.verdict, str) | {"file": file, "line": line})
    # whoever feeds standard input document by document waits for each answer
    print(text, flush=file == STANDARD_INPUT)
