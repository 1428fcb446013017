"""Handing in under ids of the sender's own, on the state that was read; nothing doubles, whatever answer gets lost."""

import threading
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from league.models import Attempt, ExternalId, IdempotencyRecord, Partie, Result, Scope
from league.services.locks import lock_championship
from league.services.once import claim
from tests.factories import ChampionshipFactory, PartieFactory, as_bytes, play, sheet
from tests.league.api.conftest import token
from tests.league.api.program import Program

FOUR_COUPS = {
    "format": "marque/1",
    "rulebook": "classique",
    "players_per_team": 1,
    "end": "target",
    "sabot_empty": False,
    "teams": {
        "A": {"km": 1000, "n200": 2, "bottes": ["VP", "CI", "IN", "AS"], "coups_fourres": ["VP", "CI", "IN", "AS"]},
        "B": {"km": 475, "n200": 0, "bottes": [], "coups_fourres": []},
    },
}


def km(b: int) -> dict[str, Any]:
    return sheet({"A": 1000, "B": b})


@pytest.fixture
def partie(db: None) -> Partie:
    made: Partie = PartieFactory(championship=ChampionshipFactory(partie_end="manches", partie_end_value=4))
    return made


@pytest.fixture
def program(partie: Partie) -> Program:
    return Program(partie.championship)


def at(partie: Partie, number: int = 1) -> str:
    return f"/parties/{partie.number}/manches/{number}"


