"""Commands speak English, whatever language the site speaks."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.utils import translation
from django.utils.translation import get_language

from league.management.english import EnglishCommand
from tests.factories import UserFactory


@pytest.mark.parametrize("name", sorted(name for name, app in get_commands().items() if app == "league"))
def test_every_command_does(name: str) -> None:
    assert isinstance(load_command_class("league", name), EnglishCommand)


@pytest.mark.django_db
def test_what_a_service_says_is_english_too(tmp_path: Path) -> None:
    file = tmp_path / "dump.json"
    file.write_text("no dump")
    with translation.override("fr"):
        with pytest.raises(CommandError, match="malformed: "):
            call_command("import_championship", str(file), owner=UserFactory().email)
        with pytest.raises(CommandError, match=r"display_name: Give a name\.$"):
            call_command("make_organiser", "ane@example.org", no_password=True)
        assert get_language() == "fr"
