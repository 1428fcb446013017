"""Stages in pages: started, brackets, level tables decided, parties postponed, withdrawals said before."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Championship, Entry, Partie, Round, Seat, Stage, StageEntry
from league.services.draws import draw_round
from league.services.renewal import renew_live_ranking
from league.services.rounds import publish_round
from league.services.stage_starts import start_stage
from league.services.stages import plan_stages
from league.web.organiser.deeds import new_key
from tests.factories import ChampionshipFactory, EntryFactory, owner_of, play, sheet
from tests.league.web_organiser.test_account_pages import said

pytestmark = pytest.mark.django_db

AT = "/en/organise/staged/"


def staged(entries: int, *plan: dict[str, Any]) -> tuple[Championship, Client]:
    """A championship of one manche a partie with these stages, and its owner's browser."""
    found = ChampionshipFactory(slug="staged", partie_end="manches", partie_end_value=1)
    EntryFactory.create_batch(entries, championship=found)
    plan_stages(actor=owner_of(found), championship_id=found.pk, plan=plan)
    browser = Client()
    browser.force_login(found.created_by)
    return found, browser


def play_a_round(championship: Championship, *, level: bool = False) -> None:
    """Draw, publish and play a round; A wins everywhere, or nobody at all."""
    round_ = draw_round(actor=owner_of(championship), championship_id=championship.pk)
    publish_round(actor=owner_of(championship), round_id=round_.pk, version=round_.version)
    for partie in Partie.objects.filter(status="open"):
        play(partie, 1, sheet({"A": 475, "B": 475} if level else None))


def send(client: Client, page: str, do: str, **fields: Any) -> Any:
    """Send a deed of a page."""
    return client.post(AT + page, {"do": do, "key": new_key(), **fields})


class TestAStage:
    def test_is_started_in_the_order_chosen(self) -> None:
        _championship, client = staged(4, {"format": "knockout"})
        assert "4 entries come in" in said(client.get(AT + "stages/1/"))
        send(client, "stages/1/", "start", version=1, order="number")
        found = StageEntry.objects.order_by("seed").values_list("entry__number", flat=True)
        assert list(found) == [1, 2, 3, 4]
        assert "4 entries" in said(client.get(AT + "stages/1/"))

    def test_asks_who_goes_on_where_some_are_level_at_the_limit(self) -> None:
        championship, client = staged(4, {"format": "swiss", "rounds_planned": 1}, {"format": "swiss", "qualify": 3})
        play_a_round(championship, level=True)
        page = said(client.get(AT + "stages/2/"))
        assert "4 entries are level at the limit, and 3 of them go on." in page
        version = Stage.objects.get(number=2).version
        answer = send(client, "stages/2/", "start", version=version, chosen=[1, 2])
        assert answer.status_code == 422
        assert "Choose 3 of them" in said(answer)
        assert send(client, "stages/2/", "start", version=version, chosen=[1, 2, 4]).status_code == 302
        assert set(StageEntry.objects.filter(stage__number=2).values_list("entry__number", flat=True)) == {1, 2, 4}

    def test_that_is_over_leads_to_the_next(self) -> None:
        championship, client = staged(
            4, {"format": "swiss", "rounds_planned": 1}, {"format": "knockout", "qualify": 2, "name": "Final"}
        )
        play_a_round(championship)
        for page in ("parties/", "parties/draw/"):
            assert f"{AT}stages/2/" in client.get(AT + page).content.decode()

    def test_that_is_a_final_under_way_takes_nobody_in_and_says_so(self) -> None:
        championship, client = staged(8, {"format": "swiss", "rounds_planned": 1}, {"format": "swiss", "qualify": 4})
        assert "can be drawn from the next round on" in said(client.get(AT + "check-in/"))
        play_a_round(championship)
        stage = Stage.objects.get(number=2)
        start_stage(actor=owner_of(championship), stage_id=stage.pk, version=stage.version, by_lot=True)
        page = said(client.get(AT + "check-in/"))
        assert "takes nobody in" in page
        assert "can be drawn from the next round on" not in page
        Entry.objects.filter(pk=EntryFactory(championship=championship).pk).update(checked_in_at=timezone.now())
        page = said(client.get(AT + "parties/draw/"))
        assert "Entries 4" in page
        assert "Checked in" not in page

    def test_that_is_not_there(self) -> None:
        _championship, client = staged(4, {"format": "swiss"})
        assert client.get(AT + "stages/7/").status_code == 404


