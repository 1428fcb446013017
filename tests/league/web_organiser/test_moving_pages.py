"""A result on the wrong table: the table that it belongs to is chosen by its number, and where it went is said."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Partie
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet
from tests.league.web_organiser.test_account_pages import said

pytestmark = pytest.mark.django_db

PAGE = "/en/organise/cup/parties/1/manches/1/"


@pytest.fixture
def tables() -> list[Partie]:
    """Two tables of round 1, numbered otherwise than their parties, and one of round 2."""
    cup = ChampionshipFactory(slug="cup", partie_end="manches", partie_end_value=3)
    parties = []
    for names, in_round, table in ((("Kim", "Lou"), 1, 6), (("Max", "Nil"), 1, 5), (("Ole", "Pia"), 2, 1)):
        entries = [EntryFactory(championship=cup, name=name) for name in names]
        parties.append(PartieFactory(championship=cup, entries=entries, round=in_round))
        Partie.objects.filter(pk=parties[-1].pk).update(table_number=table)
    play(parties[0])
    return parties


@pytest.fixture
def client(tables: list[Partie]) -> Client:
    client, user = Client(), owner_of(tables[0].championship).user
    assert user is not None
    client.force_login(user)
    return client


def _move(client: Client, **how: Any) -> Any:
    asked = {"do": "move", "key": "k", "version": 1, "partie_number": 2, "manche_number": 1, "reason": "Wrong slip"}
    return client.post(PAGE, asked | {"foreseen": "yes"} | how, follow=True)


def test_the_tables_of_the_round_come_first_by_their_number(client: Client) -> None:
    page = client.get(PAGE).content.decode()
    tables = ["Table 5 · Max – Nil (partie 2)", "Table 6 · Kim – Lou (partie 1)"]
    order = ['label="Round 1"', *tables, 'label="Round 2"', "Table 1 · Ole – Pia (partie 3)"]
    at = [page.index(words, page.index("Choose a table")) for words in order]
    assert at == sorted(at)


@pytest.mark.usefixtures("tables")
def test_a_table_without_a_number_goes_by_its_partie(client: Client) -> None:
    Partie.objects.update(table_number=None)
    assert "Partie 2 · Max – Nil" in said(client.get(PAGE))


@pytest.mark.parametrize("goal", ["", "9", "five"])
def test_a_table_is_to_be_chosen_of_the_list(client: Client, goal: str) -> None:
    answer = _move(client, partie_number=goal)
    assert answer.status_code == 422
    assert "partie_number" in answer.context["deeds"]["move"].errors


def test_where_it_went_and_why_is_said_where_it_was(client: Client, tables: list[Partie]) -> None:
    assert _move(client).status_code == 200
    text = said(client.get(PAGE))
    assert "moved away" in text
    assert "it stands at table 5 (partie 2), manche 1. See it there — Wrong slip" in text
    play(tables[0], 1, sheet({"A": 1000, "B": 25}))
    assert "it stands at table 5 (partie 2), manche 1" in said(client.get(PAGE)), "also when another came"
    assert "moved away" not in said(client.get(PAGE.replace("/1/manches", "/2/manches")))


def test_what_is_corrected_was_not_moved(client: Client, tables: list[Partie]) -> None:
    play(tables[1], 1)
    play(tables[0], 1, sheet({"A": 1000, "B": 25}), reason="Misread", replaces=1)
    text = said(client.get(PAGE))
    assert "moved away" not in text
    assert "replaced" in text


def test_queries_do_not_grow_with_the_tables(
    client: Client, tables: list[Partie], django_assert_num_queries: Any
) -> None:
    client.get(PAGE)
    with CaptureQueriesContext(connection) as before:
        client.get(PAGE)
    for _ in range(4):
        PartieFactory(championship=tables[0].championship)
    with django_assert_num_queries(len(before)):
        client.get(PAGE)
