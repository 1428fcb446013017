"""What a newcomer to the organisers' pages misread: said plainly now."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import AuditEntry, Championship, Entry, Partie
from league.services.entries import withdraw
from league.web.organiser.championship_forms import USUAL_TARGET
from tests.factories import EntryFactory, owner_of
from tests.league.registering import registered
from tests.league.web.saying import text_of
from tests.league.web_organiser.conftest import HOME, Hall
from tests.staging import stage_of

Send = Callable[..., Any]


def test_a_late_entry_is_named_with_its_number(hall: Hall, owner: Client, send: Send) -> None:
    assert send("check-in/", "late", lines="Zoé Roy").status_code == 302
    assert "Entered, and there: No. 5 Zoé Roy." in text_of(owner, HOME + "check-in/")


def test_all_are_there_with_one_button_but_who_withdrew(hall: Hall, owner: Client, send: Send) -> None:
    fifth = EntryFactory(championship=hall.championship)
    withdraw(actor=owner_of(hall.championship), entry_id=fifth.pk, reason="Ill")
    send("check-in/", "check_in", number=1)
    since = Entry.objects.get(pk=hall.entries[0].pk).checked_in_at
    assert "All are there" in text_of(owner, HOME + "check-in/")
    assert send("check-in/", "check_in_all").status_code == 302
    there = Entry.objects.filter(championship=hall.championship, checked_in_at__isnull=False)
    assert sorted(there.values_list("number", flat=True)) == [1, 2, 3, 4]
    assert there.get(number=1).checked_in_at == since
    assert AuditEntry.objects.filter(action="check_in").count() == 4
    assert "Yes, all are there" not in text_of(owner, HOME + "check-in/")
    assert send("check-in/", "check_in_all", client=hall.client(hall.stranger)).status_code in (403, 404)


def test_registration_opens_and_closes_with_a_button(hall: Hall, owner: Client, send: Send) -> None:
    assert "Open registration now" in text_of(owner, HOME + "registrations/")
    Championship.objects.update(registration_closes_at=None)
    assert send("registrations/", "open_now").status_code == 302
    hall.championship.refresh_from_db()
    assert hall.championship.registration_is_open
    assert "Close registration now" in text_of(owner, HOME + "registrations/")
    registered(hall.championship, "Zoé Roy")
    text = text_of(owner, HOME + "registrations/")
    assert "To decide (1) Decided" in text
    Championship.objects.update(registration_opens_at=timezone.now() - timedelta(hours=1))
    assert send("registrations/", "close_now").status_code == 302
    hall.championship.refresh_from_db()
    assert not hall.championship.registration_is_open
    assert hall.championship.registration_opens_at is not None


@pytest.mark.parametrize(
    ("end", "typed", "value"),
    [
        ("manches", USUAL_TARGET, 3),
        ("wins", USUAL_TARGET, 2),
        ("wins", "", 2),
        ("manches", 7, 7),
        ("points", 4000, 4000),
    ],
)
def test_a_number_left_as_it_stood_for_points_fits_what_was_chosen(
    owner: Client, end: str, typed: object, value: int
) -> None:
    page = owner.get("/en/organise/new/?rulebook=classique")
    form = page.context["form"]
    stands = {name: form[name].value() for name in form.fields}
    sent = {name: one for name, one in stands.items() if one not in (None, False)}
    sent |= {"do": "create", "name": "Neuve", "slug": "neuve", "partie_end": end, "partie_end_value": typed}
    answer = owner.post("/en/organise/new/?rulebook=classique", sent)
    assert answer.status_code == 302, answer.context["form"].errors
    assert Championship.objects.get(slug="neuve").partie_end_value == value


def test_what_waits_says_the_table_and_the_journal_the_team(hall: Hall, owner: Client) -> None:
    Partie.objects.filter(pk=hall.first.pk).update(table_number=8)
    assert "Table 8, manche 2 partie 1" in text_of(owner, "/en/organise/")
    fifth = EntryFactory(championship=hall.championship)
    withdraw(actor=owner_of(hall.championship), entry_id=fifth.pk, reason="Ill")
    name = fifth.team.name
    assert f"entry 5 · {name}" in text_of(owner, HOME + "journal/")
    assert f"entry 5 · {name}" in text_of(owner, "/en/championships/coupe/journal/")


@pytest.mark.parametrize(("name", "text"), [("Swiss", "Swiss: by standing"), ("Poules", "Poules · Swiss: by standing")])
def test_a_stage_says_its_format_once(hall: Hall, owner: Client, name: str, text: str) -> None:
    stage_of(hall.championship, 1, hall.entries, name=name)
    for address in ("/en/championships/coupe/terms/", HOME + "settings/format/"):
        page = text_of(owner, address)
        assert text in page
        assert "Swiss: Swiss" not in page
