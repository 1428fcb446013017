"""Every page of the site in a browser, on a phone and on a laptop, by day and by night: it fits, and axe is content."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.test_organiser import SIZES, sign_in
from tests.every_page import ANYBODY, LEFT_OUT, ROUTES, World, address_of

SIZE = 3
"""Tables of a round and so on: see `World`."""
FILES = {"document", "organise-export", "organise-attempt-text", "rulebook-text", "circuit-document"}
"""What is no page."""
PARTS = {"table-now", "championship-clock"}
"""What a page puts into itself."""
PAGES = [name for name in ROUTES if name not in {*LEFT_OUT, *FILES, *PARTS}]


@pytest.fixture(params=SIZES)
def windows(
    request: pytest.FixtureRequest, live_server, transactional_db: None, chromium: Browser
) -> Iterator[tuple[World, BrowserContext, BrowserContext]]:
    """A world with a little of everything; a browser of its owner, and one of somebody without an account."""
    world = World(SIZE)
    owned, other = (chromium.new_context(viewport=SIZES[request.param]) for _ in range(2))
    page = owned.new_page()
    sign_in(page, live_server.url, world.owner)
    page.close()
    yield world, owned, other
    owned.close()
    other.close()


def test_every_page_fits_and_axe_finds_no_fault(
    live_server, windows: tuple[World, BrowserContext, BrowserContext], accessible: Callable[..., None]
) -> None:
    world, owned, other = windows
    pages = (owned.new_page(), other.new_page())
    wrong: list[str] = []
    for name in PAGES:
        page = pages[name in ANYBODY or name.startswith("table")]
        if name.startswith("table-"):
            page.goto(live_server.url + address_of(world, "table", code=world.said(name)["code"]))
            if (side := page.locator('[name="side"]').first).is_visible():
                side.click()
        answer = page.goto(live_server.url + address_of(world, name))
        assert answer is not None
        assert answer.status == 200, page.url
        wrong += faults(page, accessible)
    assert not wrong, "\n".join(wrong)


def faults(page: Page, accessible: Callable[..., None]) -> Iterator[str]:
    """What is wrong with a page, with everything unfolded."""
    page.evaluate(
        "document.querySelectorAll('main details').forEach((one) => { one.removeAttribute('name'); one.open = true; })"
    )
    if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
        yield f"{page.url} is wider than its window"
    for scheme, rules in (("light", ()), ("dark", ("color-contrast",))):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        try:
            accessible(page, *rules)
        except AssertionError as found:
            yield f"{page.url}, {scheme}: {str(found)[:1200]}"
