"""`bin/setup` says how far it has come, and nothing where there is nothing to do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SETUP = Path(__file__).parent.parent / "bin" / "setup"
# A Python whose venv is a folder with a pip that finds fourteen packages, one after the other.
PYTHON = """#!/bin/sh
if [ "$1 $2" = "-m venv" ]; then
    mkdir -p .venv/bin && cp "$0" .venv/bin/python
elif [ "$1 $2" = "-m pip" ]; then
    for package in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do echo "Collecting package-$package"; done
    {pause} 1
    echo "Installing collected packages"
    {pause} 1
    exit {status}
else
    exec {python} "$@"
fi
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    shutil.copy(SETUP, tmp_path / "bin" / "setup")
    sleep = tmp_path / "sleep"
    sleep.write_text(f"#!/bin/sh\nexec {shutil.which('sleep')} 0.1\n")  # the watcher need not wait for long
    sleep.chmod(0o755)
    (tmp_path / "requirements.lock").write_text("package-1==1\n")
    return tmp_path


def made(folder: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    python = folder / "python"
    python.write_text(PYTHON.format(pause=shutil.which("sleep"), status=status, python=sys.executable))
    python.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [folder / "bin" / "setup"],
        env=os.environ | {"PYTHON": str(python), "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_it_says_how_far_it_has_come_and_the_second_time_nothing(folder: Path) -> None:
    first = made(folder)
    assert (first.returncode, first.stdout) == (0, "")
    assert first.stderr.splitlines() == [
        "setup: making .venv from requirements.lock (a minute or two, once)",
        "setup: 14 packages found",
        "setup: 14 packages are here; unpacking them",
        "setup: done",
    ]
    second = made(folder)
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")


def test_what_fails_ends_with_where_the_story_is(folder: Path) -> None:
    failed = made(folder, status=1)
    assert failed.returncode == 1
    assert failed.stderr.endswith("the whole story is in build/setup.log\n")
    assert "setup: done" not in failed.stderr
