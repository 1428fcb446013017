"""RULES, STANDINGS and the decisions as pages: anchors that others point at, links that lead somewhere, safe HTML."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from engine.refusals import PARAGRAPHS
from engine.rulebooks import HOUSE_KEYS
from league.services.fit import SENTENCES as MISFITS
from league.web.rule_texts import CITATION, FILES, citation_address, rule_text
from league.web.rulebook_decisions import DECISIONS
from scoring.points import LINES
from scoring.why import KEY_NAMES

RULES = settings.BASE_DIR / "docs" / "rules" / "RULES.md"
LANGUAGES = [code for code, _name in settings.LANGUAGES]


def sheet_codes() -> set[str]:
    """Every fault code that scoring knows, as its sources spell them."""
    source = "".join(
        (settings.BASE_DIR / "scoring" / name).read_text() for name in ("sheet_faults.py", "sheet_document.py")
    )
    return set(re.findall(r'_?[fF]ault\(\s*"([a-z0-9-]+)"', source))


class TestAnchors:
    @pytest.mark.parametrize("section", range(1, 14))
    def test_every_section_of_rules(self, section: int) -> None:
        assert f"rules-{section}" in rule_text("rules", "en").anchors

    @pytest.mark.parametrize("section", range(1, 8))
    def test_every_section_of_standings(self, section: int) -> None:
        assert f"standings-{section}" in rule_text("standings", "en").anchors

    @pytest.mark.parametrize("item", ["rules-4-1", "rules-4-4", "rules-6-1", "rules-6-4", "rules-10-12", "rules-5-p1"])
    def test_items_and_paragraphs(self, item: str) -> None:
        assert item in rule_text("rules", "en").anchors

    def test_numbered_items_are_those_that_are_cited(self) -> None:
        html = rule_text("rules", "en").html
        assert re.search(r'id="rules-6-3">\s*(<p[^>]*>)?The botte does not stand in the attack', html)

    @pytest.mark.parametrize("code", [*PARAGRAPHS, *MISFITS])
    def test_every_refusal(self, code: str) -> None:
        if code != "second-interrupted":  # of STANDINGS 1, which names no codes
            assert f"code-{code}" in rule_text("rules", "en").anchors

    def test_every_fault_of_a_sheet(self) -> None:
        codes = sheet_codes()
        assert len(codes) > 15
        assert {f"fault-{code}" for code in codes} <= rule_text("rules", "en").anchors

    @pytest.mark.parametrize("line", [line.code for line in LINES])
    def test_every_score_line(self, line: str) -> None:
        assert f"line-{line}" in rule_text("rules", "en").anchors

    @pytest.mark.parametrize("key", HOUSE_KEYS)
    def test_every_parameter(self, key: str) -> None:
        assert f"house-{key}" in rule_text("rules", "en").anchors

    @pytest.mark.parametrize("key", KEY_NAMES)
    def test_every_ranking_key(self, key: str) -> None:
        assert f"key-{key}" in rule_text("standings", "en").anchors

    @pytest.mark.parametrize("name", FILES)
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_they_are_the_same_in_every_language(self, name: str, language: str) -> None:
        assert rule_text(name, language).anchors == rule_text(name, "en").anchors

    @pytest.mark.parametrize("name", FILES)
    def test_none_stands_twice(self, name: str) -> None:
        found = re.findall(r' id="([^"]+)"', rule_text(name, "en").html)
        assert len(found) == len(set(found))


class TestCitations:
    def test_they_lead_to_their_anchor(self) -> None:
        assert citation_address("RULES 6.3") == "/en/rules/#rules-6-3"
        assert citation_address("STANDINGS 2") == "/en/standings/#standings-2"
        assert citation_address("nothing") is None

    @pytest.mark.parametrize("name", FILES)
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_link_within_the_texts_leads_somewhere(self, name: str, language: str) -> None:
        for address in re.findall(r'href="([^"]+)"', rule_text(name, language).html):
            page, anchor = address.split("#")
            assert anchor in rule_text(page.strip("/").split("/")[-1], "en").anchors

    @pytest.mark.parametrize("citation", sorted({line.paragraph for line in LINES} | set(PARAGRAPHS.values())))
    def test_what_code_cites_exists(self, citation: str) -> None:
        address = citation_address(citation)
        assert address is not None
        assert address.split("#")[1] in rule_text("rules", "en").anchors

    def test_every_citation_in_the_sources_exists(self) -> None:
        files = [file for room in ("engine", "scoring", "league") for file in (settings.BASE_DIR / room).rglob("*.py")]
        for file in files:
            for name, section, item in CITATION.findall(Path(file).read_text()):
                anchor = f"{name.lower()}-{section}" + (f"-{item}" if item else "")
                assert anchor in rule_text(name.lower(), "en").anchors or section == "0", (file.name, anchor)


class TestDecisions:
    def test_every_d_of_rules_stands_on_a_rulebook_s_page(self) -> None:
        # one more D is the mark that the introduction explains
        by_section: dict[int, int] = {}
        section = 0
        for line in RULES.read_text().splitlines():
            if found := re.match(r"## (\d+)\.", line):
                section = int(found[1])
            by_section[section] = by_section.get(section, 0) + line.count("**D**")
        by_section[0] -= 1
        told: dict[int, int] = {}
        for decision in DECISIONS:
            number = int(re.match(r"RULES (\d+)", decision.paragraph)[1])  # type: ignore[index]
            told[number] = told.get(number, 0) + 1
        assert told == {section: count for section, count in by_section.items() if count}

    @pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.paragraph)
    def test_each_leads_to_its_paragraph(self, decision) -> None:
        anchor = citation_address(decision.paragraph).split("#")[1]
        assert anchor in rule_text("rules", "en").anchors | {"rules-0"}


@pytest.mark.django_db
class TestPages:
    @pytest.mark.parametrize("address", ["/en/rules/", "/en/standings/", "/en/decisions/"])
    def test_each_has_its_contents_and_its_anchors(self, client: Client, address: str) -> None:
        source = client.get(address).content.decode()
        found = set(re.findall(r' id="([^"]+)"', source))
        links = re.findall(r'<li><a href="#([^"]+)">', source)
        assert len(links) > 2
        assert set(links) <= found

    def test_a_text_in_another_language_than_the_page_says_so(self, client: Client, monkeypatch) -> None:
        from league.web import rules

        monkeypatch.setattr(rules, "rule_text", lambda name, language: rule_text(name, "en"))
        source = client.get("/fr/rules/").content.decode()
        assert re.search(r'<article class="rule-text"\s+id="rules-0"\s+lang="en">', source)
        assert "rules-6-3" in source
