"""Championships through the API: made, changed on what was read, finished and taken up again."""

from typing import Any

import pytest

from engine.rulebooks import RULEBOOKS
from league.models import AuditEntry, Championship, Club, Membership, Registration, ResultEvent
from league.services.settings_of_play import FREE, GAME, KEYS
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory
from tests.league.api.conftest import token
from tests.league.api.program import Program
from tests.league.registering import opened, registered

pytestmark = pytest.mark.django_db

ALL = "/api/v1/championships"


@pytest.fixture
def program() -> Program:
    return Program(ChampionshipFactory())


class TestMaking:
    def test_a_name_an_address_and_a_rulebook_are_enough(self, program: Program) -> None:
        made = program.done("POST", ALL, {"name": "Coupe d'hiver", "slug": "hiver", "rulebook": "classique"})
        assert (made.status_code, made["Location"]) == (201, f"{ALL}/hiver")
        said = made.json()
        assert (said["visibility"], said["table_entries"], said["players_per_team"]) == ("draft", 2, 1)
        assert (said["decided_by"], said["partie_end"], said["partie_end_value"]) == ("points", "points", 5000)
        assert said["keys"]["primary"] == "match_points"
        assert program.done("GET", f"{ALL}/hiver")["ETag"] == made["ETag"]
        owner = Membership.objects.get(championship__slug="hiver")
        assert (owner.role, owner.user) == ("owner", Championship.objects.first().created_by)  # type: ignore[union-attr]
        assert AuditEntry.objects.get(action="create_championship", championship__slug="hiver").token is not None

    @pytest.mark.parametrize(
        ("said", "value"),
        [({"rulebook": "moderne"}, 3), ({"partie_end": "wins"}, 2), ({"partie_end": "referee"}, None)],
    )
    def test_what_ends_a_partie_is_as_usual(self, program: Program, said: Any, value: Any) -> None:
        made = program.post(ALL, {"name": "X", "slug": "x", "rulebook": "classique", **said})
        assert made["partie_end_value"] == value

    def test_all_can_be_said_at_once(self, program: Program) -> None:
        said = {
            "name": "Coupe",
            "slug": "coupe",
            "rulebook": "classique",
            "club_name": "Le Relais",
            "time_zone": "Europe/Madrid",
            "visibility": "unlisted",
            "confirmation": "opponent",
            "confirm_minutes": 60,
            "allow_short_tables": False,
            "clock_minutes": 50,
            "clock_at_end": "stop",
            "substitution": "named",
            "substitution_limit": 2,
            "registration_opens_at": "2030-01-01T10:00:00+01:00",
            "registration_closes_at": "2030-02-01T10:00:00Z",
            "max_entries": 16,
            "waiting_list": False,
            "house": {"sans_200": 200},
            "table_entries": 2,
            "players_per_team": 2,
            "ranks": "entries",
            "target": 1000,
            "decided_by": "points",
            "partie_end": "manches",
            "partie_end_value": 2,
            "keys": {"primary": "total_points", "tie_breaks": ["direct_encounter"]},
        }
        made = program.post(ALL, said)
        read = said | {"club": "Le Relais", "club_slug": "le-relais", "keys": made["keys"]}
        read |= {"registration_opens_at": "2030-01-01T09:00:00Z", "registration_closes_at": "2030-02-01T10:00:00Z"}
        assert {name: made[name] for name in read if name != "club_name"} == {
            name: value for name, value in read.items() if name != "club_name"
        }
        assert made["keys"] == {"primary": "total_points", "tie_breaks": ["direct_encounter"]}

    def test_all_that_is_wrong_is_said(self, program: Program) -> None:
        said = {"name": "", "slug": "A B", "rulebook": "classique", "time_zone": "Mars", "table_entries": 9}
        answer = program.send("POST", ALL, said)
        assert answer.status_code == 422
        assert [one["field"] for one in answer.json()["errors"]] == ["name", "slug", "time_zone", "table_entries"]
        assert Championship.objects.count() == 1

    @pytest.mark.parametrize(
        ("said", "fields"),
        [
            ({"rulebook": "chess", "name": "", "time_zone": "Mars"}, ["name", "time_zone", "rulebook"]),
            ({"rulebook": "chess", "decided_by": "manches", "slug": "A"}, ["slug", "rulebook"]),
            (
                {"name": "", "table_entries": 9, "players_per_team": 7, "keys": {"primary": "chance"}},
                ["name", "table_entries", "players_per_team", "primary"],
            ),
            ({"club": "nowhere", "name": "", "rulebook": "chess"}, ["club", "name", "rulebook"]),
            ({"players_per_team": 7, "keys": {"tie_breaks": ["km", "km"]}}, ["players_per_team", "tie_breaks"]),
            ({"table_entries": 9, "keys": {"scale": [1, 2, 3]}, "slug": "A"}, ["slug", "table_entries"]),
        ],
    )
    def test_what_can_be_looked_at_all_the_same_is_looked_at(
        self, program: Program, said: Any, fields: list[str]
    ) -> None:
        answer = program.send("POST", ALL, {"name": "X", "slug": "x", "rulebook": "classique", **said})
        assert [one["field"] for one in answer.json()["errors"]] == fields

    def test_an_unknown_rulebook_is_answered_with_those_there_are(self, program: Program) -> None:
        answer = program.send("POST", ALL, {"name": "X", "slug": "x", "rulebook": "chess"}).json()
        assert answer["known"] == list(RULEBOOKS)
        assert all(name in answer["detail"] for name in RULEBOOKS)

    @pytest.mark.parametrize(
        ("said", "status", "code"),
        [
            ({"slug": "coupe-taken"}, 409, "slug-taken"),
            ({"rulebook": "chess"}, 422, "unknown-rulebook"),
            ({"house": {"no_such": 1}}, 422, "bad-house"),
            ({"target": 10**30}, 422, "bad-target"),
            ({"registration_opens_at": "2030-01-01T10:00:00"}, 422, "bad-field"),
            ({"club": "nowhere"}, 422, "unknown-club"),
            ({"keys": {"primary": "chance"}}, 422, "bad-ranking"),
            ({"keys": {"scale": [10**400, 1]}}, 422, "bad-ranking"),
            ({"version": 3}, 422, "bad-field"),
        ],
    )
    def test_what_cannot_be_is_refused(self, program: Program, said: Any, status: int, code: str) -> None:
        ChampionshipFactory(slug="coupe-taken")
        body = {"name": "X", "slug": "x", "rulebook": "classique", **said}
        assert program.refused(ALL, body) == (status, code)
        assert not Championship.objects.filter(slug="x").exists()

    def test_only_by_who_may_make_one(self, program: Program) -> None:
        championship = Championship.objects.get()
        body = {"name": "X", "slug": "x", "rulebook": "classique"}
        player = Program(championship, UserFactory(may_organise=False))
        assert player.refused(ALL, body) == (403, "not-permitted")
        program.header = token(championship.created_by, "read", "manage", championship=championship)
        assert program.refused(ALL, body) == (403, "not-permitted")
        program.header = token(championship.created_by, "read", "hand_in")
        assert program.refused(ALL, body) == (403, "insufficient-scope")


