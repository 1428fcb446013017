"""Clubs and players through the API: each write does what its page does, once, on what was read."""

from typing import Any

import pytest

from league.models import (
    Championship,
    Club,
    IdempotencyRecord,
    Player,
    PlayerNumber,
    Scope,
)
from tests.factories import ChampionshipFactory, ClubFactory, EntryFactory, PlayerFactory, UserFactory
from tests.league.api.program import Program, last_deed

pytestmark = pytest.mark.django_db

PLAYERS = "/api/v1/players"
CLUBS = "/api/v1/clubs"


@pytest.fixture
def program() -> Program:
    return Program(ChampionshipFactory())


class TestClubs:
    def test_a_club_is_read_by_its_address_and_by_its_external_id(self, program: Program) -> None:
        made = program.done("POST", CLUBS, {"name": "Le Relais", "external_id": "c:1"})
        assert made["Location"] == f"{CLUBS}/le-relais"
        read = program.done("GET", f"{CLUBS}/le-relais")
        assert (read.json(), read["ETag"]) == (made.json(), made["ETag"])
        assert program.get(f"{CLUBS}/~c:1") == read.json()
        assert read.json()["external_id"] == "c:1"
        assert program.client.get(f"{CLUBS}/le-relais").json()["external_id"] is None

    def test_it_is_renamed_on_the_state_that_was_read(self, program: Program) -> None:
        etag = program.done("POST", CLUBS, {"name": "Le Relais"})["ETag"]
        place = f"{CLUBS}/le-relais"
        assert program.refused(place, {"name": "La Borne"}, "PATCH") == (428, "precondition-required")
        renamed = program.done("PATCH", place, {"name": "La Borne"}, If_Match=etag)
        assert (renamed.json()["slug"], renamed.json()["name"]) == ("le-relais", "La Borne")
        stale = program.send("PATCH", place, {"name": "Autre"}, If_Match=etag)
        assert (stale.status_code, stale.json()["present"]) == (412, renamed.json())
        assert last_deed("rename_club").after == {"name": "La Borne"}

    def test_not_to_a_name_that_is_taken(self, program: Program) -> None:
        program.post(CLUBS, {"name": "Le Relais"})
        program.post(CLUBS, {"name": "La Borne"})
        taken = program.refused(f"{CLUBS}/la-borne", {"name": "le relais"}, "PATCH", If_Match="*")
        assert taken == (409, "club-exists")
        assert program.get(f"{CLUBS}/la-borne")["name"] == "La Borne"

    def test_only_by_who_made_it_and_the_staff(self, program: Program) -> None:
        club = ClubFactory()
        place = f"{CLUBS}/{club.slug}"
        assert program.refused(place, {"name": "X"}, "PATCH", If_Match="*") == (403, "not-permitted")
        staff = Program(Championship.objects.get(), UserFactory(is_staff=True))
        assert staff.done("PATCH", place, {"name": "X"}, If_Match="*").json()["name"] == "X"

    def test_those_of_an_external_id_are_found_in_the_list(self, program: Program) -> None:
        program.post(CLUBS, {"name": "Le Relais", "external_id": "c:1"})
        program.post(CLUBS, {"name": "La Borne"})
        found = program.get(f"{CLUBS}?external_id=c:1")["items"]
        assert [(club["name"], club["external_id"]) for club in found] == [("Le Relais", "c:1")]
        assert Program(Championship.objects.get(), UserFactory()).get(f"{CLUBS}?external_id=c:1")["items"] == []


NEW = {
    "name": "Ana Etxeberria",
    "club_name": "Le Relais",
    "licence": "l 77",
    "email": "ana@example.org",
    "external_id": "p:1",
}


