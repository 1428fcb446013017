"""A player finds the table, by name or number; a card says the table first, and points once there are some."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Bye, Championship, Entry, Player, ShownAs
from league.policy import Actor
from league.services.people import change_player
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, play
from tests.league.web.saying import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


def drawn(size: int, **settings: Any) -> tuple[Championship, list[Entry]]:
    championship = ChampionshipFactory(partie_end="manches", partie_end_value=2, **settings)
    entries = [EntryFactory(championship=championship, name=f"Équipe {n:02}") for n in range(1, size + 1)]
    for place in range(size // 2):
        pair = entries[2 * place : 2 * place + 2]
        PartieFactory(championship=championship, entries=pair, table_number=11 + place)
    return championship, entries


def found(client: Client, championship: Championship, text: str) -> str:
    whole = text_of(client, f"/en/championships/{championship.slug}/parties/?round=1&q={text}")
    return whole.partition("All tables")[2]


def test_by_number_by_team_and_by_player_accents_aside(client: Client) -> None:
    championship, entries = drawn(6)
    Player.objects.filter(memberships__team=entries[4].team).update(name="Zoé Çelik", name_folded="zoe celik")
    for text, table in (("3", 12), ("equipe 01", 11), ("ZOE", 13)):
        said = found(client, championship, text)
        assert f"Table {table} " in said
        assert said.count("Table 1") == 1, text


def test_a_bye_is_said_and_nobody_is_too(client: Client) -> None:
    championship, entries = drawn(3)
    Bye.objects.create(championship=championship, round=1, entry=entries[2])
    address = f"/en/championships/{championship.slug}/parties/?round=1&q="
    assert "3 · Équipe 03 has a bye in this round." in text_of(client, address + "3")
    assert "Nobody of this name or number" in text_of(client, address + "Xanthippe")
    assert text_of(client, address + "9" * 30)
    assert "All tables" not in text_of(client, address + "%20")


def test_a_hidden_name_is_found_by_number_alone(client: Client) -> None:
    championship, entries = drawn(2)
    player = entries[0].team.members.get().player
    changes = {"name": "Xanthippe", "shown_as": ShownAs.HIDDEN}
    change_player(actor=Actor(user=championship.created_by), player_id=player.pk, version=None, changes=changes)
    assert "Table 11" not in found(client, championship, "Xanthippe")
    assert "Table 11" in found(client, championship, "1")


def test_a_search_costs_no_more_for_many(client: Client) -> None:
    counted = []
    for size in (2, 12):
        championship, _entries = drawn(size)
        with CaptureQueriesContext(connection) as queries:
            found(client, championship, "equipe")
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_a_card_starts_with_the_table_and_has_points_once_there_are_some(client: Client) -> None:
    championship, _entries = drawn(2)
    address = f"/en/championships/{championship.slug}/parties/"
    said = text_of(client, address)
    assert "Table 11 partie 1 no result yet" in said
    assert "0 points" not in said
    assert "being played" not in said
    play(championship.parties.get(), 1)
    said = text_of(client, address)
    assert "being played" in said
    assert "1400 points" in said


def test_a_ranking_before_the_first_result_ranks_nobody_above_anybody_and_says_so(client: Client) -> None:
    championship, _entries = drawn(2)
    renew_live_ranking(championship_id=championship.pk)
    address = f"/en/championships/{championship.slug}/"
    said = text_of(client, address)
    assert "Nothing has been played yet." in said
    assert "Why level" not in said
    for number in (1, 2):
        play(championship.parties.get(), number)
    renew_live_ranking(championship_id=championship.pk)
    cache.clear()
    said = text_of(client, address)
    assert "Nothing has been played yet." not in said
    assert "Why above" in said
