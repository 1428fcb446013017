"""The page of a table scorer: one's tables, and what is to be entered there."""

from django.http import HttpResponse

from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.my_tables import own_tables
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.shown import show


@for_organisers
def my_tables(request: Asked, slug: str) -> HttpResponse:
    """The open parties at one's tables."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.HAND_IN, found)
    context = {"tables": own_tables(actor=request.actor, championship=found)}
    return show(request, "my_tables.html", found, "tables", context)
