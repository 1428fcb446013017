"""Lists: pages that neither skip nor repeat, found by cursors (RFC 8288), filtered, and at a constant cost."""

import base64
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Club, Player
from league.services.entries import withdraw
from league.services.feed import number_changes
from league.services.parties import add_bye, close_partie
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from tests.factories import (
    ChampionshipFactory,
    ClubFactory,
    EntryFactory,
    PartieFactory,
    PlayerFactory,
    owner_of,
    play,
    sheet,
)
from tests.league.api.conftest import World

pytestmark = pytest.mark.django_db


def walk(client: Client, place: str, relation: str = "next") -> Iterator[dict[str, Any]]:
    """The pages of a list from this address on."""
    following: str | None = place
    while following is not None:
        answer = client.get(following)
        assert answer.status_code == 200, answer.content
        said = answer.json()
        links = dict(re.findall(r'<([^>]+)>; rel="(\w+)"', answer.get("Link", "")))
        expected = {said["next"]: "next", said["previous"]: "prev"}
        expected.pop(None, None)
        assert links == expected, "the Link header says what the body says"
        yield said
        following = said[relation]


def keys(pages: Iterator[dict[str, Any]], key: str) -> list[list[Any]]:
    return [[item[key] for item in page["items"]] for page in pages]


def grow(championship: Championship, entries: int) -> None:
    """Entries, and parties of two manches between neighbours, each in a round of its own with a bye."""
    entered = EntryFactory.create_batch(entries, championship=championship)
    for at in range(0, entries - 2, 2):
        partie = PartieFactory(championship=championship, entries=entered[at : at + 2], round=at + 1)
        play(partie, 1, sheet({"A": 1000, "B": 25 * at}))
        play(partie, 1, sheet({"A": 1000, "B": 25 * at + 25}), reason="Misread", replaces=1)
        play(partie, 2)
        actor = owner_of(championship)
        add_bye(actor=actor, entry_id=entered[-1].pk, round=at + 1)
        publish(actor=actor, championship_id=championship.pk, label="Now")
    renew_live_ranking(championship_id=championship.pk)


LISTS = {
    "entries": "number",
    "teams": "id",
    "parties": "number",
    "manches": "number",
    "rounds": "number",
    "journal": "position",
    "ranking": "position",
    "rankings": "number",
    "rankings/1": "position",
    "parties/1/manches/1/results": "version",
    "parties/1/manches/1/results/2/steps": "at",
}


@pytest.fixture
def full() -> Championship:
    championship: Championship = ChampionshipFactory(partie_end="manches", partie_end_value=2)
    grow(championship, 9)
    return championship


def test_pages_hold_every_item_once_in_order_and_lead_back_again(
    client: Client, world: World, full: Championship
) -> None:
    for name, key in LISTS.items():
        slug = world.championship.slug if name.endswith("steps") else full.slug
        name = name.replace("results/2/steps", "results/1/steps")
        place = f"/api/v1/championships/{slug}/{name}"
        whole = [item[key] for page in walk(client, f"{place}?limit=100") for item in page["items"]]
        assert len(whole) > 1, name
        size = 1 if len(whole) < 20 else 15
        pages = list(walk(client, f"{place}?limit={size}"))
        assert [item[key] for page in pages for item in page["items"]] == whole, name
        assert all(len(page["items"]) == size for page in pages[:-1]), name
        back = keys(walk(client, pages[-2]["next"], "previous"), key)
        assert [item for page in reversed(back) for item in page] == whole, name


@pytest.mark.parametrize("name", ["championships", "clubs", "players", "rulebooks", "codes?kind=line"])
def test_so_do_the_lists_that_belong_to_no_championship(client: Client, full: Championship, name: str) -> None:
    for _ in range(4):
        PartieFactory(championship=ChampionshipFactory(club_id=ClubFactory().pk))
    key = {"championships": "slug", "clubs": "slug", "codes?kind=line": "code"}.get(name, "id")
    sign = "&" if "?" in name else "?"
    whole = [item[key] for page in walk(client, f"/api/v1/{name}{sign}limit=100") for item in page["items"]]
    pages = list(walk(client, f"/api/v1/{name}{sign}limit=3"))
    assert len(whole) > 3
    assert [item[key] for page in pages for item in page["items"]] == whole
    back = keys(walk(client, pages[-2]["next"], "previous"), key)
    assert [item for page in reversed(back) for item in page] == whole


