"""A round from its draw to its last sheet."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.tournament.book import LABELS, Book, Sheet, Table
from tests.browser.tournament.desk import Desk


def draw(desk: Desk, number: int) -> None:
    """From the page of the round before to a draft; whoever is not there is absent, if that is asked."""
    desk.tab("Parties")
    desk.follow(f"Draw round {number}")
    absent = desk.page.locator("main").get_by_label("is absent in this round")
    if absent.count():
        absent.check()
    desk.look(f"round {number}" if number < 3 else "")
    desk.push(f"Draw round {number}")
    desk.said(f"Round {number} is drawn.")


def seats_of_draft(desk: Desk) -> list[list[int]]:
    """The entries of each table of a draft."""
    tables = desk.page.locator(".draft-table").all()
    return [[int(one) for one in table.locator(".draft-entry .number").all_inner_texts()] for table in tables]


def swap(desk: Desk, one: int, other: int) -> None:
    """Two entries of a draft change places."""
    before = seats_of_draft(desk)
    for number in (one, other):
        desk.hand.press(mark(desk, number))
    desk.look("marked")
    desk.hand.press(desk.button("Swap the two"))  # the page takes it in without being loaded again
    desk.said("have changed places.")
    exchanged = {one: other, other: one}
    assert seats_of_draft(desk) == [[exchanged.get(number, number) for number in table] for table in before]


def mark(desk: Desk, number: int) -> Locator:
    """The mark of an entry in a draft."""
    box = desk.page.locator(f'[name="chosen"][value="{number}"]')
    return desk.page.locator("label.draft-entry").filter(has=box)


def publish(desk: Desk, number: int) -> None:
    """Everybody may see it."""
    desk.push("Publish the round")
    desk.said(f"Round {number} is published")
    desk.look("awaited")


def for_the_hall(desk: Desk) -> None:
    """Pairings and slips to print, the screen of the hall, and the clock of the round."""
    desk.tab("Print")
    desk.look()
    for title in ("Pairings by table", "Result slips with the QR code of each table", "Projector"):
        desk.follow(title)
        desk.look(title)
        desk.page.go_back()
    desk.tab("Parties")
    clock = desk.unfold("Set a clock")
    clock.get_by_label("Minutes", exact=True).fill("45")
    desk.push("Set the clock", clock)
    desk.said("The clock is set.")
    desk.push("Start")
    desk.said("The clock runs.")
    desk.look("with its clock")


def enter(desk: Desk, table: Table, sheet: Sheet, names: dict[int, str]) -> None:
    """Open a table's sheet, type it, see that the site reckons as the paper, hand it in."""
    page = desk.page
    heading = page.get_by_role("link", name=re.compile(rf"^Next: table {table.table},"))
    if heading.count():  # offered after the table before, with the focus on it
        desk.go(heading)
    else:
        if f"round={table.round}" not in page.url:
            desk.tab("Parties")
        desk.hand.open_sheet(page, table.table)
    expect(page).to_have_url(re.compile(rf"/parties/{table.partie}/manches/1/sheet/"))
    type_sheet(desk, table, sheet, names)
    desk.look()
    desk.hand.hand_in(page)
    expect(page.get_by_text("Recorded").first).to_be_visible()
    table.sheet = sheet


def type_sheet(desk: Desk, table: Table, sheet: Sheet, names: dict[int, str]) -> None:
    """Type a sheet that is open, and wait for its score."""
    page = desk.page
    for label, entry in zip(LABELS, table.entries, strict=True):
        expect(page.locator(".sheet-team legend").filter(has_text=names[entry])).to_contain_text(label)
    desk.hand.fill(page, sheet)
    expect_score(desk, sheet)


def expect_score(desk: Desk, sheet: Sheet) -> None:
    """The score that the page shows is the one of the paper."""
    expect(desk.page.locator(".sheet-state")).to_have_text(f"The sheet is complete: {sheet.winner} wins.")
    totals = [str(sheet.points(label)) for label in LABELS]
    expect(desk.page.locator("#score tfoot tr").first.locator("td")).to_have_text(totals)


def open_partie(desk: Desk, table: Table) -> None:
    """The page of a partie, from the list of its round."""
    desk.tab("Parties")
    shown = desk.page.get_by_role("navigation", name="Rounds").get_by_role("link", name=f"Round {table.round}")
    if shown.count() and f"round={table.round}" not in desk.page.url:
        desk.go(shown)
    desk.follow(f"Table {table.table}, partie {table.partie}")


def table_address(desk: Desk, table: Table) -> str:
    """Where the QR code of a table's slip leads."""
    open_partie(desk, table)
    desk.look("with its link")
    return str(desk.page.evaluate("href => new URL(href, location).href", desk.link("See it").get_attribute("href")))


def seat_together(desk: Desk, one: int, other: int) -> None:
    """Swap so that two sit at one table, if the draft does not have it so."""
    tables = seats_of_draft(desk)
    home = next((table for table in tables if one in table), None)
    assert home is not None, "the first of the ranking has no bye"
    if other not in home:
        swap(desk, other, next(entry for entry in reversed(home) if entry != one))


def clear_bottes(desk: Desk) -> None:
    """Take every safety off a sheet that is to be corrected."""
    for none in desk.page.locator('.sheet-team [role="radiogroup"] label:has([value=""])').all():
        desk.hand.press(none)
    desk.page.locator("#A-km").focus()


def moved(desk: Desk) -> dict[int, tuple[int, int]]:
    """The ranks that a page foresees to move: before and after, by entry."""
    found = {}
    for line in desk.page.locator("main li:not(.card)").all_inner_texts():
        if match := re.match(r"\s*(\d+) → (\d+)\s+(\d+) ·", line):
            found[int(match[3])] = (int(match[1]), int(match[2]))
    return found


def enter_all(desk: Desk, book: Book, sheets: dict[int, Sheet]) -> None:
    """Every sheet that is left of a round, by table number."""
    for table in sorted(book.tables, key=lambda one: one.table):
        if table.table in sheets and table.sheet is None and table.round == max(one.round for one in book.tables):
            enter(desk, table, sheets[table.table], book.names)
