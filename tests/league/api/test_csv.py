"""Lists and rankings as CSV: whole, flat, and safe to open."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from league.api import pages
from league.api.parties import PartieSerializer
from league.api.rankings import JournalLineSerializer
from league.api.tables import no_formula, written
from league.models import Championship, LiveRow
from league.services.entries import enter_players
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, PlayerFactory, owner_of
from tests.league.api.conftest import World
from tests.league.api.test_lists import LISTS, grow

pytestmark = pytest.mark.django_db


def read(client: Client, place: str) -> list[dict[str, str]]:
    answer = client.get(place, HTTP_ACCEPT="text/csv")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8"), answer.content
    return list(csv.DictReader(io.StringIO(answer.content.decode(), newline=""), strict=True))


@pytest.fixture
def full() -> Championship:
    championship: Championship = ChampionshipFactory(partie_end="manches", partie_end_value=2)
    grow(championship, 9)
    return championship


def test_every_list_has_a_line_for_each_item(client: Client, full: Championship) -> None:
    for name, key in LISTS.items():
        if name.endswith("steps"):
            continue
        place = f"/api/v1/championships/{full.slug}/{name}"
        items = client.get(f"{place}?limit=100").json()["items"]
        assert [line[key] for line in read(client, place)] == [str(item[key]) for item in items], name
    for name, key in (("championships", "slug"), ("clubs", "slug"), ("players", "id"), ("codes", "code")):
        assert all(line[key] for line in read(client, f"/api/v1/{name}")), name


def test_what_is_nested_is_flat(client: Client, full: Championship) -> None:
    place = f"/api/v1/championships/{full.slug}"
    partie = client.get(f"{place}/parties?limit=1").json()["items"][0]
    line = read(client, f"{place}/parties")[0]
    assert line["seats.entry"] == " | ".join(str(seat["entry"]) for seat in partie["seats"])
    assert line["closed_at"] == partie["closed_at"]
    row = client.get(f"{place}/ranking").json()["items"][0]
    line = read(client, f"{place}/ranking")[0]
    assert {f"values.{key}": value or "" for key, value in row["values"].items()}.items() <= line.items()
    assert line["players"] == " | ".join(row["players"])
    assert (line["pool"], row["pool"]) == ("", None)


def test_the_columns_are_those_that_were_asked_for_in_their_order(client: Client, full: Championship) -> None:
    place = f"/api/v1/championships/{full.slug}/entries?fields=team,number,players.name"
    answer = client.get(place, HTTP_ACCEPT="text/csv").content.decode()
    assert answer.startswith("team,number,players.name\r\n")
    assert answer.endswith("\r\n")


def test_an_empty_list_has_its_header(client: Client) -> None:
    championship = ChampionshipFactory()
    answer = client.get(f"/api/v1/championships/{championship.slug}/entries?fields=number,team", HTTP_ACCEPT="text/csv")
    assert answer.content == b"number,team\r\n"


DANGEROUS = ["=1+1", "+33 1", "-2;x", "@SUM(A1)", '=HYPERLINK("x")', "=cmd|' /C calc'!A0"]


@pytest.mark.parametrize("name", DANGEROUS)
def test_no_text_is_taken_for_a_formula(client: Client, name: str) -> None:
    championship = ChampionshipFactory()
    player = PlayerFactory(name="Ane")
    actor = owner_of(championship)
    enter_players(actor=actor, championship_id=championship.pk, player_ids=[player.pk], name=name)
    lines = read(client, f"/api/v1/championships/{championship.slug}/teams")
    assert [line["name"] for line in lines] == [f"'{name}"]


def test_a_number_stays_one() -> None:
    assert [no_formula(text) for text in ("-25", "+3", "-1/3", "-0.5", "-0,5", "-", "-1-1", "\tx", "x=1")] == [
        *("-25", "+3", "-1/3", "-0.5", "-0,5", "'-", "'-1-1", "'\tx", "x=1")
    ]


def test_quotes_commas_and_lines_come_back_as_they_were(client: Client) -> None:
    championship = ChampionshipFactory()
    names = ['Les "As"', "Un, deux", "Zoé & Çelik"]
    for name in names:
        enter_players(
            actor=owner_of(championship),
            championship_id=championship.pk,
            player_ids=[PlayerFactory().pk],
            name=name,
        )
    lines = read(client, f"/api/v1/championships/{championship.slug}/teams")
    assert sorted(line["name"] for line in lines) == sorted(names)


def test_a_mark_of_utf_8_stands_first_only_if_asked(client: Client, world: World) -> None:
    place = f"/api/v1/championships/{world.championship.slug}/entries"
    plain = client.get(place, HTTP_ACCEPT="text/csv").content
    assert client.get(f"{place}?bom=true", HTTP_ACCEPT="text/csv").content == b"\xef\xbb\xbf" + plain


class TestForASpreadsheet:
    """`bom=true`: nothing in it is read for something else."""

    @pytest.mark.parametrize(("language", "said"), [("en", "0.666667"), ("fr", "0,666667")])
    def test_fractions_are_decimals_as_the_reader_writes_them(
        self, client: Client, full: Championship, monkeypatch: pytest.MonkeyPatch, language: str, said: str
    ) -> None:
        LiveRow.objects.filter(championship=full).update(values={"match_points": "2/3", "km": "25"})
        place = f"/api/v1/championships/{full.slug}/ranking?fields=values"
        for address, expected in ((place, "2/3"), (f"{place}&bom=true", said)):
            answer = client.get(address, HTTP_ACCEPT="text/csv", HTTP_ACCEPT_LANGUAGE=language)
            lines = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
            assert {(line["values.match_points"], line["values.km"]) for line in lines} == {(expected, "25")}

    def test_in_lists_within_items_too(self) -> None:
        items = [{"seats": [{"match_points": "1/2"}, {"match_points": "3/2"}]}, {"seats": [{"match_points": "2"}]}]
        chosen: Any = {"seats": {"match_points": {}}}
        with override("en"):
            lines = written(items, PartieSerializer, chosen, has_mark=True).decode().split("\r\n")
        assert lines[1:] == ["0.5 | 1.5", "2", ""]

    @pytest.mark.parametrize("name", ["7/11", "3-5", "1/2/2026"])
    def test_no_text_is_taken_for_a_date(self, client: Client, name: str) -> None:
        championship = ChampionshipFactory()
        ids = [PlayerFactory(name="Ane").pk]
        enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=ids, name=name)
        place = f"/api/v1/championships/{championship.slug}/teams?fields=name"
        assert [line["name"] for line in read(client, place)] == [name]
        assert client.get(f"{place}&bom=true", HTTP_ACCEPT="text/csv").content.decode().split() == [
            "\ufeffname",
            f"'{name}",
        ]

    def test_a_day_stays_one(self) -> None:
        items = [{"at": "2026-11-30"}]
        assert written(items, JournalLineSerializer, {"at": {}}, has_mark=True).decode() == "\ufeffat\r\n2026-11-30\r\n"


class TestHowMuch:
    """Whole up to a bound, then by pages."""

    @pytest.fixture(autouse=True)
    def small(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pages, "CHUNK", 3)
        monkeypatch.setattr(pages, "MOST_OF_TABLE", 7)

    def test_a_long_list_goes_on_where_its_link_says(self, client: Client) -> None:
        championship = ChampionshipFactory()
        EntryFactory.create_batch(16, championship=championship)
        place: str | None = f"/api/v1/championships/{championship.slug}/entries?fields=number"
        found: list[list[str]] = []
        back = ""
        while place:
            answer = client.get(place, HTTP_ACCEPT="text/csv")
            found.append(answer.content.decode().split()[1:])
            links = {
                part.split('"')[1]: part[1 : part.index(">")] for part in answer.get("Link", "").split(", ") if part
            }
            place, back = links.get("next"), links.get("prev", back)
        assert [len(page) for page in found] == [7, 7, 2]
        assert [number for page in found for number in page] == [str(number) for number in range(1, 17)]
        assert client.get(back, HTTP_ACCEPT="text/csv").content.decode().split()[1:] == found[1]

    def test_more_than_the_bound_cannot_be_asked_for(self, client: Client, world: World) -> None:
        place = f"/api/v1/championships/{world.championship.slug}/entries?limit=8"
        assert client.get(place, HTTP_ACCEPT="text/csv").status_code == 400


class TestNegotiation:
    """Only by the Accept header."""

    def ask(self, client: Client, world: World, name: str, accept: str) -> Any:
        return client.get(f"/api/v1/championships/{world.championship.slug}{name}", HTTP_ACCEPT=accept)

    def test_a_thing_has_no_table(self, client: Client, world: World) -> None:
        assert self.ask(client, world, "/entries/1", "text/csv").status_code == 406

    def test_an_error_stays_problem_json(self, client: Client, world: World) -> None:
        answer = self.ask(client, world, "/entries?x=1", "text/csv")
        assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")

    def test_json_goes_first(self, client: Client, world: World) -> None:
        assert self.ask(client, world, "/entries", "*/*")["Content-Type"] == "application/json"
        assert self.ask(client, world, "/entries", "text/csv, application/json;q=0.5")["Content-Type"].startswith(
            "text"
        )

    def test_it_counts_as_costly(self, client: Client, world: World) -> None:
        assert '"costly"' in self.ask(client, world, "/entries", "text/csv")["RateLimit"]
        assert '"reads"' in self.ask(client, world, "/entries", "*/*")["RateLimit"]


def test_rankings_of_all_kinds(client: Client, full: Championship) -> None:
    renew_live_ranking(championship_id=full.pk)
    place = f"/api/v1/championships/{full.slug}"
    for name in ("ranking", "ranking?round=1", "rankings/1"):
        lines = read(client, f"{place}/{name}")
        assert [line["position"] for line in lines] == [str(at + 1) for at in range(len(lines))], name
        assert {"rank", "entry", "team", "above_next_by", "values.match_points"} <= set(lines[0]), name
