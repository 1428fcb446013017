"""The entries as a file: for spreadsheets, for another championship, to be changed and imported again."""

from django.http import Http404, HttpResponse
from django.utils.translation import get_language

from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.exports import listed_entries
from league.selectors.imports import size_of_entries
from league.services.exports import CONTENT_TYPES, list_file
from league.web.organiser.asked import Asked, for_organisers


@for_organisers
def entries_file(request: Asked, slug: str, ending: str) -> HttpResponse:
    """All entries with their players' private addresses, as CSV or XLSX in the language of the page."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    if ending not in CONTENT_TYPES:
        raise Http404
    body = list_file(
        listed=listed_entries(championship=found),
        size=size_of_entries(found),
        language=get_language() or "en",
        ending=ending,
    )
    response = HttpResponse(body, content_type=CONTENT_TYPES[ending])
    response["Content-Disposition"] = f'attachment; filename="{found.slug}.{ending}"'
    return response
