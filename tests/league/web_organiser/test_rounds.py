"""Rounds in pages: a tournament drawn, looked over, changed by hand, published, entered and locked."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Absence, Championship, Entry, Manche, Partie, Round, Seat, Stage
from league.services.drafts import swap
from league.services.stages import add_stage
from league.web.organiser.deeds import new_key
from tests.factories import ChampionshipFactory, EntryFactory, owner_of, play, sheet
from tests.league.web_organiser.test_account_pages import said
from tests.league.web_organiser.test_championships import filled

pytestmark = pytest.mark.django_db

AT = "/en/organise/open/"


@pytest.fixture
def championship() -> Championship:
    """Six entries, tables of two, one manche a partie, a Swiss stage of three rounds."""
    found = ChampionshipFactory(slug="open", partie_end="manches", partie_end_value=1)
    EntryFactory.create_batch(6, championship=found)
    settings = {"format": "swiss", "rounds_planned": 3, "name": "Swiss"}
    add_stage(actor=owner_of(found), championship_id=found.pk, settings=settings)
    return found


@pytest.fixture
def client(championship: Championship) -> Client:
    """The owner's browser."""
    browser = Client()
    browser.force_login(championship.created_by)
    return browser


def send(client: Client, page: str, do: str, **fields: Any) -> Any:
    """Send a deed of a page with the version of the last round."""
    last = Round.objects.order_by("-number").first()
    sent = {"do": do, "key": new_key(), "version": last.version if last else 1, **fields}
    return client.post(AT + page, sent)


def draw(client: Client) -> None:
    """Draw the next round."""
    answer = send(client, "parties/draw/", "draw")
    assert answer.headers["Location"] == AT + "parties/draft/", said(answer)


def publish(client: Client) -> None:
    """Publish the draft."""
    assert send(client, "parties/draft/", "publish").status_code == 302


def enter_all(championship: Championship) -> None:
    """A sheet for every open table."""
    for partie in Partie.objects.filter(championship=championship, status="open"):
        play(partie, 1, sheet())


class TestATournament:
    def test_goes_from_the_first_draw_to_the_ranking(self, championship: Championship, client: Client) -> None:
        for number in (1, 2, 3):
            home = client.get(AT + "parties/")
            assert AT + "parties/draw/" in home.content.decode()
            draw(client)
            page = client.get(AT + "parties/draft/")
            assert f"Draft of round {number}" in said(page)
            assert "nothing to warn of" in said(page)
            publish(client)
            page = said(client.get(AT + f"parties/?round={number}"))
            assert "0 of 3 tables done" in page
            enter_all(championship)
        page = said(client.get(AT + "parties/"))
        assert "3 of 3 tables done" in page
        assert "See and publish the ranking" in page
        assert "All rounds of this stage are drawn" in said(client.get(AT + "parties/draw/"))

    def test_a_draft_is_no_public_round(self, championship: Championship, client: Client) -> None:
        draw(client)
        assert "Round 1" not in said(Client().get("/en/championships/open/parties/"))
        publish(client)
        public = said(Client().get("/en/championships/open/parties/"))
        assert "Round 1" in public
        assert Round.objects.get().seed in public


class TestTheDraft:
    def test_two_marked_entries_are_swapped(self, client: Client) -> None:
        draw(client)
        tables = Round.objects.get().pairing["tables"]
        one, other = tables[0]["sides"][0][0], tables[1]["sides"][0][0]
        assert send(client, "parties/draft/", "swap", chosen=[one, other]).status_code == 302
        assert Round.objects.get().pairing["tables"][0]["sides"][0] == [other]
        page = said(client.get(AT + "parties/draft/"))
        assert "changed by hand" in page

    def test_one_alone_is_not_and_the_page_says_so(self, client: Client) -> None:
        draw(client)
        answer = send(client, "parties/draft/", "swap", chosen=[1])
        assert answer.status_code == 422
        assert "Mark exactly two entries" in said(answer)

    def test_entries_are_moved_to_a_new_table(self, client: Client) -> None:
        draw(client)
        tables = Round.objects.get().pairing["tables"]
        chosen = [tables[0]["sides"][0][0], tables[1]["sides"][0][0]]
        assert send(client, "parties/draft/", "move", chosen=chosen, to="new").status_code == 302
        assert Round.objects.get().pairing["tables"][-1]["sides"] == [[chosen[0]], [chosen[1]]]
        page = client.get(AT + "parties/draft/")
        assert said(page).count("A table cannot seat so many") == 2
        answer = send(client, "parties/draft/", "publish")
        assert answer.status_code == 422
        assert "seats 1" in said(answer)

    def test_seats_are_turned_and_tables_renumbered(self, client: Client) -> None:
        draw(client)
        before = Round.objects.get().pairing["tables"]
        send(client, "parties/draft/", "turn", table=1)
        send(client, "parties/draft/", "number", table=1, number=7)
        after = Round.objects.get().pairing["tables"]
        assert [table["number"] for table in after] == [2, 3, 7]
        assert after[-1]["sides"] == before[0]["sides"][::-1]

    def test_what_somebody_else_changed_meanwhile_is_shown_and_nothing_done(self, client: Client) -> None:
        draw(client)
        answer = send(client, "parties/draft/", "turn", table=1, version=99)
        assert answer.status_code == 412
        assert "This was not done" in said(answer)

    def test_a_repeated_meeting_is_warned_of(self, championship: Championship, client: Client) -> None:
        draw(client)
        publish(client)
        one, other = (seat.entry.number for seat in Seat.objects.filter(partie__number=1).order_by("label"))
        enter_all(championship)
        draw(client)
        table = next(t for t in Round.objects.get(number=2).pairing["tables"] if [one] in t["sides"])
        mate = next(side[0] for side in table["sides"] if side != [one])
        send(client, "parties/draft/", "swap", chosen=[mate, other])
        assert "have met 1 time already" in said(client.get(AT + "parties/draft/"))

    def test_drawn_again_and_discarded(self, client: Client) -> None:
        draw(client)
        before = Round.objects.get().pairing["tables"]
        send(client, "parties/draft/", "turn", table=1)
        send(client, "parties/draft/", "redraw")
        assert Round.objects.get().pairing["tables"] == before
        send(client, "parties/draft/", "discard")
        assert not Round.objects.exists()
        assert client.get(AT + "parties/draft/").headers["Location"] == AT + "parties/"


