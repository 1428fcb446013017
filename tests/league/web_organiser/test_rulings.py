"""What is decided about a manche in pages, what is published, and what the journal says of it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.models import Confirmation, PublishedRanking, Result, ResultScore
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, play, sheet
from tests.league.table_cases import enter
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said

Send = Callable[..., Any]
DIFFERS = "parties/1/manches/2/"
COUNTS = "parties/1/manches/1/"


def result_of(hall: Hall, number: int) -> Result:
    """What stands for a manche of the first partie."""
    return Result.objects.get(current_of__partie=hall.first, current_of__number=number)


class TestAClaimThatDiffers:
    def test_is_shown_with_both_totals(self, hall: Hall, owner: Client) -> None:
        page = said(owner.get(HOME + DIFFERS))
        assert "A announced 1500 points, the score comes to 1400" in page

    @pytest.mark.parametrize("how", ["computed", "referee"])
    def test_settled_it_counts(self, hall: Hall, send: Send, how: str) -> None:
        answer = send(DIFFERS, "settle", version=1, how=how, reason="Looked at the cards")
        assert answer.status_code == 302
        settled = result_of(hall, 2)
        assert (settled.state, settled.settled_how, settled.settled_reason) == ("confirmed", how, "Looked at the cards")
        chosen = {"computed": "the computed score was accepted", "referee": "the referee decided"}[how]
        assert f"Settled: {chosen}. Looked at the cards" in said(hall.client(hall.owner).get(HOME + DIFFERS))

    def test_another_sheet_is_asked_for(self, hall: Hall, send: Send, owner: Client) -> None:
        send(DIFFERS, "settle", version=1, how="another_sheet", reason="Illegible")
        assert result_of(hall, 2).state == "differs"
        assert "Enter the other sheet" in said(owner.get(HOME + DIFFERS))

    @pytest.mark.parametrize("left_out", ["how", "reason"])
    def test_not_without_a_decision_and_a_reason(self, hall: Hall, send: Send, left_out: str) -> None:
        given = {"how": "computed", "reason": "Because"} | {left_out: ""}
        answer = send(DIFFERS, "settle", version=1, **given)
        assert answer.status_code == 422
        assert left_out in answer.context["deeds"]["settle"].errors
        assert result_of(hall, 2).state == "differs"

    def test_two_at_once_the_second_sees_what_the_first_decided(self, hall: Hall, send: Send) -> None:
        send(DIFFERS, "settle", version=1, how="computed", reason="First")
        answer = send(DIFFERS, "settle", version=1, how="referee", reason="Second")
        assert answer.status_code == 409
        assert "was settled" in said(answer)
        assert "First" in said(answer)
        assert result_of(hall, 2).settled_reason == "First"


class TestConfirming:
    @pytest.fixture
    def waiting(self, hall: Hall) -> str:
        championship = ChampionshipFactory(slug="slow", owner=hall.owner, confirmation=Confirmation.ORGANISER)
        partie = PartieFactory(
            championship=championship, entries=EntryFactory.create_batch(2, championship=championship)
        )
        enter(partie, "A")
        return "/en/organise/slow/parties/1/manches/1/"

    def test_lets_a_result_count(self, hall: Hall, owner: Client, waiting: str) -> None:
        assert "Does this count?" in said(owner.get(waiting))
        owner.post(waiting, {"do": "confirm", "key": "k", "version": 1})
        assert Result.objects.get(current_of__partie__championship__slug="slow").state == "confirmed"
        assert "Does this count?" not in said(owner.get(waiting))

    def test_another_version_is_looked_at_first(self, hall: Hall, owner: Client, waiting: str) -> None:
        answer = owner.post(waiting, {"do": "confirm", "key": "k", "version": 7})
        assert answer.status_code == 409
        assert "There is another result by now" in said(answer)
        assert 'name="version" value="1"' in answer.content.decode(), "sent again it is meant"


class TestAPenaltyAndAnAnnulment:
    def test_a_penalty_is_taken_off_one_total_and_lifted(self, hall: Hall, send: Send, owner: Client) -> None:
        send(COUNTS, "penalise", version=2, label="A", points=100, reason="Looked at the sabot")
        score = ResultScore.objects.get(result=result_of(hall, 1), seat__label="A")
        assert (score.penalty, score.total) == (100, 1300)
        assert "Looked at the sabot" in said(owner.get(HOME + COUNTS))
        send(COUNTS, "penalise", version=2, label="A", points=0, reason="Did not")
        score.refresh_from_db()
        assert score.penalty == 0

    def test_a_manche_is_annulled_and_reinstated(self, hall: Hall, send: Send, owner: Client) -> None:
        send(COUNTS, "void", version=2, reason="Wrong deck", foreseen="yes")
        assert "Annulled: Wrong deck" in said(owner.get(HOME + COUNTS))
        send(COUNTS, "reinstate", version=2, reason="It was the right one", foreseen="yes")
        assert "Annulled" not in said(owner.get(HOME + COUNTS))

    def test_sent_twice_it_is_ruled_once(self, hall: Hall, send: Send, owner: Client) -> None:
        for _ in range(2):
            assert send(COUNTS, "void", key="k", version=2, reason="Wrong deck", foreseen="yes").status_code == 302
        assert said(owner.get(HOME + "journal/")).count("manche annulled") == 1


class TestPublishing:
    def test_freezes_a_numbered_version(self, hall: Hall, send: Send, owner: Client) -> None:
        assert send("ranking/", "publish", label="After round 1", round=1).status_code == 302
        version = PublishedRanking.objects.get()
        assert (version.number, version.label, version.round) == (1, "After round 1", 1)
        assert "After round 1" in said(owner.get(HOME + "ranking/"))

    def test_sent_twice_it_is_published_once(self, hall: Hall, send: Send) -> None:
        for _ in range(2):
            assert send("ranking/", "publish", key="k", label="End").status_code == 302
        assert PublishedRanking.objects.count() == 1

    def test_nothing_new_is_said(self, hall: Hall, send: Send) -> None:
        send("ranking/", "publish", label="One")
        answer = send("ranking/", "publish", label="Two")
        assert answer.status_code == 409
        assert "nothing has changed since" in said(answer)

    def test_a_correction_says_that_what_was_published_is_overtaken_and_offers_a_title(
        self, hall: Hall, send: Send, owner: Client
    ) -> None:
        send("ranking/", "publish", label="After round 2")
        for address in ("", "ranking/"):
            assert "no longer shows what stands" not in said(owner.get(HOME + address))
        send("parties/1/manches/1/", "penalise", version=2, label="A", points=20, reason="Late")
        for address in ("", "ranking/"):
            assert "Version 1, “After round 2”, no longer shows what stands" in said(owner.get(HOME + address))
        assert 'value="After round 2, corrected"' in owner.get(HOME + "ranking/").content.decode()
        send("ranking/", "publish", label="After round 2, corrected")
        page = owner.get(HOME + "ranking/")
        assert "no longer shows" not in said(page)
        assert 'value="After round 2, corrected (2)"' in page.content.decode()

    def test_results_that_simply_come_in_overtake_nothing(self, hall: Hall, send: Send, owner: Client) -> None:
        send("ranking/", "publish", label="One")
        play(hall.second, 1, sheet())
        assert "no longer shows" not in said(owner.get(HOME))

    def test_in_a_draft_it_says_that_nobody_else_sees_it(self, hall: Hall, owner: Client) -> None:
        assert "nobody but its organisers" not in said(owner.get(HOME + "ranking/"))
        type(hall.championship).objects.filter(pk=hall.championship.pk).update(visibility="draft")
        assert "nobody but its organisers" in said(owner.get(HOME + "ranking/"))

    def test_the_first_rows_say_why_they_stand_there(self, hall: Hall, send: Send, owner: Client) -> None:
        send(DIFFERS, "settle", version=1, how="computed", reason="Right")
        hall.first.refresh_from_db()
        send("parties/1/", "close", version=hall.first.version, reason="Time")
        renew_live_ranking(championship_id=hall.championship.pk)
        page = said(owner.get(HOME + "ranking/"))
        assert "Rank Entry Match points" in page
        assert re.search(r"Above .+: match points: 2 against 0", page, re.IGNORECASE)

    def test_after_a_correction_it_says_what_moved_and_why(self, hall: Hall, send: Send, owner: Client) -> None:
        send(DIFFERS, "settle", version=1, how="computed", reason="Right")
        hall.first.refresh_from_db()
        send("parties/1/", "close", version=hall.first.version, reason="Time")
        send("ranking/", "publish", label="One")
        for number, version in ((1, 2), (2, 1)):
            send(f"parties/1/manches/{number}/", "penalise", version=version, label="A", points=2000, reason="Cheated")
        send("ranking/", "publish", label="Two")
        page = said(owner.get(HOME + "ranking/"))
        assert "entries moved" in page
        assert "Cheated" in page


class TestTheJournal:
    def test_says_what_the_ranking_counts_with_reasons(self, hall: Hall, owner: Client) -> None:
        page = said(owner.get(HOME + "journal/"))
        assert "result corrected" in page
        assert "A card was overlooked" in page

    def test_who_did_what(self, hall: Hall, owner: Client) -> None:
        page = said(owner.get(HOME + "journal/audit/"))
        assert "document refused" in page
        assert hall.owner.display_name in page

    def test_holds_no_address_of_anybody(self, hall: Hall, owner: Client) -> None:
        assert hall.owner.email not in owner.get(HOME + "journal/audit/").content.decode()
