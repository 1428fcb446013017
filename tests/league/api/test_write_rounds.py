"""Rounds through the API alone: a tournament, drafts changed by hand, steps taken back, the clock, who sits out."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.api.writing import etag_of
from league.models import Absence, AuditEntry, Bye, Championship, Entry, ExternalId, Partie, Round, Scope
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory
from tests.league.api.program import Program

pytestmark = pytest.mark.django_db


def championship_of(entries: int, **settings: Any) -> Championship:
    """A championship of one manche a partie."""
    championship: Championship = ChampionshipFactory(**{"partie_end": "manches", "partie_end_value": 1, **settings})
    EntryFactory.create_batch(entries, championship=championship)
    return championship


@pytest.fixture
def eight() -> Program:
    """Eight entries in a Swiss stage of three rounds at tables of two."""
    program = Program(championship_of(8))
    program.post("/stages", {"format": "swiss", "rounds_planned": 3})
    return program


def sides(round_: Any) -> list[list[int]]:
    return [[side[0] for side in table["sides"]] for table in round_["tables"]]


class TestASwissTournament:
    """Nine entries at tables of three, three rounds, driven by a program from the first stage to the ranking."""

    def test_from_the_stage_to_the_ranking(self) -> None:
        championship = championship_of(9, table_entries=3)
        program = Program(championship)
        stage = program.post("/stages", {"format": "swiss", "rounds_planned": 3, "name": "Suisse"})
        assert (stage["number"], stage["started_at"], stage["entries"]) == (1, None, 0)
        met: list[frozenset[int]] = []
        for number in (1, 2, 3):
            draft = program.post("/rounds", {"external_id": f"day-{number}"})
            assert (draft["number"], draft["status"], draft["stage"]) == (number, "draft", 1)
            assert sorted(entry for table in sides(draft) for entry in table) == list(range(1, 10))
            if number == 1:
                draft = self.swapped(program, draft)
            published = program.post(f"/rounds/~day-{number}/publish")
            assert (published["status"], published["draft"]) == ("published", None)
            assert sides(published) == sides(draft)
            assert [table["partie"] for table in published["tables"]] == [3 * number - 2, 3 * number - 1, 3 * number]
            met += [frozenset(table) for table in sides(published)]
            program.play(number)
        assert len(set(met)) == 9, "no table sat together twice"
        assert program.get("/draw") | {"absent": []} == {
            "stage": 1,
            "following": None,
            "next_round": 4,
            "drawn": 3,
            "planned": 3,
            "is_over": True,
            "draft": None,
            "playing": [],
            "absent": [],
            "awaited": [],
            "level": [],
        }
        assert program.refused("/rounds") == (409, "stage-over")
        assert program.post("/rounds/3/lock")["status"] == "locked"
        renew_live_ranking(championship_id=championship.pk)
        rows = program.get("/ranking")["items"]
        assert sorted(row["entry"] for row in rows) == list(range(1, 10))
        assert rows[0]["entry"] == 1, "who has the lowest number won every partie"
        table = program.get("/stages/1/ranking?limit=4")
        assert [row["entry"] for row in table["items"]] == [row["entry"] for row in rows[:4]]
        assert [one["status"] for one in program.get("/rounds")["items"]] == ["locked"] * 3

    def swapped(self, program: Program, draft: Any) -> Any:
        (one, *_), (other, *_), *_rest = sides(draft)
        changed = program.post("/rounds/1/swap", {"one": one, "other": other})
        assert (sides(changed)[0][0], sides(changed)[1][0]) == (other, one)
        numbers = [table["number"] for table in draft["tables"][:2]]
        assert (changed["draft"]["changed"], changed["draft"]["is_changed"]) == (numbers, True)
        return changed


class TestADraft:
    def test_is_seen_by_who_runs_the_championship_and_by_nobody_else(self, eight: Program) -> None:
        draft = eight.post("/rounds")
        assert eight.get("/rounds/1") == draft
        assert eight.get("/rounds")["items"] == []
        anybody = eight.client.get(f"/api/v1/championships/{eight.slug}/rounds/1")
        assert anybody.status_code == 404

    def test_warns_of_what_the_page_warns_of(self, eight: Program) -> None:
        eight.post("/rounds")
        first = eight.post("/rounds/1/publish")
        eight.play(1)
        draft = eight.post("/rounds")
        assert draft["draft"]["warnings"] == []
        (one, other), *_rest = sides(first)
        table = next(table for table in sides(draft) if one in table)
        partner = next(entry for entry in table if entry != one)
        changed = eight.post("/rounds/2/swap", {"one": partner, "other": other})
        said = [warned for warned in changed["draft"]["warnings"] if set(warned["entries"]) == {one, other}]
        assert [(warned["code"], warned["times"], warned["table"] is not None) for warned in said] == [
            ("repeat", 1, True)
        ]
        assert sides(eight.post("/rounds/2/redraw")) == sides(draft)

    def test_is_changed_by_hand(self, eight: Program) -> None:
        draft = eight.post("/rounds")
        (a, b), (c, _d), *_rest = sides(draft)
        away = eight.post("/rounds/1/move", {"entries": [a, b], "to": "absent"})
        assert [one["entry"] for one in away["absent"]] == sorted([a, b])
        assert len(away["tables"]) == 3
        back = eight.post("/rounds/1/move", {"entries": [a, b], "to": "new"})
        assert (back["tables"][-1]["sides"], back["absent"]) == ([[a], [b]], [])
        number = back["tables"][-1]["number"]
        turned = eight.post("/rounds/1/turn", {"table": number})
        assert turned["tables"][-1]["sides"] == [[b], [a]]
        numbered = eight.post("/rounds/1/number", {"table": number, "to": 77})
        assert numbered["tables"][-1]["number"] == 77
        assert eight.refused("/rounds/1/move", {"entries": [c], "to": 99}) == (422, "unknown-table")
        assert eight.refused("/rounds/1/swap", {"one": c, "other": c}) == (422, "entry-twice")
        assert eight.refused("/rounds/1/swap", {"one": c, "other": 99}) == (422, "not-in-draft")

    def test_of_several_moved_is_changed_for_all_or_none(self, eight: Program) -> None:
        draft = eight.post("/rounds")
        (a, _b), *_rest = sides(draft)
        assert eight.refused("/rounds/1/move", {"entries": [a, 99], "to": "byes"}) == (422, "not-in-draft")
        assert eight.get("/rounds/1") == draft

    def test_is_thrown_away_with_the_state_that_was_read(self, eight: Program) -> None:
        etag = eight.done("POST", "/rounds", {"external_id": "r"})["ETag"]
        assert eight.refused("/rounds/1", method="DELETE") == (428, "precondition-required")
        (a, _b), (c, _d), *_rest = sides(eight.get("/rounds/1"))
        eight.post("/rounds/1/swap", {"one": a, "other": c})
        stale = eight.send("DELETE", "/rounds/1", If_Match=etag)
        assert (stale.status_code, stale.json()["present"]) == (412, eight.get("/rounds/1"))
        assert eight.done("DELETE", "/rounds/1", If_Match=stale.json()["etag"]).status_code == 204
        assert not Round.objects.exists()
        assert eight.get("/stages/1")["started_at"] is None
        assert eight.done("POST", "/rounds", {"external_id": "r"}).status_code == 201, "its name is free again"

    def test_is_drawn_once_under_its_external_id(self, eight: Program) -> None:
        first = eight.done("POST", "/rounds", {"external_id": "r:1"})
        again = eight.done("POST", "/rounds", {"external_id": "r:1"})
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json() == again.json()
        assert first["Location"] == f"/api/v1/championships/{eight.slug}/rounds/1"
        assert eight.refused("/rounds", {"external_id": "r:1", "anyway": True}) == (409, "external-id-taken")
        assert (Round.objects.count(), ExternalId.objects.filter(kind="round").count()) == (1, 1)

    def test_is_drawn_once_under_a_key(self, eight: Program) -> None:
        first = eight.done("POST", "/rounds", Idempotency_Key="k")
        again = eight.done("POST", "/rounds", Idempotency_Key="k")
        assert (again.content, again["Idempotency-Replayed"]) == (first.content, "true")
        assert eight.refused("/rounds") == (409, "draft-exists")
        assert Round.objects.count() == 1

    def test_leaves_nothing_where_the_answer_fails(self, eight: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        eight.client.raise_request_exception = False
        monkeypatch.setattr("league.api.rounds.shown_round", lambda *_args: 1 / 0)
        assert eight.send("POST", "/rounds", {"external_id": "r"}).status_code == 500
        assert not Round.objects.exists()
        assert not ExternalId.objects.filter(kind="round").exists()
        assert not AuditEntry.objects.filter(action="draw_round").exists()


class TestThoseWhoDoNotPlay:
    def test_are_announced_for_several_rounds_and_taken_back(self, eight: Program) -> None:
        answer = eight.done("POST", "/rounds/1/absences", {"entry": 3, "last": 2})
        assert (answer.status_code, answer.json()["rounds"]) == (201, [1, 2])
        assert eight.done("POST", "/rounds/1/absences", {"entry": 3}).status_code == 200
        assert [one["entry"] for one in eight.get("/rounds/2/absences")["items"]] == [3]
        draft = eight.post("/rounds")
        assert [one["entry"] for one in draft["absent"]] == [3]
        assert eight.refused("/rounds/1/absences/3", method="DELETE") == (428, "precondition-required")
        etag = eight.send("GET", "/rounds/1/absences/3")["ETag"]
        assert etag == answer["ETag"]
        eight.done("DELETE", "/rounds/1/absences/3", If_Match=etag)
        assert list(Absence.objects.values_list("round", flat=True)) == [2]
        assert eight.refused("/rounds/1/absences/3", method="DELETE", If_Match="*") == (404, "not-found")
        assert 3 in [entry for table in sides(eight.post("/rounds/1/redraw")) for entry in table]

    def test_are_asked_for_at_the_check_in(self, eight: Program) -> None:
        Entry.objects.filter(number__lte=4).update(checked_in_at="2026-11-30T08:00:00Z")
        assert [one["entry"] for one in eight.get("/draw")["awaited"]] == [5, 6, 7, 8]
        draft = eight.post("/rounds", {"unchecked": "absent"})
        assert (len(draft["tables"]), draft["draft"]["unchecked"]) == (2, "absent")
        assert len(eight.post("/rounds/1/redraw", {"unchecked": "play"})["tables"]) == 4

    def test_have_a_bye_and_lose_it_for_a_reason(self, eight: Program) -> None:
        answer = eight.done("POST", "/rounds/1/byes", {"entry": 2})
        assert answer.status_code == 201
        assert eight.done("POST", "/rounds/1/byes", {"entry": 2}).status_code == 200
        assert eight.send("GET", "/rounds/1/byes/2")["ETag"] == answer["ETag"]
        assert eight.get("/rounds/1")["byes"] == [answer.json()]
        assert eight.refused("/rounds/1/byes/2/remove", {"reason": " "})[0] == 422
        eight.post("/rounds/1/byes/2/remove", {"reason": "Came after all"})
        assert not Bye.objects.exists()
        assert eight.refused("/rounds/1/byes/2/remove", {"reason": "Twice"}) == (404, "not-found")
        assert eight.refused("/rounds/1/byes", {"entry": 99}) == (422, "unknown-entry")
        assert eight.refused("/rounds/1/byes", {"entry": "~nobody"}) == (422, "unknown-reference")


class TestSteps:
    def test_are_taken_back_one_by_one(self, eight: Program) -> None:
        eight.post("/rounds")
        eight.post("/rounds/1/publish")
        eight.post("/rounds/1/lock")
        assert [eight.post("/rounds/1/undo")["status"] for _ in range(2)] == ["published", "draft"]
        assert not Partie.objects.exists()
        assert eight.done("POST", "/rounds/1/undo").status_code == 204
        assert eight.refused("/rounds/1/undo") == (404, "not-found")

    def test_a_round_with_a_result_is_reopened_for_a_reason(self, eight: Program) -> None:
        eight.post("/rounds")
        eight.post("/rounds/1/publish")
        number = eight.get("/rounds/1")["tables"][0]["partie"]
        eight.post(f"/parties/{number}/manches/1/results", json.loads(SHEET))
        assert eight.refused("/rounds/1/undo") == (409, "results-in")
        assert eight.refused("/rounds/1/reopen", {"reason": ""}) == (422, "reason-required")
        reopened = eight.post("/rounds/1/reopen", {"reason": "Two were missing"})
        assert (reopened["status"], reopened["reopened"]) == ("draft", 1)
        assert [table["kept"] for table in reopened["tables"]] == [True, False, False, False]
        kept = reopened["tables"][0]["sides"][0][0]
        other = reopened["tables"][1]["sides"][0][0]
        assert eight.refused("/rounds/1/swap", {"one": kept, "other": other}) == (409, "kept-table")
        seen = eight.client.get(f"/api/v1/championships/{eight.slug}/rounds/1").json()
        assert ([table["partie"] for table in seen["tables"]], seen["seed"], seen["draft"]) == ([number], None, None)

    def test_who_still_plays_is_postponed_and_taken_up(self, eight: Program) -> None:
        eight.post("/rounds")
        eight.post("/rounds/1/publish")
        late = eight.get("/rounds/1")["tables"][0]["partie"]
        eight.refused("/rounds")
        draft = eight.post("/rounds", {"anyway": True})
        assert draft["number"] == 2
        assert eight.refused("/rounds/2/publish") == (409, "at-another-table")
        eight.post("/rounds/2/publish", {"postpone_open": "The next round begins"})
        assert [one["postponed"] for one in eight.get("/draw")["playing"]] == [True] * 4 + [False] * 4
        assert eight.refused(f"/parties/{late}/resume") == (409, "at-another-table")
        eight.play(2)
        taken_up = eight.post(f"/parties/{late}/resume")
        assert taken_up["number"] == late
        assert Partie.objects.get(number=late).postponed_at is None
        assert eight.refused(f"/parties/{late}/postpone", {"reason": ""})[0] == 422
        answer = eight.done("POST", f"/parties/{late}/postpone", {"reason": "Dinner"})
        assert Partie.objects.get(number=late).postponed_reason == "Dinner"
        assert eight.send("GET", f"/parties/{late}")["ETag"] == answer["ETag"]

    def test_an_action_on_another_state_is_refused(self, eight: Program) -> None:
        eight.post("/rounds")
        etag = eight.send("GET", "/rounds/1")["ETag"]
        eight.post("/rounds/1/publish", If_Match=etag)
        stale = eight.send("POST", "/rounds/1/lock", If_Match=etag)
        assert (stale.status_code, stale.json()["code"]) == (412, "stale")
        assert etag_of(stale.json()["present"]) == stale.json()["etag"] == eight.send("GET", "/rounds/1")["ETag"]
        assert eight.get("/rounds/1")["status"] == "published"


SHEET = (
    '{"format":"marque/1","rulebook":"classique","players_per_team":1,"end":"target","sabot_empty":false,"teams":'
    '{"A":{"km":1000,"n200":2,"bottes":[],"coups_fourres":[]},"B":{"km":475,"n200":0,"bottes":[],"coups_fourres":[]}}}'
)


class TestTheClock:
    @pytest.fixture
    def round_(self, eight: Program) -> Program:
        eight.post("/rounds")
        assert eight.refused("/rounds/1/clock/start") == (409, "not-published")
        assert eight.send("GET", "/rounds/1/clock").status_code == 404
        eight.post("/rounds/1/publish")
        return eight

    def test_is_set_started_held_and_stopped(self, round_: Program) -> None:
        assert round_.refused("/rounds/1/clock/start") == (422, "bad-minutes")
        assert round_.refused("/rounds/1/clock/set", {"minutes": 601, "at_end": "stop"}) == (422, "bad-minutes")
        assert round_.refused("/rounds/1/clock/set", {"minutes": 60, "at_end": "never"}) == (422, "bad-field")
        clock = round_.post("/rounds/1/clock/set", {"minutes": 60, "at_end": "stop"})["clock"]
        assert clock == {"minutes": 60, "at_end": "stop", "started_at": None, "seconds_left": None}
        started = round_.done("POST", "/rounds/1/clock/start")
        assert started.json()["clock"]["seconds_left"] == 3600
        assert round_.send("GET", "/rounds/1")["ETag"] == started["ETag"], "it stands while the clock runs"
        assert round_.get("/rounds/1/clock")["state"] == "running"
        assert round_.post("/rounds/1/clock/pause")["clock"]["started_at"] is None
        assert round_.post("/rounds/1/clock/add", {"minutes": 5})["clock"]["seconds_left"] > 3600
        round_.post("/rounds/1/clock/stop")
        assert round_.get("/rounds/1/clock")["state"] == "over"


class TestFreeTables:
    def test_a_whole_round_is_seated_by_hand(self) -> None:
        program = Program(championship_of(5))
        tables = [{"entries": [3, 1], "number": 7}, {"entries": [5, 2]}]
        made = program.post("/rounds/1/tables", {"tables": tables, "byes": True})
        assert [(table["number"], table["sides"]) for table in made["tables"]] == [(7, [[3], [1]]), (None, [[5], [2]])]
        assert ([one["entry"] for one in made["byes"]], made["status"]) == ([4], None)
        assert program.send("GET", "/rounds/1").json() == made

    def test_at_every_table_or_at_none(self) -> None:
        program = Program(championship_of(4))
        tables = [{"entries": [1, 2], "number": 7}, {"entries": [3], "number": 8}, {"entries": [3, 4], "number": 7}]
        answer = program.send("POST", "/rounds/1/tables", {"tables": tables})
        assert answer.status_code == 422
        assert [(one["code"], one["field"]) for one in answer.json()["errors"]] == [
            ("bad-table", "tables[1].entries"),
            ("table-taken", "tables[2].number"),
        ]
        assert not Partie.objects.exists()
        assert program.refused("/rounds/1/tables", {"tables": []}) == (422, "bad-field")


class TestRounds:
    def test_opened_by_hand_are_numbers_with_parties(self) -> None:
        from tests.factories import PartieFactory

        partie = PartieFactory()
        program = Program(partie.championship)
        (one,) = program.get("/rounds")["items"]
        assert (one["number"], one["status"], one["stage"], one["parties"]) == (1, None, None, 1)
        found = program.get("/rounds/1")
        assert (found["status"], found["clock"], found["seed"], sides(found)) == (None, None, None, [[1, 2]])
        assert program.refused("/rounds/1/lock") == (404, "not-found")
        assert program.send("GET", "/rounds/2").status_code == 404

    def test_their_names_are_for_who_looks_inside(self, eight: Program) -> None:
        eight.post("/rounds", {"external_id": "r"})
        eight.post("/rounds/~r/publish")
        place = f"/api/v1/championships/{eight.slug}/rounds"
        assert eight.get("/rounds")["items"][0]["external_id"] == "r"
        assert eight.client.get(place).json()["items"][0]["external_id"] is None
        assert eight.client.get(f"{place}/1").json()["external_id"] is None

    def test_cost_the_same_with_more_tables(self) -> None:
        counts = []
        for entries in (6, 24):
            program = Program(championship_of(entries))
            program.post("/stages", {"format": "swiss", "rounds_planned": 3})
            program.post("/rounds")
            counts.append([self.queries(program, "/rounds/1"), self.queries(program, "/draw")])
            program.post("/rounds/1/publish")
            counts[-1] += [self.queries(program, "/rounds/1"), self.queries(program, "/rounds")]
            counts[-1] += [self.queries(program, "/stages"), self.queries(program, "/stages/1/entries")]
        assert counts[0] == counts[1]

    def queries(self, program: Program, path: str) -> int:
        program.get(path)
        with CaptureQueriesContext(connection) as queries:
            program.get(path)
        return len(queries)


def test_a_token_without_the_scope_does_nothing(eight: Program) -> None:
    championship = Championship.objects.get(slug=eight.slug)
    reader = Program(championship, None, Scope.READ, Scope.HAND_IN)
    assert reader.refused("/rounds") == (403, "insufficient-scope")
    eight.post("/rounds")
    assert reader.get("/rounds/1")["draft"] is not None, "who runs it may read the draft by a token that reads"
    only_writes = Program(championship, None, Scope.MANAGE)
    assert only_writes.get("/rounds/1")["draft"] is not None