class TestChanging:
    def test_all_that_is_wrong_with_a_change_is_said(self, program: Program) -> None:
        at = f"{ALL}/{Championship.objects.get().slug}"
        said = {"club": "~nobody", "name": "", "max_entries": 0, "keys": {"primary": "chance"}}
        answer = program.send("PATCH", at, said, If_Match="*").json()
        assert [(one["field"], one["code"]) for one in answer["errors"]] == [
            ("club", "unknown-reference"),
            ("name", "required"),
            ("max_entries", "bad-registration"),
            ("primary", "bad-ranking"),
            ("reason", "reason-required"),
        ]

    def test_everything_that_can_change_is_a_member(self) -> None:
        from league.api.championship_bodies import ChampionshipChanges, RankingKeys

        members = set(ChampionshipChanges.__struct_fields__) | set(RankingKeys.__struct_fields__)
        assert {"club" if name == "club_id" else name for name in (*FREE, *GAME, *KEYS)} == members - {
            "club_name",
            "keys",
            "reason",
        }

    def test_what_is_left_out_stays(self, program: Program) -> None:
        read = program.done("GET", "")
        changed = program.done("PATCH", "", {"name": "Autre", "club_name": "Le Relais"}, If_Match=read["ETag"])
        expected = read.json() | {"name": "Autre", "club": "Le Relais", "club_slug": "le-relais"}
        assert changed.json() == expected | {"version": changed.json()["version"]}
        assert program.done("GET", "")["ETag"] == changed["ETag"]
        assert program.done("PATCH", "", {"club": None}, If_Match=changed["ETag"]).json()["club_slug"] is None
        assert AuditEntry.objects.filter(action="change_championship").latest("pk").token is not None

    def test_on_the_state_that_was_read(self, program: Program) -> None:
        etag = program.done("GET", "")["ETag"]
        assert program.refused("", {"name": "X"}, "PATCH") == (428, "precondition-required")
        changed = program.done("PATCH", "", {"visibility": "unlisted"}, If_Match=etag)
        stale = program.send("PATCH", "", {"name": "X"}, If_Match=etag)
        assert (stale.status_code, stale.json()["present"], stale.json()["etag"]) == (
            412,
            changed.json(),
            changed["ETag"],
        )
        assert stale["ETag"] == changed["ETag"]

    def test_keys_need_a_reason_which_the_journal_keeps(self, program: Program) -> None:
        EntryFactory(championship=Championship.objects.get())
        said = {"keys": {"primary": "mean_points", "minimum": 2}}
        assert program.refused("", said, "PATCH", If_Match="*") == (422, "reason-required")
        changed = program.done("PATCH", "", said | {"reason": "Agreed"}, If_Match="*").json()
        assert (changed["keys"]["primary"], changed["keys"]["minimum"]) == ("mean_points", 2)
        assert ResultEvent.objects.get(what="keys-changed").reason == "Agreed"

    def test_all_or_nothing(self, program: Program) -> None:
        said = {"name": "Autre", "club_name": "Le Relais", "max_entries": 8, "keys": {"primary": "total_points"}}
        assert program.refused("", said | {"reason": "x"}, "PATCH", If_Match="*") == (422, "key-not-offered")
        assert program.get("")["name"] != "Autre"
        assert program.get("")["max_entries"] is None
        assert not Club.objects.exists()
        assert not AuditEntry.objects.filter(action="change_championship").exists()

    def test_how_it_is_played_and_the_keys_at_once(self, program: Program) -> None:
        said = {"partie_end": "manches", "partie_end_value": 3, "reason": "x"}
        said["keys"] = {"primary": "total_points", "tie_breaks": ["manches_won"]}
        changed = program.done("PATCH", "", said, If_Match="*").json()
        assert (changed["partie_end"], changed["keys"]["primary"]) == ("manches", "total_points")

    def test_what_stands_is_said(self, program: Program) -> None:
        PartieFactory(championship=Championship.objects.get())
        refused = program.send("PATCH", "", {"table_entries": 3}, If_Match="*")
        assert (refused.status_code, refused.json()["code"]) == (409, "parties-in")

    def test_who_waits_moves_up_when_there_are_more_places(self) -> None:
        championship = opened(max_entries=1)
        for name in ("Ana", "Bo"):
            registered(championship, name)
        assert Registration.objects.filter(state="waiting").count() == 1
        Program(championship).done("PATCH", "", {"max_entries": 2}, If_Match="*")
        assert not Registration.objects.filter(state="waiting").exists()

    def test_a_draft_is_opened_and_finished_and_goes_on(self) -> None:
        program = Program(ChampionshipFactory(visibility="draft"))
        assert program.client.get(f"{ALL}/{program.slug}").status_code == 404
        program.done("PATCH", "", {"visibility": "public"}, If_Match="*")
        assert program.client.get(f"{ALL}/{program.slug}").json()["secret"] is None
        over = program.done("POST", "/finish")
        assert (over.json()["status"], len(over.json()["secret"])) == ("finished", 64)
        assert program.done("POST", "/finish").json() == over.json()
        assert program.refused("/entries", {"players": [{"name": "Ana"}]}) == (409, "finished")
        assert program.refused("/resume", {"reason": ""}) == (422, "reason-required")
        stale = program.send("POST", "/resume", {"reason": "A fault"}, If_Match='"x"')
        assert (stale.status_code, stale.json()["present"]) == (412, over.json())
        goes_on = program.post("/resume", {"reason": "A fault"}, If_Match=over["ETag"])
        assert (goes_on["status"], goes_on["secret"]) == ("running", None)
        assert AuditEntry.objects.get(action="resume_championship").reason == "A fault"

    def test_not_finished_while_somebody_plays(self, program: Program) -> None:
        PartieFactory(championship=Championship.objects.get())
        answer = program.send("POST", "/finish", {})
        assert (answer.status_code, answer.json()["code"], answer.json()["parties"]) == (409, "parties-open", [1])
