"""Teams and entries through the API: each write does what its page does, once, on what was read."""

from typing import Any

import pytest

from league.models import (
    AuditEntry,
    Championship,
    Entry,
    ExternalId,
    Player,
    Substitute,
    Team,
)
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory
from tests.league.api.program import Program, last_deed

pytestmark = pytest.mark.django_db

PLAYERS = "/api/v1/players"


@pytest.fixture
def program() -> Program:
    return Program(ChampionshipFactory())


@pytest.fixture
def pairs() -> Program:
    return Program(ChampionshipFactory(players_per_team=2, substitution="named"))


class TestTeams:
    def test_a_team_is_made_once_then_entered_once(self, pairs: Program) -> None:
        asked = {"players": [{"name": "Ana"}, {"name": "Bo", "external_id": "p:2"}], "external_id": "t:1"}
        first, again = (pairs.done("POST", "/teams", asked) for _ in range(2))
        assert (first.status_code, again.status_code) == (201, 200)
        assert (first.json()["name"], first.json()["entry"]) == ("Ana – Bo", None)
        read = pairs.done("GET", "/teams/~t:1")
        assert (read.json(), read["ETag"]) == (first.json(), first["ETag"])
        entered = pairs.done("POST", "/entries", {"team": "~t:1", "external_id": "e:1"})
        assert (entered.status_code, entered["Location"]) == (201, f"/api/v1/championships/{pairs.slug}/entries/1")
        again = pairs.done("POST", "/entries", {"team": first.json()["id"]})
        assert (again.status_code, again.json()) == (200, entered.json())
        assert Team.objects.count() == Entry.objects.count() == 1
        assert pairs.get("/teams?external_id=t:1")["items"][0]["entry"] == 1
        last_deed("enter")

    def test_it_is_renamed_and_called_like_its_players_again(self, pairs: Program) -> None:
        made = pairs.done("POST", "/teams", {"players": [{"name": "Ana"}, {"name": "Bo"}], "external_id": "t"})
        renamed = pairs.done("PATCH", "/teams/~t", {"name": "Les As"}, If_Match=made["ETag"])
        assert renamed.json()["name"] == "Les As"
        assert pairs.send("PATCH", "/teams/~t", {"name": "X"}, If_Match=made["ETag"]).status_code == 412
        back = pairs.done("PATCH", "/teams/~t", {"name": ""}, If_Match=renamed["ETag"])
        assert (back.json()["name"], back["ETag"]) == ("Ana – Bo", made["ETag"])

    def test_substitutes_are_named_and_taken_off(self, pairs: Program) -> None:
        pairs.post("/teams", {"players": [{"name": "Ana"}, {"name": "Bo"}], "external_id": "t"})
        named = pairs.done("POST", "/teams/~t/substitutes", {"player": {"name": "Cy", "external_id": "cy"}})
        again = pairs.done("POST", "/teams/~t/substitutes", {"player": "~cy"})
        assert (named.status_code, again.status_code) == (201, 200)
        assert named.json() == again.json() == pairs.get("/teams/~t/substitutes")["items"][0]
        place = named["Location"]
        assert pairs.done("GET", place)["ETag"] == named["ETag"]
        assert pairs.refused(place, method="DELETE") == (428, "precondition-required")
        assert pairs.done("DELETE", place, If_Match=named["ETag"]).status_code == 204
        assert not Substitute.objects.exists()
        assert pairs.client.get(f"/api/v1/championships/{pairs.slug}/teams/~t/substitutes").status_code == 403
        last_deed("remove_substitute")


