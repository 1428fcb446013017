"""A whole tournament through the pages alone, on a laptop by the keyboard and on a phone by taps.

The way is the one of docs/day.md. What is compared at the end was kept apart: see `book`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.tournament import rounds, script
from tests.browser.tournament.book import Book, Sheet, Table
from tests.browser.tournament.desk import Desk
from tests.browser.tournament.hall import Phone, Wall
from tests.browser.tournament.hands import Keyboard, Thumb
from tests.browser.tournament.looking import Looking

ROUNDS = 5
WINDOWS = {
    "laptop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
}
HANDS = {"laptop": Keyboard(), "phone": Thumb()}


@dataclass
class Day:
    """The tournament under way: its desk, its wall, players' phones, and what was kept of it."""

    desk: Desk
    wall: Wall
    phones: list[BrowserContext]
    book: Book = field(default_factory=Book)
    stars: tuple[int, int] = (0, 0)
    notes: dict[str, Table] = field(default_factory=dict)

    def outcome(self, table: Table) -> Sheet:
        """What comes out at a table."""
        return script.outcome(self.book, table, self.stars)


def make_day(
    kind: str,
    site: str,
    chromium: Browser,
    accessible: Callable[..., None],
    faults: list[str],
    storage: Any = None,
) -> Day:
    """A desk and a wall in windows of one kind, and two players' phones."""
    look = Looking(accessible, kind)
    desks = chromium.new_context(**WINDOWS[kind], storage_state=storage)
    walls = chromium.new_context(**WINDOWS[kind])
    phones = [chromium.new_context(**WINDOWS["phone"]) for _ in range(2)]
    for context in (desks, walls, *phones):
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("page", look.follow)
    desk = Desk(desks.new_page(), site, HANDS[kind], look)
    return Day(desk, Wall(walls.new_page(), f"{site}/en/championships/coupe-des-bornes/", look), phones)


@pytest.mark.parametrize("kind", WINDOWS)
def test_a_whole_day(
    kind: str, live_server, transactional_db: None, chromium: Browser, accessible: Callable[..., None]
) -> None:
    faults: list[str] = []
    expect.set_options(timeout=20_000)
    day = make_day(kind, live_server.url, chromium, accessible, faults)
    try:
        for phase in PHASES:
            phase(day)
        assert day.desk.looking.missed == set()
    finally:
        expect.set_options(timeout=5_000)
        for context in {day.desk.page.context, day.wall.page.context, *day.phones}:
            context.close()
    assert faults == []


def before_the_day(day: Day) -> None:
    """The account, the championship, its format, its list."""
    desk = day.desk
    desk.begin()
    desk.set_format(ROUNDS)
    desk.import_list(script.LIST.encode("cp1252"))
    expect(desk.line(script.BAD_LINE)).to_contain_text("mail")
    twice = desk.line(script.TWICE)
    expect(twice).to_contain_text(f"Who is “{script.TWICE_NAME}”?")
    twice.get_by_label("The same person as in line 6").check()
    desk.look()
    desk.push("Accept the list with these answers")
    desk.said(f"{script.ENTERED} entries are made.")
    desk.said("These lines were wrong and stayed out:")
    desk.look("accepted")
    day.wall.read_names(day.book)
    assert len(day.book.names) == script.ENTERED
    desk.start()


def first_round(day: Day) -> None:
    """Check-in with one absent; a draft changed by hand; results typed one after the other; the round locked."""
    desk, book = day.desk, day.book
    desk.to_the_door()
    for name in book.names.values():
        if name != script.ABSENT:
            desk.check_in(name)
    desk.look()
    rounds.draw(desk, 1)
    tables = rounds.seats_of_draft(desk)
    assert len(tables) == 5
    rounds.swap(desk, tables[0][0], tables[1][0])
    rounds.publish(desk, 1)
    day.wall.read_round(book, 1)
    assert [len(book.of_round(1)), len(book.byes)] == [5, 1]
    rounds.for_the_hall(desk)
    day.stars = (book.tables[0].entries[1], book.tables[1].entries[1])
    rounds.enter_all(desk, book, {table.table: day.outcome(table) for table in book.of_round(1)})
    desk.tab("Parties")
    desk.push("Lock the round")
    desk.said("Round 1 is locked.")
    compare(day)


