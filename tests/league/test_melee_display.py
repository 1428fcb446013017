"""Where players are ranked, a side is called after both partners, wherever it is read; constant queries."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Entry, Partie
from league.selectors import manches, parties
from league.selectors.side_names import called
from tests.factories import play
from tests.league.web.saying import text_of
from tests.staging import melee, mixed, of_pairs

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn() -> tuple[Championship, list[Entry], Partie]:
    championship, entries = melee(4, slug="melee")
    for entry, name in zip(entries, ("Ana", "Zoé", "Eloi", "Ibai"), strict=True):
        entry.team.name = name
        entry.team.save()
    partie = mixed(championship, 1, (entries[0], entries[1]), (entries[2], entries[3]))
    play(partie, 1, of_pairs())
    return championship, entries, partie


def test_a_side_is_called_after_both(drawn: tuple[Championship, list[Entry], Partie]) -> None:
    _, _, partie = drawn
    first, second = parties.partie_view(partie=partie).seats
    assert (first.team, first.number, first.partner) == ("Ana – Zoé", 1, 2)
    assert second.team == "Eloi – Ibai"
    assert len(first.players) == 2
    view = manches.manche_view(manche=partie.manches.get(number=1))
    assert view.teams["A"] == (1, "Ana – Zoé")
    assert view.current is not None
    assert [score.team for score in view.current.scores] == ["Ana – Zoé", "Eloi – Ibai"]


def test_the_parties_of_a_player_are_those_as_a_partner_too(drawn: tuple[Championship, list[Entry], Partie]) -> None:
    championship, _, partie = drawn
    for number in range(1, 5):
        found = parties.parties_of_entry(championship=championship, entry_number=number)
        assert [one.number for one in found.items] == [partie.number]


def test_pages_and_api_say_both(client: Client, drawn: tuple[Championship, list[Entry], Partie]) -> None:
    for address in ("parties/?round=1", "parties/1/", "parties/1/manches/1/", "entries/2/"):
        assert "Ana – Zoé" in text_of(client, f"/en/championships/melee/{address}"), address
    seat = client.get("/api/v1/championships/melee/parties/1").json()["seats"][0]
    assert (seat["entry"], seat["partner"], seat["team"]) == (1, 2, "Ana – Zoé")
    listed = client.get("/api/v1/championships/melee/parties?entry=4").json()["items"]
    assert [one["number"] for one in listed] == [1]


def test_queries_do_not_grow(client: Client, drawn: tuple[Championship, list[Entry], Partie]) -> None:
    championship, entries, _ = drawn
    found = []
    for number in (2, 12):
        for at in range(Partie.objects.count() + 1, number + 1):
            mixed(
                championship,
                1 + at,
                (entries[at % 4], entries[(at + 1) % 4]),
                (entries[(at + 2) % 4], entries[(at + 3) % 4]),
            )
        with CaptureQueriesContext(connection) as queries:
            assert len(parties.parties(championship=championship).items) == number
        found.append(len(queries))
    assert found[0] == found[1] <= 8


def test_a_long_name_is_cut() -> None:
    assert len(called("A" * 100, "B" * 100)) <= 120
