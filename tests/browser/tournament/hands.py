"""How somebody works: at a laptop with the keyboard, or on a phone with a thumb."""

import re
from typing import Protocol

from playwright.sync_api import Locator, Page, expect

from tests.browser.tournament.book import COUP_FOURRE, LABELS, Sheet, Side

LETTERS = {"VP": "r", "CI": "t", "IN": "p", "AS": "a"}
"""The key of each botte on an English page."""


class Hand(Protocol):
    """What both have in common."""

    def press(self, what: Locator) -> None:
        """Press a link, a button or a choice."""

    def open_sheet(self, page: Page, table: int) -> None:
        """From the page of a round to the sheet of a table."""

    def fill(self, page: Page, sheet: Sheet) -> None:
        """Type a sheet, from its first cell on."""

    def hand_in(self, page: Page) -> None:
        """Send what was typed."""


class Keyboard:
    """The organiser's laptop: a mouse between the pages, keys alone in the sheet."""

    def press(self, what: Locator) -> None:
        """Click it."""
        what.click()

    def open_sheet(self, page: Page, table: int) -> None:
        """Type the number of the table where the page has put the focus."""
        expect(page.get_by_label("Go to table")).to_be_focused()
        page.keyboard.type(str(table))
        page.keyboard.press("Enter")

    def fill(self, page: Page, sheet: Sheet) -> None:
        """Numbers, and letters for the safeties; arrows between the teams."""
        keys = page.keyboard
        expect(page.locator("#A-km")).to_be_focused()
        for label in LABELS:
            if label != "A":
                keys.press("ArrowDown")
            self._side(page, label, sheet.sides[label])
        keys.press("n")

    @staticmethod
    def _side(page: Page, label: str, side: Side) -> None:
        expect(page.locator(f"#{label}-km")).to_be_focused()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(str(side.km))
        page.keyboard.press("Tab")
        page.keyboard.type("" if side.n200 is None else str(side.n200))
        for code, how in side.bottes.items():
            for _ in range(2 if how == COUP_FOURRE else 1):
                page.keyboard.press(LETTERS[code])

    def hand_in(self, page: Page) -> None:
        """Enter."""
        page.keyboard.press("Enter")


class Thumb:
    """A phone: everything is tapped, numbers are typed on its own keys."""

    def press(self, what: Locator) -> None:
        """Tap it."""
        what.tap()

    def open_sheet(self, page: Page, table: int) -> None:
        """Tap the button of the table."""
        card = page.locator(".hall-table").filter(
            has=page.get_by_role("link", name=re.compile(rf"^Table {table}, partie"))
        )
        card.get_by_role("link", name=re.compile("^Enter manche")).tap()

    def fill(self, page: Page, sheet: Sheet) -> None:
        """Number after number, and the choices."""
        for label, side in sheet.sides.items():
            for name, value in (("km", side.km), ("n200", side.n200)):
                if value is not None:
                    cell = page.locator(f"#{label}-{name}")
                    cell.tap()
                    cell.fill(str(value))
            for code, how in side.bottes.items():
                page.locator(f'label:has([name="{label}-{code}"][value="{how}"])').tap()
        page.locator('label:has([name="sabot_empty"][value="no"])').tap()

    def hand_in(self, page: Page) -> None:
        """The button at the foot of the screen."""
        page.locator(".sheet-hand-in").tap()
