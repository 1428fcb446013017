"""The score sheet without network: kept on the device, sent once when it can be, and nothing typed is lost."""

import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from league.models import Championship, Confirmation, Membership, Result, Role
from league.table_codes import table_address
from tests.browser.test_organiser import complete, fits, sign_in
from tests.browser.test_sheet_entry import PARTIE, SHEET, tables_of_two
from tests.factories import ChampionshipFactory, UserFactory, play, sheet

Accessible = Callable[[Page], None]


@pytest.fixture
def championship(transactional_db: None) -> Championship:
    """See `tables_of_two`."""
    return tables_of_two()


@pytest.fixture
def hall(live_server, chromium: Browser, championship: Championship) -> Iterator[BrowserContext]:
    """A browser in which requests may fail, signed in as the owner."""
    context = chromium.new_context()
    page = context.new_page()
    sign_in(page, live_server.url, championship.created_by)
    page.close()
    yield context
    context.close()


class Sent:
    """Counts the hand-ins that leave a browser."""

    def __init__(self, context: BrowserContext) -> None:
        self.count = 0
        context.on("request", self.hear)

    def hear(self, request: Request) -> None:
        """One more, if it is one."""
        self.count += request.method == "POST" and request.url.endswith("/sheet/")


def wait_until_kept(page: Page) -> None:
    """Wait until the worker has the page that is shown."""
    until = time.monotonic() + 10
    while not page.evaluate("caches.match(location.href).then(Boolean)"):
        assert time.monotonic() < until, "the page is not kept"
        page.wait_for_timeout(50)


class TestWithoutNetwork:
    def handed_in(self, hall: BrowserContext, site: str) -> Page:
        """Open the sheet, lose the network, fill it in and hand it in."""
        page = hall.new_page()
        page.goto(site + SHEET)
        wait_until_kept(page)
        hall.set_offline(True)
        complete(page)
        page.get_by_role("button", name="Hand in").click()
        expect(page.get_by_text("not sent and not computed yet.", exact=False).first).to_be_visible()
        expect(page.locator("[data-outbox-here]")).to_be_visible()
        expect(page.locator("#live")).to_contain_text("not sent and not computed yet")
        expect(page.get_by_role("button", name="Hand in")).to_be_focused()
        return page

    def test_it_is_sent_once_when_the_network_is_back(
        self, live_server, hall: BrowserContext, accessible: Accessible
    ) -> None:
        page = self.handed_in(hall, live_server.url)
        accessible(page)
        sent = Sent(hall)
        assert Result.objects.count() == 0
        hall.set_offline(False)
        expect(page.get_by_text("Manche 1 is recorded.")).to_be_visible()
        assert sent.count == 1
        assert Result.objects.count() == 1
        assert page.evaluate("Object.keys(localStorage).filter((name) => /^(draft|outbox):/.test(name))") == []

    def test_a_reload_without_network_keeps_it(self, live_server, hall: BrowserContext) -> None:
        page = self.handed_in(hall, live_server.url)
        page.reload()
        expect(page.locator("#B-km")).to_have_value("475")
        expect(page.locator("[data-outbox-here]")).to_be_visible()
        sent = Sent(hall)
        hall.set_offline(False)
        expect(page.get_by_text("Manche 1 is recorded.")).to_be_visible()
        assert sent.count == 1
        assert Result.objects.count() == 1

    def test_the_page_was_closed_any_other_of_the_site_sends_it(self, live_server, hall: BrowserContext) -> None:
        self.handed_in(hall, live_server.url).close()
        hall.set_offline(False)
        page = hall.new_page()
        page.goto(f"{live_server.url}/en/rules/")
        expect(page.locator("#outbox")).to_contain_text("Partie 1, manche 1 Manche 1 is recorded.")
        assert Result.objects.count() == 1
        page.get_by_role("link", name="Go on").click()
        expect(page.locator("main")).to_contain_text("Partie 1")

    def test_typing_again_takes_it_back(self, live_server, hall: BrowserContext) -> None:
        page = self.handed_in(hall, live_server.url)
        page.locator("#B-km").fill("450")
        expect(page.locator("[data-outbox-here]")).to_be_hidden()
        sent = Sent(hall)
        hall.set_offline(False)
        expect(page.locator("#score tfoot tr").first).to_contain_text("450")
        assert sent.count == 0
        assert Result.objects.count() == 0

    def test_somebody_else_handed_in_meanwhile_and_both_are_shown(
        self, live_server, hall: BrowserContext, championship: Championship
    ) -> None:
        page = self.handed_in(hall, live_server.url)
        play(championship.parties.get(number=1), 1, sheet({"A": 1000, "B": 200}))
        hall.set_offline(False)
        expect(page.locator("#news")).to_be_visible()
        expect(page.locator("#B-km")).to_have_value("475")
        assert Result.objects.count() == 1

    def test_what_is_refused_away_from_its_page_is_said_and_looked_at(
        self, live_server, hall: BrowserContext, championship: Championship, accessible: Accessible
    ) -> None:
        self.handed_in(hall, live_server.url).close()
        play(championship.parties.get(number=1), 1, sheet({"A": 1000, "B": 200}))
        hall.set_offline(False)
        page = hall.new_page()
        page.goto(f"{live_server.url}/en/organise/coupe/")
        expect(page.locator("#outbox")).to_contain_text("Somebody else has handed in this manche meanwhile.")
        accessible(page)
        page.get_by_role("button", name="Look at it").click()
        expect(page.locator("#news")).to_be_visible()
        expect(page.locator("#B-km")).to_have_value("475")

    def test_signed_out_meanwhile_it_waits_for_whoever_typed_it(
        self, live_server, hall: BrowserContext, championship: Championship
    ) -> None:
        page = self.handed_in(hall, live_server.url)
        hall.clear_cookies(name="sessionid")
        hall.set_offline(False)
        expect(page.get_by_text("You are signed out.")).to_be_visible()
        other = ChampionshipFactory().created_by
        sign_in(page, live_server.url, other)
        expect(page.locator("#outbox")).to_contain_text("cannot be sent: you may not enter this sheet any more.")
        assert Result.objects.count() == 0
        page.get_by_role("button", name="Sign out").click()
        sign_in(page, live_server.url, championship.created_by)
        page.goto(live_server.url + SHEET)
        expect(page.locator("#B-km")).to_have_value("475")

    def test_an_organiser_who_did_not_type_it_does_not_send_it(
        self, live_server, hall: BrowserContext, championship: Championship
    ) -> None:
        self.handed_in(hall, live_server.url).close()
        other = UserFactory()
        Membership.objects.create(user=other, championship=championship, role=Role.ORGANISER)
        hall.clear_cookies()
        hall.set_offline(False)
        page = hall.new_page()
        sign_in(page, live_server.url, other)
        expect(page.locator("#outbox")).to_contain_text("was typed here by somebody else")
        assert Result.objects.count() == 0
        hall.clear_cookies()
        sign_in(page, live_server.url, championship.created_by)
        expect(page.locator("#outbox")).to_contain_text("Manche 1 is recorded.")
        assert Result.objects.get().by == championship.created_by

    def test_a_page_opened_before_opens_without_network_and_no_other_does(
        self, live_server, hall: BrowserContext, championship: Championship
    ) -> None:
        page = hall.new_page()
        page.goto(live_server.url + SHEET)
        wait_until_kept(page)
        page.goto(live_server.url + PARTIE)
        page.goto("about:blank")
        play(championship.parties.get(number=1), 1, sheet())
        hall.set_offline(True)
        page.goto(live_server.url + SHEET)
        expect(page.get_by_text("There is no network.")).to_be_visible()
        expect(page.locator("h1")).to_have_text("Manche 1")  # the server would call it a correction
        kept = page.evaluate(
            "caches.open('sheet-pages-1').then((one) => one.keys()).then((all) => all.map((r) => r.url))"
        )
        assert kept == [live_server.url + SHEET]

    def test_a_server_that_is_not_well_is_asked_again(self, live_server, hall: BrowserContext) -> None:
        page = hall.new_page()
        page.goto(live_server.url + SHEET)
        complete(page)
        hall.route("**/sheet/", lambda route: route.fulfill(status=502, body="bad gateway"))
        page.get_by_role("button", name="Hand in").click()
        expect(page.locator("[data-outbox-here]")).to_be_visible()
        hall.unroute("**/sheet/")
        page.evaluate("window.dispatchEvent(new Event('online'))")
        expect(page.get_by_text("Manche 1 is recorded.")).to_be_visible()
        assert Result.objects.count() == 1


