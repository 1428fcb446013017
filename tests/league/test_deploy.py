"""What docker-compose.yml runs, run by hand: production settings, and the commands of bin/ on PostgreSQL and Redis."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest
import yaml
from psycopg import sql

from tests.servers import REDIS_URL
from tests.worker import ROOT, database_url, forget_keys

PRODUCTION = {
    "PATH": os.environ["PATH"],
    "DJANGO_SETTINGS_MODULE": "league.settings",
    "BORNAGE_PRODUCTION": "1",
    "BORNAGE_SECRET_KEY": "a key for this test alone, long enough to be taken: 0123456789",
    "BORNAGE_ALLOWED_HOSTS": "bornage.example",
    "BORNAGE_PROXIES": "1",
}


def manage(*arguments: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    """Run manage.py in a process of its own under production settings with some of them changed (None: unset)."""
    environment = {name: value for name, value in (PRODUCTION | changes).items() if value is not None}
    return subprocess.run(
        [sys.executable, "-W", "error", "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_check_deploy_finds_nothing_under_production_settings(tmp_path: Path) -> None:
    result = manage("check", "--deploy", "--fail-level", "INFO", BORNAGE_VAR=str(tmp_path))
    assert (result.returncode, result.stdout) == (0, "System check identified no issues (0 silenced).\n"), result.stderr


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"BORNAGE_SECRET_KEY": None}, "BORNAGE_SECRET_KEY"),
        ({"BORNAGE_SECRET_KEY": "short"}, "at least 50 characters"),
        ({"BORNAGE_SECRET_KEY": "x" * 60}, "BORNAGE_SECRET_KEY"),
        ({"BORNAGE_ALLOWED_HOSTS": None}, "BORNAGE_ALLOWED_HOSTS"),
        ({"BORNAGE_ALLOWED_HOSTS": "*"}, "BORNAGE_ALLOWED_HOSTS"),
        ({"BORNAGE_DEBUG": "1"}, "BORNAGE_DEBUG"),
    ],
)
def test_production_refuses_to_start(changes: dict[str, str | None], said: str, tmp_path: Path) -> None:
    result = manage("check", BORNAGE_VAR=str(tmp_path), **changes)
    assert result.returncode != 0
    assert "ImproperlyConfigured" in result.stderr
    assert said in result.stderr
    assert list(tmp_path.iterdir()) == [], "a refused start leaves nothing behind, a key least of all"


def test_without_production_a_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    shown = [
        manage(
            *("shell", "--verbosity", "0", "--command", "from django.conf import settings; print(settings.SECRET_KEY)"),
            BORNAGE_VAR=str(tmp_path),
            BORNAGE_PRODUCTION=None,
            BORNAGE_SECRET_KEY=None,
        ).stdout
        for _ in range(2)
    ]
    file = tmp_path / "secret-key"
    assert shown == [file.read_text() + "\n"] * 2
    assert len(file.read_text()) >= 50
    assert file.stat().st_mode & 0o777 == 0o600


def test_every_command_of_the_compose_file_is_one_of_bin() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    own = {name: service for name, service in services.items() if "build" in service}
    assert set(own) == {"migrate", "web", "worker", "beat"}
    for service in own.values():
        assert os.access(ROOT / service["command"][0], os.X_OK)
        assert service.get("healthcheck", {"test": ["CMD", "bin/healthy"]})["test"][1] == "bin/healthy"
        assert service["environment"].keys() >= PRODUCTION.keys() - {"PATH", "DJANGO_SETTINGS_MODULE"}


# --- the commands themselves -------------------------------------------------------------------------------------


@pytest.fixture
def own_database() -> Iterator[str]:
    """An empty PostgreSQL database beside the tests' one; its URL."""
    name = f"bornage_deploy_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(database_url("postgres"), autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield database_url(name)
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _running(environment: dict[str, str], log: Path, *command: str) -> Iterator[None]:
    with log.open("w") as out, subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out) as it:
        try:
            yield
        finally:
            it.terminate()
            it.wait(30)


def _becomes_healthy(environment: dict[str, str], part: str) -> bool:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if (
            subprocess.run(
                ["bin/healthy", part], cwd=ROOT, env=environment, capture_output=True, check=False
            ).returncode
            == 0
        ):
            return True
        time.sleep(0.5)
    return False


@pytest.mark.postgres
@pytest.mark.redis
def test_the_services_of_the_compose_file_start_and_are_healthy(own_database: str, tmp_path: Path) -> None:
    port = _free_port()
    environment = PRODUCTION | {
        "BORNAGE_VAR": str(tmp_path),
        "DATABASE_URL": own_database,
        "BROKER_URL": REDIS_URL,
        "BROKER_PREFIX": f"bornage-deploy-{port}:",
        "CACHE_URL": REDIS_URL,
        "BEAT_FOLDER": str(tmp_path / "beat"),
        "WORKER_PROCESSES": "1",
        "PORT": str(port),
    }
    for once in (["bin/migrate"], [sys.executable, "manage.py", "collectstatic", "--no-input"]):
        subprocess.run(once, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=120)
    with ExitStack() as stack:
        stack.callback(forget_keys, environment["BROKER_PREFIX"])
        for command in (["bin/web", "--workers", "2"], ["bin/worker"], ["bin/beat"]):
            stack.enter_context(_running(environment, tmp_path / f"{Path(command[0]).name}.log", *command))
        logs = {part: (tmp_path / f"{part}.log") for part in ("web", "worker", "beat")}
        assert {part: log.read_text() for part, log in logs.items() if not _becomes_healthy(environment, part)} == {}
        _assert_https_only(port)
    _assert_json_log(tmp_path / "web.log")


def _assert_https_only(port: int) -> None:
    """What came to the proxy by http is sent to https; what came by https gets every safety header."""

    def get(path: str, scheme: str) -> urllib.request.Request:
        headers = {"Host": "bornage.example", "X-Forwarded-Proto": scheme, "X-Forwarded-For": "192.0.2.1"}
        return urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *args: object) -> None:
            return None

    with pytest.raises(urllib.error.HTTPError) as moved:
        urllib.request.build_opener(Stay).open(get("/admin/login/", "http"), timeout=10)
    assert (moved.value.code, moved.value.headers["Location"]) == (301, "https://bornage.example/admin/login/")
    moved.value.close()
    with urllib.request.urlopen(get("/admin/login/", "https"), timeout=10) as answer:
        assert answer.status == 200
        assert answer.headers["Strict-Transport-Security"].startswith("max-age=31536000")
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert "Secure" in answer.headers["Set-Cookie"]
        assert answer.headers["X-Request-ID"]


def _assert_json_log(file: Path) -> None:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    requests = [line for line in lines if line["event"] == "request"]
    assert {"health/ready", "admin/login/"} <= {line["route"] for line in requests}
    assert all(len(line["request_id"]) == 32 for line in requests)
