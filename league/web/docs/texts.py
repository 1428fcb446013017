"""docs/*.md to HTML: an anchor a section, links between the files, blocks of code that can be copied.

A block that names `$SITE` is one to be run: the page puts its own address in, and for the demonstration's championship
(`SLUG`) one that there is (`filled`), unless the command writes: nobody's championship is to be written to by a paste.
So the files hold commands for one's own machine, and the pages for this site.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from league.api.problem_types import PROBLEM_TYPES
from league.web.docs.operations import operations
from league.web.rule_texts import Heading, RuleText, TextRenderer

FILES: Final = {
    "docs": "README",
    "docs-start": "start",
    "docs-api": "api",
    "docs-webhooks": "webhooks",
    "docs-mail": "mail",
    "docs-dump": "dump",
}
"""The file of docs/ that a page shows, by the name of the page."""

SLUG: Final = "coupe-de-la-borne-blanche"
"""The championship of the demonstration, which the files speak of."""

_OPERATIONS: Final = "[//]: # (operations)\n"
"""Where the tables of operations stand. For other readers of Markdown it is nothing."""

_PAGES: Final = {f"{file}.md": name for name, file in FILES.items()} | {
    "problems.md": "docs-problems",
    "/account/tokens/": "tokens",
    "decisions.md": "decisions",
    "rules/RULES.md": "rules",
    "rules/STANDINGS.md": "standings",
}
_ADDRESSES: Final = {
    "/docs/problems": "docs-problems",
    "/api/v1/docs": "api-docs",
    "/api/v1/schema": "api-schema",
    "/api/v1/codes": "api-codes",
}
_SITE: Final = "$SITE"
_HERE: Final = "%site%"
_THIS: Final = "%championship%"


@cache
def text_of(name: str, language: str) -> RuleText:
    """The text of a page of FILES, its labels in the language that is active, which `language` names."""
    source = (settings.BASE_DIR / "docs" / f"{FILES[name]}.md").read_text(encoding="utf-8")
    before, mark, after = source.partition(_OPERATIONS)
    reader = _Reader()
    html = reader.html(before)
    if mark:
        html += operations() + reader.html(after)
    anchors = frozenset(re.findall(r' id="([^"]+)"', html))
    return RuleText(reader.title, mark_safe(html), tuple(reader.headings), anchors, "en")  # noqa: S308 — own texts


def filled(html: str, *, site: str, slug: str) -> SafeString:
    """A text with the address of this site (without a slash at its end), and the slug of a championship, in it."""
    return mark_safe(html.replace(_HERE, escape(site)).replace(_THIS, escape(slug)))  # noqa: S308 — escaped


def inline(source: str) -> SafeString:
    """A line of Markdown."""
    html: str = _markdown().renderInline(source)
    return mark_safe(html)  # noqa: S308 — own texts, html off


def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")


class _Reader:
    """Parts of one file, one after the other: the title, the sections, and how many tables there were."""

    def __init__(self) -> None:
        self.title = ""
        self.headings: list[Heading] = []
        self._tables = 0
        self._markdown = _markdown()

    def html(self, source: str) -> str:
        """A part without the title, which the page shows itself."""
        tokens = self._markdown.parse(source)
        body = list(tokens)
        for opening, within in pairwise(tokens):
            if opening.type == "heading_open":
                title = "".join(child.content for child in within.children or ())
                if opening.tag == "h1":
                    self.title = title
                    body = body[3:]  # it stands first
                    continue
                anchor = slugify(title)
                opening.attrSet("id", anchor)
                if opening.tag == "h2":
                    self.headings.append(Heading(anchor, title))
            elif opening.type == "th_open" and not within.content:
                opening.tag = "td"  # a heading that says nothing is none
            elif within.type == "th_close" and not opening.content:
                within.tag = "td"
            elif opening.type == "table_open":
                self._tables += 1
                opening.meta["number"] = self._tables
        return str(self._markdown.renderer.render(body, self._markdown.options, {}))


class _Renderer(TextRenderer):
    """What rule texts have, and blocks to be copied, links between the files, codes that lead to what they mean."""

    def fence(self, tokens: Sequence[Token], place: int, *_rest: object) -> str:
        """A block of code with its button, which a script shows."""
        code = tokens[place].content
        if _SITE in code:
            code = code.replace(_SITE, _HERE)
            if "$TOKEN" not in code:
                code = code.replace(SLUG, _THIS)
        block = '<div class="code-block"><pre tabindex="0"><code>{}</code></pre>{}</div>\n'
        button = '<button type="button" class="button plain small" data-copy data-copied="{}" hidden>{}</button>'
        return format_html(block, code, format_html(button, _("Copied"), _("Copy")))

    def code_block(self, tokens: Sequence[Token], place: int, *_rest: object) -> str:
        """As `fence`."""
        return self.fence(tokens, place)

    def code_inline(self, tokens: Sequence[Token], place: int, *_rest: Any) -> str:
        """Code; an address of the site leads there, and the code of a problem to what it means."""
        said = tokens[place].content
        code = format_html("<code{}>{}</code>", SafeString(self.renderAttrs(tokens[place])), said)
        if said in _ADDRESSES:
            return format_html('<a href="{}">{}</a>', reverse(_ADDRESSES[said]), code)
        if "-" in said and said in PROBLEM_TYPES:
            return format_html('<a href="{}#{}">{}</a>', reverse("docs-problems"), said, code)
        return code

    def link_open(self, tokens: Sequence[Token], place: int, *rest: Any) -> str:
        """A link; one to another file leads to its page."""
        file, mark, anchor = str(tokens[place].attrGet("href")).partition("#")
        if file in _PAGES:
            tokens[place].attrSet("href", reverse(_PAGES[file]) + mark + anchor)
        return self.renderToken(tokens, place, *rest[:2])
