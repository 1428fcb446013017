"""The whole way of an organiser in a browser, on a phone and on a laptop: from the first account to the ranking."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from engine.simulate import simulate
from engine.text_notation import to_text
from league.models import Championship, Result, User
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, play, sheet

SIZES = {"phone": {"width": 360, "height": 740}, "laptop": {"width": 1280, "height": 800}}
PASSWORD = "bornes-et-cartes-7"
LOG = simulate("classique", 2, 1, "organiser", first=1)

Accessible = Callable[[Page], None]


@pytest.fixture(params=SIZES)
def hall(request: pytest.FixtureRequest, page: Page) -> Page:
    """A window as large as what organisers have in their hands."""
    page.set_viewport_size(SIZES[request.param])  # type: ignore[arg-type]
    return page


def sign_in(page: Page, site: str, user: User) -> None:
    """Sign in as somebody whose password is PASSWORD."""
    user.set_password(PASSWORD)
    user.save()
    page.goto(f"{site}/en/account/sign-in/")
    page.get_by_label("E-mail").fill(user.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/organise/")


def fits(page: Page) -> None:
    """Nothing stands beside the page."""
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0, page.url


def team(page: Page, label: str) -> Locator:
    """A team's column of the sheet."""
    return page.locator(".sheet-team").filter(has=page.locator(f'[name="{label}-km"]'))


def total_row(page: Page) -> Locator:
    """The totals of the score beside the sheet."""
    return page.locator("#score tfoot tr").first


def type_sheet_by_keyboard(page: Page) -> None:
    """A sheet typed with the keyboard alone, from the cell that has the focus: 2300 for A, 475 for B."""
    keys = page.keyboard
    expect(page.locator("#A-km")).to_be_focused()
    keys.type("1000")
    keys.press("Tab")
    keys.type("0")
    keys.press("Tab")  # the first safety: a coup-fourré
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    expect(total_row(page)).to_contain_text("1400")  # what it would pay so far: km, safety, coup-fourré
    for _ in range(3):
        keys.press("Tab")
    for _ in range(3):  # the counts of each distance stay folded; the claim; the next team
        keys.press("Tab")
    expect(page.locator("#B-km")).to_be_focused()
    keys.type("475")
    keys.press("Tab")
    keys.type("1")
    for _ in range(7):
        keys.press("Tab")
    expect(page.locator('[name="end"]:checked')).to_be_focused()
    keys.press("Tab")
    keys.press("Space")  # the draw pile was not empty
    expect(page.locator(".sheet-state")).to_have_text("The sheet is complete: A wins.")
    expect(total_row(page)).to_contain_text("2100")
    expect(total_row(page)).to_contain_text("475")