class TestPlayers:
    def test_a_player_is_made_once_with_all_that_is_known(self, program: Program) -> None:
        first, again = (program.done("POST", PLAYERS, NEW) for _ in range(2))
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json() == again.json()
        read = program.done("GET", f"{PLAYERS}/~p:1")
        assert (read.json(), read["ETag"]) == (first.json(), first["ETag"])
        private = read.json()["private"]
        assert (private["licence"], private["email"], private["club"]) == ("L77", "ana@example.org", "le-relais")
        assert (read.json()["name"], read.json()["club"]) == ("Ana Etxeberria", "Le Relais")
        assert Player.objects.count() == Club.objects.count() == 1
        last_deed("add_player")

    def test_one_of_nearly_the_name_is_told_before(self, program: Program) -> None:
        known = program.post(PLAYERS, {"name": "Ana Etxeberria"})
        told = program.send("POST", PLAYERS, {"name": "Ana Etxeberia"}, Idempotency_Key="k")
        assert (told.status_code, told.json()["code"]) == (409, "similar-players")
        assert [player["id"] for player in told.json()["players"]] == [known["id"]]
        assert Player.objects.count() == 1
        program.post(PLAYERS, {"name": "Ana Etxeberia", "homonym": True}, Idempotency_Key="k2")
        assert Player.objects.count() == 2

        assert '"homonym": true' in told.json()["detail"]

    def test_a_club_that_there_is_not_is_told_with_the_rest(self, program: Program) -> None:
        said = program.send("POST", PLAYERS, {"name": "", "club": "nowhere"}).json()
        assert [one["field"] for one in said["errors"]] == ["club", "name"]
        assert program.refused(PLAYERS, {"name": "Ana", "club": "nowhere"}) == (422, "unknown-club")
        assert not Player.objects.exists()
        made = program.post(PLAYERS, {"name": "Ana"})
        changes = {"email": "x", "club": "~nobody", "licence": "9" * 40}
        said = program.send("PATCH", f"{PLAYERS}/{made['id']}", changes, If_Match="*").json()
        assert [one["field"] for one in said["errors"]] == ["club", "licence", "email"]

    def test_whoever_made_one_finds_them_by_their_own_id(self, program: Program) -> None:
        made = program.post(PLAYERS, {"name": "Ana Etxeberria", "external_id": "p:1"})
        minor = program.post(PLAYERS, {"name": "Bo Garat", "is_minor": True, "external_id": "p:2"})
        for own, one in (("p:1", made), ("p:2", minor)):
            (found,) = program.get(f"{PLAYERS}?external_id={own}")["items"]
            assert (found["id"], found["name"], found["external_id"]) == (one["id"], one["name"], own)
        assert program.get(f"{PLAYERS}?external_id=p:1&q=etxe")["items"] != []
        assert program.get(f"{PLAYERS}?external_id=p:1&q=garat")["items"] == []
        assert program.get(PLAYERS)["items"] == []
        assert Program(Championship.objects.get(), UserFactory()).get(f"{PLAYERS}?external_id=p:1")["items"] == []

    def test_a_minor_is_hidden_from_all_others(self, program: Program) -> None:
        made = program.post(PLAYERS, {"name": "Ana Etxeberria", "is_minor": True})
        assert made["name"] == f"Anonyme {made['id']}"
        assert (made["private"]["name"], made["private"]["shown_as"]) == ("Ana Etxeberria", "hidden")
        assert program.client.get(f"{PLAYERS}/{made['id']}").status_code == 404

    def test_all_faults_are_said(self, program: Program) -> None:
        answer = program.send("POST", PLAYERS, {"name": "", "email": "x", "licence": "9" * 40})
        assert answer.status_code == 422
        said = {(one["code"], one["field"]) for one in answer.json()["errors"]}
        assert said == {("required", "name"), ("bad-email", "email"), ("too-long", "licence")}

    @pytest.mark.parametrize(
        ("club", "code", "field"),
        [
            ({"club": "nowhere"}, "unknown-club", "club"),
            ({"club": "~c:9"}, "unknown-reference", "club"),
            ({"club": "x", "club_name": "X"}, "club-twice", "club_name"),
            ({"club_name": ""}, "required", "club_name"),
            ({"club": "a b"}, "bad-field", "club"),
        ],
    )
    def test_a_club_that_is_none_is_said(self, program: Program, club: Any, code: str, field: str) -> None:
        answer = program.send("POST", PLAYERS, {"name": "Ana", **club})
        assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, code, field)
        assert not Player.objects.exists()

    def test_a_player_is_changed_on_the_state_that_was_read(self, program: Program) -> None:
        made = program.done("POST", PLAYERS, NEW)
        place = f"{PLAYERS}/{made.json()['id']}"
        assert program.refused(place, {"licence": "8"}, "PATCH") == (428, "precondition-required")
        changed = program.done("PATCH", place, {"club": None, "licence": "8"}, If_Match=made["ETag"])
        private = changed.json()["private"]
        assert (private["club"], private["licence"], private["email"]) == (None, "8", "ana@example.org")
        stale = program.send("PATCH", place, {"email": ""}, If_Match=made["ETag"])
        assert (stale.status_code, stale.json()["present"]) == (412, changed.json())
        assert program.done("GET", place)["ETag"] == changed["ETag"]
        assert "@" not in str(last_deed("change_player").after)

    def test_a_licence_belongs_to_one(self, program: Program) -> None:
        program.post(PLAYERS, {"name": "Ana", "licence": "7"})
        assert program.refused(PLAYERS, {"name": "Bo", "licence": "7"}) == (409, "licence-taken")
        assert Player.objects.count() == 1

    def test_the_private_part_is_for_who_looks_inside(self, program: Program) -> None:
        championship = Championship.objects.get()
        entry = EntryFactory(championship=championship)
        place = f"{PLAYERS}/{entry.team.members.get().player_id}"
        assert program.get(place)["private"]["email"]
        assert program.client.get(place).json()["private"] is None
        others = [
            Program(ChampionshipFactory()),
            Program(championship, championship.created_by, Scope.HAND_IN),
        ]
        for other in others:
            assert other.get(place)["private"] is None
        assert Program(championship, championship.created_by, Scope.READ).get(place)["private"] is not None
        assert others[0].refused(place, {"name": "X"}, "PATCH", If_Match="*") == (403, "not-permitted")
        championship.visibility = "draft"
        championship.save()
        assert others[0].refused(place, {"name": "X"}, "PATCH", If_Match="*") == (404, "not-found")
        assert program.get(place)["private"] is not None

    def test_a_token_of_a_championship_reaches_those_who_take_part_there(self, program: Program) -> None:
        from tests.league.api.conftest import token

        championship = Championship.objects.get()
        made = program.post(PLAYERS, {"name": "Ana Etxeberria"})
        entered = EntryFactory(championship=championship).team.members.get().player_id
        program.header = token(championship.created_by, "read", "manage", championship=championship)
        assert program.refused(PLAYERS, {"name": "Bo"}) == (403, "not-permitted")
        assert program.refused(f"{PLAYERS}/{made['id']}", {"name": "X"}, "PATCH", If_Match="*") == (404, "not-found")
        assert program.done("PATCH", f"{PLAYERS}/{entered}", {"name": "Bo"}, If_Match="*").json()["name"] == "Bo"
        other = ChampionshipFactory(owner=championship.created_by)
        program.header = token(championship.created_by, "read", "manage", championship=other)
        place = f"{PLAYERS}/{entered}"
        assert program.refused(place, {"name": "X"}, "PATCH", If_Match="*") == (403, "not-permitted")
        assert program.get(place)["private"] is None

    def test_an_external_id_is_of_the_account(self, program: Program) -> None:
        program.post(PLAYERS, NEW)
        other = Program(ChampionshipFactory())
        assert other.send("GET", f"{PLAYERS}/~p:1").status_code == 404
        made = other.post(PLAYERS, {"name": "Bo Zubiri", "external_id": "p:1"})
        assert program.get(f"{PLAYERS}/~p:1")["name"] == "Ana Etxeberria"
        assert other.get(f"{PLAYERS}/~p:1")["id"] == made["id"]


