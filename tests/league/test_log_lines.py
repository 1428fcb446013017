"""A page that is not somebody's own is one line of the log, without a traceback."""

import io
import logging
from collections.abc import Iterator

import pytest
from django.test import Client

from league.log_lines import NoRefusals
from tests.factories import ChampionshipFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def console() -> Iterator[io.StringIO]:
    """What the console gets meanwhile."""
    handler = next(
        one
        for one in logging.getLogger().handlers
        if isinstance(one, logging.StreamHandler) and any(isinstance(by, NoRefusals) for by in one.filters)
    )
    written = io.StringIO()
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


def test_what_is_forbidden_is_one_line(console: io.StringIO, caplog: pytest.LogCaptureFixture) -> None:
    client = Client()
    client.force_login(UserFactory())
    caplog.set_level(logging.INFO, "league.requests")
    assert client.get(f"/en/organise/{ChampionshipFactory().slug}/ranking/").status_code == 403
    lines = console.getvalue().splitlines()
    assert len(lines) == 1
    assert "403" in lines[0]


def test_a_fault_of_the_program_keeps_its_traceback(console: io.StringIO) -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("django.request").exception("Internal Server Error")
    assert "Traceback" in console.getvalue()
