"""Tags of the page's frame: the road's places, the languages, the trail of where one is."""

from typing import Any

from django import template
from django.conf import settings
from django.template.context import Context
from django.urls import reverse, translate_url
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.models import Championship
from league.policy import Action, may
from league.selectors.real_names import real_names
from league.services import mail
from league.web.organiser.asked import actor_of

register = template.Library()


@register.simple_tag(takes_context=True)
def place(context: Context, name: str, label: str) -> SafeString:
    """A list item that leads to the address `name`, marked when the page shown is there or below."""
    address = reverse(name)
    path = getattr(context.get("request"), "path", "")
    current = ' aria-current="page"' if path == address else ' aria-current="true"' if path.startswith(address) else ""
    return format_html('<li><a href="{}"{}>{}</a></li>', address, SafeString(current), label)


@register.simple_tag(takes_context=True)
def language_links(context: Context) -> SafeString:
    """A list item for each language: this page in it, or its home page where the page has no other."""
    request: Any = context.get("request")
    here = get_language()
    items = []
    for code, name in settings.LANGUAGES:
        shown = request.get_full_path() if request is not None else "/"
        address = translate_url(shown, code)
        if code != here and address == shown:  # an address outside the languages, or an error page
            address = f"/{code}/"
        current = SafeString(' aria-current="true"') if code == here else ""
        items.append((address, code, code, current, name, code.upper()))
    return format_html_join("", '<li><a href="{}" hreflang="{}" lang="{}"{}><abbr title="{}">{}</abbr></a></li>', items)


@register.simple_block_tag
def trail(content: str) -> SafeString:
    """The way to a page from above: `{% trail %}{% crumb "…" "home" %}{% endtrail %}` in the block `trail`."""
    return format_html('<nav class="trail" aria-label="{}"><ol>{}</ol></nav>', _("You are here"), SafeString(content))


@register.simple_tag
def crumb(label: Any, name: str, *arguments: Any) -> SafeString:
    """A step of the trail: the way to a page above this one."""
    return format_html('<li><a href="{}">{}</a></li>', reverse(name, args=arguments), label)


@register.simple_block_tag
def scroll(content: str, label: Any) -> SafeString:
    """A box in which a wide table scrolls, reached by the keyboard; `label` says what stands in it."""
    return format_html(
        '<div class="table-box" role="region" aria-label="{}" tabindex="0">{}</div>', label, SafeString(content)
    )


@register.simple_tag(takes_context=True)
def real_name(context: Context, *numbers: int | None) -> SafeString:
    """On an organisers' page, who entries are whose names are hidden, soft in brackets; empty for all others.

    The names of a championship are read once a page.
    """
    request: Any = context["request"]
    championship: Championship = context["championship"]
    known: dict[int | None, str] | None = getattr(request, "real_names", None)
    if known is None:
        known = request.real_names = {**real_names(championship=championship)}
    names = [known[number] for number in numbers if number in known]
    return format_html(' <span class="soft small">({})</span>', " – ".join(names)) if names else SafeString("")


@register.simple_tag
def sends_mail() -> bool:
    """Whether this site sends mail; where it does not, pages say so instead of promising some."""
    return mail.sends_mail()


@register.simple_tag(takes_context=True)
def may_organise(context: Context, championship: Championship) -> bool:
    """Whether the visitor helps to run this championship: then its public pages lead to the organisers' ones."""
    return may(actor_of(context["request"]), Action.LOOK_INSIDE, championship)
