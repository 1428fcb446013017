"""The clock of a round as everybody sees it: a part of a page that asks for it again."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from league.selectors.clock import round_clock
from league.web.seen import championship_page, for_anybody, number_in


@never_cache
@for_anybody
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """The clock of a round, the last one unless the query string names another (`round`)."""
    championship, context = championship_page(request, slug, "parties")
    number = number_in(request, "round", 0)
    context["clock"] = round_clock(championship=championship, round_number=number or None)
    return render(request, "championship/clock_face.html", context)