def test_a_row_that_is_written_meanwhile_neither_skips_nor_repeats_another(client: Client) -> None:
    Player.objects.all().delete()
    championship = ChampionshipFactory()
    for name in ("Bea", "Dario", "Fenna", "Hugo"):
        team_of(championship, name)
    first = client.get("/api/v1/players?limit=2").json()
    team_of(championship, "Abel")
    second = client.get(first["next"]).json()
    assert [p["name"] for p in first["items"]] == ["Bea", "Dario"]
    assert [p["name"] for p in second["items"]] == ["Fenna", "Hugo"]
    back = client.get(second["previous"]).json()
    assert [p["name"] for p in back["items"]] == ["Bea", "Dario"]
    assert [p["name"] for p in client.get(back["previous"]).json()["items"]] == ["Abel"]


def team_of(championship: Championship, name: str) -> None:
    from league.services.entries import enter_players

    player = PlayerFactory(name=name)
    enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[player.pk])


def test_players_stand_in_the_order_of_their_names_accents_aside(client: Client) -> None:
    championship = ChampionshipFactory()
    for name in ("Zoé", "emile", "Émilie", "Ana"):
        team_of(championship, name)
    assert [p["name"] for p in client.get("/api/v1/players").json()["items"]] == ["Ana", "emile", "Émilie", "Zoé"]
    assert [p["name"] for p in client.get("/api/v1/players?q=EMIL").json()["items"]] == ["emile", "Émilie"]


