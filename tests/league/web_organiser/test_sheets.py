"""The score sheet in a page: scored while it is typed, marked where it is wrong, handed in once, never lost."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from engine.rulebooks import RULEBOOKS
from league.models import Attempt, Partie, Result
from league.web.sheet.cells import SheetTable, cells_of, document_of, said_of
from league.web.sheet.state import sheet_state
from scoring.sheets import judge_sheet
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet
from tests.league.web_organiser.conftest import HOME, Hall, cells
from tests.league.web_organiser.test_account_pages import said

Send = Callable[..., Any]
NEXT = HOME + "parties/2/manches/1/sheet/"
FORESEEN = {"foreseen": "yes"}
DONE = HOME + "parties/1/manches/1/sheet/"
OTHER = HOME + "parties/1/manches/2/sheet/"


@pytest.fixture
def table(db: None) -> SheetTable:
    """A table of `classique`."""
    return SheetTable(ChampionshipFactory(), {"A": "Ana", "B": "Bo"})


class TestCells:
    def test_make_the_document_that_they_say(self, table: SheetTable) -> None:
        typed = {
            "A-km": " 1 000", "A-steps-200": "1", "A-steps-100": "8", "A-VP": "coup-fourre", "A-IN": "exposed",
            "B-km": "0", "B-n200": "0", "end": "target", "sabot_empty": "yes", "A-claim": "2000", "B-claim": "0",
        }  # fmt: skip
        assert document_of(table, typed) == {
            "format": "marque/1",
            "rulebook": "classique",
            "players_per_team": 1,
            "end": "target",
            "sabot_empty": True,
            "teams": {
                "A": {
                    "km": 1000,
                    "steps": {"100": 8, "200": 1},
                    "bottes": ["IN", "VP"],
                    "coups_fourres": ["VP"],
                },
                "B": {"km": 0, "n200": 0, "bottes": [], "coups_fourres": []},
            },
            "claim": {"A": 2000, "B": 0},
        }

    def test_come_back_from_their_document(self, table: SheetTable) -> None:
        document = document_of(table, cells({"A": 1000, "B": 475}, **{"A-AS": "exposed", "B-CI": "coup-fourre"}))
        assert document_of(table, said_of(document)) == document

    def test_empty_ones_are_left_out(self, table: SheetTable) -> None:
        document = document_of(table, {})
        assert document["teams"] == {label: {"bottes": [], "coups_fourres": []} for label in "AB"}
        assert "claim" not in document
        assert "sabot_empty" not in document

    def test_house_rules_and_target_of_the_championship_are_in_it(self, db: None) -> None:
        championship = ChampionshipFactory(
            rulebook="dujardin-2010", table_entries=4, target=700, house={"sans_200": 300}
        )
        document = document_of(SheetTable(championship, dict.fromkeys("ABCD", "")), {})
        assert (document["house"], document["target"]) == ({"sans_200": 300}, 700)
        first = ChampionshipFactory(rulebook="dujardin-2010", table_entries=4, target=1000)
        assert "target" not in document_of(SheetTable(first, dict.fromkeys("ABCD", "")), {})

    @pytest.mark.parametrize("rulebook", RULEBOOKS)
    def test_offer_what_the_rulebook_has(self, db: None, rulebook: str) -> None:
        found = RULEBOOKS[rulebook]
        points = {"decided_by": "points", "partie_end_value": 5000, "partie_end": "points"}
        manches = {"decided_by": "manches", "partie_end_value": 3, "partie_end": "manches"}
        championship = ChampionshipFactory(rulebook=rulebook, **(points if found.has_points else manches))
        made = cells_of(SheetTable(championship, {"A": "Ana", "B": "Bo"}), {})
        assert ("blocked" in dict(made.end.choices)) is found.blocked_end
        assert (made.extension is not None) is (found.tables[0].extended is not None)

    @pytest.mark.parametrize(
        ("changes", "cell"),
        [
            ({"A-km": "990"}, "A-km"),
            ({"A-km": "abc"}, "A-km"),
            ({"A-km": "1025"}, "A-km"),
            ({"B-n200": "3"}, "B-n200"),
            ({"A-VP": "exposed", "B-VP": "exposed"}, "B-VP"),
            ({"A-steps-25": "1"}, "A-steps"),
            ({"A-steps-200": "-1"}, "A-steps-200"),
            ({"end": "interrupted"}, "end"),
            ({"end": "exhausted", "sabot_empty": "no", "A-km": "900"}, "sabot_empty"),
            ({"A-claim": "many"}, "A-claim"),
        ],
    )
    def test_every_fault_is_at_its_cell(self, table: SheetTable, changes: dict[str, str], cell: str) -> None:
        state = sheet_state(table, cells(**changes))
        wrong = [one.name for one in state.cells.all if any(not note.missing for note in one.notes)]
        assert cell in wrong
        assert not state.is_complete

    def test_a_fault_of_no_cell_is_said_all_the_same(self, table: SheetTable) -> None:
        many = {"A-km": "1000", "A-n200": "2", "B-km": "1000", "B-n200": "2"}
        state = sheet_state(table, cells(**{**many, "A-steps-100": "7", "B-steps-100": "7"}))
        assert state.cells.notes
        assert {todo.words for todo in state.todo} >= {note.words for note in state.cells.notes}

    @pytest.mark.parametrize(
        ("left_out", "missing"),
        [
            ("A-km", "A · Kilometres"),
            ("end", "How it ended"),
            ("sabot_empty", "Was the draw pile empty?"),
            ("A-n200", "A · 200s played"),
        ],
    )
    def test_what_is_missing_is_named(self, table: SheetTable, left_out: str, missing: str) -> None:
        state = sheet_state(table, {name: value for name, value in cells().items() if name != left_out})
        assert missing in [todo.words for todo in state.todo if todo.missing]
        assert not state.is_complete

    def test_a_complete_sheet_is_judged_as_the_rules_judge_it(self, table: SheetTable) -> None:
        state = sheet_state(table, cells())
        verdict = judge_sheet(dict(state.document))
        assert verdict["valid"]
        assert state.is_complete
        assert state.score is not None
        assert [column.total for column in state.score.columns] == [
            verdict["score"][label]["total"] for label in ("A", "B")
        ]


class TestWhileItIsTyped:
    def test_the_score_comes_from_the_server(self, hall: Hall, owner: Client) -> None:
        answer = owner.post(NEXT + "score/", cells())
        assert "The sheet is complete: A wins." in said(answer)
        assert "1400" in said(answer)

    def test_until_then_it_says_what_is_missing_and_what_it_would_pay(self, hall: Hall, owner: Client) -> None:
        answer = owner.post(NEXT + "score/", {"A-km": "200", "A-VP": "coup-fourre"})
        assert "answers are missing" in said(answer)
        assert "600" in said(answer), "200 km, a safety, a coup-fourré"

    def test_a_faulty_cell_is_noted_an_empty_one_is_not_nagged_about(self, hall: Hall, owner: Client) -> None:
        text = owner.post(NEXT + "score/", {"A-km": "990"}).content.decode()
        assert '<div class="note" id="note-A-km" hx-swap-oob="true"><p>' in text
        assert '<div class="note" id="note-B-km" hx-swap-oob="true"></div>' in text

    def test_nothing_is_written(self, hall: Hall, owner: Client) -> None:
        owner.post(NEXT + "score/", cells())
        assert not Result.objects.filter(manche__partie=hall.second).exists()

    def test_it_tells_when_somebody_else_has_handed_in(self, hall: Hall, owner: Client) -> None:
        assert "meanwhile" not in said(owner.post(NEXT + "score/", cells()))
        play(hall.second, 1)
        assert "meanwhile" in said(owner.post(NEXT + "score/", cells()))

    def test_whatever_is_typed_it_answers(self, hall: Hall, owner: Client) -> None:
        for junk in ("9" * 400, "\x00", "-", "1e9", "𝟙", "<b>", "None", "--1", "९"):
            typed = dict.fromkeys(cells(), junk) | {
                "A-VP": junk,
                "A-steps-25": junk,
                "A-claim": junk,
                "extension": junk,
            }
            answer = owner.post(NEXT + "score/", typed)
            assert answer.status_code == 200
            assert "<b>" not in answer.content.decode().replace("&lt;b&gt;", "")


class TestHandingIn:
    def test_records_the_sheet_and_goes_on(self, hall: Hall, owner: Client) -> None:
        answer = owner.post(NEXT, cells() | {"key": "k"})
        assert answer.headers["Location"] == HOME + "parties/2/?entered=1"
        result = Result.objects.get(manche__partie=hall.second)
        assert json.loads(bytes(result.document.body))["teams"]["B"]["km"] == 475
        assert "Manche 1 is recorded" in said(owner.get(HOME + "parties/2/"))

    def test_sent_twice_it_is_recorded_once(self, hall: Hall, owner: Client) -> None:
        answers = [owner.post(NEXT, cells() | {"key": "k"}).headers["Location"] for _ in range(2)]
        assert answers == [HOME + "parties/2/?entered=1"] * 2
        assert Result.objects.filter(manche__partie=hall.second).count() == 1

    def test_tells_the_browser_to_forget_the_draft(self, hall: Hall, owner: Client) -> None:
        owner.post(NEXT, cells() | {"key": "drafted"})
        assert 'data-drafts-done="drafted"' in owner.get(HOME + "parties/2/").content.decode()

    def test_a_faulty_sheet_is_not_handed_in_and_nothing_typed_is_lost(self, hall: Hall, owner: Client) -> None:
        typed = cells(**{"A-km": "990", "B-VP": "coup-fourre", "B-claim": "77"})
        answer = owner.post(NEXT, typed | {"key": "k"})
        text = answer.content.decode()
        assert answer.status_code == 422
        assert 'name="A-km" value="990"' in text
        assert 'aria-describedby="note-A-km" aria-invalid="true"' in text
        assert 'name="B-claim" value="77"' in text
        assert '<input type="radio" name="B-VP" value="coup-fourre" checked>' in text
        assert not Attempt.objects.filter(partie=hall.second).exists()

    def test_checked_without_javascript_it_shows_everything_and_writes_nothing(self, hall: Hall, owner: Client) -> None:
        answer = owner.post(NEXT, {"A-km": "990", "do": "check", "key": "k"})
        assert answer.status_code == 200
        assert "Fill in this cell" in said(answer)
        assert "no cards add up to 990 km" in said(answer)
        assert not Result.objects.filter(manche__partie=hall.second).exists()

    @pytest.mark.parametrize(("km", "focused"), [("1000", "hand-in"), ("990", "A-km")])
    def test_after_a_check_the_focus_is_on_what_comes_next(
        self, hall: Hall, owner: Client, km: str, focused: str
    ) -> None:
        text = owner.post(NEXT, cells() | {"A-km": km, "do": "check", "key": "k"}).content.decode()
        (tag,) = re.findall(r"<[^<>]* autofocus>", text)
        assert f'"{focused}"' in tag

    def test_a_claim_that_differs_leads_to_settling_it(self, hall: Hall, owner: Client) -> None:
        answer = owner.post(NEXT, cells(**{"A-claim": "1500", "B-claim": "475"}) | {"key": "k"})
        assert answer.headers["Location"] == HOME + "parties/2/manches/1/"
        assert "Settle the difference" in said(owner.get(answer.headers["Location"]))

    def test_what_no_longer_fits_its_partie_is_said_and_kept(self, hall: Hall, owner: Client, send: Send) -> None:
        send("parties/2/", "void", version=hall.second.version, reason="Nobody came")
        answer = owner.post(NEXT, cells() | {"key": "k"})
        assert answer.status_code == 422
        assert "The partie is over" in said(answer)
        assert 'name="A-km" value="1000"' in answer.content.decode()

    def test_begins_with_the_usual_end_and_no_notes(self, hall: Hall, owner: Client) -> None:
        text = owner.get(NEXT).content.decode()
        assert '<input type="radio" name="end" value="target" checked>' in text
        assert "aria-invalid" not in text


class TestTwoAtOnce:
    def test_the_second_sees_what_the_first_did_and_keeps_its_own(self, hall: Hall, owner: Client) -> None:
        hall.client(hall.organiser).post(NEXT, cells({"A": 1000, "B": 200}) | {"key": "o"})
        answer = owner.post(NEXT, cells() | {"key": "k"})
        text = answer.content.decode()
        assert answer.status_code == 409
        assert hall.organiser.display_name in said(answer)
        assert 'class="versus"' in text
        assert ">200<" in text
        assert 'name="B-km" value="475"' in text
        assert 'name="replaces" value="1"' in text
        assert Result.objects.filter(manche__partie=hall.second).count() == 1

    def test_and_hands_in_a_correction_with_a_reason(self, hall: Hall, owner: Client) -> None:
        hall.client(hall.organiser).post(NEXT, cells({"A": 1000, "B": 200}) | {"key": "o"})
        correction = cells() | {"key": "k", "replaces": "1", "reason": "I counted with the table"} | FORESEEN
        assert owner.post(NEXT, correction).status_code == 302
        current = Result.objects.get(manche__partie=hall.second, current_of__isnull=False)
        assert (current.version, current.reason) == (2, "I counted with the table")

    def test_the_same_sheet_from_both_is_no_quarrel(self, hall: Hall, owner: Client) -> None:
        hall.client(hall.organiser).post(NEXT, cells() | {"key": "o"})
        assert owner.post(NEXT, cells() | {"key": "k"}).status_code == 302
        assert Result.objects.filter(manche__partie=hall.second).count() == 1


class TestCorrecting:
    def test_begins_with_what_stands(self, hall: Hall, owner: Client) -> None:
        text = owner.get(DONE).content.decode()
        assert 'name="B-km" value="500"' in text
        assert 'name="replaces" value="2"' in text

    def test_needs_a_reason(self, hall: Hall, owner: Client) -> None:
        answer = owner.post(DONE, cells({"A": 1000, "B": 400}) | {"key": "k", "replaces": "2"})
        assert answer.status_code == 409
        assert "A correction needs a reason" in said(answer)
        assert 'name="B-km" value="400"' in answer.content.decode()

    def test_is_a_new_version_and_the_old_ones_stay_to_be_seen(self, hall: Hall, owner: Client) -> None:
        correction = cells({"A": 1000, "B": 400}) | {"key": "k", "replaces": "2", "reason": "Counted again"}
        seen = owner.post(DONE, correction)
        assert "Nothing is saved yet" in said(seen)
        assert "points 500 → 400" in said(seen)
        assert Result.objects.filter(manche__partie=hall.first, manche__number=1).count() == 2
        owner.post(DONE, correction | FORESEEN)
        page = owner.get(HOME + "parties/1/manches/1/")
        assert [version.version for version in page.context["manche"].versions] == [3, 2, 1]
        old = owner.get(HOME + "parties/1/manches/1/?version=1")
        assert "Version 1, which was replaced" in said(old)
        assert "475" in said(old)

    def test_says_that_the_partie_is_over_only_of_what_ends_it(self, hall: Hall, owner: Client, send: Send) -> None:
        correction = {"key": "k", "replaces": "2", "reason": "Counted again"} | FORESEEN
        answer = owner.post(DONE, cells({"A": 1000, "B": 400}) | correction, follow=True)
        assert "The correction is recorded." in said(answer)
        hall.first.refresh_from_db()
        send("parties/1/", "close", version=hall.first.version, reason="It is late")
        correction |= {"key": "l", "replaces": "3"}
        answer = owner.post(DONE, cells({"A": 1000, "B": 475}) | correction, follow=True)
        assert "The correction is recorded." in said(answer)
        assert "the partie is over" not in said(answer)

    def test_of_a_log_begins_with_what_its_cards_came_to(self, hall: Hall, owner: Client) -> None:
        from engine.notation import to_document
        from engine.simulate import simulate

        log = simulate("classique", 2, 1, "corrected")
        answer = play(hall.second, 1, to_document(log))
        text = owner.get(NEXT).content.decode()
        assert f'name="A-km" value="{answer.verdict["outcome"]["teams"]["A"]["km"]}"' in text

    def test_another_sheet_that_was_asked_for_needs_no_reason(self, hall: Hall, owner: Client, send: Send) -> None:
        send("parties/1/manches/2/", "settle", version=1, how="another_sheet", reason="Illegible")
        assert 'name="A-km" value=""' in owner.get(OTHER).content.decode()
        assert owner.post(OTHER, cells() | {"key": "k", "replaces": "1"}).status_code == 302
        assert Result.objects.get(manche__partie=hall.first, manche__number=2, version=2).state == "confirmed"


def test_four_teams_of_two_fit_one_sheet(hall: Hall, owner: Client) -> None:
    championship = ChampionshipFactory(slug="four", owner=hall.owner, table_entries=4, players_per_team=2)
    partie: Partie = PartieFactory(
        championship=championship, entries=EntryFactory.create_batch(4, championship=championship)
    )
    assert partie.championship.created_by == owner_of(championship).user
    address = f"/en/organise/four/parties/{partie.number}/manches/1/sheet/"
    typed = cells({"A": 1000, "B": 0, "C": 25, "D": 300})
    assert len(owner.get(address).context["state"].cells.teams) == 4
    assert owner.post(address, typed | {"key": "k"}).status_code == 302
    assert sheet()["players_per_team"] == 1, "the page filled in 2"
    assert Result.objects.get(manche__partie=partie).verdict["score"]["A"]["total"] > 1000
