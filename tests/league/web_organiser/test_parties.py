"""Rounds and parties in pages: opened, ruled about, with their byes."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.models import Bye, Partie, Seat
from tests.factories import ChampionshipFactory, EntryFactory
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said
from tests.league.web_organiser.test_championships import filled

Send = Callable[..., Any]


@pytest.fixture
def fresh(hall: Hall) -> list[int]:
    """The ids of five entries of a championship `fresh` in which nothing was played; tables of two."""
    championship = ChampionshipFactory(slug="fresh", owner=hall.owner)
    return [entry.pk for entry in EntryFactory.create_batch(5, championship=championship)]


def seats_of(slug: str) -> list[tuple[int, int | None, list[int]]]:
    """Round, table and entry ids in seat order of every partie."""
    parties = Partie.objects.filter(championship__slug=slug).order_by("number")
    return [
        (p.round, p.table_number, list(Seat.objects.filter(partie=p).order_by("label").values_list("entry", flat=True)))
        for p in parties
    ]


class TestOpeningOne:
    def test_seats_entries_in_the_order_chosen(self, owner: Client, fresh: list[int]) -> None:
        sent = {"do": "open", "key": "k", "round": 1, "1-table": 7, "1-A": fresh[3], "1-B": fresh[0]}
        answer = owner.post("/en/organise/fresh/parties/", sent)
        assert answer.headers["Location"] == "/en/organise/fresh/parties/?round=1"
        assert seats_of("fresh") == [(1, 7, [fresh[3], fresh[0]])]

    def test_sent_twice_opens_one(self, owner: Client, fresh: list[int]) -> None:
        sent = {"do": "open", "key": "k", "round": 1, "1-table": "", "1-A": fresh[3], "1-B": fresh[0]}
        for _ in range(2):
            assert owner.post("/en/organise/fresh/parties/", sent).status_code == 302
        assert len(seats_of("fresh")) == 1

    def test_what_is_wrong_is_said_and_the_choice_kept(self, owner: Client, fresh: list[int]) -> None:
        sent = {"do": "open", "key": "k", "round": 1, "1-table": 7, "1-A": fresh[3], "1-B": fresh[3]}
        answer = owner.post("/en/organise/fresh/parties/", sent)
        assert answer.status_code == 422
        assert "The same entry stands twice" in said(answer)
        assert f'<option value="{fresh[3]}" selected>' in answer.content.decode()

    def test_nobody_who_still_plays_is_offered(self, hall: Hall, owner: Client) -> None:
        page = owner.get(HOME + "parties/?round=3")
        assert "Open one partie" not in said(page), "everybody sits at a table"


class TestOpeningARound:
    ADDRESS = "/en/organise/fresh/parties/round/"

    def test_seats_everybody_in_the_order_of_numbers_and_gives_a_bye(self, owner: Client, fresh: list[int]) -> None:
        page = owner.get(self.ADDRESS)
        assert owner.post(self.ADDRESS, {"do": "open", **filled(page)}).status_code == 302
        assert seats_of("fresh") == [(1, 1, fresh[:2]), (1, 2, fresh[2:4])]
        assert Bye.objects.get().entry_id == fresh[4]

    def test_or_as_it_was_changed(self, owner: Client, fresh: list[int]) -> None:
        sent = filled(owner.get(self.ADDRESS)) | {"1-A": fresh[4], "1-table": 9, "2-A": "", "2-B": ""}
        del sent["byes"]
        owner.post(self.ADDRESS, {"do": "open", **sent})
        assert seats_of("fresh") == [(1, 9, [fresh[4], fresh[1]])]
        assert not Bye.objects.exists()

    def test_one_table_that_cannot_be_opened_stops_all_and_is_marked(self, owner: Client, fresh: list[int]) -> None:
        sent = filled(owner.get(self.ADDRESS)) | {"2-A": fresh[0]}
        answer = owner.post(self.ADDRESS, {"do": "open", **sent})
        assert answer.status_code == 422
        assert list(answer.context["form"].errors) == ["2-A"]
        assert seats_of("fresh") == []

    def test_sent_twice_opens_it_once(self, owner: Client, fresh: list[int]) -> None:
        sent = {"do": "open", **filled(owner.get(self.ADDRESS))}
        answers = [owner.post(self.ADDRESS, sent).headers["Location"] for _ in range(2)]
        assert answers == ["/en/organise/fresh/parties/?round=1"] * 2
        assert len(seats_of("fresh")) == 2

    def test_short_tables_take_who_is_left_where_they_are_allowed(self, hall: Hall, owner: Client) -> None:
        championship = ChampionshipFactory(slug="short", owner=hall.owner, table_entries=3, allow_short_tables=True)
        EntryFactory.create_batch(5, championship=championship)
        page = owner.get("/en/organise/short/parties/round/")
        owner.post("/en/organise/short/parties/round/", {"do": "open", **filled(page)})
        assert [len(entries) for _round, _table, entries in seats_of("short")] == [3, 2]

    def test_says_so_when_nobody_can_play(self, owner: Client, hall: Hall) -> None:
        assert "not enough entries" in said(owner.get(HOME + "parties/round/"))


class TestByes:
    def test_are_given_once_and_taken_away_with_a_reason(self, owner: Client, fresh: list[int]) -> None:
        address = "/en/organise/fresh/parties/?round=1"
        for _ in range(2):
            owner.post(address, {"do": "bye", "key": "k", "entry": fresh[0]})
        bye = Bye.objects.get()
        owner.post(address, {"do": "remove_bye", "key": "k", "bye": bye.pk, "reason": ""})
        assert Bye.objects.exists()
        owner.post(address, {"do": "remove_bye", "key": "k", "bye": bye.pk, "reason": "Came after all"})
        assert not Bye.objects.exists()

    def test_of_another_championship_are_not_there(self, owner: Client, hall: Hall, fresh: list[int]) -> None:
        owner.post("/en/organise/fresh/parties/?round=1", {"do": "bye", "key": "k", "entry": fresh[0]})
        sent = {"do": "remove_bye", "key": "k", "bye": Bye.objects.get().pk, "reason": "No"}
        assert owner.post(HOME + "parties/", sent).status_code == 404


class TestAPartie:
    def test_shows_who_sits_where_and_what_comes_next(self, hall: Hall, owner: Client) -> None:
        page = said(owner.get(HOME + "parties/2/"))
        assert "Next: manche 1" in page
        assert "In order of play: a1 " in page

    def test_is_stopped_by_the_referee_once_nothing_waits(self, hall: Hall, send: Send) -> None:
        version = Partie.objects.get(pk=hall.first.pk).version
        answer = send("parties/1/", "close", version=version, reason="Time")
        assert answer.status_code == 409
        assert "manche 2" in said(answer)
        send("parties/1/manches/2/", "settle", version=1, how="computed", reason="Reckoned wrongly")
        version = Partie.objects.get(pk=hall.first.pk).version
        assert send("parties/1/", "close", version=version, reason="Time").status_code == 302
        assert Partie.objects.get(pk=hall.first.pk).closed_how == "referee"

    def test_two_rulings_at_once_the_second_sees_the_first(self, hall: Hall, send: Send) -> None:
        version = hall.second.version
        send("parties/2/", "void", version=version, reason="Nobody came")
        answer = send("parties/2/", "close", version=version, reason="Time")
        assert answer.status_code in (409, 412)
        assert "Nobody came" in said(answer)
        assert "This was not done" in said(answer)
        assert "Reason Time" in said(answer), "what was typed is still there"

    def test_a_forfeit_is_ruled_and_taken_back(self, hall: Hall, send: Send) -> None:
        send("parties/2/", "forfeit", version=hall.second.version, entry=3, reason="Absent")
        hall.second.refresh_from_db()
        assert (hall.second.status, hall.second.closed_how) == ("closed", "forfeit")
        send("parties/2/", "reopen", version=hall.second.version, reason="Was in the bar")
        hall.second.refresh_from_db()
        assert hall.second.status == "open"

    def test_without_a_reason_nothing_is_ruled(self, hall: Hall, send: Send) -> None:
        answer = send("parties/2/", "void", version=hall.second.version, reason="  ")
        assert answer.status_code == 422
        hall.second.refresh_from_db()
        assert hall.second.status == "open"

    def test_that_is_not_there(self, hall: Hall, owner: Client) -> None:
        assert owner.get(HOME + "parties/99/").status_code == 404
        assert owner.get(HOME + "parties/1/manches/99/").status_code == 404


class TestAPartieThatWasStopped:
    @pytest.fixture(params=["close", "void"])
    def stopped(self, hall: Hall, send: Send, request: pytest.FixtureRequest) -> Partie:
        """Partie 2, stopped before its first manche was played."""
        send("parties/2/", request.param, version=hall.second.version, reason="It is late")
        hall.second.refresh_from_db()
        return hall.second

    def test_awaits_nothing_any_more(self, stopped: Partie, owner: Client) -> None:
        for address in (HOME + "parties/2/", "/en/championships/coupe/parties/2/"):
            page = owner.get(address)
            assert "awaited" not in said(page)
            assert "manches/1/" not in page.content.decode()

    def test_takes_no_sheet_and_no_log_and_says_why(self, stopped: Partie, owner: Client) -> None:
        manche = HOME + "parties/2/manches/1/"
        page = owner.get(manche)
        assert "The partie is over: this manche was not played." in said(page)
        assert not re.findall(rf'href="{manche}(?:sheet|log)/', page.content.decode()), "no form is offered"
        for form in ("sheet/", "log/"):
            assert owner.get(manche + form).headers["Location"] == manche
        public = owner.get("/en/championships/coupe/parties/2/manches/1/")
        assert "The partie is over: this manche was not played." in said(public)

    def test_still_takes_the_correction_of_what_was_played(self, hall: Hall, owner: Client, send: Send) -> None:
        send("parties/1/", "close", version=hall.first.version, reason="It is late")
        assert "Correct it by a sheet" in said(owner.get(HOME + "parties/1/manches/1/"))
        assert owner.get(HOME + "parties/1/manches/1/sheet/").status_code == 200
