"""On a phone the head of an organiser's page leaves room for the page: tabs and places are one line each."""

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page

from league.models import Championship, User
from tests.factories import ChampionshipFactory

WIDTH, ROAD = 360, 2 * 44 + 12
"""Pixels: of a phone, and two lines of the site's own places."""


@pytest.fixture
def organiser(page: Page, live_server: object, transactional_db: None) -> Championship:
    """A championship whose owner is signed in on a phone."""
    championship: Championship = ChampionshipFactory(slug="coupe", name="Coupe d'hiver des Bornes")
    client = Client()
    client.force_login(championship.created_by)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": str(live_server)}])
    page.set_viewport_size({"width": WIDTH, "height": 740})
    return championship


@pytest.mark.parametrize("address", ["", "journal/", "settings/"])
def test_tabs_are_one_line_with_the_open_one_in_view(
    organiser: Championship,
    page: Page,
    live_server: object,
    accessible: Callable[[Page], None],
    address: str,
) -> None:
    page.goto(f"{live_server}/fr/organise/coupe/{address}")
    tabs = page.locator("ul.tabs").first
    box, current = tabs.bounding_box(), tabs.locator("[aria-current]").bounding_box()
    assert box is not None
    assert current is not None
    assert box["height"] < 2 * 44
    assert current["x"] >= 0
    assert current["x"] + current["width"] <= WIDTH
    road = page.locator(".road-lanes").bounding_box()
    assert road is not None
    assert road["height"] <= ROAD
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    last = tabs.locator("a").last
    last.focus()
    seen = last.bounding_box()
    assert seen is not None
    assert seen["x"] + seen["width"] <= WIDTH + 1, "the keyboard brings the last one into view"
    accessible(page)


def test_in_english_all_of_the_head_is_in_view(organiser: Championship, page: Page, live_server: object) -> None:
    User.objects.filter(pk=organiser.created_by_id).update(display_name="Jeanne Dupont")
    page.goto(f"{live_server}/en/organise/coupe/")
    for place in (".road-places", ".road-side > .lanes"):
        assert page.locator(place).evaluate("box => box.scrollWidth <= box.clientWidth"), place
