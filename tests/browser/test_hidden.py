"""What is hidden is not shown, whatever class it has."""

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

CLASSES = ("button", "button plain small", "notice warn", "row", "grid", "buttons", "badge", "card")


@pytest.mark.django_db(transaction=True)
def test_no_class_shows_what_is_hidden(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/en/")
    shown = page.evaluate(
        """classes => classes.filter(name => ["a", "div", "button"].some(tag => {
            const made = document.createElement(tag);
            made.className = name;
            made.hidden = true;
            document.querySelector("main").append(made);
            return getComputedStyle(made).display !== "none";
        }))""",
        list(CLASSES),
    )
    assert shown == []
