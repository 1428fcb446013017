"""Parties through the API: opened under an own id, ruled, tried first; who plays there, and the link of the table."""

from typing import Any

import pytest

from league.api.writing import etag_of
from league.models import AuditEntry, Championship, ExternalId, Partie, PartieStatus, StandIn, TableLink
from league.services.people import add_player
from league.services.substitutes import name_substitute
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet
from tests.league.api.program import Program

pytestmark = pytest.mark.django_db


@pytest.fixture
def championship() -> Championship:
    made: Championship = ChampionshipFactory(partie_end="manches", partie_end_value=3)
    EntryFactory.create_batch(4, championship=made)
    return made


@pytest.fixture
def program(championship: Championship) -> Program:
    return Program(championship)


class TestOpening:
    def test_entries_sit_in_the_order_in_which_they_are_named(self, program: Program) -> None:
        made = program.done("POST", "/parties", {"round": 1, "entries": [3, 1], "table_number": 7})
        assert (made.status_code, made["Location"]) == (201, f"/api/v1/championships/{program.slug}/parties/1")
        assert [(seat["label"], seat["entry"]) for seat in made.json()["seats"]] == [("A", 3), ("B", 1)]
        assert (made.json()["table_number"], made.json()["awaited"]) == (7, 1)

    def test_what_it_answers_with_is_what_is_read_then(self, program: Program) -> None:
        made = program.done("POST", "/parties", {"round": 1, "entries": [1, 2], "external_id": "t-1"})
        read = program.done("GET", "/parties/~t-1")
        assert (made.json(), made["ETag"]) == (read.json(), read["ETag"])
        assert etag_of(made.json()) == made["ETag"]
        assert program.get("/parties")["items"] == [read.json()]

    def test_an_own_id_is_for_who_looks_inside(self, program: Program) -> None:
        program.post("/parties", {"round": 1, "entries": [1, 2], "external_id": "t-1"})
        assert program.get("/parties/1")["external_id"] == "t-1"
        anybody = program.client.get(f"/api/v1/championships/{program.slug}/parties/1").json()
        assert anybody["external_id"] is None

    def test_sent_again_after_an_answer_that_got_lost_it_is_one_partie(self, program: Program) -> None:
        body = {"round": 1, "entries": [1, 2], "external_id": "t-1"}
        first, again = program.done("POST", "/parties", body), program.done("POST", "/parties", body)
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json() == again.json()
        assert program.refused("/parties", {**body, "entries": [3, 4]}) == (409, "external-id-taken")
        assert (Partie.objects.count(), ExternalId.objects.count()) == (1, 1)

    def test_with_a_key_the_first_answer_stays(self, program: Program) -> None:
        body = {"round": 1, "entries": [1, 2]}
        first = program.done("POST", "/parties", body, Idempotency_Key="k")
        program.post("/parties/1/void", {"reason": "Nobody came"})
        again = program.done("POST", "/parties", body, Idempotency_Key="k")
        assert (again.content, again["Idempotency-Replayed"]) == (first.content, "true")
        assert Partie.objects.count() == 1

    @pytest.mark.parametrize(
        ("body", "status", "code"),
        [
            ({"round": 1, "entries": [1, 9]}, 422, "unknown-entry"),
            ({"round": 1, "entries": [1, "~e-1"]}, 422, "unknown-reference"),
            ({"round": 1, "entries": [1, 1]}, 422, "entry-twice"),
            ({"round": 1, "entries": [1]}, 422, "bad-table"),
            ({"round": 1000, "entries": [1, 2]}, 422, "bad-round"),
            ({"round": "~r-1", "entries": [1, 2]}, 422, "unknown-reference"),
            ({"round": 1, "entries": [1, 2], "table_number": 0}, 422, "bad-field"),
            ({"round": 1, "entries": [1, 2], "table": 3}, 422, "bad-field"),
            ({"entries": [1, 2]}, 422, "bad-field"),
        ],
    )
    def test_what_cannot_be_seated_is_refused_and_nothing_is_written(
        self, program: Program, body: Any, status: int, code: str
    ) -> None:
        assert program.refused("/parties", body | {"external_id": "t-1"}) == (status, code)
        assert not Partie.objects.exists()
        assert not ExternalId.objects.exists()

    def test_a_table_that_is_taken_is_a_conflict(self, program: Program) -> None:
        program.post("/parties", {"round": 1, "entries": [1, 2], "table_number": 1})
        body = {"round": 1, "entries": [3, 4], "table_number": 1}
        assert program.refused("/parties", body) == (409, "table-taken")