def test_the_whole_way(live_server, hall: Page, accessible: Accessible) -> None:
    page, site = hall, live_server.url

    def look() -> None:
        accessible(page)
        fits(page)

    # the first account
    page.goto(f"{site}/en/")
    look()
    page.get_by_role("link", name="Make the first account").click()
    look()
    page.get_by_label("Your name").fill("Ane")
    page.get_by_label("E-mail").fill("ane@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    look()

    # a championship
    page.locator("main").get_by_role("link", name="New championship").click()
    look()
    page.get_by_role("link", name=re.compile("^Classique")).click()
    page.get_by_label("Name", exact=True).fill("Coupe")
    page.get_by_text("Everything else").click()
    look()
    page.get_by_label("a number of manches is played").check()
    page.get_by_label("That number").fill("2")
    page.get_by_label("public", exact=True).check()
    page.get_by_role("button", name="Create").click()
    look()

    # players, a round
    page.get_by_role("link", name="Enter players and teams").click()
    page.get_by_label("Names").fill("Ana\nBo")
    page.get_by_role("button", name="Enter them").click()
    expect(page.get_by_role("link", name="Bo", exact=True)).to_be_visible()
    look()
    page.get_by_role("link", name="Parties").click()
    look()
    page.get_by_role("link", name="Seat round 1 by hand").click()
    look()
    page.get_by_role("button", name="Open the round").click()
    look()

    # a sheet, by the keyboard alone
    page.get_by_role("link", name="Table 1, partie 1").click()
    look()
    page.get_by_role("link", name="Enter the score sheet").click()
    look()
    type_sheet_by_keyboard(page)
    look()
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.textContent.trim()") != "Hand in":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Manche 1 is recorded.")).to_be_visible()
    look()

    # a log: refused, mended, taken
    page.get_by_role("link", name="Hand in a log").click()
    look()
    page.get_by_label("Paste it here").fill(to_text(LOG).rpartition(" ")[0])
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("The log ends before the manche is over.")).to_be_visible()
    look()
    page.get_by_label("Paste it here").fill(to_text(LOG))
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Recorded, and the partie is over.")).to_be_visible()
    look()

    # a correction whose claim differs, settled
    page.get_by_role("link", name="Manche 1", exact=True).click()
    look()
    page.get_by_role("link", name="Correct it by a sheet").click()
    team(page, "B").get_by_label("Kilometres").fill("500")
    team(page, "A").get_by_label("Total that the table announced").fill("2000")
    team(page, "B").get_by_label("Total that the table announced").fill("500")
    page.get_by_label("Reason of the correction").fill("A card lay under the sabot")
    expect(page.locator(".sheet-state")).to_have_text("The sheet is complete; what the table announced differs.")
    look()
    page.get_by_role("button", name="Hand in the correction").click()
    expect(page.get_by_text("Nothing is saved yet.")).to_be_visible()
    look()
    page.get_by_role("button", name="Save it").click()
    look()
    page.get_by_label("The computed score: the table reckoned wrongly.").check()
    page.get_by_label("Reason", exact=True).first.fill("Reckoned again together")
    page.get_by_role("button", name="Settle", exact=True).click()
    expect(page.get_by_text("Settled: it counts.")).to_be_visible()
    expect(page.get_by_text("A card lay under the sabot")).to_be_visible()
    look()

    # published, and seen by everybody
    page.get_by_role("link", name="Ranking", exact=True).click()
    look()
    page.get_by_label("Title").fill("Final ranking")
    page.get_by_role("button", name="Publish this version").click()
    expect(page.get_by_text("Version 1 is published.")).to_be_visible()
    look()
    page.get_by_role("link", name="Version 1: Final ranking").click()
    expect(page.locator("main")).to_contain_text("Ana")
    assert page.url.endswith("/championships/coupe/published/1/")


@pytest.fixture
def championship(transactional_db: None) -> Championship:
    """A championship with a partie under way, a refused log and a claim that differs."""
    made: Championship = ChampionshipFactory(slug="coupe", name="Coupe", partie_end="manches", partie_end_value=5)
    names = ("Anticonstitutionnellement", "Les Joyeux Conducteurs du Dimanche Après-Midi")
    entries = [EntryFactory(championship=made, name=name) for name in names]
    partie = PartieFactory(championship=made, entries=entries)
    play(partie, 1, sheet())
    play(partie, 1, sheet({"A": 1000, "B": 500}), reason="A card was overlooked", replaces=1)
    play(partie, 2, sheet({"A": 990, "B": 0}))
    play(partie, 2, sheet(claim={"A": 1, "B": 2}))
    PartieFactory(championship=made, entries=EntryFactory.create_batch(2, championship=made))
    renew_live_ranking(championship_id=made.pk)
    return made


PAGES = (
    "",
    "settings/",
    "settings/keys/",
    "settings/organisers/",
    "entries/",
    "entries/1/",
    "players/",
    "players/new/",
    "parties/",
    "parties/round/",
    "parties/1/",
    "parties/1/manches/1/",
    "parties/1/manches/1/?version=1",
    "parties/1/manches/2/",
    "parties/1/manches/1/sheet/",
    "parties/1/manches/1/log/",
    "parties/2/manches/1/sheet/",
    "attempts/1/",
    "ranking/",
    "journal/",
    "journal/audit/",
)


