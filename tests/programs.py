"""Programs that run beside the tests, and are killed."""

import os
import signal
import socket
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

Popen = subprocess.Popen[bytes]


def free_port() -> int:
    """A port of loopback that nobody has."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class Program:
    """A program in a process group of its own, that is started and killed again and again."""

    def __init__(self, command: list[str], log: Path, environment: Mapping[str, str] | None = None) -> None:
        self._command, self._log, self._environment = command, log, environment
        self.process: Popen | None = None

    def start(self) -> None:
        """Start it."""
        with self._log.open("a") as out:
            self.process = subprocess.Popen(
                self._command, env=self._environment, stdout=out, stderr=out, start_new_session=True
            )

    def kill(self) -> None:
        """End it as a power cut would: at once, with all its processes."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
            self.process = None