class TestRulings:
    @pytest.fixture
    def partie(self, championship: Championship) -> Partie:
        made: Partie = PartieFactory(championship=championship, entries=list(championship.entries.all()[:2]))
        play(made, 1, sheet())
        return made

    def test_closed_then_opened_again(self, program: Program, partie: Partie) -> None:
        closed = program.post(f"/parties/{partie.number}/close", {"reason": "Late"})
        assert (closed["status"], closed["closed_how"], closed["reason"]) == ("closed", "referee", "Late")
        opened = program.post(f"/parties/{partie.number}/reopen", {"reason": "There is time"})
        assert (opened["status"], opened["version"]) == ("open", partie.version + 2)

    def test_annulled(self, program: Program, partie: Partie) -> None:
        assert program.post(f"/parties/{partie.number}/void", {"reason": "Wrong draw"})["status"] == "void"

    def test_a_forfeit_by_number(self, program: Program, partie: Partie) -> None:
        ruled = program.post(f"/parties/{partie.number}/forfeit", {"entry": 2, "reason": "Left"})
        assert [(seat["entry"], seat["forfeited"]) for seat in ruled["seats"]] == [(1, False), (2, True)]
        assert ruled["closed_how"] == "forfeit"

    def test_a_forfeit_of_who_does_not_sit_there_is_none(self, program: Program, partie: Partie) -> None:
        assert program.refused(f"/parties/{partie.number}/forfeit", {"entry": 3, "reason": "Left"}) == (
            404,
            "not-found",
        )

    def test_a_ruling_on_another_state_is_refused(self, program: Program, partie: Partie) -> None:
        path = f"/parties/{partie.number}"
        etag = program.done("GET", path)["ETag"]
        play(partie, 2, sheet({"A": 1000, "B": 25}))
        stale = program.send("POST", f"{path}/close", {"reason": "Late"}, If_Match=etag)
        assert (stale.status_code, stale.json()["code"]) == (412, "stale")
        assert stale.json()["present"] == program.get(path)
        program.post(f"{path}/close", {"reason": "Late"}, If_Match=stale["ETag"])

    def test_what_is_tried_is_foreseen_and_nothing_is_kept(self, program: Program, partie: Partie) -> None:
        before = AuditEntry.objects.count()
        seen = program.post(f"/parties/{partie.number}/close?dry_run=true", {"reason": "Late"})
        assert [(one["before"]["status"], one["after"]["status"]) for one in seen["parties"]] == [("open", "closed")]
        assert seen["changes_nothing"] is False
        partie.refresh_from_db()
        assert (partie.status, AuditEntry.objects.count()) == (PartieStatus.OPEN, before)

    def test_what_is_tried_is_refused_as_when_it_is_meant(self, program: Program, partie: Partie) -> None:
        assert program.refused(f"/parties/{partie.number}/close?dry_run=true", {"reason": ""})[0] == 422
        assert program.refused(f"/parties/{partie.number}/close?dry_run=yes", {"reason": "x"}) == (400, "bad-parameter")


class TestWhoPlays:
    @pytest.fixture
    def partie(self) -> Partie:
        championship = ChampionshipFactory(substitution="named", players_per_team=2)
        made: Partie = PartieFactory(championship=championship)
        return made

    @pytest.fixture
    def sub(self, partie: Partie) -> int:
        actor = owner_of(partie.championship)
        player = add_player(actor=actor, name="Zoé Remplace")
        team = partie.seats.get(label="A").entry.team_id
        name_substitute(actor=actor, team_id=team, player_id=player.pk)
        return player.pk

    def test_somebody_sits_in_and_goes_again(self, partie: Partie, sub: int) -> None:
        program = Program(partie.championship)
        path = f"/parties/{partie.number}/who-plays"
        etag = program.done("GET", path)["ETag"]
        noted = program.done("POST", path, {"place": "a2", "player": sub}, If_Match=etag)
        assert noted["ETag"] == program.done("GET", path)["ETag"]
        a2 = next(place for place in noted.json()["places"] if place["place"] == "a2")
        assert (a2["stand_in"], a2["stand_in_name"]) == (sub, "Zoé Remplace")
        assert program.refused(path, {"place": "a2", "player": None}, If_Match=etag) == (412, "stale")
        gone = program.post(path, {"place": "a2", "player": None})
        assert [place["stand_in"] for place in gone["places"]] == [None] * 4
        assert not StandIn.objects.exists()

    def test_who_was_not_named_may_not(self, partie: Partie) -> None:
        other = add_player(actor=owner_of(partie.championship), name="Personne")
        program = Program(partie.championship)
        body = {"place": "a1", "player": other.pk}
        assert program.refused(f"/parties/{partie.number}/who-plays", body) == (409, "not-a-substitute")
        missing = {"place": "c1", "player": other.pk}
        assert program.refused(f"/parties/{partie.number}/who-plays", missing)[0] == 404


class TestTheLink:
    def test_renewed_once_however_often_it_is_asked(self, program: Program, championship: Championship) -> None:
        partie = PartieFactory(championship=championship, entries=list(championship.entries.all()[:2]))
        path = f"/parties/{partie.number}/link"
        first = program.done("GET", path)
        assert (first.json()["version"], first.json()["url"][:7]) == (0, "http://")
        assert program.refused(f"{path}/renew") == (428, "precondition-required")
        renewed = program.post(f"{path}/renew", {"version": 0})
        assert renewed["version"] == 1
        assert renewed["url"] != first.json()["url"]
        assert program.post(f"{path}/renew", {"version": 0}) == renewed
        assert program.refused(f"{path}/renew", If_Match=first["ETag"]) == (412, "stale")
        statuses = [program.client.get(link["url"], follow=True).status_code for link in (first.json(), renewed)]
        assert statuses == [404, 200]
        assert TableLink.objects.count() == 1
