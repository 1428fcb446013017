"""The documentation for programs: every page of it, every operation, every code, and links that lead somewhere."""

import ast
import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from league.api.openapi import document
from league.api.problem_types import PROBLEM_TYPES
from league.api.rulebooks import codes
from league.models import Championship, Visibility
from league.web.docs.problems import explanations
from league.web.docs.texts import FILES, SLUG, text_of
from tests.factories import ChampionshipFactory, PartieFactory, play, sheet

FAULTS = {"UserFault", "Conflict", "RequestFault", "NotFound", "NotPermitted", "Refused"}


def page(client: Client, name: str, **headers: str) -> str:
    answer = client.get(reverse(name), headers=headers or None)
    assert answer.status_code == 200
    return str(answer.content.decode())


def raised() -> Iterator[tuple[str, str]]:
    """Every code that the source of league raises by name, and where."""
    for file in sorted((settings.BASE_DIR / "league").rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_text())):
            if not isinstance(call, ast.Call) or not call.args:
                continue
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            if name in FAULTS:
                for said in ast.walk(call.args[0]):
                    if isinstance(said, ast.Constant) and re.fullmatch(r"[a-z]+(-[a-z]+)*", str(said.value)):
                        yield str(said.value), f"{Path(file).name}:{call.lineno}"


def test_every_code_that_is_raised_is_explained() -> None:
    found = dict(raised())
    assert len(found) > 150
    of_rules = {one.code for one in codes()}
    missing = {code: where for code, where in found.items() if code not in explanations().keys() | of_rules}
    assert not missing, f"to be explained in docs/problems.md: {missing}"


def test_every_problem_says_what_to_do_and_nothing_else_is_explained() -> None:
    assert not PROBLEM_TYPES.keys() - explanations().keys()
    assert not explanations().keys() - PROBLEM_TYPES.keys() - dict(raised()).keys()


@pytest.mark.django_db
def test_the_page_of_codes_shows_status_and_what_to_do(client: Client) -> None:
    shown = page(client, "api-problems")
    for code, kind in PROBLEM_TYPES.items():
        entry = shown.split(f'<dt id="{code}">')[1].split("<dt ")[0]
        assert f"{kind.status} ·" in entry
        assert explanations()[code] in entry
    for code, _where in raised():
        assert f'id="{code}"' in shown, code


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_of_codes_is_in_the_language_of_the_page_that_leads_there(client: Client, language: str) -> None:
    assert f'href="/{language}/docs/problems/#result-exists"' in client.get(f"/{language}/docs/api/").content.decode()
    shown = client.get(f"/{language}/docs/problems/").content.decode()
    assert f'<html lang="{language}">' in shown
    assert all(f'<span class="said" lang="en">{text}</span>' in shown for text in explanations().values())


@pytest.mark.django_db
def test_without_an_address_of_a_language_it_is_what_the_browser_asks_for(client: Client) -> None:
    """As the page at `/` is."""
    for asked, language in (("en", "en"), ("fr", "fr"), ("", "fr")):
        shown = page(client, "api-problems", **{"accept-language": asked})
        assert f'<html lang="{language}">' in shown
        assert f'href="/{language}/docs/problems/"' in shown


@pytest.mark.django_db
@pytest.mark.parametrize("name", FILES)
def test_every_column_of_a_table_has_a_head(client: Client, name: str) -> None:
    heads = re.findall(r"<thead>.*?</thead>", page(client, name), re.DOTALL)
    assert all(re.search(r"<t[hd][^>]*>\s*</t[hd]>", head) is None for head in heads), heads


@pytest.mark.django_db
def test_every_operation_is_in_the_tables_and_leads_to_its_description(client: Client) -> None:
    shown = html.unescape(page(client, "docs-api"))
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            where = f'href="/api/v1/docs#/{operation["tags"][0]}/{operation["operationId"]}"'
            row = f"<a {where}><code>{method.upper()} {path.removeprefix('/api/v1/')}</code></a></td>"
            assert f"{row}<td>{operation['summary']}</td>" in shown, (method, path)


@pytest.mark.django_db
@pytest.mark.parametrize("name", FILES)
def test_links_lead_somewhere(client: Client, name: str) -> None:
    text = text_of(name, "en")
    for address in re.findall(r'href="([^"]+)"', text.html):
        where, _mark, anchor = html.unescape(address).partition("#")
        assert not where.endswith(".md"), address
        if where.startswith(("https://", "http://")):
            continue
        answer = client.get(where, follow=True)
        assert answer.status_code == 200, address
        if anchor and not where.startswith("/api/"):
            assert f'id="{anchor}"' in answer.content.decode(), address


@pytest.mark.parametrize("name", FILES)
def test_no_anchor_stands_twice(name: str) -> None:
    found = re.findall(r' id="([^"]+)"', text_of(name, "en").html)
    assert len(found) == len(set(found))


def test_every_file_is_listed_among_the_documentation() -> None:
    listed = text_of("docs", "en").html
    for name in FILES:
        assert name == "docs" or f'href="{reverse(name)}"' in listed


@pytest.mark.django_db
class TestFilledIn:
    """Commands speak of the site that shows them."""

    def test_the_address_of_the_site(self, client: Client) -> None:
        answer = client.get(reverse("docs-start"), headers={"host": "localhost:8123"})
        shown = answer.content.decode()
        assert "curl &quot;http://localhost:8123/api/v1/championships?limit=5&quot;" in shown
        assert "$SITE" not in shown

    def test_a_public_championship_that_has_a_result(self, client: Client) -> None:
        played = self._played("played", Visibility.PUBLIC)
        self._played("hidden", Visibility.DRAFT)
        ChampionshipFactory(slug="empty", visibility=Visibility.PUBLIC)
        shown = page(client, "docs-start")
        assert f"/api/v1/championships/{played.slug}/ranking" in shown
        assert SLUG not in shown

    def test_without_one_the_demonstration(self, client: Client) -> None:
        assert f"/api/v1/championships/{SLUG}/ranking" in page(client, "docs-start")

    def test_nobodys_championship_in_a_command_that_writes(self, client: Client) -> None:
        played = self._played("played", Visibility.PUBLIC)
        blocks = re.findall(r"<pre[^>]*>(.*?)</pre>", page(client, "docs-api"), re.DOTALL)
        writing = [block for block in blocks if "$TOKEN" in block]
        assert len(writing) > 3
        assert not [block for block in writing if f"/{played.slug}/" in block]

    @staticmethod
    def _played(slug: str, visibility: str) -> Championship:
        championship: Championship = ChampionshipFactory(slug=slug, visibility=visibility)
        play(PartieFactory(championship=championship), 1, sheet())
        return championship


@pytest.mark.parametrize("name", ["hand.json", "refused.bornes"])
def test_documents_of_the_commands_are_those_of_the_folder(client: Client, name: str) -> None:
    answer = client.get(f"/docs/examples/{name}")
    assert answer.content == (settings.BASE_DIR / "docs" / "examples" / name).read_bytes()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["none.json", "..", "%2e%2e%2fapi.md", "api.md"])
def test_nothing_else_is_to_be_had(client: Client, name: str) -> None:
    assert client.get(f"/docs/examples/{name}").status_code == 404
