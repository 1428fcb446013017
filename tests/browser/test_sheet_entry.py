"""The score sheet as it is entered in a hall: by the keyboard alone, with one thumb, with a warning or two."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from league.models import AuditEntry, Championship, Result
from tests.browser.test_organiser import SIZES, complete, fits, sign_in
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, play, sheet

Accessible = Callable[[Page], None]
PARTIE = "/en/organise/coupe/parties/1/"
SHEET = f"{PARTIE}manches/1/sheet/"
MOST_KEYS = 30


def tables_of_two() -> Championship:
    """A championship with three tables of two, nothing handed in yet."""
    made: Championship = ChampionshipFactory(slug="coupe", name="Coupe", partie_end="manches", partie_end_value=5)
    for table in (1, 2, 3):
        entries = EntryFactory.create_batch(2, championship=made)
        PartieFactory(championship=made, entries=entries, table_number=table)
    return made


@pytest.fixture
def championship(transactional_db: None) -> Championship:
    """See `tables_of_two`."""
    return tables_of_two()


@pytest.fixture
def typing(live_server, page: Page, championship: Championship) -> Page:
    """The empty sheet of table 1 on a laptop, opened by the owner."""
    page.set_viewport_size(SIZES["laptop"])  # type: ignore[arg-type]
    sign_in(page, live_server.url, championship.created_by)
    page.goto(live_server.url + SHEET)
    return page


def press(page: Page, *keys: str) -> int:
    """Press them one after the other; how many they were."""
    for key in keys:
        page.keyboard.press(key)
    return len(keys)


class TestByTheKeyboardAlone:
    def test_a_sheet_of_two_teams_with_three_safeties_takes_at_most_30_keys(
        self, typing: Page, championship: Championship
    ) -> None:
        expect(typing.locator("#A-km")).to_be_focused()
        count = press(typing, *"1000", "Tab", "0")  # kilometres, 200s
        count += press(typing, "r", "r", "t")  # right of way as a coup fourré, the petrol tanker
        count += press(typing, "ArrowDown", *"475", "Tab", "1", "a")  # B has the ace driver
        count += press(typing, "n")  # the draw pile was not empty
        expect(typing.locator(".sheet-state")).to_have_text("The sheet is complete: A wins.")
        count += press(typing, "Enter")
        expect(typing.get_by_text("Manche 1 is recorded.")).to_be_visible()
        assert count == 18 <= MOST_KEYS
        verdict = Result.objects.get().verdict
        assert {label: score["total"] for label, score in verdict["score"].items()} == {"A": 2200, "B": 575}
        assert verdict["outcome"]["teams"]["A"]["coups_fourres"] == ["VP"]

    def test_with_the_keys_of_any_form_it_works_too(self, typing: Page) -> None:
        count = press(typing, *"1000", "Tab", "0", "Tab", "ArrowRight", "ArrowRight", "Tab", "ArrowRight")
        count += press(typing, *["Tab"] * 5, *"475", "Tab", "Tab", "Tab", "Tab", "Tab", "ArrowRight")
        expect(typing.locator('[name="B-AS"][value="exposed"]')).to_be_checked()
        count += press(typing, *["Tab"] * 4, "Space", "Enter")
        expect(typing.get_by_text("Manche 1 is recorded.")).to_be_visible()
        assert count <= MOST_KEYS + 9, "without the letters it takes a few more"

    def test_a_safety_turns_from_exposed_to_coup_fourre_and_off(self, typing: Page, accessible: Accessible) -> None:
        for value in ("exposed", "coup-fourre", ""):
            press(typing, "p")
            expect(typing.locator(f'[name="A-IN"][value="{value}"]')).to_be_checked()
        press(typing, "ArrowDown", "p")
        expect(typing.locator('[name="B-IN"][value="exposed"]')).to_be_checked()
        expect(typing.locator("#live")).to_have_text("B · Puncture-proof · exposed")
        expect(typing.locator("#A-km")).to_have_value("")
        accessible(typing)

    def test_arrows_lead_from_team_to_team_and_to_the_end(self, typing: Page) -> None:
        press(typing, "Tab", "ArrowDown")
        expect(typing.locator("#B-km")).to_be_focused()
        press(typing, "ArrowUp")
        expect(typing.locator("#A-km")).to_be_focused()
        press(typing, "ArrowUp", "ArrowDown", "ArrowDown")
        expect(typing.locator('[name="end"]:checked')).to_be_focused()

    def test_another_end_has_a_key_and_the_usual_one_comes_back(self, typing: Page) -> None:
        press(typing, "*")
        expect(typing.locator('[name="end"][value="interrupted"]')).to_be_checked()
        press(typing, "*")
        expect(typing.locator('[name="end"][value="target"]')).to_be_checked()

    def test_letters_of_the_reason_are_letters(self, typing: Page, championship: Championship) -> None:
        play(championship.parties.get(number=1), 1, sheet())
        typing.reload()
        typing.get_by_label("Reason of the correction").focus()
        press(typing, *"party/n")
        expect(typing.get_by_label("Reason of the correction")).to_have_value("party/n")
        expect(typing.locator('[name="end"][value="target"]')).to_be_checked()

    def test_enter_on_an_unfinished_sheet_marks_what_is_missing(self, typing: Page) -> None:
        press(typing, *"990", "Enter")
        expect(typing.locator("#A-km")).to_have_attribute("aria-invalid", "true")
        expect(typing.locator("#A-km")).to_be_focused()
        expect(typing.locator("#B-km")).to_have_attribute("aria-invalid", "true")
        assert Result.objects.count() == 0

    def test_the_next_table_is_offered_with_the_focus(self, typing: Page) -> None:
        complete(typing)
        press(typing, "Enter")
        following = typing.get_by_role("link", name=re.compile("^Next: table 2"))
        expect(following).to_be_focused()
        press(typing, "Enter")
        expect(typing.locator("#A-km")).to_be_focused()
        assert "/parties/2/manches/1/sheet/" in typing.url


class TestWarnings:
    def test_what_is_improbable_takes_one_key_more_and_is_written_down(
        self, typing: Page, accessible: Accessible
    ) -> None:
        press(typing, *"1000", "Tab", "2", *"rrttppaa", "ArrowDown", *"475", "n")
        expect(typing.locator("#note-A-bottes")).to_contain_text("A has all four coups fourrés: is that so?")
        expect(typing.locator("#A-km")).not_to_have_attribute("aria-invalid", "true")
        press(typing, "Enter")
        sure = typing.get_by_role("button", name="It is so: hand in")
        expect(sure).to_be_focused()
        expect(typing.get_by_role("alert").filter(has_text="improbable")).to_contain_text("all four coups fourrés")
        assert Result.objects.count() == 0
        accessible(typing)
        press(typing, "Enter")
        expect(typing.get_by_text("Manche 1 is recorded.")).to_be_visible()
        assert Result.objects.get().acknowledged == ["four-coups-fourres:A"]
        written = AuditEntry.objects.get(action="hand_in").after
        assert written is not None
        assert written["acknowledged"] == ["four-coups-fourres:A"]

    def test_what_became_improbable_after_it_was_said_is_asked_again(self, typing: Page) -> None:
        press(typing, *"1000", "Tab", "2", *"rrttppaa", "ArrowDown", *"475", "n", "Enter")
        sure = typing.get_by_role("button", name="It is so: hand in")
        expect(sure).to_be_focused()
        for botte in ("VP", "CI", "IN"):
            typing.locator(f'[name="A-{botte}"][value=""]').check()
            typing.locator(f'[name="B-{botte}"][value="exposed"]').check()
        typing.locator("#B-km").fill("0")
        sure.click()
        expect(typing.get_by_role("alert").filter(has_text="improbable")).to_contain_text("B exposed 3 safeties")
        assert Result.objects.count() == 0


class TestWithOneThumb:
    @pytest.fixture
    def phone(self, live_server, chromium: Browser, championship: Championship) -> Iterator[Page]:
        """The sheet on a touch screen of 360 pixels."""
        context = chromium.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
        page = context.new_page()
        sign_in(page, live_server.url, championship.created_by)
        page.goto(live_server.url + SHEET)
        yield page
        context.close()

    def test_everything_is_large_enough_and_the_page_fits(self, phone: Page, accessible: Accessible) -> None:
        fits(phone)
        pressed = "form.sheet .segments label, form.sheet input:not([type=hidden]):not([type=radio]), form.sheet button"
        heights = phone.locator(pressed).evaluate_all(
            "all => all.filter(one => one.offsetParent).map(one => one.getBoundingClientRect().height)"
        )
        assert len(heights) > 30
        assert min(heights) >= 44
        expect(phone.locator(".sheet-legend")).to_be_hidden()
        accessible(phone)

    def test_score_and_button_stay_under_the_thumb(self, phone: Page) -> None:
        phone.locator("#A-km").tap()
        phone.keyboard.type("700")
        expect(phone.locator("#sheet-brief")).to_contain_text("700")
        for place in (phone.locator("#A-km"), phone.locator("#B-VP")):
            place.scroll_into_view_if_needed()
            expect(phone.locator("#sheet-brief")).to_be_in_viewport()
            expect(phone.get_by_role("button", name="Hand in")).to_be_in_viewport()

    def test_enter_leads_down_from_number_to_number(self, phone: Page) -> None:
        phone.locator("#A-km").tap()
        for cell in ("A-n200", "A-claim", "B-km"):
            phone.keyboard.press("Enter")
            expect(phone.locator(f"#{cell}")).to_be_focused()

    def test_by_taps_alone_a_sheet_is_handed_in(self, phone: Page) -> None:
        phone.locator("#A-km").tap()
        phone.keyboard.type("1000")
        phone.locator("#A-n200").tap()
        phone.keyboard.type("2")
        phone.locator('[name="A-VP"][value="coup-fourre"]').tap()
        phone.locator("#B-km").tap()
        phone.keyboard.type("475")
        phone.locator('[name="sabot_empty"][value="no"]').tap()
        phone.get_by_role("button", name="Hand in").tap()
        expect(phone.get_by_text("Manche 1 is recorded.")).to_be_visible()
        fits(phone)
