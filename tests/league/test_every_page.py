"""No page's queries grow with its rows: every address of the site is asked for in a small and in a large championship.

The addresses come from the resolver, so a new page is found by itself (`tests.every_page`).
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.every_page import ANYBODY, LEFT_OUT, ROUTES, World, address_of

SMALL, LARGE = 2, 9
"""Tables of a round, manches of a partie, versions of a result, and so on."""
MOST = 40
"""Queries that the dearest page may cost."""

ONE_MORE = {
    "organise-ranking": "names who comes after the ten that are listed",
    "projector": "names who comes after those on the screen",
}
"""Pages that need one query more when there is more than they list."""


@pytest.fixture(scope="module")
def worlds(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[tuple[World, World]]:
    """A small world and a large one, made once for all pages."""
    with django_db_blocker.unblock(), transaction.atomic():  # type: ignore[attr-defined]
        cache.clear()
        yield World(SMALL), World(LARGE)
        transaction.set_rollback(True)


def cost(world: World, name: str, **other: Any) -> tuple[int, list[str]]:
    """How many queries a page costs its owner, or for a table's page whoever has the link; the second visit."""
    client, address = Client(), address_of(world, name, **other)
    if name.startswith("table"):
        client.post(f"/en/t/{world.said(name)['code']}/", {"do": "side", "side": "A"})
    elif name not in ANYBODY:
        client.force_login(world.owner)
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return len(queries), [query["sql"] for query in queries]


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name in ROUTES if name not in LEFT_OUT])
def test_a_page_costs_the_same_with_many_rows(worlds: tuple[World, World], name: str) -> None:
    (few, _), (many, asked) = (cost(world, name) for world in worlds)
    assert few <= many <= few + (name in ONE_MORE), "\n".join(sql[:160] for sql in asked)
    assert many <= MOST


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["tables", "names", "slips", "sheets", "standings", "badges"])
def test_what_is_printed_costs_the_same_with_many_rows(worlds: tuple[World, World], what: str) -> None:
    few, many = (cost(world, "organise-printed", what=what)[0] for world in worlds)
    assert few == many <= MOST


def test_what_is_left_out_is_there_to_be_left_out() -> None:
    assert {*LEFT_OUT, *ONE_MORE, *ANYBODY} <= set(ROUTES)
