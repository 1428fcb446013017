"""A table's page on two phones: one side enters, the other is shown it and confirms, or contests and both talk."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from league.models import Dispute, Partie, Result
from league.table_codes import table_address
from tests.browser.test_organiser import SIZES, complete, fits, sign_in
from tests.factories import ChampionshipFactory, PartieFactory
from tests.league.table_cases import enter, state_of

Accessible = Callable[[Page], None]
LOOKED_AT_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def partie(transactional_db: None) -> Partie:
    """A table of two where the other side confirms."""
    championship = ChampionshipFactory(
        slug="coupe", confirmation="opponent", confirm_minutes=20, partie_end="manches", partie_end_value=3
    )
    made: Partie = PartieFactory(championship=championship, table_number=1)
    return made


@pytest.fixture
def phones(chromium: Browser) -> Iterator[Callable[[], Page]]:
    """Phones, each with cookies of its own."""
    contexts: list[BrowserContext] = []

    def phone() -> Page:
        contexts.append(chromium.new_context(locale="en-GB", viewport=SIZES["phone"]))  # type: ignore[arg-type]
        return contexts[-1].new_page()

    yield phone
    for context in contexts:
        context.close()


def sits(page: Page, site: str, partie: Partie, label: str) -> Page:
    """Open the table's page by its slip, and say for which side one speaks."""
    page.goto(site + table_address(partie))
    page.locator(f'button[name="side"][value="{label}"]').click()
    expect(page.get_by_text("You speak for")).to_be_visible()
    return page


def test_one_side_enters_and_the_other_confirms(
    live_server, phones: Callable[[], Page], partie: Partie, accessible: Accessible
) -> None:
    a, b = (sits(phones(), live_server.url, partie, label) for label in "AB")
    accessible(a)
    fits(a)
    a.get_by_role("link", name="Enter the score sheet").click()
    accessible(a)
    complete(a)
    a.get_by_role("button", name="Hand in").click()
    expect(a.get_by_text("Another side of the table confirms it")).to_be_visible()
    accessible(a)
    fits(a)

    b.evaluate(LOOKED_AT_AGAIN)  # as when the phone is taken up again
    expect(b.get_by_role("button", name="Yes, confirm")).to_be_visible()
    expect(b.locator("#live")).to_contain_text("This page has changed")
    accessible(b)
    b.get_by_role("button", name="Yes, confirm").click()

    expect(b.get_by_text("Confirmed: the manche counts.")).to_be_visible()
    a.evaluate(LOOKED_AT_AGAIN)
    expect(a.get_by_text("Now: manche 2")).to_be_visible()
    assert (Result.objects.get().by_side, Result.objects.get().confirmed_side) == ("A", "B")


def test_what_is_typed_is_not_lost_when_the_page_brings_itself_up_to_date(
    live_server, phones: Callable[[], Page], partie: Partie, accessible: Accessible
) -> None:
    enter(partie, "A")
    b = sits(phones(), live_server.url, partie, "B")
    b.get_by_text("No, it is not right").click()
    b.get_by_label("What is not right?").fill("We had 500 km")
    enter(partie, "A", 500, reason="Misread", replaces=1)
    b.evaluate(LOOKED_AT_AGAIN)
    b.wait_for_timeout(500)
    expect(b.get_by_label("What is not right?")).to_have_value("We had 500 km")
    b.get_by_role("button", name="Contest it").click()
    expect(b.get_by_role("alert")).to_contain_text("another result by now")
    expect(b.get_by_label("What is not right?")).to_have_value("We had 500 km")
    accessible(b)
    assert state_of(partie) == "pending"


@pytest.mark.parametrize("size", SIZES)
def test_a_dispute_is_talked_over_and_decided(
    live_server, phones: Callable[[], Page], page: Page, partie: Partie, accessible: Accessible, size: str
) -> None:
    enter(partie, "A")
    b = sits(phones(), live_server.url, partie, "B")
    b.get_by_text("No, it is not right").click()
    b.get_by_label("What is not right?").fill("We had 500 km")
    b.get_by_role("button", name="Contest it").click()
    expect(b.get_by_text("A referee decides. Say below")).to_be_visible()
    accessible(b)
    fits(b)

    page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
    sign_in(page, live_server.url, partie.championship.created_by)
    page.goto(f"{live_server.url}/en/organise/coupe/disputes/")
    accessible(page)
    fits(page)
    page.locator(".waiting a").first.click()
    accessible(page)
    fits(page)
    page.get_by_label("The result counts as it stands.").check()
    page.get_by_label("Reason").fill("I saw the cards")
    page.get_by_role("button", name="Decide").click()
    expect(page.get_by_text("Decided: it counts.")).to_be_visible()
    accessible(page)

    b.evaluate(LOOKED_AT_AGAIN)
    expect(b.get_by_text("Now: manche 2")).to_be_visible()
    assert Dispute.objects.get().decision == "I saw the cards"
