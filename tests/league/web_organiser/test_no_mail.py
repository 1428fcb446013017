"""Where mail goes to the console, no page promises any, and links stand on the screen; an invitation names its role."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from league.models import Player
from tests.league.registering import opened, sent
from tests.league.web.saying import text_of
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said

CONSOLE = "django.core.mail.backends.console.EmailBackend"
NO_MAIL = "This site sends no mail"


@pytest.fixture
def console(settings: Any) -> None:
    settings.EMAIL_BACKEND = CONSOLE


def invite(owner: Client, **fields: str) -> str:
    answer = owner.post(
        HOME + "settings/organisers/", {"do": "invite", "key": "k1", "email": "bo@example.org", **fields}
    )
    return said(answer)


def test_an_invitation_shows_its_link_and_says_that_no_mail_comes(console: None, hall: Hall, owner: Client) -> None:
    text = invite(owner, role="scorer", tables="1-2")
    assert NO_MAIL in text
    assert "is on its way" not in text
    assert "/invitation/" in text
    assert "from then on: table scorer. Tables: 1, 2." in text


def test_with_mail_the_mail_and_its_page_name_the_role(
    hall: Hall, owner: Client, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        text = invite(owner, role="scorer", tables="1-2")
    assert NO_MAIL not in text
    assert "is on its way" in text
    body = str(mail.outbox[-1].body)
    assert "as: table scorer (tables 1, 2)." in body
    link = next(word for word in body.split() if "/invitation/" in word)
    assert "As: table scorer (tables 1, 2)" in text_of(Client(), link.partition("testserver")[2])


@pytest.mark.django_db
@pytest.mark.parametrize("is_console", [True, False])
def test_a_registration_promises_a_mail_where_there_is_one_alone(settings: Any, is_console: bool) -> None:
    if is_console:
        settings.EMAIL_BACKEND = CONSOLE
    championship = opened()
    _row, token = sent(championship, "Zoé Roy", email="zoe@example.org")
    text = text_of(Client(), f"/en/championships/{championship.slug}/register/{token}/")
    assert (NO_MAIL in text) is is_console
    assert ("on its way" in text) is not is_console


def test_a_forgotten_password_says_where_the_link_stands(console: None, hall: Hall) -> None:
    for address in ("/en/account/forgotten/", "/en/account/forgotten/sent/"):
        assert NO_MAIL in text_of(Client(), address)


def test_no_link_is_promised_to_a_player(console: None, hall: Hall, client: Client) -> None:
    player = Player.objects.filter(memberships__team__championship=hall.championship).earliest("pk")
    answer = client.post(f"/en/players/{player.pk}/claim/", follow=True)
    assert f"{NO_MAIL}: ask an organiser for a code." in said(answer)