class TestOwnIds:
    def test_a_manche_is_read_and_corrected_by_the_id_that_it_was_given(self, program: Program, partie: Partie) -> None:
        made = program.post(f"{at(partie)}/results?external_id=g-1", km(25))
        assert (made["outcome"], made["manche"]) == ("recorded", 1)
        read = program.done("GET", "/manches/~g-1")
        assert (read.json(), read["ETag"]) == (program.get(at(partie)), program.done("GET", at(partie))["ETag"])
        assert read.json()["external_id"] == "g-1"
        corrected = program.post("/manches/~g-1/results?replaces=1&reason=Misread", km(50))
        assert (corrected["partie"], corrected["manche"], corrected["version"]) == (partie.number, 1, 2)
        assert [one["version"] for one in program.get("/manches/~g-1/results")["items"]] == [1, 2]
        assert program.get(f"/parties/{partie.number}")["manches"][0]["external_id"] == "g-1"

    def test_games_come_in_without_being_counted(self, program: Program, partie: Partie) -> None:
        path = f"/parties/{partie.number}/results"
        games = [program.post(f"{path}?external_id=g-{number}", km(25 * number)) for number in (1, 2, 3)]
        assert [(game["outcome"], game["manche"]) for game in games] == [
            ("recorded", 1),
            ("recorded", 2),
            ("recorded", 3),
        ]
        again = program.done("POST", f"{path}?external_id=g-2", km(50))
        assert (again.status_code, again.json()["outcome"], again.json()["manche"]) == (200, "repeated", 2)
        assert program.refused(f"{path}?external_id=g-2", km(75)) == (409, "result-exists")
        assert program.refused(path, km(75)) == (400, "bad-parameter")
        assert (Result.objects.count(), ExternalId.objects.count()) == (3, 3)

    def test_an_answer_that_got_lost_doubles_nothing(
        self, program: Program, partie: Partie, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = f"/parties/{partie.number}/results?external_id=g-1"
        program.client.raise_request_exception = False
        with monkeypatch.context() as broken:  # it was done; what should say so fails
            broken.setattr("league.api.hand_in.recorded", lambda *_said: 1 / 0)
            assert program.send("POST", path, km(25)).status_code == 500
        assert program.post(path, km(25))["outcome"] == "repeated"
        assert Result.objects.count() == 1

    def test_an_id_that_is_taken_writes_nothing(self, program: Program, partie: Partie) -> None:
        program.post(f"{at(partie)}/results?external_id=g-1", km(25))
        assert program.refused(f"{at(partie, 2)}/results?external_id=g-1", km(50)) == (409, "external-id-taken")
        assert program.refused(f"{at(partie)}/results?external_id=g-2", km(25)) == (409, "external-id-taken")
        assert program.refused(f"{at(partie, 2)}/results?external_id=g%202", km(25)) == (422, "bad-external-id")
        assert (Result.objects.count(), ExternalId.objects.count()) == (1, 1)

    def test_a_refused_document_names_nothing(self, program: Program, partie: Partie) -> None:
        assert program.refused(f"{at(partie)}/results?external_id=g-1", km(480))[0] == 422
        assert not ExternalId.objects.exists()
        assert program.refused("/manches/~g-1", method="GET") == (404, "not-found")
        assert program.refused("/manches/~g-1/results", km(25)) == (404, "not-found")
        assert program.client.get(f"/api/v1/championships/{program.slug}/manches/1").status_code == 404

    def test_an_address_that_names_another_partie_than_its_manche_is_none(
        self, program: Program, partie: Partie
    ) -> None:
        program.post(f"{at(partie)}/results?external_id=g-1", km(25))
        other = PartieFactory(championship=partie.championship)
        assert program.get(f"/parties/{partie.number}/manches/~g-1")["number"] == 1
        assert program.refused(f"/parties/{other.number}/manches/~g-1", method="GET") == (404, "not-found")
        corrected = f"/parties/{other.number}/manches/~g-1/results?replaces=1&reason=Misread"
        assert program.refused(corrected, km(50)) == (404, "not-found")
        assert [one["version"] for one in program.get("/manches/~g-1/results")["items"]] == [1]

    def test_of_another_championship_it_is_another_id(self, program: Program, partie: Partie) -> None:
        program.post(f"{at(partie)}/results?external_id=g-1", km(25))
        other = PartieFactory(championship=ChampionshipFactory(owner=partie.championship.created_by))
        theirs = Program(other.championship)
        assert theirs.refused("/manches/~g-1", method="GET") == (404, "not-found")
        assert theirs.post(f"{at(other)}/results?external_id=g-1", km(25))["outcome"] == "recorded"


class TestIfMatch:
    def test_a_correction_of_what_was_read(self, program: Program, partie: Partie) -> None:
        play(partie, 1, km(25))
        for of in ("", "/results/1"):
            etag = program.done("GET", at(partie) + of)["ETag"]
            program.post(f"{at(partie)}/results?replaces=1&reason=Misread&dry_run=true", km(50), If_Match=etag)
        assert program.post(f"{at(partie)}/results?replaces=1&reason=Misread", km(50), If_Match=etag)["version"] == 2

    def test_of_another_state_it_is_refused_with_what_is_there(self, program: Program, partie: Partie) -> None:
        play(partie, 1, km(25))
        etag = program.done("GET", at(partie))["ETag"]
        program.post(f"{at(partie)}/penalise", {"version": 1, "label": "A", "points": 100, "reason": "Late"})
        stale = program.send("POST", f"{at(partie)}/results?replaces=1&reason=Misread", km(50), If_Match=etag)
        assert (stale.status_code, stale.json()["code"]) == (412, "stale")
        assert (stale.json()["present"], stale.json()["etag"]) == (
            program.get(at(partie)),
            program.done("GET", at(partie))["ETag"],
        )
        assert Result.objects.count() == 1

    def test_a_stored_answer_goes_before_it(self, program: Program, partie: Partie) -> None:
        play(partie, 1, km(25))
        etag = program.done("GET", at(partie))["ETag"]
        path = f"{at(partie)}/results?replaces=1&reason=Misread"
        first = program.done("POST", path, km(50), If_Match=etag, Idempotency_Key="k")
        again = program.done("POST", path, km(50), If_Match=etag, Idempotency_Key="k")
        assert (again.json(), again["Idempotency-Replayed"]) == (first.json(), "true")

    def test_the_very_bytes_that_stand_are_no_change(self, program: Program, partie: Partie) -> None:
        path = f"{at(partie)}/results"
        program.post(path, km(25))
        assert program.post(path, km(25), If_Match='"of before"')["outcome"] == "repeated"


class TestWarnings:
    def test_they_are_told_and_acknowledged_by_name(self, program: Program, partie: Partie) -> None:
        told = program.client.post("/api/v1/check", as_bytes(FOUR_COUPS), content_type="application/json").json()
        (warning,) = told["warnings"]
        assert (warning["name"], told["verdict"]["valid"]) == ("four-coups-fourres:A", True)
        assert "?" in warning["text"]
        path = f"{at(partie)}/results?acknowledged="
        assert program.refused(f"{path}nobody-drove", FOUR_COUPS) == (400, "bad-parameter")
        program.post(f"{path}{warning['name']}", FOUR_COUPS)
        assert Result.objects.get().acknowledged == ["four-coups-fourres:A"]

    def test_a_usual_sheet_has_none(self, client: Client) -> None:
        told = client.post("/api/v1/check", as_bytes(sheet()), content_type="application/json").json()
        assert told["warnings"] == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
class TestTwoAtOnce:
    def test_while_the_first_is_under_way_the_second_is_told_so_at_once(self) -> None:
        partie = PartieFactory()
        user = partie.championship.created_by
        held, go_on = threading.Event(), threading.Event()

        def hold() -> None:
            try:
                with transaction.atomic():
                    claim(user=user, name="k")
                    lock_championship(pk=partie.championship_id)
                    held.set()
                    go_on.wait(20)
            finally:
                connection.close()

        first = threading.Thread(target=hold)
        first.start()
        assert held.wait(20)
        program = Program(partie.championship)
        try:  # it does not wait for the championship's lock, which the first one has
            assert program.refused(f"{at(partie)}/results", sheet(), Idempotency_Key="k") == (409, "in-progress")
        finally:
            go_on.set()
            first.join()
        assert not IdempotencyRecord.objects.exists()
        assert program.post(f"{at(partie)}/results", sheet(), Idempotency_Key="k")["outcome"] == "recorded"

    def test_of_many_requests_with_one_key_one_is_done(self) -> None:
        partie = PartieFactory()
        header = token(partie.championship.created_by, Scope.HAND_IN)
        address = f"/api/v1/championships/{partie.championship.slug}{at(partie)}/results"
        said: list[tuple[int, str]] = []
        ready = threading.Barrier(6)

        def send() -> None:
            try:
                ready.wait(20)
                headers = {"Authorization": header, "Idempotency-Key": "k"}
                answer = Client().post(address, as_bytes(sheet()), content_type="application/json", headers=headers)
                body = answer.json()
                said.append((answer.status_code, body.get("code", body.get("outcome"))))
            finally:
                connection.close()

        threads = [threading.Thread(target=send) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert (201, "recorded") in said
        assert set(said) <= {(201, "recorded"), (409, "in-progress")}
        assert (len(said), Result.objects.count(), IdempotencyRecord.objects.count()) == (6, 1, 1)

    def test_of_many_requests_with_one_own_id_one_is_done(self) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(partie_end="manches", partie_end_value=9))
        header = token(partie.championship.created_by, Scope.HAND_IN)
        address = f"/api/v1/championships/{partie.championship.slug}/parties/{partie.number}/results?external_id="
        said: list[tuple[str, int]] = []
        ready = threading.Barrier(6)

        def send(game: int) -> None:
            try:
                ready.wait(20)
                body = as_bytes(sheet({"A": 1000, "B": 25 * game}))
                headers = {"Authorization": header}
                answer = (
                    Client().post(f"{address}g-{game}", body, content_type="application/json", headers=headers).json()
                )
                said.append((answer["outcome"], answer["manche"]))
            finally:
                connection.close()

        threads = [threading.Thread(target=send, args=(game,)) for game in (1, 1, 2, 2, 3, 3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert sorted(said) == sorted([(what, number) for number in (1, 2, 3) for what in ("recorded", "repeated")])
        assert (Result.objects.count(), Attempt.objects.count()) == (3, 0)
