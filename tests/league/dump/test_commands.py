"""Dumps by hand, as docs/dump.md says, and from process to process."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from league.demonstration import make_demonstration
from league.models import Championship, Result, ResultState
from tests.league.dump.cases import rulings
from tests.league.dump.going import live_rows, without_time_of_making, written

pytestmark = pytest.mark.django_db


class TestCommands:
    """By hand, as docs/dump.md says."""

    def test_a_file_is_written_whole_and_not_over_another(self, tmp_path: Path) -> None:
        rulings()
        file = tmp_path / "rulings.json"
        call_command("export_championship", "rulings", str(file), "--private")
        assert file.stat().st_mode & 0o077 == 0
        assert json.loads(file.read_bytes())["format"] == "championnat/1"
        with pytest.raises(CommandError, match="is there already"):
            call_command("export_championship", "rulings", str(file))
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("export_championship", "rulings", str(tmp_path / "nowhere" / "file"))
        with pytest.raises(CommandError, match="no championship nothing"):
            call_command("export_championship", "nothing")
        assert list(tmp_path.iterdir()) == [file]

    def test_an_import_says_what_came_in_and_needs_an_owner(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "rulings.json"
        championship = rulings()
        call_command("export_championship", "rulings", str(file), "--private")
        with pytest.raises(CommandError, match="--owner"):
            call_command("import_championship", str(file), "--slug", "copy")
        with pytest.raises(CommandError, match="slug-taken"):
            call_command("import_championship", str(file), "--owner", championship.created_by.email)
        with pytest.raises(CommandError, match="nobody has an account"):
            call_command("import_championship", str(file), "--owner", "nobody@example.org")
        with pytest.raises(CommandError, match="No such file"):
            call_command("import_championship", "nothing.json", "--owner", championship.created_by.email)
        call_command("import_championship", str(file), "--slug", "copy", "--owner", championship.created_by.email)
        assert "copy: 8 entries" in capsys.readouterr().out
        copy = Championship.objects.get(slug="copy")
        assert live_rows(copy) == live_rows(championship)
        assert copy.memberships.get().user == championship.created_by


def test_the_demonstration_goes_into_an_empty_database(
    tmp_path: Path, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    """With the commands, from process to process; anybody computes its scores and its ranking again."""
    with django_capture_on_commit_callbacks(execute=True):
        championship = make_demonstration()
    file = tmp_path / "demo.json"
    file.write_bytes(written(championship))
    rows = live_rows(championship)
    ranked = run("scoring", "rank", str(file))
    assert [(row["rank"], row["entry"], row["values"]) for row in json.loads(ranked)["rows"]] == [
        (row["rank"], row["entry__number"], row["values"]) for row in rows
    ]
    assert json.loads(run("scoring", "verify", str(file)))["differences"] == 0

    database = {"DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}"}
    manage("migrate", "-v0", **database)
    assert "12 entries" in manage("import_championship", str(file), **database)
    again = json.loads(manage("export_championship", championship.slug, **database))
    assert without_time_of_making(again) == without_time_of_making(json.loads(file.read_bytes()))
    assert Result.objects.filter(state=ResultState.DIFFERS).count() == 1


def run(module: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def manage(*arguments: str, **environment: str) -> str:
    import os

    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "league.settings", **environment},
    )
    return done.stdout
