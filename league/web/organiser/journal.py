"""What happened in a championship: the journal of what the ranking counts, and who did what."""

from django.http import HttpResponse
from django.utils import timezone

from league.models import What
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.inside import audit as audit_of
from league.selectors.journal import journal as journal_of
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deed_details import details
from league.web.organiser.deed_words import DEED_NAMES
from league.web.organiser.shown import show
from league.web.seen import page_number


@for_organisers
def journal(request: Asked, slug: str) -> HttpResponse:
    """Every change of what the ranking counts, newest first."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    context = {"page": journal_of(championship=found, number=page_number(request), size=50), "what": dict(What.choices)}
    return show(request, "journal.html", found, "journal", context)


@for_organisers
def audit(request: Asked, slug: str) -> HttpResponse:
    """Who did what, newest first."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    page = audit_of(championship=found, number=page_number(request), size=50)
    with timezone.override(found.time_zone):
        lines = [
            (line, details(line.object_type, line.before), details(line.object_type, line.after)) for line in page.items
        ]
    context = {"page": page, "lines": lines, "deeds": DEED_NAMES}
    return show(request, "audit.html", found, "journal", context)