def compare(day: Day, rest: str = "") -> None:
    """The ranking that everybody sees is the one that was computed apart, row by row."""
    day.wall.go(rest)
    expected = [(row["rank"], row["entry"], row["values"]["match_points"]) for row in day.book.ranking()]
    assert day.wall.read_ranking() == expected
    sums = day.book.match_points()
    assert [(entry, int(value)) for _rank, entry, value in expected] == [(row[1], sums[row[1]]) for row in expected]


def second_round(day: Day) -> None:
    """Somebody late and the absent one come; sides enter by their phones; a dispute is decided; the rest accepted."""
    desk, book = day.desk, day.book
    desk.confirmation("another side of the table confirms it")
    desk.to_the_door()
    desk.check_in(script.ABSENT)
    desk.late_entry(script.LATE)
    day.wall.read_names(book)
    assert book.number(script.LATE) == script.ENTERED + 1
    rounds.draw(desk, 2)
    rounds.publish(desk, 2)
    day.wall.read_round(book, 2)
    tables = book.of_round(2)
    assert len(tables) == 6
    sheets = {table.table: day.outcome(table) for table in tables}
    contested, agreed, *others = tables
    dispute(day, contested, sheets[contested.table])
    agree(day, agreed, sheets[agreed.table])
    for table in others[:2]:  # nobody confirms these
        phone(day, table, "B", day.phones[0]).enter(sheets[table.table])
        table.sheet = sheets[table.table]
    for table in others[2:]:
        rounds.enter(desk, table, sheets[table.table], book.names)
    desk.tab("Disputes")
    desk.look("to accept")
    desk.said("2 results agree with their tables")
    desk.push("Accept all that agree")
    desk.said("2 results count now.")
    compare(day)


def dispute(day: Day, table: Table, right: Sheet) -> None:
    """A side enters nonsense, another contests it, the referee asks for another sheet, which is confirmed."""
    desk, look = day.desk, day.desk.looking
    first, second = phone(day, table, "A", day.phones[0]), phone(day, table, "B", day.phones[1])
    turned = [*table.entries[1:], table.entries[0]]
    first.enter(script.ranked(table, turned))
    second.again()
    second.contest("We never had the right of way.")
    desk.tab("Disputes")
    desk.look("open")
    desk.go(desk.page.locator(".waiting a").filter(has_text=f"Partie {table.partie}, manche 1"))
    desk.said("We never had the right of way.")
    desk.look("open")
    desk.choose("The table hands in another sheet.")
    desk.page.get_by_role("region", name="The decision").get_by_label("Reason").fill("Reckon again, together.")
    desk.push("Decide")
    desk.said("Decided: another sheet is awaited.")
    first.again()
    look(first.page, "another sheet")
    first.enter(right, "Enter the other sheet")
    second.again()
    second.confirm()
    table.sheet = right


def agree(day: Day, table: Table, sheet: Sheet) -> None:
    """A side enters, another confirms."""
    first, second = phone(day, table, "C", day.phones[0]), phone(day, table, "A", day.phones[1])
    first.enter(sheet)
    second.again()
    second.confirm()
    table.sheet = sheet


def phone(day: Day, table: Table, label: str, context: BrowserContext) -> Phone:
    """A phone that has read the QR code of a table's slip."""
    return Phone(context.new_page(), rounds.table_address(day.desk, table), label, day.desk.looking)


def third_round(day: Day) -> None:
    """Somebody goes home; the two stars sit together, by hand where the draw has not put them together yet."""
    desk, book = day.desk, day.book
    desk.confirmation("nothing: it counts at once")
    sums = book.match_points()
    leaver = min((number for number in book.names if number not in day.stars), key=lambda one: (sums[one], one))
    desk.withdraw(leaver, "Has to catch a train.")
    book.withdrawn.add(leaver)
    rounds.draw(desk, 3)
    if not book.met(*day.stars):
        rounds.seat_together(desk, *day.stars)
    rounds.publish(desk, 3)
    day.wall.read_round(book, 3)
    assert [len(book.of_round(3)), len(book.byes)] == [5, 3]
    assert not any(leaver in table.entries for table in book.of_round(3))
    assert len(book.met(*day.stars)) == 1
    rounds.enter_all(desk, book, {table.table: day.outcome(table) for table in book.of_round(3)})
    compare(day)
    desk.publish_ranking("After round 3")
    desk.look("published")


