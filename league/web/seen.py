"""The door of the public pages: what anybody may see, and what a fault looks like in a browser."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

from league.models import Championship, Visibility
from league.selectors.addresses import championship_at
from league.web.organiser.asked import actor_of
from league.web.refusals import refusals_as_pages

LARGEST_PAGE = 100_000


def for_anybody(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """What is not there, or not public, is not there (404); what may not be done is forbidden (403)."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with refusals_as_pages():
            return view(request, *args, **kwargs)

    return shown


def number_in(request: HttpRequest, name: str, default: int) -> int:
    """A whole number of the query string; the default where it is none, or larger than any page is."""
    said = request.GET.get(name, "")
    return min(int(said), LARGEST_PAGE) if said.isascii() and said.isdigit() and len(said) < 10 else default


def page_number(request: HttpRequest) -> int:
    """Which page of a list is asked for, from 1."""
    return number_in(request, "page", 1)


def championship_page(request: HttpRequest, slug: str, tab: str) -> tuple[Championship, dict[str, Any]]:
    """The championship at an address with what the head of its pages shows; `tab` is the one that is open.

    Raises NotFound for what the visitor may not see.
    """
    championship = championship_at(actor_of(request), slug)
    return championship, head_of(championship, tab)


def head_of(championship: Championship, tab: str) -> dict[str, Any]:
    """What the head of a championship's pages shows."""
    hidden = championship.visibility != Visibility.PUBLIC
    return {"championship": championship, "tab": tab, "hidden": hidden}
