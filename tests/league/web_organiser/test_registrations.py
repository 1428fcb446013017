"""The organisers' page of registrations."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Entry, Registration
from tests.factories import PlayerFactory
from tests.league.registering import registered
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said

Send = Callable[..., Any]
PAGE = "registrations/"


def open_it(hall: Hall, send: Send, **fields: Any) -> Championship:
    """Open registration by the form of the page."""
    hall.championship.refresh_from_db()
    stands = {"registration_opens_at": "2026-01-01T10:00", "registration_closes_at": "", "max_entries": ""}
    answer = send(PAGE, "settings", version=hall.championship.version, **{**stands, "waiting_list": "on", **fields})
    assert answer.status_code == 302, said(answer)
    hall.championship.refresh_from_db()
    return hall.championship


def test_the_owner_says_when_and_how_many_in_the_championships_time(hall: Hall, owner: Client, send: Send) -> None:
    championship = open_it(hall, send, registration_closes_at="2030-07-01T20:00", max_entries="40")
    assert championship.registration_opens_at is not None
    assert championship.registration_closes_at is not None
    assert championship.registration_opens_at.isoformat() == "2026-01-01T09:00:00+00:00"
    assert championship.registration_closes_at.isoformat() == "2030-07-01T18:00:00+00:00"
    page = owner.get(HOME + PAGE).content.decode()
    assert 'value="2030-07-01T20:00"' in page, "as it was typed"
    assert "36 places of 40 are free." in said(owner.get(HOME + PAGE))
    answer = send(PAGE, "settings", version=championship.version, registration_opens_at="x", max_entries="0")
    assert set(answer.context["form"].errors) == {"registration_opens_at", "max_entries"}


def test_one_is_accepted_with_one_tap(hall: Hall, owner: Client, send: Send) -> None:
    row = registered(open_it(hall, send), "Zoé Roy", email="zoe@example.org", note="Late train")
    text = said(owner.get(HOME + PAGE))
    for words in ("Zoé Roy", "zoe@example.org", "Late train", "new player", "Accept the 1 that is clear"):
        assert words in text, words
    assert send(PAGE, "accept", registration=row.pk, version=row.version).status_code == 302
    assert Entry.objects.get(championship=hall.championship, number=5).team.name == "Zoé Roy"
    assert "Nobody waits for a decision." in said(owner.get(HOME + PAGE))
    assert "No. 5" in said(owner.get(HOME + PAGE + "?show=decided"))


def test_who_is_who_is_asked_and_answered(hall: Hall, owner: Client, send: Send) -> None:
    known = PlayerFactory(name="Zoé Roy")
    row = registered(open_it(hall, send), "Roy Zoe")
    assert "This is Zoé Roy" in said(owner.get(HOME + PAGE))
    answer = send(PAGE, "accept", registration=row.pk, version=row.version)
    assert answer.status_code == 409
    assert "Say first who is who" in said(answer)
    sent = {f"who-{row.position}.1": str(known.pk)}
    assert send(PAGE, "accept", registration=row.pk, version=row.version, **sent).status_code == 302
    assert Entry.objects.get(championship=hall.championship, number=5).team.players.get() == known


def test_who_is_entered_already_is_said_and_can_be_somebody_else(hall: Hall, owner: Client, send: Send) -> None:
    name = hall.entries[0].team.name
    row = registered(open_it(hall, send), name)
    assert "They are entered already, under number 1." in said(owner.get(HOME + PAGE))
    assert send(PAGE, "accept", registration=row.pk, version=row.version).status_code == 409
    sent = {f"who-{row.position}.1": "new"}
    assert send(PAGE, "accept", registration=row.pk, version=row.version, **sent).status_code == 302
    assert Entry.objects.filter(championship=hall.championship).count() == 5


def test_near_registrations_are_pointed_out(hall: Hall, owner: Client, send: Send) -> None:
    championship = open_it(hall, send)
    registered(championship, "Zoé Roy", email="a@example.org")
    registered(championship, "Zoe Roi", email="b@example.org")
    assert "Registration 1 has nearly this name" in said(owner.get(HOME + PAGE))


def test_a_decline_needs_a_reason(hall: Hall, owner: Client, send: Send) -> None:
    row = registered(open_it(hall, send), "Zoé Roy")
    answer = send(PAGE, "decline", registration=row.pk, version=row.version, reason="")
    assert answer.status_code == 422
    assert send(PAGE, "decline", registration=row.pk, version=row.version, reason="Full of Roys").status_code == 302
    assert "Full of Roys" in said(owner.get(HOME + PAGE + "?show=decided"))


def test_all_that_are_clear_go_at_once(hall: Hall, owner: Client, send: Send) -> None:
    championship = open_it(hall, send)
    for name in ("Ana Bois", "Bo Rouvre", "Joueuse Numéro"):
        registered(championship, name)
    assert "Accept all" in said(owner.get(HOME + PAGE))
    answer = send(PAGE, "accept_clear")
    assert answer.status_code == 302
    assert Registration.objects.filter(state="accepted").count() >= 2


def test_queries_do_not_grow_with_registrations(hall: Hall, owner: Client, send: Send) -> None:
    championship = open_it(hall, send)

    def cost() -> int:
        owner.get(HOME + PAGE)
        with CaptureQueriesContext(connection) as queries:
            owner.get(HOME + PAGE)
        return len(queries)

    registered(championship, "First One")
    few = cost()
    for n in range(8):
        registered(championship, f"Somebody {n}")
    assert cost() == few


def test_whoever_decides_is_told_on_the_dashboard_the_overview_and_the_tab(
    hall: Hall, owner: Client, send: Send
) -> None:
    championship = open_it(hall, send)
    assert "to decide" not in said(owner.get(HOME))
    registered(championship, "Zoé Roy")
    counted = []
    for names in ([], ["Ana Bo", "Ben Ci"]):
        for name in names:
            registered(championship, name)
        for address in ("/en/organise/", HOME):
            with CaptureQueriesContext(connection) as queries:
                text = said(owner.get(address))
            counted.append(len(queries))
            assert f"{1 + len(names)} registration{'s' if names else ''} to decide" in text
        assert f"Entries {1 + len(names)} to decide" in said(owner.get(HOME + "journal/"))
    assert counted[:2] == counted[2:]
    Championship.objects.update(status="finished")
    assert "to decide" not in said(owner.get("/en/organise/"))
