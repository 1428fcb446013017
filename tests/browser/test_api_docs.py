"""The page of the API works under the site's content security policy, and asks nobody else for anything."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer


@pytest.mark.django_db(transaction=True)
def test_the_page_shows_the_document_and_a_sheet_can_be_checked_on_it(page: Page, live_server: LiveServer) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto(f"{live_server.url}/api/v1/docs")
    expect(page.locator(".opblock").first).to_be_visible()
    operation = page.locator("#operations-hand-in-check_document")
    for _turn in range(200):  # of so many operations Swagger draws those that are in sight
        if operation.count():
            break
        page.mouse.wheel(0, 1000)
        page.wait_for_timeout(100)
    operation.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table")).to_contain_text('"valid": true')

    elsewhere = [url for url in asked if not url.startswith((live_server.url, "data:", "blob:"))]
    assert elsewhere == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_of_problems_fits_and_axe_finds_nothing(
    page: Page, live_server: LiveServer, accessible: Callable[[Page], None], width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{live_server.url}/docs/problems#stopped")
    expect(page.locator("#stopped")).to_be_in_viewport()
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#stopped + dd a").click()
    expect(page).to_have_url(re.compile(r"/fr/rules/#rules-5$"))