class TestBeforeTheDraw:
    def test_absences_are_noted_for_several_rounds_and_taken_back(self, client: Client) -> None:
        entry = Entry.objects.get(number=2)
        send(client, "parties/draw/", "absent", entry=entry.pk, rounds=2)
        assert list(Absence.objects.values_list("round", flat=True)) == [1, 2]
        send(client, "parties/draw/", "back", entry=entry.pk)
        assert list(Absence.objects.values_list("round", flat=True)) == [2]

    def test_who_has_not_checked_in_is_asked_about(self, client: Client) -> None:
        assert "Who has neither checked in" not in said(client.get(AT + "parties/draw/"))
        Entry.objects.filter(number__lte=4).update(checked_in_at="2026-11-30T08:00:00Z")
        page = client.get(AT + "parties/draw/")
        assert "2 have not checked in" in said(page)
        assert filled(page)["unchecked"] == "absent"
        send(client, "parties/draw/", "draw", unchecked="absent")
        assert Round.objects.get().pairing["absent"] == [5, 6]

    def test_who_never_came_stays_absent_and_is_named_while_those_who_played_unchecked_play(
        self, championship: Championship, client: Client
    ) -> None:
        Entry.objects.filter(number__lte=3).update(checked_in_at="2026-11-30T08:00:00Z")
        draw(client)
        assert Round.objects.get().pairing["absent"] == [4, 5, 6], "the choice that stands first"
        round_ = Round.objects.get()
        swap(actor=owner_of(championship), round_id=round_.pk, version=1, one=4, other=1)
        publish(client)
        enter_all(championship)
        page = client.get(AT + "parties/draw/")
        assert filled(page)["unchecked"] == "absent"
        assert "2 have not checked in 5 · " in said(page), "4 has played"
        draw(client)
        assert Round.objects.get(number=2).pairing["absent"] == [5, 6]

    def test_tables_that_still_play_are_told(self, championship: Championship, client: Client) -> None:
        draw(client)
        publish(client)
        play(Partie.objects.get(number=1), 1, sheet())
        assert "2 tables still play: 2, 3" in said(client.get(AT + "parties/draw/"))
        assert send(client, "parties/draw/", "draw").status_code == 409
        assert send(client, "parties/draw/", "draw", anyway="on").status_code == 302
        assert "postpone them and publish" in said(client.get(AT + "parties/draft/"))
        assert send(client, "parties/draft/", "publish", reason="Slow players").status_code == 302
        assert Partie.objects.filter(postponed_at__isnull=False).count() == 2


