"""The servers that measurements need, and what they make there: a database and keys of their own, gone afterwards.

DATABASE_URL names a PostgreSQL, BORNAGE_TEST_REDIS a Redis, as for the tests; else those of this machine are tried.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis
from psycopg import sql

from bench.found import Missing

ROOT: Final = Path(__file__).resolve().parent.parent
REDIS_URL: Final = os.environ.get("BORNAGE_TEST_REDIS", "redis://127.0.0.1:6379/13")
_USUAL: Final = ("postgres://127.0.0.1/postgres", "postgres://postgres@127.0.0.1/postgres", "postgres:///postgres")


def _postgres() -> str:
    named = os.environ.get("DATABASE_URL", "")
    for url in (named,) if named.startswith("postgres") else _USUAL:
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            continue
        return url
    raise Missing("no PostgreSQL answers at DATABASE_URL, nor on this machine")


@contextmanager
def own_postgres() -> Iterator[str]:
    """The URL of a new database. Raises Missing."""
    server = _postgres()
    name = f"bornage_bench_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@contextmanager
def own_sqlite() -> Iterator[str]:
    """The URL of a new database in a file."""
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/bench.sqlite3"


@contextmanager
def own_redis() -> Iterator[str]:
    """A prefix for keys in Redis. Raises Missing."""
    prefix = f"bornage-bench-{uuid.uuid4().hex[:12]}:"
    with redis.Redis.from_url(REDIS_URL, socket_connect_timeout=1) as client:
        try:
            client.ping()
        except redis.RedisError as error:
            raise Missing("no Redis answers at BORNAGE_TEST_REDIS, nor on this machine") from error
        try:
            yield prefix
        finally:
            for key in client.scan_iter(f"{prefix}*"):
                client.delete(key)


@contextmanager
def as_in_production() -> Iterator[dict[str, str]]:
    """Settings of a site that is open to the world, with a database of its own and keys in Redis. Raises Missing."""
    with own_postgres() as database, own_redis() as prefix:
        yield {
            "DATABASE_URL": database,
            "BROKER_URL": REDIS_URL,
            "BROKER_PREFIX": prefix,
            "CACHE_URL": REDIS_URL,
            "BORNAGE_PRODUCTION": "1",
            "BORNAGE_SECRET_KEY": "of a site that lives for a few minutes: 0123456789 abcdefghijklmnop",
            "BORNAGE_ALLOWED_HOSTS": "127.0.0.1",
            "BORNAGE_PROXIES": "1",
        }


def inside(module: str, **settings: str) -> dict[str, Any]:
    """What a module prints (JSON) when it is run with these settings, in a process of its own: Django takes one set."""
    arguments = [sys.executable, "-m", module]
    with tempfile.TemporaryDirectory() as var:
        (Path(var) / "static").mkdir()
        run = subprocess.run(arguments, cwd=ROOT, env=_environment(var, settings), stdout=subprocess.PIPE, check=True)
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def _environment(var: str, settings: Mapping[str, str]) -> dict[str, str]:
    ours = ("DATABASE_", "BROKER_", "CACHE_", "EMAIL_", "BORNAGE_", "DJANGO_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    own = {"DJANGO_SETTINGS_MODULE": "bench.settings", "BORNAGE_VAR": var, "BORNAGE_LOG_LEVEL": "ERROR"}
    return kept | own | settings


@contextmanager
def gunicorn(**environment: str) -> Iterator[int]:
    """The site as bin/web starts it, and the yardstick beside it, on a free port; yields the port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = os.environ | environment | {"HOST": "127.0.0.1", "PORT": str(port)}
    with subprocess.Popen([ROOT / "bin" / "web"], cwd=ROOT, env=settings, stdout=subprocess.DEVNULL) as process:
        try:
            _wait_for(port)
            yield port
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def worker(processes: int) -> Iterator[None]:
    """A Celery worker as bin/worker starts it, that knows the yardstick's jobs too. It may still be starting."""
    settings = os.environ | {"WORKER_PROCESSES": str(processes)}
    command = [ROOT / "bin" / "worker", "--include", "bench.jobs"]
    with subprocess.Popen(command, cwd=ROOT, env=settings, stdout=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the server does not come up")