def cursor_of(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


BAD_CURSORS = [
    *("x", "", "é", cursor_of("{}"), cursor_of("[1,[1]]"), cursor_of("[false,[]]"), cursor_of("[false,[1,2]]")),
    *(cursor_of('[false,["1"]]'), cursor_of('[false,["\\u0000",1]]'), cursor_of("[false,[true]]")),
]


def test_a_cursor_of_another_list_or_of_none_is_400(client: Client, full: Championship) -> None:
    for name in ("entries", "ranking", "rankings", "teams"):
        for cursor in BAD_CURSORS:
            answer = client.get(f"/api/v1/championships/{full.slug}/{name}", {"cursor": cursor})
            assert (answer.status_code, answer.json()["code"]) == (400, "bad-cursor"), (name, cursor)


@pytest.mark.parametrize(("number", "left"), [(2**40, 0), (-(2**40), 1), (2**63, 0), (-(2**63), 1)])
def test_a_cursor_with_a_number_beyond_the_column_is_beyond_the_list(client: Client, number: int, left: int) -> None:
    entry = EntryFactory()
    cursor = cursor_of(f"[false,[{number}]]")
    answer = client.get(f"/api/v1/championships/{entry.championship.slug}/entries", {"cursor": cursor})
    assert (answer.status_code, len(answer.json()["items"])) == (200, left)


def test_a_page_of_a_ranking_belongs_to_its_size(client: Client, full: Championship) -> None:
    place = f"/api/v1/championships/{full.slug}/ranking"
    following = client.get(f"{place}?limit=2").json()["next"]
    assert client.get(following.replace("limit=2", "limit=3")).json()["code"] == "bad-cursor"


class TestFilters:
    """What lists can be asked for."""

    def slugs(self, client: Client, query: str) -> list[str]:
        return [item["slug"] for item in client.get(f"/api/v1/championships?{query}").json()["items"]]

    def test_championships(self, client: Client) -> None:
        club = ClubFactory()
        one = ChampionshipFactory(name="Coupe d'hiver", club_id=club.pk)
        by_manches = {"decided_by": "manches", "partie_end": "manches", "partie_end_value": 3}
        two = ChampionshipFactory(name="Coupe d'été", rulebook="moderne", **by_manches)
        assert self.slugs(client, "") == [two.slug, one.slug]
        assert self.slugs(client, f"club={club.slug}") == [one.slug]
        assert self.slugs(client, "rulebook=moderne") == [two.slug]
        assert self.slugs(client, "q=HIVER") == [one.slug]
        assert self.slugs(client, "status=finished") == []

    def test_players_of_a_club(self, client: Client) -> None:
        team_of(championship := ChampionshipFactory(), "Ana")
        team_of(championship, "Zoé")
        club = ClubFactory()
        Player.objects.filter(name="Ana").update(club=club)
        assert [p["name"] for p in client.get(f"/api/v1/players?club={club.slug}").json()["items"]] == ["Ana"]
        assert client.get("/api/v1/clubs").json()["items"] == [
            {"slug": club.slug, "name": club.name, "players": 1, "external_id": None}
        ]
        assert Club.objects.count() == 1

    def numbers(self, client: Client, championship: Championship, query: str) -> list[int]:
        answer = client.get(f"/api/v1/championships/{championship.slug}/{query}")
        return [item["number"] for item in answer.json()["items"]]

    def test_entries_that_withdrew(self, client: Client, full: Championship) -> None:
        withdraw(actor=owner_of(full), entry_id=full.entries.get(number=9).pk, reason="Ill")
        assert self.numbers(client, full, "entries?withdrawn=true") == [9]
        assert self.numbers(client, full, "entries?withdrawn=false") == list(range(1, 9))

    def test_parties_of_a_round_a_status_and_an_entry(self, client: Client, full: Championship) -> None:
        still = PartieFactory(championship=full, entries=[full.entries.get(number=n) for n in (1, 3)], round=90)
        assert self.numbers(client, full, "parties?round=3") == [2]
        assert self.numbers(client, full, "parties?status=open") == [still.number]
        assert self.numbers(client, full, "parties?entry=1") == [1, still.number]
        close_partie(actor=owner_of(full), partie_id=still.pk, version=None, reason="Late")
        assert self.numbers(client, full, "parties?status=void&entry=3") == [still.number]

    def test_a_filter_stays_in_the_addresses_of_the_other_pages(self, client: Client, full: Championship) -> None:
        pages = walk(client, f"/api/v1/championships/{full.slug}/parties?status=closed&limit=1")
        assert sum(len(page["items"]) for page in pages) == 4


Count = Callable[[str], int]


@pytest.fixture
def queries(client: Client) -> Count:
    def count(place: str) -> int:
        number_changes()  # costs whoever comes first after a write
        with CaptureQueriesContext(connection) as found:
            assert client.get(place).status_code == 200, place
        return len(found)

    return count


def test_a_list_costs_the_same_number_of_queries_whatever_its_size(queries: Count) -> None:
    small: Championship = ChampionshipFactory(partie_end="manches", partie_end_value=2)
    large: Championship = ChampionshipFactory(partie_end="manches", partie_end_value=2)
    grow(small, 4)
    grow(large, 22)
    for name in LISTS:
        if name.endswith("steps"):
            continue
        one, many = (queries(f"/api/v1/championships/{c.slug}/{name}?limit=100") for c in (small, large))
        assert one == many <= 10, (name, one, many)


@pytest.mark.parametrize("name", ["championships", "clubs", "players"])
def test_so_do_the_lists_of_the_site(queries: Count, name: str) -> None:
    def more(times: int) -> int:
        for _ in range(times):
            club = ClubFactory()
            championship = ChampionshipFactory(club_id=club.pk)
            EntryFactory(championship=championship)
        return queries(f"/api/v1/{name}?limit=20")

    assert more(2) == more(18) <= 3


def test_a_single_thing_costs_few_queries(queries: Count, world: World) -> None:
    for name in ("", "/entries/1", f"/teams/{world.team}", "/parties/1", "/parties/1/manches/1", "/rankings/1"):
        assert queries(f"/api/v1/championships/{world.championship.slug}{name}") <= 8, name
