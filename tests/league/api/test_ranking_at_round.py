"""The ranking as of a round: what the present results of the rounds up to it come to, computed once a state."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Championship
from league.services.feed import number_changes
from scoring.standings import rank
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, play, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Championship:
    """Two rounds of two entries: A wins the first, B the second, by more."""
    championship: Championship = ChampionshipFactory(partie_end="manches", partie_end_value=1)
    entries = EntryFactory.create_batch(2, championship=championship)
    for round_, figures in ((1, {"A": 1000, "B": 475}), (2, {"A": 0, "B": 1000})):
        play(PartieFactory(championship=championship, entries=entries, round=round_), 1, sheet(figures))
    return championship


def rows(client: Client, cup: Championship, query: str) -> list[tuple[Any, ...]]:
    said = client.get(f"/api/v1/championships/{cup.slug}/ranking{query}").json()
    return [(row["rank"], row["entry"], row["values"]) for row in said["items"]]


@pytest.mark.parametrize("round_", [1, 2])
def test_it_is_what_its_document_comes_to(client: Client, cup: Championship, round_: int) -> None:
    document = client.get(f"/api/v1/championships/{cup.slug}/ranking/document?round={round_}").json()
    expected = [(row["rank"], row["entry"], row["values"]) for row in rank(document)["rows"]]
    assert rows(client, cup, f"?round={round_}") == expected


def test_later_rounds_do_not_count(client: Client, cup: Championship) -> None:
    assert [entry for _rank, entry, _values in rows(client, cup, "?round=1")] == [1, 2]
    assert rows(client, cup, "?round=1") != rows(client, cup, "?round=2")


@pytest.mark.parametrize("below", ["", "/document"])
@pytest.mark.parametrize("accept", ["application/json", "text/csv"])
def test_a_round_to_come_is_refused(client: Client, cup: Championship, below: str, accept: str) -> None:
    if below and accept == "text/csv":
        accept = "*/*"
    said = client.get(f"/api/v1/championships/{cup.slug}/ranking{below}?round=3", HTTP_ACCEPT=accept)
    assert (said.status_code, said.json()["code"], said.json()["field"]) == (400, "bad-parameter", "round")
    assert said.json()["detail"].endswith("2.")


def test_before_anything_is_played_there_is_the_first_round(client: Client) -> None:
    empty = ChampionshipFactory()
    assert rows(client, empty, "?round=1") == []


def test_it_says_what_it_counts(client: Client, cup: Championship) -> None:
    said = client.get(f"/api/v1/championships/{cup.slug}/ranking?round=1").json()
    cup.refresh_from_db()
    assert (said["round"], said["is_due"], said["journal_position"]) == (1, False, cup.journal_position)
    assert client.get(f"/api/v1/championships/{cup.slug}/ranking").json()["round"] is None
    assert all(said["names"][str(row["entry"])] == row["team"] for row in said["items"])


def test_a_correction_of_the_round_counts_at_once(client: Client, cup: Championship) -> None:
    place = f"/api/v1/championships/{cup.slug}/ranking?round=1"
    first = client.get(place)
    play(cup.parties.get(number=1), 1, sheet({"A": 475, "B": 1000}), reason="Turned", replaces=1)
    after = client.get(place, HTTP_IF_NONE_MATCH=first["ETag"])
    assert (after.status_code, [row["entry"] for row in after.json()["items"]]) == (200, [2, 1])


def test_it_is_computed_once_a_state_and_comes_in_pages(client: Client, cup: Championship) -> None:
    place = f"/api/v1/championships/{cup.slug}/ranking?round=1&limit=1"
    number_changes()
    costs = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            page = client.get(place).json()
        costs.append(len(queries))
    assert costs[1] <= 8 < costs[0]
    following = client.get(page["next"]).json()
    assert [row["position"] for row in (*page["items"], *following["items"])] == [1, 2]


def test_it_is_costly(client: Client, cup: Championship) -> None:
    assert '"costly"' in client.get(f"/api/v1/championships/{cup.slug}/ranking?round=1")["RateLimit"]
    assert client.get(f"/api/v1/championships/{cup.slug}/ranking?round=0").status_code == 400
