"""The command line of the room: `python -m scoring COMMAND …`.

A command is a module with `register(subparsers)`, which adds its parser and sets `run` to a function from the parsed
arguments to an exit status.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from scoring import cli_judge, cli_rank

COMMANDS = (cli_judge, cli_rank)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; 2 for wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m scoring", description="Scores and rankings, without a server.")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.register(subparsers)
    parsed = parser.parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has had enough (`| head`): nothing more to say, and nowhere to say it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