class TestOnePerson:
    def test_two_profiles_are_made_one_and_two_again(self, program: Program) -> None:
        kept = program.post(PLAYERS, {"name": "Ana Etxeberria", "external_id": "kept"})
        other = program.post(PLAYERS, {"name": "Anne Etxeberri", "licence": "7", "homonym": True})
        asked = {"merged": other["id"], "reason": "Married"}
        one = program.post(f"{PLAYERS}/~kept/merge", asked)
        assert (one["id"], one["private"]["licence"]) == (kept["id"], "7")
        (merge,) = one["private"]["merges"]
        assert (merge["merged"], merge["reason"]) == ("Anne Etxeberri", "Married")
        gone = program.get(f"{PLAYERS}/{other['id']}")
        assert gone["private"]["merged_into"] == kept["id"]
        assert program.refused(f"{PLAYERS}/{other['id']}", {"name": "X"}, "PATCH", If_Match="*") == (
            409,
            "profile-gone",
        )
        two = program.post(f"{PLAYERS}/{kept['id']}/merges/{merge['id']}/undo")
        assert (two["private"]["licence"], two["private"]["merges"]) == ("", [])
        assert program.get(f"{PLAYERS}/{other['id']}")["private"]["licence"] == "7"
        last_deed("undo_merge")

    def test_only_with_one_whom_the_token_may_change(self, program: Program) -> None:
        kept = program.post(PLAYERS, {"name": "Ana Etxeberria"})
        other = PlayerFactory()
        place = f"{PLAYERS}/{kept['id']}/merge"
        assert program.refused(place, {"merged": other.pk}) == (422, "unknown-player")
        assert program.refused(place, {"merged": 10**6}) == (422, "unknown-player")
        assert program.refused(place, {"merged": kept["id"]}) == (422, "same-profile")
        assert Player.objects.filter(merged_into=None).count() == 2

    def test_what_was_merged_under_an_external_id_enters_as_the_one_that_was_kept(self, program: Program) -> None:
        kept = program.post(PLAYERS, {"name": "Ana Etxeberria"})
        program.post(PLAYERS, {"name": "Bo Zubiri", "external_id": "old"})
        program.post(f"{PLAYERS}/{kept['id']}/merge", {"merged": "~old"})
        entered = program.post("/entries", {"players": ["~old"]})
        assert [player["id"] for player in entered["players"]] == [kept["id"]]

    def test_numbers_of_others_are_noted_and_taken_off(self, program: Program) -> None:
        player = program.post(PLAYERS, {"name": "Ana Etxeberria"})
        place = f"{PLAYERS}/{player['id']}/numbers"
        for _time in range(2):
            noted = program.done("POST", place, {"system": "FFMB", "number": "7 7"})
            assert [line["number"] for line in noted.json()["private"]["numbers"]] == ["77"]
        answer = program.send("POST", place, {"system": "", "number": ""})
        assert [one["field"] for one in answer.json()["errors"]] == ["system", "number"]
        (line,) = noted.json()["private"]["numbers"]
        at = f"{place}/{line['id']}"
        assert program.refused(at, method="DELETE") == (428, "precondition-required")
        gone = program.done("DELETE", at, If_Match=noted["ETag"])
        assert gone.json()["private"]["numbers"] == []
        assert not PlayerNumber.objects.exists()

    def test_a_name_is_taken_away_for_good_by_who_owns_a_championship_of_theirs(self, program: Program) -> None:
        player = program.post(PLAYERS, NEW, Idempotency_Key="k")
        place = f"{PLAYERS}/{player['id']}/anonymise"
        assert program.refused(place, {"name": NEW["name"]}) == (403, "not-permitted"), "plays nowhere yet"
        program.post("/entries", {"players": [player["id"]]})
        assert program.refused(place, {"name": "Somebody else"}) == (422, "other-name")
        done = program.post(place, {"name": NEW["name"], "reason": "Asked to"}, Idempotency_Key="k2")
        assert done["private"]["is_anonymous"]
        assert (done["name"], done["private"]["email"]) == (f"Anonyme {player['id']}", "")
        kept = str(list(IdempotencyRecord.objects.values_list("answer", flat=True)))
        assert "Etxeberria" not in kept
        assert "ana@example.org" not in kept
        assert "L77" not in kept
