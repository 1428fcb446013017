"""The public pages in a browser: they fit a phone, axe finds nothing, and a replay obeys the keyboard."""

import json
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.notation import to_document
from engine.simulate import simulate
from engine.text_notation import to_text
from league.models import Championship
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet

WINDOWS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((360, "light"), (1280, "dark"))
"""A phone by day, a laptop by night."""
LOG = simulate("classique", 2, 1, "browser")


@pytest.fixture
def championship(transactional_db: None) -> Championship:
    """A championship with a log, a correction, a claim that differs and two published versions; names are long."""
    made: Championship = ChampionshipFactory(
        slug="coupe", name="Grande Coupe d'Automne des Clubs de la Vallée", partie_end="manches", partie_end_value=2
    )
    names = ("Anticonstitutionnellement", "Les Joyeux Conducteurs du Dimanche Après-Midi", "Zoé")
    entries = [EntryFactory(championship=made, name=name) for name in names]
    partie = PartieFactory(championship=made, entries=entries[:2], table_number=1)
    play(partie, 1, to_document(LOG))
    play(partie, 2, sheet())
    publish(actor=owner_of(made), championship_id=made.pk, label="Ronde 1")
    play(partie, 2, sheet({"A": 250, "B": 1000}), reason="La feuille était à l'envers", replaces=1)
    publish(actor=owner_of(made), championship_id=made.pk, label="Ronde 1, corrigée")
    other = PartieFactory(championship=made, entries=entries[1:], round=2)
    play(other, 1, sheet(claim={"A": 1000, "B": 475}))
    renew_live_ranking(championship_id=made.pk)
    return made


PAGES = (
    "",
    "about/",
    "championships/",
    "championships/coupe/",
    "championships/coupe/terms/",
    "championships/coupe/journal/",
    "championships/coupe/parties/?round=1",
    "championships/coupe/parties/1/",
    "championships/coupe/parties/1/manches/1/",
    "championships/coupe/parties/1/manches/1/moves/?step=30",
    "championships/coupe/parties/1/manches/2/",
    "championships/coupe/parties/2/manches/1/",
    "championships/coupe/entries/",
    "championships/coupe/entries/2/",
    "championships/coupe/published/",
    "championships/coupe/published/2/",
    "championships/coupe/published/2/moved/?from=1",
    "check/",
    "rulebooks/",
    "rulebooks/fournier/",
    "rulebooks/differences/",
    "rules/",
    "standings/",
    "decisions/",
)


def fits(page: Page) -> bool:
    """Whether the page is no wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.parametrize("rest", PAGES)
def test_a_page_fits_and_axe_finds_no_fault(
    live_server, championship: Championship, page: Page, accessible: Callable[[Page], None], rest: str
) -> None:
    for width, scheme in WINDOWS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        answer = page.goto(f"{live_server.url}/fr/{rest}")
        assert answer is not None
        assert answer.status == 200
        for summary in page.locator("details > summary").all():
            summary.click()
        assert fits(page), f"wider than {width} pixels"
        accessible(page)


DOCUMENTS = {
    "a valid log": to_text(LOG._replace(claim={"A": 1, "B": 2})),
    "a refused log": to_text(LOG._replace(moves=[*LOG.moves[:20], *LOG.moves[21:]])),
    "what is no log": "hello",
    "a sheet with faults": json.dumps(sheet({"A": 1010, "B": 475})),
}


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_verdict_fits_and_axe_finds_no_fault(
    live_server, transactional_db: None, page: Page, accessible: Callable[[Page], None], document: str
) -> None:
    page.goto(f"{live_server.url}/fr/check/")
    page.locator("textarea").fill(document)
    page.locator("form.form button").click()
    expect(page.locator("#verdict")).to_be_visible()
    for width, scheme in WINDOWS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        assert fits(page)
        accessible(page)


class TestReplay:
    @pytest.fixture
    def moves(self, live_server, championship: Championship, page: Page) -> Page:
        page.goto(f"{live_server.url}/en/championships/coupe/parties/1/manches/1/moves/")
        return page

    def test_arrows_go_step_by_step_without_loading_the_page_again(self, moves: Page) -> None:
        moves.evaluate("window.stayed = true")
        for step in (1, 2, 3):
            moves.keyboard.press("ArrowRight")
            expect(moves.locator(".step-count")).to_have_text(f"{step} / {len(LOG.moves)}")
        moves.keyboard.press("ArrowLeft")
        expect(moves.locator(".step-count")).to_have_text(f"2 / {len(LOG.moves)}")
        assert moves.evaluate("window.stayed")
        assert moves.url.endswith("?step=2")

    def test_end_and_home_go_to_the_ends(self, moves: Page) -> None:
        moves.keyboard.press("End")
        expect(moves.locator(".step-count")).to_have_text(f"{len(LOG.moves)} / {len(LOG.moves)}")
        expect(moves.get_by_text("The manche is over.")).to_be_visible()
        moves.keyboard.press("Home")
        expect(moves.locator(".step-count")).to_have_text(f"0 / {len(LOG.moves)}")

    def test_each_move_is_said_and_marked_in_the_list(self, moves: Page) -> None:
        moves.keyboard.press("ArrowRight")
        expect(moves.locator("#live")).to_contain_text("Move 1: a1")
        expect(moves.locator(".move-list [aria-current]")).to_have_attribute("data-step", "1")

    def test_the_focus_stays_on_the_button_that_was_pressed(self, moves: Page) -> None:
        moves.locator("#step-after").focus()
        moves.keyboard.press("Enter")
        expect(moves.locator(".step-count")).to_have_text(f"1 / {len(LOG.moves)}")
        expect(moves.locator("#step-after")).to_be_focused()

    def test_a_move_of_the_list_is_shown(self, moves: Page) -> None:
        moves.locator(".move-list a").nth(12).click()
        expect(moves.locator(".step-count")).to_have_text(f"12 / {len(LOG.moves)}")


def test_a_replay_works_without_javascript(live_server, championship: Championship, chromium: Browser) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/en/championships/coupe/parties/1/manches/1/moves/")
    page.locator("#step-after").click()
    expect(page.locator(".step-count")).to_have_text(f"1 / {len(LOG.moves)}")
    page.locator(".move-list a").nth(5).click()
    expect(page.locator(".step-count")).to_have_text(f"5 / {len(LOG.moves)}")
    context.close()


def test_whatever_is_pressed_in_the_header_is_44_pixels_high(live_server, transactional_db: None, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{live_server.url}/fr/")
    heights = page.locator(".road a, .road button, .foot a, main .button").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert len(heights) > 8
    assert min(heights) >= 44


def test_the_first_tab_leads_past_the_header(live_server, transactional_db: None, page: Page) -> None:
    page.goto(f"{live_server.url}/en/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
