"""The rulebooks: every parameter, table, line and decision, side by side, and as text."""

import html
import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from engine.rulebooks import HOUSE_KEYS, POINT_VALUES, RULEBOOKS
from league.web.rulebook_decisions import DECISIONS

pytestmark = pytest.mark.django_db


def words(client: Client, address: str) -> str:
    """What a page says, white space single."""
    source = client.get(address).content.decode().split("<main", 1)[1]
    return " ".join(html.unescape(strip_tags(source.replace("<", " <"))).split())


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_rulebook_shows_every_parameter_line_and_table(client: Client, name: str) -> None:
    said = words(client, f"/en/rulebooks/{name}/")
    rulebook = RULEBOOKS[name]
    for key in HOUSE_KEYS:
        if key not in POINT_VALUES and (rulebook.has_points or key != "capot_to"):
            assert key in said
    for shape in rulebook.tables:
        assert f"{shape.teams} " + ("players" if shape.players == 1 else f"teams of {shape.players}") in said
    if rulebook.has_points:
        assert f"Victory For the winner. {rulebook.victoire}" in said
    else:
        assert "No points: a manche has a winner, or none." in said


@pytest.mark.parametrize("name", RULEBOOKS)
@pytest.mark.parametrize("form", ["/", ".txt"])
def test_a_rulebook_shows_the_decisions_that_concern_it_and_no_other(client: Client, name: str, form: str) -> None:
    said = " ".join(html.unescape(client.get(f"/en/rulebooks/{name}{form}").content.decode()).split())
    for decision in DECISIONS:
        assert (str(decision.decided) in said) == (name in decision.rulebooks), decision.decided


def test_lines_that_a_rulebook_does_not_pay_are_left_out(client: Client) -> None:
    assert "Delayed action" in words(client, "/en/rulebooks/fournier/")
    assert "Delayed action" not in words(client, "/en/rulebooks/dujardin-2010/")
    assert "Extension For the team that called" in words(client, "/en/rulebooks/fournier/")


def test_the_text_is_plain_and_comes_as_a_file(client: Client) -> None:
    answer = client.get("/en/rulebooks/fournier.txt")
    text = answer.content.decode()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="bornage-fournier.txt"'
    assert "101 cards (one of each hazard taken out), 700 km, extension to 1000 km" in text
    assert not re.search(r"[<>]|&\w+;|\{[{%]", text)


def test_side_by_side_shows_what_differs(client: Client) -> None:
    said = words(client, "/en/rulebooks/differences/?id=classique&id=dujardin-2010")
    assert "Points: without 200 300 200" in said
    assert "A green light is needed to start" not in said
    assert "parameters are the same in all of them." in said


def test_side_by_side_shows_all_on_demand(client: Client) -> None:
    said = words(client, "/en/rulebooks/differences/?id=classique&id=dujardin-2010&all=1")
    assert "A green light is needed to start yes yes" in said


@pytest.mark.parametrize("query", ["", "id=classique", "id=none&id=x"])
def test_side_by_side_shows_all_four_unless_two_are_chosen(client: Client, query: str) -> None:
    said = words(client, f"/en/rulebooks/differences/?{query}")
    assert "Parameter classique moderne fournier dujardin-2010" in said


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_table_of_a_rulebook_has_a_blank_score_sheet(client: Client, name: str) -> None:
    page = client.get(f"/en/rulebooks/{name}/").content.decode()
    for shape in RULEBOOKS[name].tables:
        address = f"/en/rulebooks/{name}/sheet/{shape.teams}x{shape.players}/"
        assert f'href="{address}"' in page
        sheet = client.get(address).content.decode()
        assert sheet.count("<thead><tr>") == 1
        assert all(f'<span class="label">{label}</span>' in sheet for label in "ABCD"[: shape.teams])
    assert client.get(f"/en/rulebooks/{name}/sheet/7x1/").status_code == 404
