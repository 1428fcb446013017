"""The entries as files."""

import pytest
from django.test import Client

from tests.league.web_organiser.conftest import HOME, Hall


@pytest.mark.parametrize(("ending", "kind"), [("csv", "text/csv"), ("xlsx", "application/vnd.openxml")])
def test_organisers_get_a_file_with_private_addresses(hall: Hall, owner: Client, ending: str, kind: str) -> None:
    answer = owner.get(f"{HOME}entries/export.{ending}")
    assert answer.headers["Content-Type"].startswith(kind)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="coupe.{ending}"'
    assert "no-store" in answer.headers["Cache-Control"]
    if ending == "csv":
        assert hall.entries[0].team.players.get().email in answer.content.decode()


def test_another_ending_is_not_there(hall: Hall, owner: Client) -> None:
    assert owner.get(f"{HOME}entries/export.ods").status_code == 404
