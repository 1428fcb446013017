"""The feed of the API: what it says, to whom, from which cursor on, and what it costs."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.api import change_shapes
from league.api.change_shapes import RANKINGS, cursor_of
from league.api.streams import Events
from league.models import Championship, Club, Entry, Player
from league.services.entries import add_team
from league.services.feed import number_changes
from league.services.people import change_player
from league.services.renewal import renew_live_ranking
from league.services.tokens import create_token
from tests.factories import ChampionshipFactory, ClubFactory, EntryFactory, PartieFactory, PlayerFactory, owner_of, play
from tests.league.feed.mirror import V1, Mirror, got

pytestmark = pytest.mark.django_db

FEED = f"{V1}/changes"


@pytest.fixture(autouse=True)
def _fresh_allowances() -> None:
    cache.clear()


def kinds(page: dict[str, Any]) -> list[tuple[str, str]]:
    return [(item["kind"], item["key"]) for item in page["items"]]


def refused(client: Client, path: str, **query: Any) -> dict[str, Any]:
    response = client.get(path, query)
    assert response.status_code == 400, response.content
    answer: dict[str, Any] = response.json()
    return answer


class TestItems:
    """What is said of a change."""

    def test_it_says_where_the_thing_is_read_and_what_is_read_there(self, client: Client) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(slug="c"))
        play(partie)
        page = got(client, FEED, kinds="partie,entry")
        by_key = {(item["kind"], item["key"]): item for item in page["items"]}
        item = by_key["partie", "1"]
        assert (item["championship"], item["address"]) == ("c", f"{V1}/championships/c/parties/1")
        for item in by_key.values():
            assert got(client, item["address"]) == item["data"]
        assert set(item) == {"cursor", "kind", "championship", "key", "address", "at", "data"}

    def test_every_kind_has_an_address_that_answers(self, client: Client) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(club_id=ClubFactory().pk))
        play(partie)
        page = got(client, FEED)
        assert {"championship", "club", "entry", "team", "round", "partie", "ranking", "player"} == {
            item["kind"] for item in page["items"]
        }
        for item in page["items"]:
            got(client, item["address"])

    def test_several_changes_of_one_thing_are_answered_once_as_the_last(self, client: Client) -> None:
        championship = ChampionshipFactory(slug="c")
        for name in ("One", "Two", "Three"):
            Championship.objects.filter(pk=championship.pk).update(name=name)
            number_changes()
        page = got(client, FEED, kinds="championship")
        assert kinds(page) == [("championship", "c")]
        assert page["items"][0]["data"]["name"] == "Three"
        assert page["items"][0]["cursor"] == page["next"] == page["head"]

    def test_without_data_the_rest_is_the_same(self, client: Client) -> None:
        PartieFactory()
        whole, bare = got(client, FEED), got(client, FEED, data="false", limit=1000)
        for item in whole["items"]:
            del item["data"]
        assert whole == bare

    def test_fields_choose_what_is_said(self, client: Client) -> None:
        PartieFactory()
        with CaptureQueriesContext(connection) as queries:
            page = got(client, FEED, fields="items.kind,next")
        assert set(page) == {"items", "next"}
        assert {tuple(item) for item in page["items"]} == {("kind",)}
        assert not any("league_seat" in query["sql"] for query in queries)

    def test_rankings_come_whole_and_few_at_once(self, client: Client) -> None:
        for _ in range(RANKINGS + 2):
            partie = PartieFactory()
            play(partie)
            renew_live_ranking(championship_id=partie.championship_id)
        seen, after, pages = [], None, 0
        while True:
            page = got(client, FEED, kinds="ranking", **({"after": after} if after else {}))
            seen += [item["championship"] for item in page["items"]]
            assert len(page["items"]) <= RANKINGS
            assert all(len(item["data"]["items"]) == 2 for item in page["items"])
            after, pages = page["next"], pages + 1
            if page["next"] == page["head"]:
                break
        assert sorted(set(seen)) == sorted(Championship.objects.values_list("slug", flat=True))
        assert pages >= 2

    @pytest.mark.parametrize(("rows", "at_once"), [(1, 1), (3, 1), (4, 2), (6, 3), (1000, 3)])
    def test_long_rankings_are_even_fewer_at_once(
        self, client: Client, monkeypatch: pytest.MonkeyPatch, rows: int, at_once: int
    ) -> None:
        """Each has two rows. One that is too long for an answer is answered alone, with all of them."""
        monkeypatch.setattr(change_shapes, "RANKING_ROWS", rows)
        for _ in range(3):
            partie = PartieFactory()
            play(partie)
            renew_live_ranking(championship_id=partie.championship_id)
        sizes, mirror = [], Mirror()
        while True:
            page = got(client, FEED, kinds="ranking", **({"after": mirror.cursor} if mirror.cursor else {}))
            sizes.append(len(page["items"]))
            for item in page["items"]:
                mirror.take(item)
                assert len(item["data"]["items"]) == 2
            mirror.cursor = page["next"]
            if page["next"] == page["head"]:
                break
        assert max(sizes) == at_once
        assert {slug for slug, _kind in mirror.things} == set(Championship.objects.values_list("slug", flat=True))


class TestWhoReadsWhat:
    """Nothing that is not for everybody, and of what was for everybody that it is gone."""

    def test_a_draft_and_an_unlisted_championship_are_in_no_feed_of_the_site(self, client: Client) -> None:
        for visibility in ("draft", "unlisted"):
            entry = EntryFactory(championship=ChampionshipFactory(visibility=visibility))
            play(PartieFactory(championship=entry.championship))
        assert got(client, FEED, data="false", limit=1000)["items"] == []

    def test_what_goes_is_said_to_be_gone(self, client: Client) -> None:
        championship = ChampionshipFactory(slug="c")
        EntryFactory(championship=championship)
        after = got(client, FEED)["next"]
        Championship.objects.filter(pk=championship.pk).update(visibility="draft")
        page = got(client, FEED, after=after)
        assert {item["kind"] for item in page["items"]} >= {"championship", "entry", "team", "player"}
        assert {item["championship"] for item in page["items"]} == {"c", None}
        assert all(item["data"] is None for item in page["items"])
        after = page["next"]
        Entry.objects.update(penalty=1, penalty_reason="R")
        assert got(client, FEED, after=after)["items"] == []

    def test_a_championship_that_is_unlisted_has_a_feed_of_its_own(self, client: Client) -> None:
        EntryFactory(championship=ChampionshipFactory(slug="c", visibility="unlisted"))
        page = got(client, f"{V1}/championships/c/changes")
        assert {item["kind"] for item in page["items"]} == {"championship", "entry", "team", "ranking"}
        assert all(item["data"] is not None for item in page["items"])

    def test_that_of_a_draft_is_for_who_may_see_it(self, client: Client) -> None:
        championship = ChampionshipFactory(slug="c", visibility="draft")
        EntryFactory(championship=championship)
        _row, text = create_token(actor=owner_of(championship), user=championship.created_by, name="P", scopes=["read"])
        path = f"{V1}/championships/c/changes"
        for address in (path, f"{path}/stream"):
            assert client.get(address).status_code == 404
        headers = {"Authorization": f"Bearer {text}"}
        assert [item["kind"] for item in client.get(path, headers=headers).json()["items"]].count("entry") == 1

    def test_a_player_who_shows_no_name_has_none_here(self, client: Client) -> None:
        entry = EntryFactory()
        player = Player.objects.get()
        changed = {"shown_as": "hidden"}
        change_player(actor=owner_of(entry.championship), player_id=player.pk, version=None, changes=changed)
        page = got(client, FEED)
        assert player.name not in str(page)
        assert [item["data"] for item in page["items"] if item["kind"] == "player"] == [None]

    def test_private_things_are_not_in_it(self, client: Client) -> None:
        PartieFactory()
        text = str(got(client, FEED))
        assert "private" not in text
        assert "@" not in text


class TestCursors:
    """Opaque, checked, good for ever."""

    def test_from_the_beginning_or_from_now(self, client: Client) -> None:
        ClubFactory()
        now = got(client, FEED, after="now")
        assert now["items"] == []
        assert now["next"] == now["head"]
        ClubFactory(slug="essieux")
        assert kinds(got(client, FEED, after=now["next"])) == [("club", "essieux")]
        assert len(got(client, FEED)["items"]) == 2

    def test_a_feed_with_nothing_in_it_has_a_cursor_too(self, client: Client) -> None:
        page = got(client, FEED)
        assert page["items"] == []
        ClubFactory()
        assert len(got(client, FEED, after=page["next"])["items"]) == 1

    def test_the_cursor_of_every_item_is_one_to_go_on_from(self, client: Client) -> None:
        PartieFactory()
        page = got(client, FEED)
        for place, item in enumerate(page["items"], 1):
            assert got(client, FEED, after=item["cursor"])["items"] == page["items"][place:]

    @pytest.mark.parametrize(
        "cursor", ["", "1", "now ", "é", "W10", cursor_of(10**6), cursor_of(0) + "=", cursor_of(2**70)]
    )
    def test_what_is_no_cursor_of_this_feed_is_refused(self, client: Client, cursor: str) -> None:
        ClubFactory()
        said = refused(client, FEED, after=cursor)
        assert (said["code"], said["field"]) == ("bad-cursor", "after")
        assert client.get(f"{FEED}/stream", headers={"Last-Event-ID": cursor}).json()["code"] == "bad-cursor"

    @pytest.mark.parametrize(
        "query",
        [
            {"limit": 0},
            {"limit": 101},
            {"limit": 1001, "data": "false"},
            {"kinds": "partie,manche"},
            {"kinds": ""},
            {"data": "no"},
            {"wait": 26},
            {"since": "now"},
        ],
    )
    def test_what_is_misspelt_is_refused(self, client: Client, query: dict[str, Any]) -> None:
        assert refused(client, FEED, **query)["code"] == "bad-parameter"

    def test_kinds_are_left_aside_for_good(self, client: Client) -> None:
        PartieFactory()
        page = got(client, FEED, kinds="club")
        assert page["items"] == []
        assert page["next"] == page["head"]


def test_a_page_costs_the_same_whatever_is_on_it(client: Client) -> None:
    counts = []
    for parties in (1, 6):
        championship = ChampionshipFactory(club_id=ClubFactory().pk)
        after = got(client, FEED, after="now")["next"]
        for _ in range(parties):
            play(PartieFactory(championship=championship))
        add_team(actor=owner_of(championship), championship_id=championship.pk, player_ids=[PlayerFactory().pk])
        number_changes()
        with CaptureQueriesContext(connection) as queries:
            page = got(client, FEED, after=after)
        assert {"championship", "entry", "team", "round", "partie", "ranking", "player"} <= {
            i["kind"] for i in page["items"]
        }
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 32


class TestStream:
    """Server-sent events, as far as one thread can see them."""

    @pytest.fixture(autouse=True)
    def _short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Events.__init__, "__kwdefaults__", {"lasts": 0.0, "beats": 0.0})

    def listened(self, client: Client, path: str = f"{FEED}/stream", **headers: str) -> list[str]:
        response = client.get(path, headers={"Accept": "text/event-stream", **headers})
        assert response.status_code == 200
        assert response["Content-Type"].startswith("text/event-stream")
        assert response["Cache-Control"] == "no-store"
        text = b"".join(response.streaming_content).decode()
        response.close()
        return text.split("\n\n")

    @pytest.mark.django_db(transaction=True)  # the end of a stream lets its connection go
    def test_it_says_its_state_then_what_changed_and_takes_up_where_it_was(self, client: Client) -> None:
        ClubFactory(slug="essieux")
        retry, change, rest, _end = self.listened(client)
        assert retry.startswith("retry: 2000\nevent: state\nid: ")
        assert "event: change\n" in change
        assert '"key":"essieux"' in change
        assert rest.startswith(": ")
        last = change.partition("id: ")[2].partition("\n")[0]
        assert last in rest

        Club.objects.update(name="Z", name_folded="z")
        _state, change, *_rest = self.listened(client, **{"Last-Event-ID": last})
        assert '"name":"Z"' in change
        assert last not in change

    def test_who_finds_no_seat_is_sent_away_and_a_wait_is_answered_at_once(self, client: Client, settings: Any) -> None:
        settings.FEED_WAITERS = 0
        response = client.get(f"{FEED}/stream")
        assert (response.status_code, response.json()["code"]) == (503, "too-many-listeners")
        assert response["Retry-After"] == "5"
        response = client.get(FEED, {"wait": 20})
        assert (response.status_code, response["Retry-After"]) == (200, "5")

    @pytest.mark.django_db(transaction=True)  # the end of a stream lets its connection go
    def test_a_seat_is_given_back_however_it_ends(self, client: Client, settings: Any) -> None:
        settings.FEED_WAITERS = 1
        for _ in range(3):
            self.listened(client)
            response = client.get(f"{FEED}/stream")
            assert response.status_code == 200
            assert client.get(f"{FEED}/stream").status_code == 503
            response.close()  # nothing of it was read
            response.close()

    def test_who_waits_in_vain_is_answered_with_nothing(self, client: Client) -> None:
        page = got(client, FEED, after="now", wait=1)
        assert page["items"] == []
