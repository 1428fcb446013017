"""What everybody sees: the wall of the hall (public pages, not signed in), and players' phones at their tables."""

import re

from playwright.sync_api import Page, expect

from tests.browser.tournament.book import Book, Sheet, Table
from tests.browser.tournament.hands import Thumb
from tests.browser.tournament.looking import Looking


class Wall:
    """A window of somebody who is not signed in."""

    def __init__(self, page: Page, home: str, look: Looking) -> None:
        self.page = page
        self.home = home
        self.look = look

    def go(self, rest: str = "") -> None:
        """Open one of the championship's public pages, and look at it."""
        answer = self.page.goto(self.home + rest)
        assert answer is not None
        assert answer.status == 200, self.page.url
        self.look(self.page)

    def read_names(self, book: Book) -> None:
        """Who is entered, by number."""
        self.go("entries/")
        for row in self.page.locator("main tbody tr").all():
            book.names[int(row.locator("td").first.inner_text())] = row.locator("th a").inner_text()

    def read_round(self, book: Book, number: int) -> None:
        """Who sits where in a round that was just published, and who has a bye."""
        self.go(f"parties/?round={number}")
        for card in self.page.locator(".partie-card").all():
            link = card.locator("h3 a")
            partie = re.search(r"/parties/(\d+)/", str(link.get_attribute("href")))
            table = re.search(r"\btable (\d+)", link.inner_text(), re.IGNORECASE)
            assert partie is not None
            assert table is not None
            names = card.locator(".seats .team").all_inner_texts()
            entries = [book.number(name) for name in names]
            book.tables.append(Table(number, int(partie[1]), int(table[1]), entries))
        byes = self.page.locator(".card").filter(has=self.page.get_by_role("heading", name="Byes"))
        for link in byes.get_by_role("link").all():
            book.byes.append((number, book.number(link.inner_text())))

    def read_ranking(self) -> list[tuple[int | None, int, str]]:
        """Rank, entry number and value of the primary key of every row of the ranking that is shown."""
        rows = []
        for row in self.page.locator("table.ranking tbody > tr").all():
            rank = row.locator(".milestone").first.inner_text()
            number = int(str(row.get_attribute("id")).removeprefix("entry-"))
            value = row.locator("td.strong").inner_text()
            rows.append((int(rank) if rank.isdigit() else None, number, value))
        return rows


class Phone:
    """The phone of a side, on its table's secret page."""

    def __init__(self, page: Page, address: str, label: str, look: Looking) -> None:
        self.page = page
        self.look = look
        self.thumb = Thumb()
        page.goto(address)
        look(page, "who are you")
        self.press(re.compile(rf"^{label}\b"))
        expect(page.get_by_text("You speak for")).to_be_visible()

    def press(self, name: str | re.Pattern[str]) -> None:
        """Tap a button."""
        with self.page.expect_navigation():
            self.page.locator("main").get_by_role("button", name=name).first.tap()

    def enter(self, sheet: Sheet, link: str = "Enter the score sheet") -> None:
        """Type what the paper says, and hand it in."""
        with self.page.expect_navigation():
            self.page.get_by_role("link", name=link).tap()
        self.thumb.fill(self.page, sheet)
        expect(self.page.locator(".sheet-state")).to_contain_text("The sheet is complete")
        self.look(self.page)
        self.thumb.hand_in(self.page)
        expect(self.page.get_by_role("heading", level=1, name=re.compile("^Table"))).to_be_visible()

    def again(self) -> None:
        """See what is new."""
        self.page.reload()

    def contest(self, text: str) -> None:
        """Say that what the other side handed in is not right."""
        self.page.locator("summary", has_text="No, it is not right").tap()
        self.page.get_by_label("What is not right?").fill(text)
        self.look(self.page, "contesting")
        self.press("Contest it")
        expect(self.page.get_by_text("Contested: a referee decides.")).to_be_visible()
        self.look(self.page, "contested")

    def confirm(self) -> None:
        """Say that it is right."""
        self.look(self.page, "confirming")
        self.press("Yes, confirm")
        expect(self.page.get_by_text("Confirmed: the manche counts.")).to_be_visible()
