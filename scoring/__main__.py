"""The command line of the room: `python -m scoring COMMAND …`.

A command is a module with a `SUMMARY` of what it does, the meaning of its exit `STATUSES`, `add_arguments(parser)`, and
`run`, from the parsed arguments to an exit status.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from types import ModuleType
from typing import Final

from scoring import cli_judge, cli_rank, cli_simulate, cli_verify

COMMANDS: Final[Mapping[str, ModuleType]] = {
    "judge": cli_judge,
    "rank": cli_rank,
    "verify": cli_verify,
    "simulate": cli_simulate,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; 2 for wrong usage, and where its answers cannot be written."""
    parsed = _parser().parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of any alphabet, whatever the terminal's
    try:
        status: int = parsed.run(parsed)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has had enough (`| head`): nothing more to say.
        _close_output()
        return 0
    except OSError as fault:
        _close_output()
        print(f"The answers cannot be written: {fault.strerror or fault}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scoring", description="Scores and rankings, without a server.")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        subparser = subparsers.add_parser(
            name, help=command.SUMMARY, description=command.SUMMARY, epilog=command.STATUSES
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def _close_output() -> None:
    """Let nothing more be written at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
