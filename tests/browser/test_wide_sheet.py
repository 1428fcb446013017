"""The sheet of three or four sides on a laptop: its columns stand side by side, and nothing runs over."""

import pytest
from playwright.sync_api import Page

from league.table_codes import table_address
from tests.factories import ChampionshipFactory, PartieFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("sides", [3, 4])
def test_the_columns_stand_side_by_side_above_the_fold(live_server, page: Page, sides: int) -> None:
    cup = ChampionshipFactory(rulebook="classique", table_entries=sides, confirmation="opponent")
    partie = PartieFactory(championship=cup)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(live_server.url + table_address(partie))
    page.locator('button[name="side"][value="A"]').click()
    page.goto(f"{page.url.split('?')[0]}manches/1/sheet/")
    columns = [column.bounding_box() for column in page.locator(".sheet-team").all()]
    assert len({column["y"] for column in columns if column}) == 1
    assert len(columns) == sides
    assert all(column and column["y"] + column["height"] < 800 for column in columns)
    button = page.locator(".sheet-hand-in").bounding_box()
    assert button
    assert button["y"] + button["height"] <= 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
