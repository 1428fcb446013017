"""What docs/webhooks.md says of the signature holds, in Python and in the shell."""

import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from league.services.webhook_messages import headers_of, new_secret

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "webhooks.md").read_text("utf-8")
BODY = '{"a":"é"}'


def snippet(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def is_genuine() -> Any:
    names: dict[str, Any] = {}
    exec(snippet("python"), names)
    return names["is_genuine"]


def test_in_python(is_genuine: Any) -> None:
    old, new, now = new_secret(), new_secret(), datetime.now(UTC)
    headers = headers_of([new, old], "msg_1", now, BODY)
    assert is_genuine(new, headers, BODY.encode())
    assert is_genuine(old, headers, BODY.encode())
    assert not is_genuine(new_secret(), headers, BODY.encode())
    assert not is_genuine(new, headers, BODY.encode() + b" ")
    assert not is_genuine(new, {**headers, "webhook-id": "msg_2"}, BODY.encode())
    late = headers_of([new], "msg_1", now - timedelta(minutes=6), BODY)
    assert not is_genuine(new, late, BODY.encode())


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl on this machine")
def test_in_the_shell(tmp_path: Path) -> None:
    secret = new_secret()
    headers = headers_of([secret], "msg_1", datetime.now(UTC), BODY)
    (tmp_path / "body.json").write_text(BODY, "utf-8")
    said = {"SECRET": secret, "ID": "msg_1", "TIMESTAMP": headers["webhook-timestamp"], "PATH": "/usr/bin:/bin"}
    out = subprocess.run(["sh", "-c", snippet("sh")], cwd=tmp_path, env=said, capture_output=True, check=True).stdout
    assert f"v1,{out.decode().strip()}" == headers["webhook-signature"]
