"""`python -m scoring simulate RULEBOOK TABLE`: legal hand logs out of a seed, to try programs with.

Each log is a line of JSON with the totals that it comes to as its claim, or with `--text` its text writing. A table is
written 2x1: teams times players (RULES 3); `--manche 3` seats the third manche of a partie (RULES 13).
"""

import argparse
import json
import sys
from typing import Final

from engine.notation import HandLog, to_document
from engine.replay import WholeLogError, judge
from engine.rulebooks import RULEBOOKS
from engine.simulate import simulate
from engine.text_notation import to_text
from scoring.points import score

SUMMARY: Final = "make legal hand logs from a seed"
STATUSES: Final = "Exit status: 0 they were made, 2 there is no such table."
MADE, IMPOSSIBLE = 0, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command is told."""
    parser.add_argument("rulebook", choices=list(RULEBOOKS))
    parser.add_argument("table", type=_table, metavar="TABLE", help="teams x players: 2x1, 3x1, 4x1, 2x2, 3x2, 4x2")
    parser.add_argument("--manche", type=_counted, default=1, help="number of the manche: who begins turns with it")
    parser.add_argument("--seed", default="1", help="the same seed makes the same log")
    parser.add_argument("--count", type=_counted, default=1, help="how many logs")
    parser.add_argument("--text", action="store_true", help="in the text writing; one log only")


def run(arguments: argparse.Namespace) -> int:
    """Print the logs and return the exit status."""
    teams, players = arguments.table
    if arguments.text and arguments.count > 1:
        print("simulate: --text writes one log", file=sys.stderr)
        return IMPOSSIBLE
    first = (arguments.manche - 1) % (teams * players)
    for number in range(1, arguments.count + 1):
        seed = arguments.seed if number == 1 else f"{arguments.seed}/{number}"
        try:
            log = _with_claim(simulate(arguments.rulebook, teams, players, seed, first=first))
        except (ValueError, WholeLogError):
            print(f"simulate: {arguments.rulebook} has no table {teams}x{players}", file=sys.stderr)
            return IMPOSSIBLE
        if arguments.text:
            print(to_text(log), end="")
        else:
            print(json.dumps(to_document(log)))
    return MADE


def _with_claim(log: HandLog) -> HandLog:
    verdict = judge(log)
    assert verdict.outcome is not None  # a simulated log is legal
    assert verdict.rulebook is not None
    scores = score(verdict.outcome, verdict.rulebook)
    return log if scores is None else log._replace(claim={team: points["total"] for team, points in scores.items()})


def _table(text: str) -> tuple[int, int]:
    teams, sign, players = text.partition("x")
    if not (sign and teams.isdecimal() and players.isdecimal()):
        raise argparse.ArgumentTypeError("write teams x players, as in 2x1")
    return int(teams), int(players)


def _counted(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError("count from 1")
    return int(text)
