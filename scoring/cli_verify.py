"""`python -m scoring verify [FILE | -]`: a dump `championnat/1` computed again, and held against what is written in it.

Every document is judged again, every version of every result, and the rankings are computed from them. Each difference
is answered by a line with its place, and at the end a line says what was looked at. With `--explain` people read it.
"""

import argparse
import json
import sys
from typing import Final

from engine.messages import printable
from scoring.dump_stream import DumpError, read_parts
from scoring.dump_verify import Verification, verify
from scoring.input_files import STANDARD_INPUT, UnreadableFileError, lines_of, size_of
from scoring.progress import progress
from scoring.ranking_text import refusal

SUMMARY: Final = "compute every score and ranking of a dump championnat/1 again"
STATUSES: Final = "Exit status: 0 all is as it is written, 1 something differs, 2 the dump cannot be read."
EQUAL, DIFFERS, UNREADABLE = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command is told."""
    parser.add_argument(
        "file", nargs="?", default=STANDARD_INPUT, metavar="FILE", help="a dump; - or nothing: standard input"
    )
    parser.add_argument("--explain", action="store_true", help="print for people")


def run(arguments: argparse.Namespace) -> int:
    """Answer every difference and return the exit status."""
    found = Verification()
    with progress(size_of([arguments.file])) as bar:
        try:
            for difference in verify(read_parts(bar.count(lines_of(arguments.file))), found):
                bar.clear()
                print(f"{difference}." if arguments.explain else json.dumps(difference.as_data()))
        except UnreadableFileError as fault:
            bar.clear()
            print(f"verify: {printable(arguments.file, 200)}: {fault}", file=sys.stderr)
            return UNREADABLE
        except DumpError as fault:
            bar.clear()
            print(refusal(fault) if arguments.explain else json.dumps(fault.as_data()))
            return UNREADABLE
    print(_in_words(found) if arguments.explain else json.dumps(found.as_data()))
    return DIFFERS if found.differences else EQUAL


def _in_words(found: Verification) -> str:
    live = {
        True: "equal",
        False: "different",
        None: "not compared: it is not there, or does not count the whole journal",
    }
    lines = [
        f"{found.results} results judged again.",
        f"Live ranking: {live[found.live]}.",
        f"Published rankings computed again: {_numbers(found.published)}.",
    ]
    if found.changed_since:
        lines.append(f"What they count has changed since: {_numbers(found.changed_since)}.")
    if not found.lots:
        lines.append("Lots are left aside: the secret is not in the dump.")
    lines.append(f"Differences: {found.differences}.")
    return "\n".join(lines)


def _numbers(found: list[int]) -> str:
    return ", ".join(map(str, found)) or "none"
