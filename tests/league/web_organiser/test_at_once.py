"""One form sent twice at the same moment, on PostgreSQL, with real transactions."""

import pytest
from django.test import Client

from league.models import Championship, Entry, Partie, Player
from tests.factories import ChampionshipFactory, EntryFactory
from tests.league.test_races import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def send(championship: Championship, address: str, **said: object) -> str:
    """Send a form as the owner, in a browser of its own; where it leads."""
    client = Client()
    client.force_login(championship.created_by)
    answer = client.post(f"/en/organise/{championship.slug}/{address}", {"key": "the same", **said})
    assert answer.status_code == 302, answer.content.decode()[:2000]
    return str(answer.headers["Location"])


def test_names_are_entered_once() -> None:
    championship = ChampionshipFactory()

    def enter() -> str:
        return send(championship, "entries/", do="enter", lines="Ana\nZoé")

    answers = at_once(None, enter, enter, enter)
    assert len(set(answers)) == 1
    assert Entry.objects.count() == Player.objects.count() == 2


def test_a_round_is_opened_once() -> None:
    championship = ChampionshipFactory()
    one, other = EntryFactory.create_batch(2, championship=championship)

    def open_round() -> str:
        return send(championship, "parties/round/", do="open", **{"1-table": 1, "1-A": one.pk, "1-B": other.pk})

    at_once(championship, open_round, open_round)
    assert Partie.objects.count() == 1
