"""A sheet's warnings, what a script is told that sends one later, and the table that comes next."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from engine.rulebooks import RULEBOOKS
from league.models import Attempt, AuditEntry, Partie, Result
from league.selectors.next_table import NextTable, next_table
from league.web.sheet.cells import SheetTable, cells_of
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, play, sheet
from tests.league.web_organiser.conftest import HOME, Hall, cells
from tests.league.web_organiser.test_account_pages import said

Send = Callable[..., Any]
SHEET = HOME + "parties/2/manches/1/sheet/"
JSON = {"Accept": "application/json"}
FOUR = {f"A-{botte}": "coup-fourre" for botte in ("VP", "CI", "IN", "AS")}
NAME = "four-coups-fourres:A"


class TestWarnings:
    def test_are_shown_at_their_cell_before_anything_is_handed_in(self, owner: Client) -> None:
        text = owner.post(SHEET + "score/", cells(None, **FOUR)).content.decode()
        note = re.search(r'id="note-A-bottes"[^>]*>(.*?)</div>', text)
        assert note is not None
        assert "A has all four coups fourrés" in note[1]
        assert "The sheet is complete" in text

    def test_without_being_acknowledged_it_is_shown_again(self, hall: Hall, owner: Client) -> None:
        answer = owner.post(SHEET, cells(None, **FOUR) | {"key": "k"})
        text = answer.content.decode()
        assert answer.status_code == 422
        assert "It is so: hand in" in text
        assert f'name="sure" value="{NAME} "' in text
        assert "aria-invalid" not in text
        assert '<input type="radio" name="A-VP" value="coup-fourre" checked>' in text
        assert not Result.objects.filter(manche__partie=hall.second).exists()

    def test_acknowledged_they_stand_in_the_result_and_the_audit(self, hall: Hall, owner: Client) -> None:
        answer = owner.post(SHEET, cells(None, **FOUR) | {"key": "k", "do": "sure", "sure": NAME})
        assert answer.status_code == 302
        result = Result.objects.get(manche__partie=hall.second)
        assert result.acknowledged == [NAME]
        written = AuditEntry.objects.get(action="hand_in", object_id=result.pk).after
        assert written is not None
        assert written["acknowledged"] == [NAME]

    def test_only_those_that_were_shown_are_acknowledged(self, hall: Hall, owner: Client) -> None:
        answer = owner.post(SHEET, cells(None, **FOUR) | {"key": "k", "do": "sure", "sure": "nobody-drove"})
        assert answer.status_code == 422
        assert not Result.objects.filter(manche__partie=hall.second).exists()

    def test_a_plain_hand_in_acknowledges_nothing(self, hall: Hall, owner: Client) -> None:
        assert owner.post(SHEET, cells(None, **FOUR) | {"key": "k", "sure": NAME}).status_code == 422

    def test_a_sheet_without_any_has_none_written_down(self, hall: Hall, owner: Client) -> None:
        owner.post(SHEET, cells() | {"key": "k", "do": "sure", "sure": NAME})
        result = Result.objects.get(manche__partie=hall.second)
        assert result.acknowledged == []
        written = AuditEntry.objects.get(action="hand_in", object_id=result.pk).after
        assert written is not None
        assert "acknowledged" not in written

    def test_faults_come_before_them(self, owner: Client) -> None:
        answer = owner.post(SHEET, cells(None, **FOUR) | {"A-km": "990", "key": "k"})
        assert "It is so" not in said(answer)

    def test_somebody_elses_result_leaves_them_acknowledged(self, hall: Hall, owner: Client) -> None:
        play(hall.second, 1, sheet({"A": 1000, "B": 200}))
        answer = owner.post(SHEET, cells(None, **FOUR) | {"key": "k", "do": "sure", "sure": NAME})
        assert answer.status_code == 409
        assert 'name="do" value="sure"' in answer.content.decode()


class TestToAScript:
    def test_it_gives_what_sending_needs(self, hall: Hall, owner: Client) -> None:
        answer = owner.get(SHEET, headers=JSON).json()
        assert answer["who"] == f"user-{hall.owner.pk}"
        assert f'data-who="{answer["who"]}"' in owner.get(SHEET).content.decode()
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(hall.owner)
        token = strict.get(SHEET, headers=JSON).json()["csrf"]
        sent = cells() | {"key": "k", "csrfmiddlewaretoken": token}
        assert strict.post(SHEET, sent, headers=JSON).json()["outcome"] == "recorded"

    def test_it_says_what_was_recorded_and_where_to_go_on(self, hall: Hall, owner: Client) -> None:
        for _ in range(2):
            answer = owner.post(SHEET, cells() | {"key": "k"}, headers=JSON)
            assert answer.status_code == 200
            assert answer.json() == {
                "outcome": "recorded",
                "said": "Manche 1 is recorded.",
                "goto": HOME + "parties/2/?entered=1",
            }
        assert Result.objects.filter(manche__partie=hall.second).count() == 1
        assert "Manche 1 is recorded" in said(owner.get(HOME + "parties/2/"))

    def test_sent_from_another_page_it_is_said_there_only(self, hall: Hall, owner: Client) -> None:
        owner.post(SHEET, cells() | {"key": "k", "away": "yes"}, headers=JSON)
        assert "Manche 1 is recorded" not in said(owner.get(HOME + "parties/2/"))

    @pytest.mark.parametrize(
        ("typed", "words"),
        [
            ({"A-km": "990"}, "2 things are wrong."),
            (FOUR, "Something on the sheet is improbable: look at it again."),
        ],
    )
    def test_it_says_why_a_sheet_was_not_recorded(
        self, hall: Hall, owner: Client, typed: dict[str, str], words: str
    ) -> None:
        answer = owner.post(SHEET, cells(None, **typed) | {"key": "k"}, headers=JSON)
        assert answer.status_code == 422
        assert answer.json()["outcome"] == "refused"
        assert words in answer.json()["said"]

    def test_somebody_else_was_first(self, hall: Hall, owner: Client) -> None:
        play(hall.second, 1, sheet({"A": 1000, "B": 200}))
        answer = owner.post(SHEET, cells() | {"key": "k"}, headers=JSON)
        assert answer.status_code == 409
        assert answer.json()["said"] == "Somebody else has handed in this manche meanwhile."

    def test_a_correction_is_looked_at_before_it_is_saved(self, hall: Hall, owner: Client) -> None:
        play(hall.second, 1, sheet({"A": 1000, "B": 200}))
        correction = cells() | {"key": "k", "replaces": "1", "reason": "Counted again"}
        answer = owner.post(SHEET, correction, headers=JSON)
        assert (answer.status_code, answer.json()["outcome"]) == (409, "refused")
        assert Result.objects.filter(manche__partie=hall.second).count() == 1

    def test_a_refused_one_that_is_then_looked_at_is_kept_once(self, hall: Hall, owner: Client, send: Send) -> None:
        send("parties/2/", "void", version=hall.second.version, reason="Nobody came")
        answer = owner.post(SHEET, cells() | {"key": "k"}, headers=JSON)
        assert "The partie is over" in answer.json()["said"]
        assert "The partie is over" in said(owner.post(SHEET, cells() | {"key": "k"}))
        assert Attempt.objects.filter(partie=hall.second).count() == 1

    def test_who_is_signed_out_is_told_so(self, hall: Hall) -> None:
        assert Client().get(SHEET, headers=JSON).status_code == 401
        assert Client().post(SHEET, cells() | {"key": "k"}, headers=JSON).status_code == 401

    def test_who_may_not_hand_in_is_told_so(self, hall: Hall) -> None:
        assert hall.client(hall.stranger).get(SHEET, headers=JSON).status_code == 403

    def test_only_the_pages_of_sheets_are_kept_by_a_worker(self, owner: Client) -> None:
        assert owner.get(SHEET).headers["X-Kept-Offline"] == "sheet"
        assert "X-Kept-Offline" not in owner.get(HOME + "parties/2/").headers


class TestKeys:
    @pytest.mark.parametrize("language", ["en", "fr"])
    @pytest.mark.parametrize("rulebook", ["classique", "fournier"])
    def test_each_leads_to_one_cell(self, db: None, language: str, rulebook: str) -> None:
        assert rulebook in RULEBOOKS
        championship = ChampionshipFactory(rulebook=rulebook)
        with override(language):
            made = cells_of(SheetTable(championship, {"A": "Ana", "B": "Bo"}), {})
        keys = [cell.key for cell in made.all if cell.team in ("", "A") and cell.key]
        keys += [key for cell in made.all if not cell.team for key in cell.keys.values()]
        assert len(keys) >= 4 + 2 + 3
        assert len(set(keys)) == len(keys)
        assert all(len(key) == 1 and key == key.upper() and not key.isdigit() for key in keys)


class TestNextTable:
    @pytest.fixture
    def tables(self, db: None) -> list[Partie]:
        championship = ChampionshipFactory(slug="tables", partie_end="manches", partie_end_value=2)
        return [
            PartieFactory(
                championship=championship,
                entries=EntryFactory.create_batch(2, championship=championship),
                table_number=number,
            )
            for number in (1, 2, 5)
        ]

    def numbers(self, after: Partie, manche: int = 1) -> tuple[int | None, int] | None:
        found = next_table(after=after, manche=manche)
        return (found.table_number, found.manche) if found else None

    def test_is_the_one_after_and_then_from_the_first(self, tables: list[Partie]) -> None:
        first, second, last = tables
        assert self.numbers(first) == (2, 1)
        assert self.numbers(second) == (5, 1)
        assert self.numbers(last) == (1, 1)

    def test_has_not_played_further(self, tables: list[Partie]) -> None:
        first, second, last = tables
        play(first, 1)
        assert self.numbers(last) == (2, 1)
        assert self.numbers(last, 2) == (1, 2)
        play(second, 1)
        assert self.numbers(last) is None

    def test_says_who_sits_there(self, tables: list[Partie]) -> None:
        found = next_table(after=tables[0], manche=1)
        teams = [seat.entry.team.name for seat in tables[1].seats.order_by("label")]
        assert found == NextTable(tables[1].number, 2, 1, teams)

    def test_is_of_the_same_round_open_and_not_postponed(self, tables: list[Partie]) -> None:
        first, second, last = tables
        Partie.objects.filter(pk=second.pk).update(round=2)
        Partie.objects.filter(pk=last.pk).update(postponed_at=last.opened_at, postponed_reason="Late")
        assert self.numbers(first) is None

    def test_takes_two_queries_whatever_the_hall(self, tables: list[Partie], django_assert_num_queries: Any) -> None:
        with django_assert_num_queries(2):
            next_table(after=tables[0], manche=1)

    def test_is_offered_only_after_a_sheet(self, hall: Hall, owner: Client) -> None:
        other = PartieFactory(
            championship=hall.championship,
            entries=EntryFactory.create_batch(2, championship=hall.championship),
            round=2,
            table_number=7,
        )
        page = owner.post(SHEET, cells() | {"key": "k"}, follow=True)
        link = f'href="{HOME}parties/{other.number}/manches/1/sheet/" autofocus'
        assert link in page.content.decode()
        assert "Next: table 7, manche 1" in said(page)
        for address in ("parties/2/", "parties/2/?entered=", "parties/2/?entered=x", "parties/2/?entered=99999999"):
            assert "Next: table" not in said(owner.get(HOME + address))

    def test_without_another_the_next_manche_has_the_focus(self, owner: Client) -> None:
        page = owner.post(SHEET, cells() | {"key": "k"}, follow=True)
        assert f'href="{HOME}parties/2/manches/2/sheet/" autofocus' in page.content.decode()
