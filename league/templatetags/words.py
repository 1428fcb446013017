"""Filters and tags that put the game's codes in words, and lead to the rule behind them."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import wording
from league.models import Format
from league.names import fold
from league.shown_names import is_neutral
from league.web.game import family
from league.web.rule_texts import citation_address

register = template.Library()

register.filter("card_name", wording.card)
register.filter("line_name", wording.line_name)
register.filter("sentence", wording.sentence)
register.filter("ranking_value", wording.value)


@register.filter
def first_why(verdict: Mapping[str, Any]) -> str:
    """Why a document was refused, in a sentence: the first of what is wrong with it. Empty where nothing is said.

    >>> first_why({"why": {"sentence": "{player} is not at this table.", "params": {"player": "a3"}}})
    'a3 is not at this table.'
    >>> first_why({"why": [{"sentence": "This is no sheet.", "params": {}}] * 3})
    'This is no sheet. (2 more)'
    """
    said = verdict.get("why") or []
    if not said:
        return ""
    first, *more = said if isinstance(said, list) else [said]
    why = wording.sentence(first)
    count = len(more)
    return why + " " + ngettext("(%(count)s more)", "(%(count)s more)", count) % {"count": count} if more else why


@register.filter
def lookup(mapping: Any, key: Any) -> Any:
    """The value under a key, the key itself where there is none."""
    return mapping.get(key, key)


@register.filter
def at(mapping: Any, key: Any) -> Any:
    """The value under a key, None where there is none."""
    return mapping.get(key)


@register.filter
def numbered(team: str, number: int) -> str:
    """The name of an entry; where it is a neutral one, with its entry number, which is not the number in that name.

    >>> numbered("Anonyme 25", 3), numbered("Les As", 3)
    ('Anonyme 25 (No. 3)', 'Les As')
    """
    return f"{team} ({_('No.')} {number})" if is_neutral(team) else team


@register.simple_tag
def format_named(name: str, code: str) -> str:
    """A stage's name and what its format means; the name once where the meaning begins with it."""
    meaning = str(Format(code).label)
    is_said = not name or fold(meaning.partition(":")[0].strip()) == fold(name)
    return meaning if is_said else f"{name} · {meaning}"


@register.simple_tag
def playing_card(code: str, note: str = "") -> SafeString:
    """A card, drawn small with its name; `note` stands behind the name."""
    return format_html(
        '<span class="playing-card {}"><img src="{}" alt="" width="24" height="24"><span>{}{}</span></span>',
        family(code),
        static(f"cards/{code}.svg"),
        wording.card(code),
        f" {note}" if note else "",
    )


@register.simple_tag
def cite(citation: str) -> SafeString:
    """A paragraph (`RULES 6.3`), with the way to it."""
    address = citation_address(citation)
    return format_html('<a href="{}">{}</a>', address, citation) if address else format_html("{}", citation)


@register.simple_tag
def rule_link(anchor: str, label: Any, text: str = "rules") -> SafeString:
    """A label that leads to an anchor of RULES or STANDINGS (see `league.web.rule_texts`)."""
    return format_html('<a href="{}#{}">{}</a>', reverse(text), anchor, label)
