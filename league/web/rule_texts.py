"""RULES, STANDINGS and the decisions, from docs/ to pages: Markdown in, HTML with an anchor a paragraph out.

Anchors are public: refusals, score lines and people's own pages point at them.

    rules-6                 a section, by its number
    rules-6-3               an item of a numbered list in it: what is cited as RULES 6.3
    rules-5-p2              its second block that is none: a paragraph, a list, a table
    code-stopped            a refusal (RULES 10, 13), where it is listed
    fault-botte-twice       a fault of a sheet (RULES 11)
    line-capot              a score line (RULES 8);   house-vp_starts: a parameter (RULES 12)
    key-buchholz            a ranking key (STANDINGS 3);   status-bye: what was not played (STANDINGS 2)

They are the same in every language. A file named after the language (RULES.fr.md) goes before the English one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from engine.refusals import PARAGRAPHS
from league.services.fit import SENTENCES as MISFITS

FILES: Final = {"rules": "rules/RULES", "standings": "rules/STANDINGS", "decisions": "decisions"}
"""Name of a text, which is the beginning of its anchors, and where it stands in docs/."""

CITATION: Final = re.compile(r"\b(RULES|STANDINGS) (\d+)(?:\.(\d+))?")

_FIRST_CELLS: Final = {
    ("rules", 8): "line",
    ("rules", 11): "fault",
    ("rules", 12): "house",
    ("standings", 2): "status",
    ("standings", 3): "key",
}
_FRAME_FAULTS: Final = ("malformed-sheet", "unknown-rulebook", "bad-house", "bad-table", "bad-target")
_IN_TEXT: Final = {
    ("rules", 10): ("code", frozenset(PARAGRAPHS)),
    ("rules", 11): ("fault", frozenset(_FRAME_FAULTS)),
    ("rules", 13): ("code", frozenset(MISFITS)),
}
_SECTION: Final = re.compile(r"(\d+)\. ")


@dataclass(frozen=True, slots=True)
class Heading:
    """A section: its anchor and its title."""

    anchor: str
    title: str


@dataclass(frozen=True, slots=True)
class RuleText:
    """A text as it is shown: the title, HTML that is safe to show, its sections, all its anchors, and its language."""

    title: str
    html: SafeString
    headings: Sequence[Heading]
    anchors: frozenset[str]
    language: str


def citation_address(citation: str) -> str | None:
    """Where `RULES 6.3` or `STANDINGS 2` is to be read in the reader's language; None for anything else."""
    found = CITATION.fullmatch(citation)
    if found is None:
        return None
    name, section, item = found[1].lower(), found[2], found[3]
    return f"{reverse(name)}#{name}-{section}" + (f"-{item}" if item else "")


def rule_text(name: str, language: str) -> RuleText:
    """The text `name` of FILES, in `language` where docs/ has it, else in English."""
    return _rendered(name, language)


@cache
def _rendered(name: str, language: str) -> RuleText:
    stem = settings.BASE_DIR / "docs" / FILES[name]
    own = Path(f"{stem}.{language}.md")
    file, language = (own, language) if own.exists() else (Path(f"{stem}.md"), "en")
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=TextRenderer).enable("table")
    tokens = markdown.parse(file.read_text(encoding="utf-8"))
    title = next(_plain(inline) for opening, inline in pairwise(tokens) if opening.tag == "h1")
    body = list(_without_title(tokens))
    for number, table in enumerate((token for token in body if token.type == "table_open"), 1):
        table.meta["number"] = number
    headings = []
    for section in _sections(body):
        _anchor(name, section)
        if section.heading is not None:
            headings.append(Heading(str(section.tokens[0].attrs["id"]), _plain(section.heading)))
    anchors = frozenset(str(token.attrs["id"]) for token in _all(body) if "id" in token.attrs)
    html = markdown.renderer.render(body, markdown.options, {})
    return RuleText(title, mark_safe(html), tuple(headings), anchors, language)  # noqa: S308 — own texts, html off