def fourth_round(day: Day) -> None:
    """A sheet is typed wrong: a star that won is put second, and nobody sees it."""
    desk, book = day.desk, day.book
    rounds.draw(desk, 4)
    rounds.publish(desk, 4)
    day.wall.read_round(book, 4)
    star = day.stars[1]
    wrong = next(table for table in book.of_round(4) if star in table.entries)
    sheets = {table.table: day.outcome(table) for table in book.of_round(4)}
    others = [entry for entry in wrong.entries if entry != star]
    sheets[wrong.table] = script.ranked(wrong, [others[0], star, others[1]])
    day.notes["wrong"] = wrong
    rounds.enter_all(desk, book, sheets)
    compare(day)


def fifth_round(day: Day) -> None:
    """The next round is published; then the wrong sheet is found, and what its correction moves is shown first."""
    desk, book = day.desk, day.book
    rounds.draw(desk, 5)
    rounds.publish(desk, 5)
    day.wall.read_round(book, 5)
    assert len(book.of_round(5)) == 5
    correct(day, day.notes["wrong"])
    rounds.enter_all(desk, book, {table.table: day.outcome(table) for table in book.of_round(5)})


def correct(day: Day, table: Table) -> None:
    """Put a sheet right whose round is long over; the page before saving says what the book says."""
    desk, book = day.desk, day.book
    star = day.stars[1]
    others = [entry for entry in table.entries if entry != star]
    right = script.ranked(table, [star, *others])
    before = {row["entry"]: row["rank"] for row in book.ranking()}
    rounds.open_partie(desk, table)
    desk.look("over")
    desk.follow("Manche 1", exact=True)
    desk.look("recorded")
    desk.follow("Correct it by a sheet")
    rounds.clear_bottes(desk)
    rounds.type_sheet(desk, table, right, book.names)
    desk.page.get_by_label("Reason of the correction").fill("Two columns were taken one for the other.")
    desk.look("correction")
    desk.hand.press(desk.button("Hand in the correction"))
    desk.said("Nothing is saved yet.")
    desk.look("foreseen")
    table.sheet = right
    after = {row["entry"]: row["rank"] for row in book.ranking()}
    seat = desk.page.locator("li.card").filter(has_text=book.names[star])
    expect(seat).to_contain_text("place 2 → 1")
    expect(seat).to_contain_text("match points 2 → 4")
    shown = rounds.moved(desk)
    assert shown
    assert shown == {entry: (before[entry], rank) for entry, rank in after.items() if rank != before[entry]}
    compare_unsaved(day, table)
    desk.push("Save it")
    desk.said("The correction is recorded.")
    compare(day)
    day.wall.go(f"parties/{table.partie}/")
    expect(day.wall.page.locator("main")).to_contain_text("corrected")


def compare_unsaved(day: Day, table: Table) -> None:
    """Nothing has moved yet for everybody else."""
    day.wall.go(f"parties/{table.partie}/manches/1/")
    expect(day.wall.page.locator("main")).not_to_contain_text("Two columns were taken")


def the_end(day: Day) -> None:
    """The final ranking is published: two are level at the top in match points, and a rule says who is first."""
    desk = day.desk
    desk.publish_ranking("Final ranking")
    compare(day, "published/2/")
    first_by_rule(day)
    desk.finish()
    desk.look("finished")
    compare(day)


def first_by_rule(day: Day) -> None:
    """By hand: level in match points, level where they met; one has won every manche, the other all but that one."""
    book, page = day.book, day.wall.page
    first, second = day.stars
    sums = book.match_points()
    assert sums[first] == sums[second] == max(sums.values())
    assert [table.match_points()[first] for table in book.met(first, second)] == [3]
    assert [table.match_points()[second] for table in book.met(first, second)] == [3]
    won, played = book.manches(second)
    assert book.manches(first) == (book.manches(first)[1],) * 2
    assert won == played - 1
    assert [(rank, number) for rank, number, _value in day.wall.read_ranking()[:2]] == [(1, first), (2, second)]
    top = page.locator(f"#entry-{first}")
    day.desk.hand.press(top.locator("summary"))
    expect(top).to_contain_text(f"Why above {book.names[second]}")
    expect(top).to_contain_text(f"Level in match points: {sums[first]}")
    expect(top).to_contain_text("Level in direct encounter")
    expect(top).to_contain_text(re.compile(rf"Share of manches won: 1 against 0\.\d+ \({won}/{played}\)"))
    day.wall.look(page, "why")


PHASES = (before_the_day, first_round, second_round, third_round, fourth_round, fifth_round, the_end)
