"""What is decided about manches through the API: as the pages do it, on the state that was seen, tried first."""

from typing import Any

import pytest

from league.api.writing import etag_of
from league.models import Attempt, Partie, Result, ResultScore
from league.services.confirmation import contest
from tests.factories import ChampionshipFactory, PartieFactory, play, sheet
from tests.league.api.program import Program
from tests.league.table_cases import enter, manche_of, seen, side, state_of, table

pytestmark = pytest.mark.django_db

WRONG_CLAIM = {"claim": {"A": 1500, "B": 475}}


@pytest.fixture
def partie() -> Partie:
    championship = ChampionshipFactory(confirmation="organiser", partie_end="manches", partie_end_value=3)
    made: Partie = PartieFactory(championship=championship)
    enter(made, "A")
    return made


@pytest.fixture
def program(partie: Partie) -> Program:
    return Program(partie.championship)


def at(partie: Partie, deed: str = "", number: int = 1) -> str:
    return f"/parties/{partie.number}/manches/{number}{deed}"


class TestWhatWasSeen:
    def test_it_must_be_said(self, program: Program, partie: Partie) -> None:
        assert program.refused(at(partie, "/confirm")) == (428, "precondition-required")
        assert state_of(partie) == "pending"

    def test_by_version(self, program: Program, partie: Partie) -> None:
        assert program.refused(at(partie, "/confirm"), {"version": 2}) == (409, "result-changed")
        assert program.post(at(partie, "/confirm"), {"version": 1})["status"] == "confirmed"

    @pytest.mark.parametrize("of", ["", "/results/1"])
    def test_by_the_etag_of_manche_or_result(self, program: Program, partie: Partie, of: str) -> None:
        etag = program.done("GET", at(partie, of))["ETag"]
        enter(partie, "A", 50, replaces=1, reason="Misread")
        stale = program.send("POST", at(partie, "/confirm"), If_Match=etag)
        assert (stale.status_code, stale.json()["code"]) == (412, "stale")
        assert stale.json()["present"] == program.get(at(partie))
        now = program.done("GET", at(partie, of.replace("1", "2")))["ETag"]
        assert program.post(at(partie, "/confirm"), If_Match=now)["current"]["state"] == "confirmed"

    def test_what_is_answered_is_what_is_read_then(self, program: Program, partie: Partie) -> None:
        answer = program.done("POST", at(partie, "/confirm"), {"version": 1})
        read = program.done("GET", at(partie))
        assert (answer.json(), answer["ETag"]) == (read.json(), read["ETag"])
        assert etag_of(read.json()) == read["ETag"]

    def test_a_manche_without_a_result_has_nothing_to_decide(self, program: Program, partie: Partie) -> None:
        program.post(at(partie, "/confirm"), {"version": 1})
        assert program.refused(at(partie, "/void", 2), {"version": 1, "reason": "x"}) == (404, "no-result")
        assert program.refused(at(partie, "/void", 3), {"version": 1, "reason": "x"}) == (404, "not-found")


class TestRulings:
    def test_a_claim_is_settled(self) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(partie_end_value=9000))
        play(partie, 1, sheet(**WRONG_CLAIM))
        program = Program(partie.championship)
        assert program.get("/waiting")["items"][0]["state"] == "differs"
        body = {"version": 1, "how": "computed", "reason": "Added up wrongly"}
        settled = program.post(at(partie, "/settle"), body)["current"]
        assert (settled["state"], settled["settled_how"], settled["settled_reason"]) == (
            "confirmed",
            "computed",
            "Added up wrongly",
        )
        assert program.get("/waiting")["items"] == []
        assert program.refused(at(partie, "/settle"), body) == (409, "nothing-to-settle")
        assert program.refused(at(partie, "/settle"), {**body, "how": "guessed"}) == (422, "bad-field")

    def test_penalised_and_lifted(self, program: Program, partie: Partie) -> None:
        body = {"version": 1, "label": "A", "points": 100, "reason": "Late"}
        scores = program.post(at(partie, "/penalise"), body)["current"]["scores"]
        assert [(score["label"], score["penalty"], score["total"]) for score in scores] == [
            ("A", 100, 1300),
            ("B", 0, 475),
        ]
        program.post(at(partie, "/penalise"), {**body, "points": 0})
        assert not ResultScore.objects.filter(penalty__gt=0).exists()

    def test_annulled_and_reinstated(self, program: Program, partie: Partie) -> None:
        body = {"version": 1, "reason": "Cards were missing"}
        void = program.post(at(partie, "/void"), body)
        assert (void["status"], void["void_reason"]) == ("void", "Cards were missing")
        assert program.post(at(partie, "/reinstate"), body)["status"] == "pending"

    def test_a_ruling_needs_a_reason(self, program: Program, partie: Partie) -> None:
        assert program.refused(at(partie, "/void"), {"version": 1}) == (422, "bad-field")
        assert program.refused(at(partie, "/void"), {"version": 1, "reason": " "})[0] in (409, 422)
        assert state_of(partie) == "pending"

    def test_with_a_key_it_is_done_once(self, program: Program, partie: Partie) -> None:
        body = {"version": 1, "reason": "Cards were missing"}
        first = program.done("POST", at(partie, "/void"), body, Idempotency_Key="k")
        program.post(at(partie, "/reinstate"), body)
        again = program.done("POST", at(partie, "/void"), body, Idempotency_Key="k")
        assert (again.content, again["Idempotency-Replayed"]) == (first.content, "true")
        assert state_of(partie) == "pending"


