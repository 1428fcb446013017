"""The pages of the documentation, and the documents that its commands take."""

from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from league.selectors.examples import championship_to_show
from league.web.docs.texts import SLUG, filled, text_of

TABS: Final = {
    "docs": _("For programs"),
    "docs-start": _("Five minutes"),
    "docs-api": _("The API"),
    "docs-problems": _("Codes"),
    "docs-webhooks": _("Webhooks"),
    "docs-mail": _("Results by mail"),
    "docs-dump": _("The dump"),
    "api-docs": _("Try it"),
}
"""What stands above each page, by name."""

_MEDIA: Final = {".json": "application/json", ".bornes": "text/plain; charset=utf-8"}
_EXAMPLES: Final = settings.BASE_DIR / "docs" / "examples"


def text_page(request: HttpRequest, name: str) -> HttpResponse:
    """A text of FILES. Its commands can be pasted as they are: they speak of this site."""
    text = text_of(name, get_language() or "en")
    html = filled(text.html, site=request.build_absolute_uri("/")[:-1], slug=championship_to_show() or SLUG)
    return render(request, "docs.html", {"text": text, "html": html, "name": name, "tabs": tabs()})


def tabs() -> list[tuple[str, str, Any]]:
    """Name, address and label of each page of the documentation."""
    return [(name, reverse(name), label) for name, label in TABS.items()]


def example(request: HttpRequest, name: str) -> HttpResponse:
    """A document of docs/examples/, as it stands there."""
    file = next((file for file in _EXAMPLES.iterdir() if file.name == name and file.suffix in _MEDIA), None)
    if file is None:
        raise Http404
    return HttpResponse(file.read_bytes(), content_type=_MEDIA[file.suffix])
