"""A real Celery worker for tests: started as in production (bin/worker), on the tests' database and a Redis."""

import os
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import redis
from django.db import connection
from kombu import pools

from league.celery import app
from tests.servers import REDIS_URL

ROOT = Path(__file__).resolve().parent.parent


def database_url(name: str) -> str:
    """Return the URL of a database on the PostgreSQL server that the tests use."""
    parts = connection.settings_dict
    password = f":{parts['PASSWORD']}" if parts["PASSWORD"] else ""
    return f"postgres://{parts['USER']}{password}@{parts['HOST'] or '127.0.0.1'}:{parts['PORT'] or 5432}/{name}"


def forget_keys(prefix: str) -> None:
    """Remove what a broker kept under a prefix from the Redis of the tests."""
    with redis.Redis.from_url(REDIS_URL) as client:
        for key in client.scan_iter(f"{prefix}*"):
            client.delete(key)


def new_prefix() -> str:
    """A prefix of keys that no other test has."""
    return f"bornage-test-{uuid.uuid4().hex}:"


def start_worker(prefix: str, out: IO[str]) -> "subprocess.Popen[bytes]":
    """Start a worker on the tests' database that listens under this prefix, in a process group of its own."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "DATABASE_URL": database_url(str(connection.settings_dict["NAME"])),
        "BROKER_URL": REDIS_URL,
        "BROKER_PREFIX": prefix,
        "WORKER_PROCESSES": "1",
    }
    command = [ROOT / "bin" / "worker"]
    return subprocess.Popen(command, env=environment, stdout=out, stderr=out, start_new_session=True)


@contextmanager
def running_worker() -> Iterator[str]:
    """Run a worker on the tests' database; yields the prefix under which it listens."""
    prefix = new_prefix()
    log = ROOT / "build" / "tests" / f"worker-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as out, start_worker(prefix, out) as process:
        try:
            yield prefix
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
            forget_keys(prefix)


@contextmanager
def sends_to(prefix: str, broker_url: str = REDIS_URL) -> Iterator[None]:
    """Let this process send its jobs to the worker that listens under a prefix, instead of running them itself."""
    to_worker = {
        "task_always_eager": False,
        "broker_url": broker_url,
        "broker_transport_options": app.conf.broker_transport_options | {"global_keyprefix": prefix},
    }
    before = {name: app.conf[name] for name in to_worker}
    app.conf.update(to_worker)
    _forget_connections()
    try:
        yield
    finally:
        app.conf.update(before)
        _forget_connections()


def _forget_connections() -> None:
    """Close what was opened under other settings; Celery keeps its pools for the life of a process."""
    pools.reset()
    app._after_fork()