# ---- anchors -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Section:
    """Tokens from a heading of the second level to the next; `heading` is what the heading holds, None before any."""

    number: int
    heading: Token | None
    tokens: list[Token]


def _sections(tokens: Sequence[Token]) -> Iterator[_Section]:
    current = _Section(0, None, [])
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            yield current
            heading = tokens[place + 1]
            numbered = _SECTION.match(heading.content)
            current = _Section(int(numbered[1]) if numbered else current.number + 1, heading, [])
        current.tokens.append(token)
    yield current


def _anchor(name: str, section: _Section) -> None:
    base = f"{name}-{section.number}"
    blocks = 0
    number = 0
    for token in section.tokens:
        if token.type == "heading_open" and token.tag == "h2":
            token.attrSet("id", base)
        elif token.type == "ordered_list_open" and token.level == 0:
            number = int(token.attrGet("start") or 1)
        elif token.type == "list_item_open" and token.level == 1 and token.markup == ".":
            token.attrSet("id", f"{base}-{number}")
            number += 1
        elif token.level == 0 and token.type in ("paragraph_open", "bullet_list_open", "table_open", "fence"):
            blocks += 1
            token.attrSet("id", f"{base}-p{blocks}")
    _anchor_codes(name, section)


def _anchor_codes(name: str, section: _Section) -> None:
    where = (name, section.number)
    in_text, codes = _IN_TEXT.get(where, (None, frozenset()))
    known: set[str] = set()
    cell = 0  # of the row, from 1; 0 outside
    for token in section.tokens:
        if token.type in ("tr_open", "td_close"):
            cell = 0 if token.type == "tr_open" else -cell
        elif token.type == "td_open":
            cell = 1 - cell
        for code in token.children or ():
            if code.type != "code_inline":
                continue
            kind = _FIRST_CELLS.get(where) if cell == 1 else in_text if code.content in codes else None
            anchor = f"{kind}-{code.content}"
            if kind and anchor not in known:
                known.add(anchor)
                code.attrSet("id", anchor)


def _all(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


def _without_title(tokens: Sequence[Token]) -> Iterator[Token]:
    """The page shows the title itself."""
    inside = False
    for token in tokens:
        inside = inside or (token.type == "heading_open" and token.tag == "h1")
        if not inside:
            yield token
        if token.type == "heading_close" and token.tag == "h1":
            inside = False


def _plain(heading: Token) -> str:
    return "".join(child.content for child in heading.children or ())


# ---- HTML --------------------------------------------------------------------------------------------------------


class TextRenderer(RendererHTML):
    """Tables scroll in a box, citations are links, and decisions are marked."""

    def table_open(self, tokens: Sequence[Token], place: int, *_rest: object) -> str:
        """A box around the table, for narrow screens."""
        label = _("Table %(number)s") % tokens[place].meta
        box = format_html('<div class="table-box" role="region" aria-label="{}" tabindex="0">', label)
        return f"{box}<table{self.renderAttrs(tokens[place])}>"

    def table_close(self, *_rest: object) -> str:
        """The end of the box."""
        return "</table></div>"

    def fence(self, tokens: Sequence[Token], place: int, *_rest: object) -> str:
        """A block of code, which the keyboard can scroll."""
        token = tokens[place]
        anchor = token.attrGet("id") or ""
        return format_html('<pre id="{}" tabindex="0"><code>{}</code></pre>\n', anchor, token.content)

    def text(self, tokens: Sequence[Token], place: int, *_rest: object) -> str:
        """Text with its citations as links."""
        return CITATION.sub(_citation_link, escape(tokens[place].content))

    def strong_open(self, tokens: Sequence[Token], place: int, *_rest: object) -> str:
        """A bold D is the mark of a decision."""
        is_decision = tokens[place + 1].content == "D"
        return '<strong class="decision">' if is_decision else "<strong>"


def _citation_link(found: re.Match[str]) -> str:
    return format_html('<a href="{}">{}</a>', citation_address(found[0]), found[0])
