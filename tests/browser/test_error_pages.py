"""The pages that a visitor sees when something is not there or not allowed."""

from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_an_address_that_is_not_there(live_server, page: Page, accessible: Callable[[Page], None]) -> None:
    answer = page.goto(f"{live_server.url}/rien-ici")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    accessible(page)