class TestAKnockout:
    def test_its_bracket_stands_on_the_public_page_of_its_rounds(self) -> None:
        championship, _client = staged(4, {"format": "knockout"})
        play_a_round(championship)
        page = Client().get("/en/championships/staged/parties/")
        assert page.content.decode().count('class="through"') == 2
        assert "goes on" in said(page)

    def test_one_more_manche_is_opened_for_a_level_table(self) -> None:
        championship, client = staged(2, {"format": "knockout"})
        play_a_round(championship, level=True)
        assert "All rounds of this stage are drawn" in said(client.get(AT + "parties/draw/"))
        page = said(client.get(AT + "parties/draw/"))
        assert "Table 1 ended level: these share their place unless they play it out." in page
        send(client, "parties/draw/", "extra", table=1)
        assert Partie.objects.count() == 2
        assert "Enter the one more manche" in said(client.get(AT + "parties/draw/"))
        play(Partie.objects.get(number=2), 1, sheet())
        assert "ended level" not in said(client.get(AT + "parties/draw/"))
        renew_live_ranking(championship_id=championship.pk)
        assert sorted(championship.live_rows.values_list("rank", flat=True)) == [1, 2]

    def test_a_level_table_of_an_earlier_round_says_who_goes_on(self) -> None:
        championship, client = staged(4, {"format": "knockout"})
        play_a_round(championship, level=True)
        page = said(client.get(AT + "parties/draw/"))
        assert "Table 1 ended level: 1 of these goes on." in page
        assert send(client, "parties/draw/", "draw").status_code == 409

    def test_or_the_better_place_decides(self) -> None:
        championship, client = staged(4, {"format": "knockout"})
        play_a_round(championship, level=True)
        for table in (1, 2):
            send(client, "parties/draw/", "seeded", table=table)
        assert send(client, "parties/draw/", "draw").status_code == 302
        seeds = dict(StageEntry.objects.values_list("entry__number", "seed"))
        final = [side[0] for side in Round.objects.get(number=2).pairing["tables"][0]["sides"]]
        assert sorted(seeds[number] for number in final) == [1, 2]


class TestAPartie:
    def test_is_postponed_with_a_reason_and_taken_up(self) -> None:
        championship, client = staged(4, {"format": "swiss"})
        round_ = draw_round(actor=owner_of(championship), championship_id=championship.pk)
        publish_round(actor=owner_of(championship), round_id=round_.pk, version=round_.version)
        send(client, "parties/1/", "postpone", version=1, reason="The train is late")
        assert "The train is late" in said(client.get(AT + "parties/1/"))
        assert "1 postponed" in said(client.get(AT + "parties/"))
        send(client, "parties/1/", "resume", version=2)
        assert Partie.objects.get(number=1).postponed_at is None


class TestWithdrawing:
    @pytest.mark.parametrize(
        ("rounds", "expected"),
        [
            (1, "1 of 3 parties of the round robin, less than half: all of them become void"),
            (2, "it forfeits the rest"),
        ],
    )
    def test_from_a_round_robin_says_before_what_it_does(self, rounds: int, expected: str) -> None:
        championship, client = staged(4, {"format": "round_robin"})
        for _ in range(rounds):
            play_a_round(championship)
        assert expected in said(client.get(AT + "entries/1/"))
        send(client, "entries/1/", "withdraw", reason="Ill")
        assert Entry.objects.get(number=1).withdrawn_at is not None
        statuses = set(Partie.objects.filter(seats__entry__number=1).values_list("status", flat=True))
        assert statuses == {"void" if rounds == 1 else "closed"}
        assert Seat.objects.exists()