def test_every_page_fits_and_has_no_fault_of_access(
    live_server, hall: Page, championship: Championship, accessible: Accessible
) -> None:
    # by night on a phone, by day on a laptop
    hall.emulate_media(color_scheme="dark" if hall.viewport_size == SIZES["phone"] else "light")
    sign_in(hall, live_server.url, championship.created_by)
    for address in PAGES:
        if address == "attempts/1/":
            address = f"attempts/{championship.parties.get(number=1).attempts.get().pk}/"
        answer = hall.goto(f"{live_server.url}/en/organise/coupe/{address}")
        assert answer is not None
        assert answer.status == 200, address
        hall.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
        accessible(hall)
        fits(hall)
    for address in ("organise/", "organise/new/?rulebook=fournier", "account/", "account/password/", "account/tokens/"):
        hall.goto(f"{live_server.url}/en/{address}")
        hall.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
        accessible(hall)
        fits(hall)


SHEET = "/en/organise/coupe/parties/2/manches/1/sheet/"


class TestTheSheet:
    @pytest.fixture
    def typing(self, live_server, page: Page, championship: Championship) -> Page:
        """The empty sheet of partie 2, opened by the owner."""
        sign_in(page, live_server.url, championship.created_by)
        page.goto(live_server.url + SHEET)
        return page

    @pytest.fixture
    def troubled(self, live_server, chromium: Browser, championship: Championship) -> Iterator[Page]:
        """The same in a window in which requests may fail."""
        context = chromium.new_context()
        page = context.new_page()
        sign_in(page, live_server.url, championship.created_by)
        page.goto(live_server.url + SHEET)
        yield page
        context.close()

    def test_marks_a_faulty_cell_and_unmarks_it(self, typing: Page, accessible: Accessible) -> None:
        km = typing.locator("#A-km")
        km.fill("990")
        expect(km).to_have_attribute("aria-invalid", "true")
        expect(km).to_have_accessible_description(re.compile("no cards add up to 990 km"))
        accessible(typing)
        km.fill("975")
        expect(km).not_to_have_attribute("aria-invalid", "true")

    def test_a_link_of_what_is_missing_leads_to_its_cell(self, typing: Page) -> None:
        typing.locator("#A-km").fill("25")
        typing.locator(".sheet-todo").get_by_role("link", name="B · Kilometres").click()
        expect(typing.locator("#B-km")).to_be_focused()

    def test_what_was_typed_comes_back_after_the_page_was_left(self, typing: Page) -> None:
        typing.locator("#A-km").fill("700")
        team(typing, "B").locator('[name="B-VP"][value="coup-fourre"]').check()
        typing.goto("about:blank")
        typing.go_back()
        typing.reload()
        expect(typing.locator("#A-km")).to_have_value("700")
        expect(typing.locator('[name="B-VP"][value="coup-fourre"]')).to_be_checked()
        expect(typing.get_by_text("What you had typed here is back.")).to_be_visible()
        expect(total_row(typing)).to_contain_text("700")
        typing.get_by_role("button", name="Throw it away").click()
        expect(typing.locator("#A-km")).to_have_value("")

    def test_without_a_network_nothing_is_lost(self, troubled: Page, championship: Championship) -> None:
        complete(troubled)
        troubled.context.set_offline(True)
        troubled.get_by_role("button", name="Hand in").click()
        expect(troubled.get_by_text("There is no network.")).to_be_visible()
        expect(troubled.locator("#A-km")).to_have_value("1000")
        troubled.context.set_offline(False)  # and it goes by itself
        expect(troubled.get_by_text("Manche 1 is recorded.")).to_be_visible(timeout=20_000)
        assert Result.objects.filter(manche__partie__number=2).count() == 1

    def test_the_draft_is_forgotten_once_the_server_has_it(self, typing: Page) -> None:
        address = typing.url
        complete(typing)
        typing.get_by_role("button", name="Hand in").click()
        expect(typing.get_by_text("Manche 1 is recorded.")).to_be_visible()
        assert typing.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('draft:'))") == []
        typing.goto(address)
        expect(typing.get_by_text("What you had typed here is back.")).to_be_hidden()

    def test_a_double_click_hands_in_once(self, typing: Page, championship: Championship) -> None:
        complete(typing)
        typing.get_by_role("button", name="Hand in").dblclick()
        expect(typing.get_by_text("Manche 1 is recorded.").first).to_be_visible()
        assert Result.objects.filter(manche__partie__number=2).count() == 1

    def test_somebody_else_was_first_and_nothing_is_lost(
        self, typing: Page, championship: Championship, accessible: Accessible
    ) -> None:
        complete(typing)
        expect(typing.locator(".sheet-state")).to_have_text("The sheet is complete: A wins.")
        play(championship.parties.get(number=2), 1, sheet({"A": 1000, "B": 200}))
        typing.locator("#B-km").fill("450")
        expect(typing.locator("#score")).to_contain_text("Somebody has handed in this manche meanwhile")
        typing.get_by_role("button", name="Hand in").click()
        expect(typing.locator("#news")).to_be_visible()
        expect(typing.locator("#B-km")).to_have_value("450")
        accessible(typing)
        typing.get_by_label("Reason of the correction").fill("I sat at that table")
        typing.get_by_role("button", name="Hand in the correction").click()
        typing.get_by_role("button", name="Save it").click()
        expect(typing.locator("main")).to_contain_text("corrected")

    def test_a_draft_from_before_somebody_elses_result_goes_in_only_when_asked(
        self, typing: Page, championship: Championship
    ) -> None:
        typing.locator("#B-km").fill("450")
        play(championship.parties.get(number=2), 1, sheet({"A": 1000, "B": 200}))
        typing.reload()
        expect(typing.locator("#B-km")).to_have_value("200")
        typing.get_by_role("button", name="Put it in").click()
        expect(typing.locator("#B-km")).to_have_value("450")

    def test_works_without_javascript(self, live_server, chromium: Browser, championship: Championship) -> None:
        context = chromium.new_context(java_script_enabled=False)
        page = context.new_page()
        sign_in(page, live_server.url, championship.created_by)
        page.goto(live_server.url + SHEET)
        page.locator("#A-km").fill("990")
        page.get_by_role("button", name="Check").click()
        expect(page.locator("#A-km")).to_have_attribute("aria-invalid", "true")
        complete(page)
        page.get_by_role("button", name="Hand in").click()
        expect(page.get_by_text("Manche 1 is recorded.")).to_be_visible()
        context.close()

    def test_signed_out_while_typing_it_says_so_and_everything_comes_back(
        self, live_server, troubled: Page, championship: Championship
    ) -> None:
        troubled.locator("#A-km").fill("700")
        troubled.context.clear_cookies(name="sessionid")
        troubled.locator("#B-km").fill("25")
        expect(troubled.get_by_text("You are signed out.")).to_be_visible()
        troubled.get_by_role("link", name=re.compile("^Sign in again")).click()
        troubled.get_by_label("E-mail").fill(championship.created_by.email)
        troubled.get_by_label("Password").fill(PASSWORD)
        troubled.locator("main").get_by_role("button", name="Sign in").click()
        expect(troubled.locator("#A-km")).to_have_value("700")
        expect(troubled.locator("#B-km")).to_have_value("25")


def complete(page: Page) -> None:
    """Fill in a sheet that can be handed in."""
    page.locator("#A-km").fill("1000")
    page.locator("#A-n200").fill("2")
    page.locator("#B-km").fill("475")
    page.locator('[name="sabot_empty"][value="no"]').check()
