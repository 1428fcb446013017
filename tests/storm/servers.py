"""What runs in a storm and is killed in it: the site, its workers, the clock and a Redis, each with its log."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import redis
from django.db import connection

from tests.live import Site, running_site
from tests.programs import Program, free_port
from tests.worker import ROOT, database_url


class Redis(Program):
    """A Redis that keeps nothing on disk: whoever kills it loses every message and every count."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
        super().__init__(command, folder / "redis.log")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        super().start()
        until = time.monotonic() + 30
        with redis.Redis.from_url(self.url) as client:
            while time.monotonic() < until:
                with suppress(redis.RedisError):
                    client.ping()
                    return
                time.sleep(0.05)
        raise AssertionError("redis-server does not answer")


class Fleet:
    """Everything that runs. `kill(name)` kills one of KILLS and starts it again."""

    KILLS = ("web", "web process", "worker", "beat", "redis")

    def __init__(self, site: Site, redis_server: Redis, workers: list[Program], beat: Program) -> None:
        self.site, self.redis, self.workers, self.beat = site, redis_server, workers, beat
        self._turn = 0

    def kill(self, name: str) -> None:
        """Kill something of this name, and start it again."""
        if name == "web":
            self.site.kill()
            self.site.start()
        elif name == "web process":  # gunicorn starts another one
            assert self.site.process is not None
            for child in children_of(self.site.process.pid)[:1]:
                os.kill(child, signal.SIGKILL)
        else:
            self._turn += 1
            program = {
                "worker": self.workers[self._turn % len(self.workers)],
                "beat": self.beat,
                "redis": self.redis,
            }[name]
            program.kill()
            if name == "redis":
                time.sleep(1)  # long enough to be missed
            program.start()


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def running_fleet(folder: Path) -> Iterator[Fleet]:
    """Run all of it on the tests' database, with a Redis of its own."""
    redis_server = Redis(folder)
    environment = {
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "DATABASE_URL": database_url(str(connection.settings_dict["NAME"])),
        "BROKER_URL": redis_server.url,
        "CACHE_URL": redis_server.url.removesuffix("/0") + "/1",
        "BORNAGE_WEBHOOK_NETWORKS": "127.0.0.0/8",
        "EMAIL_URL": "dummymail://",
        "BORNAGE_LOG_LEVEL": "INFO",  # a line for each request, with its status
        "WORKER_PROCESSES": "1",
        "BEAT_FOLDER": str(folder / "beat"),
    }
    whole = os.environ | environment
    workers = [Program([str(ROOT / "bin" / "worker")], folder / f"worker-{n}.log", whole) for n in (1, 2)]
    beat = Program([str(ROOT / "bin" / "beat")], folder / "beat.log", whole)
    with ExitStack() as stack:
        for program in (redis_server, *workers, beat):
            stack.callback(program.kill)
            program.start()
        more = {name: value for name, value in environment.items() if name not in ("DATABASE_URL",)}
        site = stack.enter_context(running_site("", "storm", **more, WEB_WORKERS="2", WEB_THREADS="8"))
        yield Fleet(site, redis_server, workers, beat)