class TestEntries:
    def test_players_enter_in_one_step_with_those_who_are_new(self, program: Program) -> None:
        asked = {"players": [{"name": "Ana", "external_id": "p:1", "licence": "7"}], "external_id": "e:1"}
        first, again = (program.done("POST", "/entries", asked) for _ in range(2))
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json() == again.json() == program.get("/entries/~e:1")
        assert program.done("GET", "/entries/1")["ETag"] == first["ETag"]
        assert (first.json()["number"], first.json()["checked_in"]) == (1, False)
        assert program.get(f"{PLAYERS}/~p:1")["private"]["licence"] == "7"
        assert program.refused("/entries", asked | {"name": "X"}) == (409, "external-id-taken")
        assert Entry.objects.count() == Player.objects.count() == 1

    def test_what_only_organisers_see_is_null_for_others(self, program: Program) -> None:
        program.post("/entries", {"players": [{"name": "Ana"}], "external_id": "e:1"})
        seen = program.client.get(f"/api/v1/championships/{program.slug}/entries/1").json()
        assert (seen["checked_in"], seen["external_id"]) == (None, None)
        place = f"/api/v1/championships/{program.slug}/entries?external_id=e:1"
        assert program.client.get(place).json()["items"] == []
        assert [entry["number"] for entry in program.get(place)["items"]] == [1]
        stranger = Program(Championship.objects.get(), UserFactory())
        assert stranger.get("/entries")["items"] == [seen]

    def test_it_is_done_once_with_a_key(self, program: Program) -> None:
        first, again = (
            program.done("POST", "/entries", {"players": [{"name": "Ana"}]}, Idempotency_Key="k") for _ in range(2)
        )
        assert (first.status_code, again.status_code) == (201, 201)
        assert (first.content, again["Idempotency-Replayed"]) == (again.content, "true")
        assert Entry.objects.count() == 1

    def test_all_forms_are_told_at_once_in_words(self, program: Program) -> None:
        body = {"team": "x", "players": [True, {"name": 3, "club": "a b"}], "external_id": "a b", "size": 2}
        told = {
            one["field"]: (one["code"], one["detail"])
            for one in program.send("POST", "/entries", body).json()["errors"]
        }
        assert {field: code for field, (code, _detail) in told.items()} == {
            "team": "bad-form",
            "players[0]": "wrong-type",
            "players[1].name": "wrong-type",
            "players[1].club": "bad-form",
            "external_id": "bad-external-id",
            "size": "unknown-member",
        }
        assert "number" in told["team"][1]
        assert "slug" in told["players[1].club"][1]
        assert "Known: team, players, name, external_id" in told["size"][1]
        assert not any("[A-Z" in detail for _code, detail in told.values())

    def test_the_size_of_teams_is_that_of_the_championship(self, program: Program) -> None:
        said = program.send("POST", "/entries", {"players": ["~p:9", "~p:8", "~p:7"]}).json()
        assert [(one["code"], one["field"]) for one in said["errors"]] == [
            ("bad-team-size", "players"),
            ("unknown-reference", "players[0]"),
        ]
        assert said["errors"][0]["detail"] == "A team has 1 player in this championship."

    def test_filters_take_own_ids(self, program: Program) -> None:
        program.post("/entries", {"players": [{"name": "Ana", "external_id": "p:1"}], "external_id": "e:1"})
        program.post("/entries", {"players": [{"name": "Bo", "external_id": "p:2"}], "external_id": "e:2"})
        program.post("/parties", {"round": 1, "entries": ["~e:1", "~e:2"], "external_id": "g:1"})
        assert [one["number"] for one in program.get("/parties?entry=~e:1")["items"]] == [1]
        assert [one["number"] for one in program.get("/parties?player=~p:2")["items"]] == [1]
        assert [one["number"] for one in program.get("/entries?player=~p:2")["items"]] == [2]
        assert len(program.get("/teams?player=~p:2")["items"]) == 1
        assert program.get("/manches?partie=~g:1&entry=~e:2") == program.get("/manches?partie=1&entry=2")
        for path in ("/parties?entry=~e:9", "/parties?entry=e:1", "/parties?entry=~", "/waiting?round=~r"):
            said = program.client.get(
                f"/api/v1/championships/{program.slug}{path}", headers={"Authorization": program.header}
            )
            assert (said.status_code, said.json()["code"]) == (400, "bad-parameter")
        said = program.send("POST", "/parties", {"round": "~r", "entries": ["~e:8", "~e:9"]}).json()
        assert [one["field"] for one in said["errors"]] == ["round", "entries[0]", "entries[1]"]

    @pytest.mark.parametrize(
        ("body", "code", "field"),
        [
            ({}, "team-or-players", "team"),
            ({"team": 1, "players": [1]}, "team-or-players", "team"),
            ({"team": 10**6}, "unknown-team", "team"),
            ({"team": "~t:9"}, "unknown-reference", "team"),
            ({"players": []}, "bad-team-size", "players"),
            ({"players": [1] * 10_000}, "bad-team-size", "players"),
            ({"players": [10**6]}, "unknown-player", "players"),
            ({"players": ["~p:9"]}, "unknown-reference", "players[0]"),
            ({"players": ["Ana"]}, "bad-field", "players[0]"),
            ({"players": [{"name": "Ana"}, {"name": "Bo"}]}, "bad-team-size", "players"),
            ({"players": [{"name": ""}]}, "required", "players[0].name"),
            ({"players": [{"name": "Ana", "club": "~x"}]}, "unknown-reference", "players[0].club"),
            ({"players": [{"name": "Ana"}], "external_id": "a b"}, "bad-external-id", "external_id"),
            ({"players": [{"name": "Ana"}], "external_id": "a\n"}, "bad-external-id", "external_id"),
        ],
    )
    def test_what_is_wrong_is_said_where_it_is_and_nothing_is_left(
        self, program: Program, body: Any, code: str, field: str
    ) -> None:
        answer = program.send("POST", "/entries", body)
        assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, code, field)
        assert not Player.objects.exists()
        assert not Entry.objects.exists()
        assert not ExternalId.objects.exists()

    def test_all_faults_of_new_players_are_said(self, pairs: Program) -> None:
        answer = pairs.send("POST", "/entries", {"players": [{"name": ""}, {"name": "", "email": "x"}]})
        fields = [one["field"] for one in answer.json()["errors"]]
        assert fields == ["players[0].name", "players[1].name", "players[1].email"]

    def test_one_of_nearly_the_name_is_told_and_can_be_meant(self, program: Program) -> None:
        known = program.post("/entries", {"players": [{"name": "Ana Etxeberria"}]})["players"][0]
        told = program.send("POST", "/entries", {"players": [{"name": "Ana Etxeberia"}]})
        assert (told.status_code, told.json()["code"]) == (409, "similar-players")
        assert (told.json()["field"], told.json()["players"][0]["id"]) == ("players[0].name", known["id"])
        assert program.refused("/entries", {"players": [known["id"]]}) == (409, "player-in-team")
        program.post("/entries", {"players": [{"name": "Ana Etxeberia", "homonym": True}]})

    def test_a_new_player_has_no_external_id_of_another(self, program: Program) -> None:
        known = program.post(PLAYERS, {"name": "Ana", "external_id": "p:1"})
        answer = program.send("POST", "/entries", {"players": [{"name": "Bo", "external_id": "p:1"}]})
        assert (answer.status_code, answer.json()["code"]) == (409, "external-id-taken")
        assert answer.json()["player"] == known["id"]

    def test_withdrawn_and_taken_back_with_reasons(self, program: Program) -> None:
        entry = program.done("POST", "/entries", {"players": [{"name": "Ana"}], "external_id": "e"})
        assert program.refused("/entries/~e/withdraw", {"reason": " "}) == (422, "reason-required")
        assert program.refused("/entries/~e/withdraw", {}) == (422, "bad-field")
        gone = program.done("POST", "/entries/~e/withdraw", {"reason": "Ill"}, If_Match=entry["ETag"])
        assert gone.json()["withdrawn"]
        stale = program.send("POST", "/entries/~e/reinstate", {"reason": "Well"}, If_Match=entry["ETag"])
        assert (stale.status_code, stale.json()["present"]) == (412, gone.json())
        assert not program.post("/entries/1/reinstate", {"reason": "Well"})["withdrawn"]
        assert [last_deed(action).reason for action in ("withdraw", "reinstate")] == ["Ill", "Well"]

    def test_not_withdrawn_from_a_table(self, program: Program) -> None:
        championship = Championship.objects.get()
        entries = EntryFactory.create_batch(2, championship=championship)
        PartieFactory(championship=championship, entries=entries)
        answer = program.send("POST", "/entries/1/withdraw", {"reason": "Ill"})
        assert (answer.status_code, answer.json()["code"], answer.json()["partie"]) == (409, "at-a-table", 1)

    def test_penalised_and_let_off(self, program: Program) -> None:
        EntryFactory(championship=Championship.objects.get())
        assert program.refused("/entries/1/penalise", {"points": -1, "reason": "Late"}) == (422, "bad-field")
        fined = program.post("/entries/1/penalise", {"points": 3, "reason": "Late"})
        assert (fined["penalty"], fined["penalty_reason"]) == (3, "Late")
        let_off = program.post("/entries/1/penalise", {"points": 0, "reason": "It was the train"})
        assert (let_off["penalty"], let_off["penalty_reason"]) == (0, "")
        last_deed("penalise_entry")

    def test_checked_in_and_out_and_all_at_once(self, program: Program) -> None:
        EntryFactory.create_batch(3, championship=Championship.objects.get())
        assert program.post("/entries/1/check-in")["checked_in"]
        assert program.post("/entries/1/check-in")["checked_in"]
        assert AuditEntry.objects.filter(action="check_in").count() == 1
        assert not program.post("/entries/1/check-out")["checked_in"]
        program.post("/entries/2/withdraw", {"reason": "Ill"})
        assert program.refused("/entries/2/check-in") == (409, "withdrawn")
        assert program.post("/check-in") == {"checked_in": 2}
        assert program.post("/check-in") == {"checked_in": 0}
        assert [entry["checked_in"] for entry in program.get("/entries")["items"]] == [True, False, True]

    def test_an_entry_that_is_not_there_is_not_found(self, program: Program) -> None:
        assert program.refused("/entries/9/check-in") == (404, "not-found")
        assert program.refused("/entries/~e:9/check-in") == (404, "not-found")
        assert program.refused("/entries/9/check-in", {"reason": "x"}) == (422, "bad-field")