class TestForeseen:
    @pytest.fixture
    def played(self) -> Partie:
        championship = ChampionshipFactory(partie_end="manches", partie_end_value=1)
        made: Partie = PartieFactory(championship=championship)
        play(made, 1, sheet())
        return made

    def test_annulling_opens_the_partie_again_and_moves_ranks(self, played: Partie) -> None:
        program = Program(played.championship)
        body = {"version": 1, "reason": "x"}
        seen = program.post(at(played, "/void?dry_run=true"), body)
        assert (seen["parties"][0]["before"]["status"], seen["parties"][0]["after"]["status"]) == ("closed", "open")
        assert {moved["entry"]: (moved["rank_before"], moved["rank_after"]) for moved in seen["moved"]} != {}
        assert (state_of(played), Result.objects.count()) == ("confirmed", 1)
        program.post(at(played, "/void"), body)
        assert program.get(f"/parties/{played.number}")["status"] == seen["parties"][0]["after"]["status"]

    def test_what_is_tried_is_counted_as_costly(self, played: Partie) -> None:
        program = Program(played.championship)
        body = {"version": 1, "reason": "x"}
        tried = program.done("POST", at(played, "/void?dry_run=true"), body)
        meant = program.done("POST", at(played, "/void"), body)
        assert [answer["RateLimit"].split(";")[0] for answer in (tried, meant)] == ['"costly"', '"writes"']

    def test_a_correction_is_tried_too(self, played: Partie) -> None:
        program = Program(played.championship)
        turned = sheet({"A": 475, "B": 1000})
        path = at(played, "/results?replaces=1&reason=Misread")
        seen = program.post(f"{path}&dry_run=true", turned)
        after = {seat["label"]: seat["points"] for seat in seen["parties"][0]["after"]["seats"]}
        assert after["B"] > after["A"]
        assert Result.objects.count() == 1
        refused = program.send("POST", f"{path}&dry_run=true", sheet({"A": 1000, "B": 480}))
        assert (refused.status_code, refused.json()["verdict"]["valid"]) == (422, False)
        malformed = program.send("POST", f"{path}&dry_run=true", {"format": "marque/1"})
        assert (malformed.status_code, malformed.json()["code"]) == (400, "malformed-sheet")
        assert not Attempt.objects.exists()
        assert program.post(path, turned)["version"] == 2


class TestMoving:
    @pytest.fixture
    def two(self) -> tuple[Partie, Partie]:
        championship = ChampionshipFactory(partie_end="manches", partie_end_value=3)
        one, other = PartieFactory(championship=championship), PartieFactory(championship=championship)
        play(one, 1, sheet({"A": 1000, "B": 25}))
        return one, other

    def test_a_result_comes_to_the_other_table(self, two: tuple[Partie, Partie]) -> None:
        one, other = two
        program = Program(one.championship)
        body = {"version": 1, "partie": other.number, "manche": 1, "reason": "Wrong slip"}
        seen = program.post(at(one, "/move?dry_run=true"), body)
        assert [part["after"]["seats"][0]["points"] for part in seen["parties"]] == [0, 1400]
        assert state_of(one) == "confirmed"
        moved = program.done("POST", at(one, "/move"), body)
        assert (moved.json()["partie"], moved.json()["status"]) == (other.number, "confirmed")
        assert moved["ETag"] == program.done("GET", moved["Location"])["ETag"]
        assert (state_of(one), state_of(other)) == ("awaiting", "confirmed")

    def test_where_it_belongs_may_be_named_by_an_own_id(self, two: tuple[Partie, Partie]) -> None:
        one, other = two
        program = Program(one.championship)
        program.post(at(other, "/results?external_id=g-9"), sheet({"A": 1000, "B": 50}))
        body = {"version": 1, "manche": "~g-9", "reason": "Wrong slip"}
        assert program.post(at(one, "/move"), body)["partie"] == other.number
        assert program.get("/manches/~g-9")["partie"] == one.number, "the id goes with its result"
        body["version"] = 2
        assert program.refused(at(one, "/move"), {**body, "manche": "~g-8"}) == (422, "unknown-reference")
        assert program.refused(at(one, "/move"), {**body, "manche": 1}) == (422, "required")
        assert program.refused(at(one, "/move"), {**body, "partie": 99, "manche": 1}) == (422, "unknown-manche")

    def test_columns_are_turned(self, two: tuple[Partie, Partie]) -> None:
        one, _other = two
        program = Program(one.championship)
        body = {"version": 1, "sides": {"A": "B", "B": "A"}, "reason": "Wrong way round"}
        turned = program.post(at(one, "/turn"), body)
        assert [(score["label"], score["won"]) for score in turned["current"]["scores"]] == [("A", False), ("B", True)]
        assert program.refused(at(one, "/turn"), {**body, "version": 2, "sides": {"A": "A", "B": "B"}}) == (
            422,
            "bad-sides",
        )


