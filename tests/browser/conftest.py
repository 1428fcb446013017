"""Real pages in a real browser: Debian's Chromium, driven by Playwright, against the tests' own server.

Every test of this folder is marked `browser`. A page fails its test by itself when the browser reports a script error,
a refusal of the content security policy or a file that is not there.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests import servers

# Playwright's own event loop runs in this thread; Django would refuse queries beside it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    # Chromium's sandbox does not start for root, as CI is.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium(), args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A fresh window of a French reader."""
    context = chromium.new_context(locale="fr-FR")
    window = context.new_page()
    faults: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        # A page that answers 4xx on purpose is the test's business, not a fault of the page.
        if message.type == "error" and message.location["url"] != window.url:
            faults.append(f"{message.location['url']}: {message.text}")

    window.on("console", hear)
    window.on("pageerror", lambda error: faults.append(str(error)))
    yield window
    context.close()
    assert faults == []


@pytest.fixture
def accessible() -> Callable[..., None]:
    """Fail when axe finds a fault (WCAG 2.2 AA and its own good practice) in what a page shows now.

    With the names of rules only these are looked at: `color-contrast` is all that another colour scheme may change.
    """

    def check(page: Page, *rules: str) -> None:
        options = {"resultTypes": ["violations"]} | ({"runOnly": [*rules]} if rules else {})
        result = Axe().run(page, options=options)
        assert result.violations_count == 0, result.generate_report()

    return check
