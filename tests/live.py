"""The site as it runs for users, beside the tests: gunicorn (bin/web) on the tests' PostgreSQL, with Redis."""

import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from django.db import connection

from tests.servers import REDIS_URL
from tests.worker import ROOT, database_url

_UNTHROTTLED = {f"BORNAGE_API_{name}": "100000000" for name in ("READS", "HAND_INS", "WRITES", "COSTLY")}


class Site:
    """A running site. `url` stays the same when it is killed and started again."""

    def __init__(self, prefix: str, log: Path, more: Mapping[str, str]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = log
        self._environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "league.settings",
            "DATABASE_URL": database_url(str(connection.settings_dict["NAME"])),
            "BROKER_URL": REDIS_URL,
            "BROKER_PREFIX": prefix,
            "EMAIL_URL": "dummymail://",
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            **_UNTHROTTLED,
            **more,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._log.open("a") as out:
            self.process = subprocess.Popen(
                [ROOT / "bin" / "web"], env=self._environment, stdout=out, stderr=out, start_new_session=True
            )
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with suppress(OSError), urllib.request.urlopen(f"{self.url}/api/v1/rulebooks", timeout=5):
                return
            assert self.process.poll() is None, f"the site has ended: {self._log}"
            time.sleep(0.1)
        raise AssertionError(f"the site does not answer: {self._log}")

    def kill(self) -> None:
        """End it as a power cut would: at once, with all its processes."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
            self.process = None


@contextmanager
def running_site(prefix: str, name: str = "site", **more: str) -> Iterator[Site]:
    """Run the site on the tests' database; its jobs go to the worker that listens under a prefix."""
    log = ROOT / "build" / "tests" / f"{name}-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("")
    site = Site(prefix, log, more)
    try:
        site.start()
        yield site
    finally:
        site.kill()
