"""Circuits in a browser: made by anybody with an account, published, read by everybody; constant queries."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Circuit, PublishedCircuit, User
from league.policy import Actor
from league.services.circuits import add_leg, create_circuit, publish_circuit
from league.services.entries import enter_players
from league.services.publishing import publish
from scoring.circuits import rank_circuit
from tests.factories import ChampionshipFactory, PartieFactory, PlayerFactory, UserFactory, owner_of, play
from tests.league.web.saying import text_of

pytestmark = pytest.mark.django_db

MINE = "/en/circuits/mine/"


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


@pytest.fixture
def user(client: Client) -> User:
    user: User = UserFactory()
    client.force_login(user)
    return user


def finished(slug: str, owner: User, size: int = 2) -> Championship:
    championship = ChampionshipFactory(
        name=slug.title(), slug=slug, owner=owner, partie_end="manches", partie_end_value=1
    )
    players = [PlayerFactory(name=f"{slug.title()} {number:02}") for number in range(size)]
    entries = [
        enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[one.pk])
        for one in players
    ]
    play(PartieFactory(championship=championship, entries=entries[:2]), 1)
    publish(actor=owner_of(championship), championship_id=championship.pk, label="End")
    return championship


def sent(client: Client, address: str, **fields: object) -> int:
    answer = client.post(address, {"key": str(fields)[:60], **fields})
    return answer.status_code


def make(client: Client, **fields: object) -> int:
    usual = {"name": "Grand tour", "points": "10 6 3,5", "best_n": "", "by": "player", "visibility": "public"}
    return sent(client, MINE, do="create", **(usual | fields))


def test_a_circuit_from_nothing_to_its_public_page(client: Client, user: User) -> None:
    pau = finished("pau", user)
    assert make(client) == 302
    circuit = Circuit.objects.get()
    assert (circuit.points, circuit.best_n, circuit.owner) == ([10, 6, 3.5], None, user)
    manage = f"/en/circuits/{circuit.slug}/manage/"
    assert sent(client, manage, do="add", championship=pau.slug) == 302
    assert "Pau 00" in text_of(client, manage)
    assert sent(client, manage, do="publish", label="After Pau") == 302
    client.logout()
    said = text_of(client, f"/en/circuits/{circuit.slug}/")
    assert "After Pau version 1" in said
    assert "Points of the circuit: 10 against 6" in said
    assert "10 · 6 · 3.5" in said
    assert "Grand tour" in text_of(client, "/en/circuits/")


def test_the_document_of_a_version_comes_to_its_rows(client: Client, user: User) -> None:
    circuit = create_circuit(actor=owner(user), name="Tour", settings={"points": [3, 1], "visibility": "unlisted"})
    add_leg(actor=owner(user), circuit_id=circuit.pk, championship_id=finished("pau", user).pk)
    publish_circuit(actor=owner(user), circuit_id=circuit.pk, label="End")
    document = client.get("/en/circuits/tour/versions/1/document.json").json()
    rows = rank_circuit(document)["rows"]
    assert isinstance(rows, list)
    assert [row["entry"] for row in rows] == [row["entry"] for row in PublishedCircuit.objects.get().rows]
    assert client.get("/en/circuits/tour/versions/2/document.json").status_code == 404
    assert client.get("/en/circuits/tour/versions/2/").status_code == 404


def owner(user: User) -> Actor:
    return Actor(user=user)


@pytest.mark.parametrize("points", ["", "ten", "3 5", "10 6 -1"])
def test_points_that_are_none_keep_what_was_typed(client: Client, user: User, points: str) -> None:
    answer = client.post(
        MINE, {"do": "create", "key": "k", "name": "T", "points": points, "by": "player", "visibility": "draft"}
    )
    assert answer.status_code == 422
    assert points in answer.content.decode()
    assert not Circuit.objects.exists()


def test_legs_are_moved_and_taken_out(client: Client, user: User) -> None:
    make(client)
    circuit = Circuit.objects.get()
    legs = [
        add_leg(actor=owner(user), circuit_id=circuit.pk, championship_id=ChampionshipFactory(slug=slug).pk)
        for slug in ("one", "two")
    ]
    manage = f"/en/circuits/{circuit.slug}/manage/"
    assert sent(client, manage, do="down", leg=legs[0].pk) == 302
    assert list(circuit.legs.values_list("championship__slug", flat=True)) == ["two", "one"]
    assert sent(client, manage, do="remove", leg=legs[1].pk) == 302
    assert list(circuit.legs.values_list("championship__slug", flat=True)) == ["one"]


def test_a_championship_of_others_cannot_be_added(client: Client, user: User) -> None:
    make(client)
    ChampionshipFactory(slug="other")
    assert sent(client, "/en/circuits/grand-tour/manage/", do="add", championship="other") == 422
    assert not Circuit.objects.get().legs.exists()


def test_whose_it_is_not_may_not_organise_it(client: Client, user: User) -> None:
    make(client)
    manage = "/en/circuits/grand-tour/manage/"
    client.force_login(UserFactory())
    assert client.get(manage).status_code == 403
    assert sent(client, manage, do="publish", label="Mine now") == 403
    client.force_login(UserFactory(is_staff=True))
    assert client.get(manage).status_code == 200
    assert sent(client, manage, do="publish", label="Mine now") == 403
    client.logout()
    assert client.get(manage).status_code == 302


def test_a_draft_is_nobody_else_s(client: Client, user: User) -> None:
    make(client, visibility="draft")
    assert client.get("/en/circuits/grand-tour/").status_code == 200
    client.logout()
    assert client.get("/en/circuits/grand-tour/").status_code == 404
    assert "Grand tour" not in text_of(client, "/en/circuits/")


@pytest.mark.parametrize("address", ["/en/circuits/{}/", "/en/circuits/{}/manage/", "/en/circuits/", MINE])
def test_queries_do_not_grow(client: Client, user: User, address: str) -> None:
    found = []
    for slug, legs, size in (("small", 1, 2), ("large", 4, 12)):
        circuit = create_circuit(actor=owner(user), name=slug, settings={"points": [3, 1], "visibility": "public"})
        for leg in range(legs):
            championship = finished(f"{slug}{leg}", user, size)
            add_leg(actor=owner(user), circuit_id=circuit.pk, championship_id=championship.pk)
            publish_circuit(actor=owner(user), circuit_id=circuit.pk, label=f"After {leg}")
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address.format(slug)).status_code == 200
        found.append(len(queries))
    assert found[0] == found[1] <= 14


def test_the_last_of_the_first_ten_names_who_stands_next_and_brackets_are_told_where_there_are_some(
    client: Client, user: User
) -> None:
    circuit = create_circuit(actor=owner(user), name="Tour", settings={"points": [3, 1], "visibility": "public"})
    add_leg(actor=owner(user), circuit_id=circuit.pk, championship_id=finished("pau", user, size=12).pk)
    said = text_of(client, "/en/circuits/tour/manage/")
    assert "level with  " not in said
    assert said.count("Why level with Pau ") + said.count("Why above Pau ") == 10
    assert "In brackets" not in said
    Circuit.objects.update(best_n=1)
    assert "In brackets" in text_of(client, "/en/circuits/tour/manage/")


def test_a_championship_and_the_home_page_lead_to_circuits(client: Client, user: User) -> None:
    pau = finished("pau", user)
    for name, visibility in (("Tour", "public"), ("Secret", "draft"), ("Aside", "unlisted")):
        circuit = create_circuit(actor=owner(user), name=name, settings={"points": [3], "visibility": visibility})
        add_leg(actor=owner(user), circuit_id=circuit.pk, championship_id=pau.pk)
    client.logout()
    answer = client.get("/en/championships/pau/").content.decode()
    assert 'href="/en/circuits/tour/"' in answer
    assert "secret" not in answer.lower().replace("secret for", "")
    assert "/circuits/aside/" not in answer
    assert 'href="/en/circuits/"' in client.get("/en/").content.decode()
