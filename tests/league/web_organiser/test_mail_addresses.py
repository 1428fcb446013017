"""The page of addresses for results by mail: shown once, one's own only, revoked."""

import re
from typing import Any

import pytest

from league.models import MailAddress, Membership
from league.services.mail_addresses import known_addresses
from league.web.organiser.deeds import new_key
from tests.factories import ChampionshipFactory, UserFactory
from tests.league.web_organiser.conftest import HOME, Hall

AT = f"{HOME}mail/"


@pytest.fixture(autouse=True)
def _takes_mail(settings: Any) -> None:
    settings.MAIL_TO = "results@club.example"


def make(hall: Hall, **said: str) -> Any:
    return hall.client(hall.owner).post(AT, {"do": "make", "key": new_key(), "name": "Laptop"} | said)


def address_in(answer: Any) -> str:
    """The address that a page shows."""
    (found,) = re.findall(r"results\+[a-z2-7]{32}@club\.example", answer.content.decode())
    return str(found)


def test_an_address_is_shown_once_and_kept_nowhere(hall: Hall) -> None:
    answer = make(hall)
    (row,) = known_addresses([address_in(answer)])
    assert (row.user, row.championship, row.name) == (hall.owner, hall.championship, "Laptop")
    assert "no-store" in answer.headers["Cache-Control"]
    page = hall.client(hall.owner).get(AT).content.decode()
    assert "Laptop" in page
    assert "results+" not in page


def test_sent_twice_one_is_made(hall: Hall) -> None:
    key = new_key()
    make(hall, key=key)
    make(hall, key=key)
    assert MailAddress.objects.count() == 1


def test_a_revoked_one_is_good_for_nothing(hall: Hall) -> None:
    address = address_in(make(hall))
    said = {"do": "revoke", "key": new_key(), "address": str(MailAddress.objects.get().pk)}
    answer = hall.client(hall.owner).post(AT, said, follow=True)
    assert "revoked" in answer.content.decode()
    assert known_addresses([address]) == []


def test_others_are_neither_shown_nor_revoked(hall: Hall) -> None:
    make(hall)
    referee = UserFactory()
    Membership.objects.create(user=referee, championship=hall.championship, role="referee")
    client = hall.client(referee)
    assert "Laptop" not in client.get(AT).content.decode()
    said = {"do": "revoke", "key": new_key(), "address": str(MailAddress.objects.get().pk)}
    assert client.post(AT, said).status_code in (404, 422)
    assert MailAddress.objects.get().revoked_at is None


@pytest.mark.parametrize(
    ("role", "tab"), [("owner", "Settings"), ("organiser", "Parties"), ("referee", "Parties"), ("scorer", "My tables")]
)
def test_one_tab_is_marked_as_the_present_one(hall: Hall, role: str, tab: str) -> None:
    user = UserFactory()
    Membership.objects.create(user=user, championship=hall.championship, role=role)
    page = hall.client(user).get(AT).content.decode()
    tabs = re.search(r'<ul class="tabs">(.*?)</ul>', page, re.DOTALL)
    assert tabs is not None
    assert re.findall(r'aria-current="page">([^<]+)', tabs[1]) == [tab]


def test_one_needs_a_name(hall: Hall) -> None:
    assert make(hall, name=" ").status_code == 422
    assert not MailAddress.objects.exists()


def test_where_the_site_takes_no_mail_it_says_so(hall: Hall, settings: Any) -> None:
    settings.MAIL_TO = ""
    page = hall.client(hall.owner).get(AT).content.decode()
    assert "takes no results by mail" in page
    assert "Make the address" not in page
    assert make(hall).status_code == 422
    assert not MailAddress.objects.exists()


def test_the_page_of_tokens_tells_championships_of_one_name_apart(hall: Hall) -> None:
    for slug in ("try-1", "try-2"):
        ChampionshipFactory(slug=slug, name="To try", owner=hall.owner)
    page = hall.client(hall.owner).get("/en/account/tokens/").content.decode()
    for slug in ("try-1", "try-2"):
        assert f'<a href="/en/organise/{slug}/mail/">To try ({slug})</a>' in page
        assert re.search(rf'<option value="{slug}"[^>]*>To try \({slug}\)</option>', page)
    assert f">{hall.championship.name}</a>" in page
