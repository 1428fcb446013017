"""Who hides the name is found in the hall all the same: by its organisers by name, by everybody else by number."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Membership, Partie, Player, Role, ShownAs
from league.policy import Actor
from league.services.anonymising import anonymise
from league.services.people import change_player
from league.services.renewal import renew_live_ranking
from tests.factories import UserFactory
from tests.league.web.saying import text_of
from tests.league.web_organiser.conftest import HOME, Hall

REAL = "Xanthippe Wilhelmine"


@pytest.fixture
def hidden(hall: Hall) -> Player:
    """The player of entry 3, who sits at partie 2 and shows no name."""
    player = hall.entries[2].team.members.get().player
    actor = Actor(user=hall.owner)
    changes = {"name": REAL, "shown_as": ShownAs.HIDDEN}
    change_player(actor=actor, player_id=player.pk, version=None, changes=changes)
    renew_live_ranking(championship_id=hall.championship.pk)
    cache.clear()
    player.refresh_from_db()
    return player


@pytest.mark.parametrize("address", ["parties/?round=2", "parties/2/"])
def test_organisers_read_the_name_beside_the_neutral_one(
    hall: Hall, owner: Client, hidden: Player, address: str
) -> None:
    assert f"Anonyme {hidden.pk} ({REAL})" in text_of(owner, HOME + address)


def test_a_scorer_reads_it_at_the_tables_given(hall: Hall, hidden: Player) -> None:
    Partie.objects.filter(pk=hall.second.pk).update(table_number=7)
    scorer = UserFactory()
    Membership.objects.create(user=scorer, championship=hall.championship, role=Role.SCORER, tables=[7])
    assert f"3 Anonyme {hidden.pk} ({REAL})" in text_of(hall.client(scorer), HOME + "tables/")


def test_the_list_that_is_posted_says_the_entry_number_and_no_name(owner: Client, hidden: Player) -> None:
    said = text_of(owner, HOME + "print/names/?round=2")
    assert f"3 Anonyme {hidden.pk} " in said
    assert "look for your entry number" in said
    assert REAL not in said


@pytest.mark.parametrize("address", ["", "parties/?round=2", "parties/2/", "entries/", "entries/4/", "projector/"])
def test_nothing_public_says_it_and_the_entry_number_stands_there(client: Client, hidden: Player, address: str) -> None:
    said = text_of(client, "/en/championships/coupe/" + address)
    assert REAL not in said
    if address in ("", "parties/?round=2"):
        assert f"Anonyme {hidden.pk} (No. 3)" in said


def test_whoever_was_made_anonymous_for_good_has_no_name_anywhere(hall: Hall, owner: Client, hidden: Player) -> None:
    anonymise(actor=Actor(user=hall.owner), player_id=hidden.pk)
    said = text_of(owner, HOME + "parties/?round=2")
    assert f"Anonyme {hidden.pk} <" not in said
    assert "(" not in said.partition("Anonyme")[2].partition("Enter manche")[0]


def test_more_hidden_names_cost_no_more_queries(hall: Hall, owner: Client, hidden: Player) -> None:
    counted = []
    for _turn in range(2):
        owner.get(HOME + "parties/?round=2")
        with CaptureQueriesContext(connection) as queries:
            owner.get(HOME + "parties/?round=2")
        counted.append(len(queries))
        Player.objects.update(shown_as=ShownAs.HIDDEN)
    assert counted[0] == counted[1]
