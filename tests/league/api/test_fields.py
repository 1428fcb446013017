"""`fields=`: only what was asked for, by names that there are."""

from typing import Any

import pytest
from django.test import Client

from league.api.selecting import pruned
from tests.league.api.conftest import World
from tests.league.api.test_routes import JSON_READS, address

pytestmark = pytest.mark.django_db


@pytest.fixture
def base(world: World) -> str:
    return f"/api/v1/championships/{world.championship.slug}"


def test_of_a_thing(client: Client, base: str) -> None:
    assert client.get(f"{base}/entries/1?fields=number").json() == {"number": 1}
    whole = client.get(f"{base}/parties/1").json()
    some = client.get(f"{base}/parties/1?fields=status,number,seats.entry,seats.players,manches.points.A").json()
    assert some == {
        "number": 1,
        "status": whole["status"],
        "seats": [{"entry": seat["entry"], "players": seat["players"]} for seat in whole["seats"]],
        "manches": [
            {"points": {label: points for label, points in one["points"].items() if label == "A"}}
            for one in whole["manches"]
        ],
    }


def test_of_a_list_those_of_its_items(client: Client, base: str) -> None:
    said = client.get(f"{base}/entries?fields=number&limit=1").json()
    assert (said["items"], said["previous"]) == ([{"number": 1}], None)
    assert "fields=number" in said["next"]
    ranking = client.get(f"{base}/ranking?fields=entry").json()
    assert set(ranking) >= {"items", "keys", "names", "journal_position"}


def test_the_whole_of_a_member_goes_before_a_part_of_it(client: Client, base: str) -> None:
    whole = client.get(f"{base}/entries/1").json()["players"]
    for fields in ("players,players.name", "players.name,players"):
        assert client.get(f"{base}/entries/1?fields={fields}").json() == {"players": whole}


def test_every_read_knows_its_own_members(client: Client, world: World) -> None:
    for name in JSON_READS:
        said = client.get(address(world, name)).json()
        is_page = "previous" in said  # the feed is none: `fields` chooses of its whole answer
        items = said["items"] if is_page else [said]
        refused = client.get(address(world, name), {"fields": "no_such_member"})
        assert (refused.status_code, refused.json()["code"]) == (400, "bad-parameter"), name
        if name in ("api-document", "api-classement", "api-schema"):
            continue
        if not items:
            continue
        member = next(iter(items[0]))
        assert (refused.json()["field"], member in refused.json()["known"]) == ("fields", True), name
        picked = client.get(address(world, name), {"fields": member}).json()
        picked = picked["items"] if is_page else [picked]
        assert picked == [{member: item[member]} for item in items], name


@pytest.mark.parametrize(
    ("fields", "known"),
    [
        ("number,plyers", "players"),
        ("players.nme", "players.name"),
        ("number.x", None),
        ("", "number"),
        ("number,", "number"),
        ("players..name", "players.name"),
        ("players.name ", "players.name"),
        ("x" * 2000, None),
    ],
)
def test_a_member_that_there_is_not_is_refused(client: Client, base: str, fields: str, known: str | None) -> None:
    answer = client.get(f"{base}/entries", {"fields": fields})
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "bad-parameter", "fields")
    assert known is None or known in answer.json()["known"]


def test_null_stays_null() -> None:
    value: Any = {"current": None, "other": 1, "all": [{"a": 1, "b": [{"c": 1, "d": 2}]}]}
    assert pruned(value, {"current": {"x": {}}, "all": {"b": {"c": {}}}}) == {
        "current": None,
        "all": [{"b": [{"c": 1}]}],
    }


class TestStrictness:
    """A query is known whole."""

    def test_a_parameter_that_there_is_not_is_refused_everywhere(self, client: Client, world: World) -> None:
        for name in JSON_READS:
            answer = client.get(address(world, name), {"rond": "3"})
            assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "bad-parameter", "rond")

    def test_it_says_which_there_are(self, client: Client, base: str) -> None:
        known = client.get(f"{base}/parties?rond=3").json()["known"]
        assert {"round", "status", "entry", "limit", "cursor", "fields"} <= set(known)

    def test_one_that_is_given_twice_is_refused(self, client: Client, base: str) -> None:
        answer = client.get(f"{base}/parties?round=1&round=2")
        assert (answer.status_code, answer.json()["field"]) == (400, "round")
