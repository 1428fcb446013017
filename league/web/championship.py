"""A championship: its ranking, how it is played and ranked, and the journal of its results."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from engine.rulebooks import RULEBOOKS
from league.models import Format, What
from league.selectors.championships import championship_view
from league.selectors.circuits import circuits_of
from league.selectors.journal import journal
from league.selectors.ranking import live_ranking, versions
from league.selectors.stages import stages
from league.web.ranking_words import draws_lots, keys_in_words, sections, stage_tabs
from league.web.rulebook_words import house_in_words
from league.web.seen import championship_page, for_anybody, page_number


@for_anybody
def ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """The live ranking, each row with why it stands above the next."""
    championship, context = championship_page(request, slug, "ranking")
    live = live_ranking(championship=championship, number=page_number(request))
    context |= {
        "live": live,
        "page": live.page,
        "sections": sections(live.page.items, live.names, live.keys),
        "stage_tabs": stage_tabs(live.keys),
        "keys": keys_in_words(live.keys),
        "draws_lots": draws_lots(live.keys),
        "circuits": circuits_of(championship=championship),
        "has_played": live.page.number > 1 or any(row.played or (row.rank or 1) > 1 for row in live.page.items),
        "published": versions(championship=championship)[:1],
    }
    return render(request, "championship/ranking.html", context)


@for_anybody
def terms(request: HttpRequest, slug: str) -> HttpResponse:
    """How the championship is played and ranked, in words."""
    championship, context = championship_page(request, slug, "terms")
    view = championship_view(championship)
    rulebook = RULEBOOKS[view.rulebook]
    context |= {
        "stages": stages(championship=championship),
        "formats": dict(Format.choices),
    }
    context |= {"view": view, "keys": keys_in_words(view.keys), "house": house_in_words(rulebook, view.house)}
    return render(request, "championship/terms.html", context)


@for_anybody
def journal_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that changed what the ranking counts, newest first."""
    championship, context = championship_page(request, slug, "journal")
    context |= {"page": journal(championship=championship, number=page_number(request)), "what": dict(What.choices)}
    return render(request, "championship/journal.html", context)
