"""What the organiser does before and beside the rounds, page by page as anybody would."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.tournament.hands import Hand
from tests.browser.tournament.looking import Looking

NAME = "Coupe des Bornes"
PASSWORD = "bornes-et-cartes-7"


class Desk:
    """The organiser's own window."""

    def __init__(self, page: Page, site: str, hand: Hand, look: Looking) -> None:
        self.page = page
        self.site = site
        self.hand = hand
        self.looking = look

    # ---- finding one's way -------------------------------------------------------------------------------------------

    def look(self, state: str = "") -> None:
        """Look at the page."""
        self.looking(self.page, state)

    def link(self, name: str, **how: bool) -> Locator:
        """A link of the page's own part."""
        return self.page.locator("main").get_by_role("link", name=name, **how).first

    def go(self, what: Locator) -> None:
        """Press what leads to another page, and wait for that."""
        with self.page.expect_navigation():
            self.hand.press(what)

    def follow(self, name: str, **how: bool) -> None:
        """Follow a link of the page's own part."""
        self.go(self.link(name, **how))

    def button(self, name: str, within: Locator | None = None) -> Locator:
        """A button of the page's own part."""
        return (within or self.page.locator("main")).get_by_role("button", name=name, exact=True).first

    def push(self, name: str, within: Locator | None = None) -> None:
        """Push a button that sends a form."""
        self.go(self.button(name, within))

    def unfold(self, title: str) -> Locator:
        """Open what is folded away under a title."""
        folded = self.page.locator("main details").filter(
            has=self.page.locator("summary", has_text=re.compile(rf"^\s*{re.escape(title)}\s*$"))
        )
        self.hand.press(folded.last.locator("summary").first)
        return folded.last

    def choose(self, choice: str) -> None:
        """Choose one of several by its words."""
        self.page.locator("main").get_by_label(choice).check()

    def tab(self, name: str) -> None:
        """Go to a room of the championship."""
        bar = self.page.get_by_role("navigation", name="This championship")
        self.go(bar.get_by_role("link", name=re.compile(rf"^{name}\b")))

    def said(self, text: str) -> None:
        """Wait until the page says this."""
        expect(self.page.locator("main").get_by_text(text).first).to_be_visible()

    # ---- before the day ----------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Make the first account, and a public championship of classique at tables of three, one manche a partie."""
        self.page.goto(f"{self.site}/en/")
        self.look()
        self.follow("Make the first account")
        self.look()
        for label, typed in (("Your name", "Ane"), ("E-mail", "ane@example.org"), ("Password", PASSWORD)):
            self.page.get_by_label(label).fill(typed)
        self.push("Make the account")
        self.look("empty")
        self.follow("New championship")
        self.look("rulebooks")
        self.follow("Classique")
        self.page.get_by_label("Name", exact=True).fill(NAME)
        self.choose("3 players, each for oneself")
        self.unfold("Everything else: it has usual values")
        self.look("settings")
        self.choose("a number of manches is played")
        self.page.get_by_label("That number").fill("1")
        self.page.get_by_label("public", exact=True).check()
        self.push("Create")
        self.look()

    def set_format(self, rounds: int) -> None:
        """Swiss, entries of one club kept apart."""
        self.tab("Settings")
        self.look()
        self.follow("Format")
        self.look()
        self.choose("Swiss: everybody plays every round")
        self.page.get_by_label("Swiss rounds").fill(str(rounds))
        self.push("Use this format")
        self.said("The format is set.")
        change = self.unfold("Change")
        change.get_by_label("Entries of one club are kept apart").check()
        self.look("one stage")
        self.push("Save", change)
        self.said("Saved.")

    def import_list(self, body: bytes) -> None:
        """Send a file and see it line by line: nothing is made yet."""
        self.tab("Entries")
        self.look("nobody")
        self.follow("Import a list")
        self.look()
        self.page.get_by_label("File").set_input_files({"name": "liste.csv", "mimeType": "text/csv", "buffer": body})
        self.push("Look it over")
        self.said("Nothing is made yet.")

    def line(self, number: int) -> Locator:
        """A line of the list that is looked over."""
        return self.page.get_by_role("region", name=f"Line {number}", exact=True)

    def start(self) -> None:
        """Begin the stage with everybody who is entered."""
        self.tab("Settings")
        self.follow("Format")
        self.follow("Start this stage")
        self.look("before")
        self.choose("by lot")
        self.push("Start this stage")
        self.said("The stage has begun")

    def confirmation(self, choice: str) -> None:
        """Change what a result waits for before it counts."""
        self.tab("Settings")
        self.page.get_by_role("group", name="Before it counts, a result waits for").get_by_label(choice).check()
        self.push("Save")
        self.said("Saved.")

    # ---- the door ----------------------------------------------------------------------------------------------------

    def to_the_door(self) -> None:
        """The page of check-in."""
        self.tab("Entries")
        self.follow("Check-in")

    def check_in(self, name: str) -> None:
        """Somebody is there."""
        self.push(f"Check in {name}")
        self.said(f"{name} is there.")

    def late_entry(self, name: str) -> None:
        """Somebody comes who is on no list."""
        late = self.page.get_by_role("region", name="Late entry")
        late.get_by_label("Names").fill(name)
        self.push("Enter them", late)
        self.said("Entered, and there")

    def withdraw(self, number: int, reason: str) -> None:
        """Somebody goes home."""
        self.tab("Entries")
        row = self.page.locator("tr").filter(has=self.page.get_by_role("cell", name=str(number), exact=True))
        self.go(row.get_by_role("link").first)
        ruling = self.unfold("It withdraws")
        self.look("withdrawing")
        ruling.get_by_label("Reason").fill(reason)
        self.push("Withdraw it", ruling)
        self.said("has withdrawn.")

    # ---- the ranking -------------------------------------------------------------------------------------------------

    def publish_ranking(self, title: str) -> None:
        """Freeze the ranking as it stands."""
        self.tab("Ranking")
        self.page.get_by_label("Title").fill(title)
        self.push("Publish this version")
        self.said("is published.")

    def finish(self) -> None:
        """The end: no more results are taken."""
        self.tab("Overview")
        self.unfold("Finish the championship")
        self.push("Yes, finish it")
        self.said("The championship is finished")