class TestTheHall:
    def test_the_number_of_a_table_leads_to_its_sheet(self, championship: Championship, client: Client) -> None:
        draw(client)
        publish(client)
        answer = client.get(AT + "parties/go/?round=1&table=2")
        assert answer.headers["Location"] == AT + "parties/2/manches/1/sheet/"
        play(Partie.objects.get(number=2), 1, sheet())
        assert client.get(AT + "parties/go/?round=1&table=2").headers["Location"] == AT + "parties/2/"
        missing = client.get(AT + "parties/go/?round=1&table=9").headers["Location"]
        assert "There is no table 9 in this round" in said(client.get(missing))

    def test_each_table_says_what_it_waits_for(self, championship: Championship, client: Client) -> None:
        draw(client)
        publish(client)
        play(Partie.objects.get(number=1), 1, sheet())
        play(Partie.objects.get(number=2), 1, sheet(claim={"A": 1, "B": 2}))
        page = client.get(AT + "parties/")
        states = re.findall(r'class="hall-table (\w+)"', page.content.decode())
        assert states == ["done", "differs", "awaited"]
        assert "1 of 3 tables done" in said(page)

    def test_a_round_is_locked_reopened_and_taken_back(self, client: Client) -> None:
        draw(client)
        publish(client)
        send(client, "parties/?round=1", "lock")
        assert "locked" in said(client.get(AT + "parties/"))
        send(client, "parties/?round=1", "undo")
        send(client, "parties/?round=1", "reopen_round", reason="Somebody came late")
        assert (Round.objects.get().status, Round.objects.get().reopened) == ("draft", 1)
        publish(client)
        send(client, "parties/?round=1", "undo")
        assert Round.objects.get().status == "draft"
        assert not Partie.objects.exists()


class TestTheClock:
    def test_is_set_started_and_told_to_everybody(self, client: Client) -> None:
        draw(client)
        publish(client)
        send(client, "parties/?round=1", "clock_set", minutes=50, at_end="stop")
        send(client, "parties/?round=1", "clock_start")
        page = Client().get("/en/championships/open/clock/")
        left = int(re.findall(r'data-clock-left="(\d+)"', page.content.decode())[0])
        assert 2990 <= left <= 3000
        assert "the manche under way is stopped" in said(page)
        send(client, "parties/?round=1", "clock_pause")
        send(client, "parties/?round=1", "clock_more", minutes=10)
        assert 'data-clock-state="paused"' in client.get(AT + "parties/").content.decode()
        send(client, "parties/?round=1", "clock_stop")
        assert "The time is up" in said(Client().get("/en/championships/open/clock/"))


class TestTheFormat:
    def test_a_usual_one_is_chosen_in_one_step(self, client: Client) -> None:
        page = client.get(AT + "settings/format/")
        sent = filled(page) | {"do": "plan", "plan": "pools", "pools": 2, "through": 2}
        assert client.post(AT + "settings/format/", sent).status_code == 302
        found = list(Stage.objects.order_by("number").values_list("format", "pools", "qualify"))
        assert found == [("round_robin", 2, None), ("knockout", 1, 2)]

    def test_a_stage_is_changed_added_and_taken_away(self, client: Client) -> None:
        stage = Stage.objects.get()
        fields = {"format": "swiss", "pools": 1, "rounds_planned": 7, "name": "Long"}
        client.post(AT + "settings/format/", {"do": f"change-{stage.pk}", "key": "a", "version": 1, **fields})
        assert Stage.objects.get().rounds_planned == 7
        more = {"format": "knockout", "pools": 1, "carry_over": "none", "qualify": 4}
        answer = client.post(AT + "settings/format/", {"do": "add", "key": "b", **more})
        assert answer.status_code == 302, said(answer)
        last = Stage.objects.get(number=2)
        client.post(AT + "settings/format/", {"do": f"remove-{last.pk}", "key": "c", "version": last.version})
        assert Stage.objects.count() == 1

    def test_stays_once_the_first_round_is_drawn(self, client: Client) -> None:
        draw(client)
        page = client.get(AT + "settings/format/")
        assert "A usual format" not in said(page)
        stage = Stage.objects.get()
        answer = client.post(
            AT + "settings/format/", {"do": f"remove-{stage.pk}", "key": "c", "version": stage.version}
        )
        assert answer.status_code == 409


ADDRESSES = ("parties/", "parties/draw/", "parties/draft/", "settings/format/", "stages/1/", "stages/2/")


def counts(client: Client) -> Iterator[tuple[str, int]]:
    """How many queries each page takes."""
    for address in ADDRESSES:
        client.get(AT + address)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(AT + address).status_code in (200, 302)
        yield address, len(queries)
    with CaptureQueriesContext(connection) as queries:
        client.get(reverse("championship-clock", args=["open"]))
    yield "clock", len(queries)


def test_queries_do_not_grow_with_rows(championship: Championship, client: Client) -> None:
    settings = {"format": "knockout", "qualify": 2}
    add_stage(actor=owner_of(championship), championship_id=championship.pk, settings=settings)
    found = []
    for more in (0, 10):
        EntryFactory.create_batch(more, championship=championship)
        draw(client)
        publish(client)
        enter_all(championship)
        draw(client)
        found.append(dict(counts(client)))
        send(client, "parties/draft/", "discard")
    assert found[0] == found[1]
    assert max(found[0].values()) <= 32, found[0]
    assert Manche.objects.count() == 3 + 8
