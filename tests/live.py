"""The site as it runs for users, beside the tests: gunicorn (bin/web) on the tests' PostgreSQL, with Redis."""

import os
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from django.db import connection

from tests.programs import Program, free_port
from tests.servers import REDIS_URL
from tests.worker import ROOT, database_url

_UNTHROTTLED = {f"BORNAGE_API_{name}": "100000000" for name in ("READS", "HAND_INS", "WRITES", "COSTLY")}


class Site(Program):
    """A running site. `url` stays the same when it is killed and started again."""

    def __init__(self, prefix: str, log: Path, more: Mapping[str, str]) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        environment = os.environ | {
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
        super().__init__([str(ROOT / "bin" / "web")], log, environment)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        super().start()
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with suppress(OSError), urllib.request.urlopen(f"{self.url}/api/v1/rulebooks", timeout=5):
                return
            assert self.process is not None
            assert self.process.poll() is None, f"the site has ended: {self._log}"
            time.sleep(0.1)
        raise AssertionError(f"the site does not answer: {self._log}")


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