def test_a_lost_answer_is_no_second_sheet(live_server, hall: BrowserContext) -> None:
    """The server has it, but the answer never came: sent again it is answered as the first time."""
    page = hall.new_page()
    page.goto(live_server.url + SHEET)
    complete(page)
    lost = []

    def lose(route) -> None:  # type: ignore[no-untyped-def]
        if route.request.method != "POST" or lost:
            route.continue_()
            return
        route.fetch()
        lost.append(route.request.url)
        route.abort()

    hall.route("**/sheet/", lose)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("[data-outbox-here]")).to_be_visible()
    assert Result.objects.count() == 1
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.get_by_text(re.compile("recorded|stands already")).first).to_be_visible()
    assert Result.objects.count() == 1
    assert lost


def test_a_table_without_an_account_sends_later_too(
    live_server, chromium: Browser, championship: Championship, accessible: Accessible
) -> None:
    Championship.objects.update(confirmation=Confirmation.OPPONENT)
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="en-GB")
    page = context.new_page()
    page.goto(live_server.url + table_address(championship.parties.get(number=1)))
    page.locator('button[name="side"][value="A"]').click()
    page.goto(f"{page.url.split('?')[0]}manches/1/sheet/")
    wait_until_kept(page)
    context.set_offline(True)
    page.reload()
    complete(page)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("[data-outbox-here]")).to_be_visible()
    accessible(page)
    fits(page)
    sent = Sent(context)
    context.set_offline(False)
    page.wait_for_url(re.compile(r"/t/[^/]+/$"))
    assert sent.count == 1
    assert Result.objects.get().by_side == "A"
    context.close()


def test_who_signs_out_leaves_no_page_on_the_device(live_server, hall: BrowserContext) -> None:
    page = hall.new_page()
    page.goto(f"{live_server.url}{SHEET}")
    wait_until_kept(page)
    kept = "caches.keys().then(names => names.filter(name => name.startsWith('sheet-pages-')).length)"
    assert page.evaluate(kept) == 1
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_load_state()
    assert page.evaluate(kept) == 0