class TestDisputes:
    @pytest.fixture
    def contested(self) -> Partie:
        partie = table()
        enter(partie, "A")
        contest(actor=side(partie, "B"), text="B had 500", **seen(partie))
        return partie

    def test_a_thread_is_read_answered_and_decided(self, contested: Partie) -> None:
        program = Program(contested.championship)
        (line,) = program.get("/disputes?open=true")["items"]
        path = f"/disputes/{line['id']}"
        assert (line["partie"], line["manche"], line["side"], line["messages"]) == (contested.number, 1, "B", 1)
        said = program.post(f"{path}/messages", {"text": "Show me the discard"})
        assert program.post(f"{path}/messages", {"text": "Show me the discard"}) == said
        assert [message["text"] for message in said["messages"]] == ["B had 500", "Show me the discard"]
        decided = program.done(
            "POST",
            f"{path}/decide",
            {"how": "stands", "reason": "Counted again"},
            If_Match=program.done("GET", path)["ETag"],
        )
        assert (decided.json()["decision"], decided["ETag"]) == ("Counted again", program.done("GET", path)["ETag"])
        assert state_of(contested) == "confirmed"
        assert program.get("/disputes?open=true")["items"] == []
        assert [one["id"] for one in program.get("/disputes?open=false")["items"]] == [line["id"]]

    def test_a_decision_says_what_it_has_seen(self, contested: Partie) -> None:
        program = Program(contested.championship)
        path = f"/disputes/{program.get('/disputes')['items'][0]['id']}"
        body = {"how": "stands", "reason": "Counted again"}
        assert program.refused(f"{path}/decide", body) == (428, "precondition-required")
        etag = program.done("GET", path)["ETag"]
        program.post(f"{path}/messages", {"text": "Wait"})
        assert program.refused(f"{path}/decide", body, If_Match=etag) == (412, "stale")
        stale = program.send("POST", f"{path}/decide", {**body, "version": 9})
        assert (stale.status_code, stale.json()["code"], stale.json()["field"]) == (412, "stale", "version")
        assert stale.json()["present"] == program.get(path)
        assert program.refused(f"{path}/decide", {**body, "version": 1, "how": "second"}) == (409, "no-second-entry")
        assert state_of(contested) == "contested"

    def test_a_dispute_of_another_championship_is_none_here(self, contested: Partie) -> None:
        number = Program(contested.championship).get("/disputes")["items"][0]["id"]
        other = Program(ChampionshipFactory(owner=contested.championship.created_by))
        for path in ("", "/messages", "/decide"):
            method = "POST" if path else "GET"
            body = {"/messages": {"text": "x"}, "/decide": {"how": "stands", "reason": "x"}}.get(path)
            assert other.refused(f"/disputes/{number}{path}", body, method) == (404, "not-found")


class TestAcceptance:
    def test_what_agrees_counts_and_what_changed_meanwhile_is_said(self, partie: Partie, program: Program) -> None:
        other = PartieFactory(championship=partie.championship)
        enter(other, "A")
        listed = program.get("/waiting?state=pending")["items"]
        assert [(one["partie"], one["version"]) for one in listed] == [(partie.number, 1), (other.number, 1)]
        enter(other, "A", 50, replaces=1, reason="Misread")
        results = [{name: one[name] for name in ("partie", "manche", "version")} for one in listed]
        answered = program.post("/waiting/accept", {"results": [*results, {**results[0], "manche": 7}]})["results"]
        assert [one["counts"] for one in answered] == [True, False, False]
        assert (state_of(partie), state_of(other)) == ("confirmed", "pending")
        again = program.post("/waiting/accept", {"results": results})["results"]
        assert [one["counts"] for one in again] == [True, False]

    def test_manches_of_another_championship_are_left(self, partie: Partie) -> None:
        other = Program(ChampionshipFactory(owner=partie.championship.created_by))
        body = {"results": [{"partie": partie.number, "manche": 1, "version": 1}]}
        assert other.post("/waiting/accept", body)["results"][0]["counts"] is False
        assert state_of(partie) == "pending"

    @pytest.mark.parametrize("count", [0, 101])
    def test_as_many_as_are_done_at_once(self, program: Program, partie: Partie, count: int) -> None:
        one: Any = {"partie": partie.number, "manche": 1, "version": 1}
        assert program.refused("/waiting/accept", {"results": [one] * count}) == (422, "bad-field")


def test_nothing_is_half_written_when_showing_fails(
    program: Program, partie: Partie, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.client.raise_request_exception = False
    monkeypatch.setattr("league.api.manche_deeds.manche_shown", lambda *_said: 1 / 0)
    assert program.send("POST", at(partie, "/confirm"), {"version": 1}).status_code == 500
    assert manche_of(partie).status == "pending"
