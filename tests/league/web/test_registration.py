"""The public pages of registration."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Championship, Registration, Visibility
from league.services.registrations import accept_registration, decline_registration
from league.web.registration.pages import MOST
from tests.factories import PartieFactory, owner_of
from tests.league.registering import opened, registered, sent

pytestmark = pytest.mark.django_db


def home(championship: Championship) -> str:
    """The address of the form."""
    return f"/en/championships/{championship.slug}/register/"


def fill(client: Client, championship: Championship, key: str = "k" * 20, **fields: Any) -> Any:
    """Send the form."""
    said = {"key": key, "name_1": "Zoé Roy", **fields}
    return client.post(home(championship), said)


def text(answer: Any) -> str:
    """What a page says, white space single."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def test_somebody_registers_sees_where_it_stands_and_cancels(page: Client) -> None:
    championship = opened()
    form = page.get(home(championship))
    assert "no-store" in form.headers["Cache-Control"]
    answer = fill(page, championship, email_1="zoe@example.org", minor_1="on", note="Vegetarian")
    assert answer.status_code == 302
    address = answer.headers["Location"]
    assert re.fullmatch(rf"{home(championship)}[0-9a-f]{{64}}/", address)
    shown = page.get(address)
    for words in ("You have a place.", "Zoé Roy", "zoe@example.org", "under age", "Vegetarian", address):
        assert words in text(shown) or words in shown.content.decode(), words
    assert "noindex" in shown.content.decode()
    assert page.post(address).status_code == 302
    assert "It is cancelled." in text(page.get(address))
    assert Registration.objects.get().state == "cancelled"


def test_a_double_click_comes_to_the_same_page(page: Client) -> None:
    championship = opened()
    answers = [fill(page, championship) for _ in range(2)]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    assert Registration.objects.count() == 1


def test_the_same_people_again_are_told_and_get_no_link(page: Client) -> None:
    championship = opened()
    fill(page, championship)
    answer = fill(page, championship, key="another key of twenty")
    assert answer.headers["Location"] == home(championship)
    assert "registered already" in text(page.get(home(championship)))
    assert Registration.objects.count() == 1


def test_the_waiting_list_says_ones_place(page: Client) -> None:
    championship = opened(max_entries=1)
    assert "1 place of 1 is free." in text(page.get(home(championship)))
    registered(championship, "Ana")
    registered(championship, "Bo")
    assert "put on the waiting list" in text(page.get(home(championship)))
    answer = fill(page, championship)
    assert "You are number 2 on the waiting list." in text(page.get(answer.headers["Location"]))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"registration_opens_at": None}, "nobody registers here"),
        ({"registration_opens_at": timezone.now() + timedelta(days=2)}, "Registration opens on"),
        ({"registration_closes_at": timezone.now() - timedelta(minutes=1)}, "Registration is closed."),
        ({"max_entries": 1, "waiting_list": False}, "All places are taken, and there is no waiting list."),
    ],
)
def test_where_nobody_can_register_the_page_says_why(page: Client, settings: dict[str, Any], words: str) -> None:
    championship = opened()
    registered(championship, "Ana")
    Championship.objects.filter(pk=championship.pk).update(**settings)
    shown = page.get(home(championship))
    assert words in text(shown)
    assert 'name="name_1"' not in shown.content.decode()
    answer = fill(page, championship)
    assert answer.status_code == 409
    assert "Zoé Roy" in answer.content.decode(), "nothing typed is lost"
    assert Registration.objects.count() == 1


def test_the_pages_of_the_championship_lead_there_while_it_is_open(page: Client) -> None:
    championship = opened()
    ranking = f"/en/championships/{championship.slug}/"
    assert f'href="{home(championship)}"' in page.get(ranking).content.decode()
    Championship.objects.filter(pk=championship.pk).update(registration_closes_at=timezone.now())
    assert f'href="{home(championship)}"' not in page.get(ranking).content.decode()


def test_what_is_wrong_is_said_at_its_field(page: Client) -> None:
    answer = fill(page, opened(), name_1=" ", email_1="x")
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"name_1", "email_1"}


def test_a_program_that_fills_everything_in_is_not_registered(page: Client) -> None:
    assert fill(page, opened(), website="https://example.org").status_code == 422
    assert not Registration.objects.exists()


def test_teams_of_two_name_both(page: Client) -> None:
    championship = opened(players_per_team=2)
    assert 'name="name_2"' in page.get(home(championship)).content.decode()
    fill(page, championship, name_2="Bo Rouvre", team_name="Foxes")
    row = Registration.objects.get()
    assert ([player["name"] for player in row.players], row.team_name) == (["Zoé Roy", "Bo Rouvre"], "Foxes")


def test_one_address_cannot_fill_it_all(page: Client) -> None:
    championship = opened()
    for n in range(MOST):
        assert fill(page, championship, key="", name_1=f"Name {n}").status_code == 422
    answer = fill(page, championship)
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert not Registration.objects.exists()


def test_a_draft_is_not_there_and_a_wrong_link_neither(page: Client) -> None:
    championship = opened()
    _row, token = sent(championship, "Ana")
    assert page.get(f"{home(championship)}{'f' * 64}/").status_code == 404
    assert page.get(f"{home(opened())}{token}/").status_code == 404, "of another championship"
    Championship.objects.filter(pk=championship.pk).update(visibility=Visibility.DRAFT)
    assert page.get(home(championship)).status_code == 404
    assert fill(page, championship).status_code == 404


def test_the_link_shows_what_became_of_it(page: Client) -> None:
    championship = opened()
    actor = owner_of(championship)
    accepted, one = sent(championship, "Ana")
    declined, other = sent(championship, "Bo")
    accept_registration(actor=actor, registration_id=accepted.pk, version=None, answers={})
    decline_registration(actor=actor, registration_id=declined.pk, version=None, reason="Twice <here>")
    assert "You are entered under number 1." in text(page.get(f"{home(championship)}{one}/"))
    assert "Twice &lt;here&gt;" in page.get(f"{home(championship)}{other}/").content.decode()
    PartieFactory(championship=championship)
    shown = page.get(f"{home(championship)}{one}/")
    assert "tell an organiser" in text(shown)
    assert "danger" not in shown.content.decode()


def test_nobody_else_reads_private_addresses(page: Client) -> None:
    championship = opened()
    registered(championship, "Zoé Roy", email="zoe@example.org")
    for address in ("", "entries/", "register/", "journal/"):
        shown = page.get(f"/en/championships/{championship.slug}/{address}").content.decode()
        assert "zoe@example.org" not in shown
        assert "Zoé Roy" not in shown
