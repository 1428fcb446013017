"""Registrations through the API: who they may be, accepted, declined."""

import pytest

from league.models import AuditEntry, Entry, Player, Registration
from tests.factories import PlayerFactory
from tests.league.api.program import Program
from tests.league.registering import opened, registered

pytestmark = pytest.mark.django_db


@pytest.fixture
def program() -> Program:
    return Program(opened())


def register(program: Program, *names: str, **fields: object) -> Registration:
    from league.models import Championship

    return registered(Championship.objects.get(slug=program.slug), *names, **fields)


def test_they_are_listed_with_who_they_may_be(program: Program) -> None:
    known = PlayerFactory(name="Bo Zubiri", name_folded="bo zubiri", email="")
    near = PlayerFactory(name="Cy Larralde", name_folded="cy larralde")
    register(program, "Ana Etxeberria", email="ana@example.org", licence="7")
    register(program, "Bo Zubiri")
    register(program, "Cy Laralde")
    ana, bo, cy = program.get("/registrations")["items"]
    assert (ana["number"], ana["state"], ana["settled"]) == (1, "received", True)
    assert ana["people"][0] | {"known": []} == {
        "name": "Ana Etxeberria",
        "club": "",
        "licence": "7",
        "email": "ana@example.org",
        "is_minor": False,
        "known": [],
        "likely": None,
        "player": None,
        "is_new": True,
    }
    assert (bo["people"][0]["player"], bo["settled"]) == (known.pk, True)
    assert (cy["people"][0]["known"], cy["people"][0]["player"], cy["settled"]) == ([near.pk], None, False)
    assert program.get("/registrations?limit=1")["next"]
    assert program.get("/registrations?state=declined")["items"] == []
    assert program.done("GET", "/registrations/3").json() == cy


def test_one_is_accepted_once_it_is_said_who_they_are(program: Program) -> None:
    near = PlayerFactory(name="Cy Larralde", name_folded="cy larralde")
    register(program, "Cy Laralde")
    read = program.done("GET", "/registrations/1")
    unsettled = program.refused("/registrations/1/accept", {})
    assert unsettled == (409, "registration-unsettled")
    done = program.done("POST", "/registrations/1/accept", {"people": [near.pk]}, If_Match=read["ETag"])
    assert (done.json()["state"], done.json()["entry"], done.json()["settled"]) == ("accepted", 1, None)
    assert program.done("GET", "/registrations/1")["ETag"] == done["ETag"]
    assert Entry.objects.get().team.players.get() == near
    assert program.refused("/registrations/1/accept", {}) == (409, "registration-decided")
    assert AuditEntry.objects.get(action="accept_registration").token is not None


def test_somebody_new_is_made(program: Program) -> None:
    PlayerFactory(name="Cy Larralde", name_folded="cy larralde")
    register(program, "Cy Laralde", licence="L 9")
    program.post("/registrations/1/accept", {"people": ["new"]})
    assert Player.objects.get(name="Cy Laralde").licence == "L9"


@pytest.mark.parametrize(
    ("people", "code"), [(["~p"], "unknown-reference"), (["old"], "bad-field"), ([1, 2, 3], "bad-field")]
)
def test_nobody_can_be_said(program: Program, people: list[object], code: str) -> None:
    register(program, "Ana")
    assert program.refused("/registrations/1/accept", {"people": people}) == (422, code)
    assert not Entry.objects.exists()


def test_one_is_declined_with_a_reason(program: Program) -> None:
    register(program, "Ana")
    assert program.refused("/registrations/1/decline", {"reason": ""}) == (422, "reason-required")
    said = program.post("/registrations/1/decline", {"reason": "Too late"})
    assert (said["state"], said["reason"], said["entry"]) == ("declined", "Too late", None)
    assert program.refused("/registrations/1/decline", {"reason": "x"}) == (409, "registration-decided")


def test_all_that_are_clear_are_accepted_at_once(program: Program) -> None:
    PlayerFactory(name="Cy Larralde", name_folded="cy larralde")
    for name in ("Ana Etxeberria", "Cy Laralde", "Bo Zubiri"):
        register(program, name)
    assert program.post("/registrations/accept") == {"accepted": [1, 3]}
    assert [one["state"] for one in program.get("/registrations")["items"]] == ["accepted", "received", "accepted"]
    assert program.post("/registrations/accept") == {"accepted": []}


def test_one_that_is_not_there_is_not_found(program: Program) -> None:
    for path in ("accept", "decline"):
        assert program.refused(f"/registrations/9/{path}", {"reason": "x"} if path == "decline" else {}) == (
            404,
            "not-found",
        )
    assert program.send("GET", f"/registrations/{2**31}").status_code == 404
    assert program.send("GET", f"/registrations/{10**30}").status_code == 404
