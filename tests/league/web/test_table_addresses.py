"""The secret address of a table: who has it comes in, and nobody else; it can be made anew."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Partie
from league.services.table_links import renew_link, table_address, table_code
from tests.factories import owner_of
from tests.league.table_cases import table
from tests.league.web.phones import Phone, address

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_counts() -> None:
    cache.clear()


# ---- the address ----------------------------------------------------------------------------------------------------


def test_the_address_on_the_slip_leads_to_the_page_in_the_readers_language() -> None:
    partie = table()
    answer = Client().get(table_address(partie), headers={"Accept-Language": "en"})
    assert answer["Location"] == address(partie)
    assert Client().get(table_address(partie), headers={"Accept-Language": "fr"})["Location"].startswith("/fr/t/")


def test_the_page_is_neither_cached_nor_indexed_nor_told_to_others() -> None:
    answer = Phone(table()).get()
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"].startswith("noindex")
    assert answer["Referrer-Policy"] == "same-origin"
    assert '<meta name="robots" content="noindex' in answer.content.decode()


@pytest.mark.parametrize("wrong", ["{code}x", "{id}-", "{id}", "x", "999999-{mac}", "-{mac}", "٣-{mac}", "0{code}"])
def test_what_is_not_quite_the_address_is_nothing(wrong: str) -> None:
    partie = table()
    code = table_code(partie)
    asked = wrong.format(code=code, id=partie.pk, mac=code.partition("-")[2])
    assert Client().get(f"/en/t/{asked}/").status_code == 404


def test_the_code_of_one_table_is_not_that_of_another() -> None:
    first = table()
    second = table()
    mac = table_code(first).partition("-")[2]
    assert Client().get(f"/en/t/{second.pk}-{mac}/").status_code == 404


def test_guessing_is_held_back_and_the_real_page_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.web.tables.visit.GUESSES_IN", 3600)
    partie = table()
    phone = Client()
    answers = [phone.get(f"/en/t/{n}-abcdefghijklmnopqrst/").status_code for n in range(1, 32)]
    assert answers[0] == 404
    assert answers[-1] == 429
    assert phone.get(address(partie)).status_code == 200


def test_a_renewed_link_voids_old_slips_and_forgets_who_was_who() -> None:
    partie = table()
    phone = Phone(partie, "A")
    old = address(partie)
    renew_link(actor=owner_of(partie.championship), partie_id=partie.pk, version=0)
    renew_link(actor=owner_of(partie.championship), partie_id=partie.pk, version=0)  # a double click
    partie = Partie.objects.get(pk=partie.pk)
    assert partie.link.version == 1
    assert phone.client.get(old).status_code == 404
    assert "Who are you?" in phone.client.get(address(partie)).content.decode()


def test_slips_can_be_printed_again() -> None:
    partie = table()
    assert table_address(partie) == table_address(Partie.objects.get(pk=partie.pk))


def test_addresses_of_many_tables_need_no_query_each() -> None:
    table()
    parties = list(Partie.objects.select_related("link"))
    with CaptureQueriesContext(connection) as queries:
        [table_address(partie) for partie in parties]
    assert len(queries) == 0
