"""The documentation for programs in a browser: blocks are copied with their button, and scroll in themselves."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_command_is_copied_as_it_stands(page: Page, live_server: LiveServer) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=live_server.url)
    page.goto(f"{live_server.url}/en/docs/start/")
    block = page.locator(".code-block").first
    block.get_by_role("button", name="Copy").click()
    expect(block.get_by_role("button", name="Copied")).to_be_visible()
    expect(page.locator("#live")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f'curl "{live_server.url}/api/v1/championships?limit=5"'
    expect(block.get_by_role("button", name="Copy", exact=True)).to_be_visible()


def test_without_a_clipboard_the_command_is_selected(page: Page, live_server: LiveServer) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(f"{live_server.url}/en/docs/start/")
    page.locator(".code-block button").first.click()
    assert page.evaluate("String(getSelection())").startswith("curl ")


@pytest.mark.parametrize("width", [360, 1280])
def test_a_long_command_scrolls_in_itself(page: Page, live_server: LiveServer, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{live_server.url}/en/docs/api/")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = "[...document.querySelectorAll('.code-block pre')].filter((pre) => pre.scrollWidth > pre.clientWidth).length"
    assert page.evaluate(wide) > 0
    assert page.evaluate("[...document.querySelectorAll('.code-block button')].every((one) => one.offsetHeight >= 44)")


def test_without_a_script_there_is_no_button(page: Page, live_server: LiveServer) -> None:
    context = page.context.browser.new_context(java_script_enabled=False)  # type: ignore[union-attr]
    plain = context.new_page()
    plain.goto(f"{live_server.url}/en/docs/start/")
    expect(plain.locator(".code-block").first).to_contain_text("curl")
    assert plain.locator(".code-block button:visible").count() == 0
    context.close()
