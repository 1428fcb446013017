"""Published versions of a ranking, and what moved from one to another (STANDINGS 4)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.models import What
from league.selectors.ranking import behind, difference, version_page, versions
from league.web.ranking_words import keys_in_words, sections, stage_tabs
from league.web.seen import championship_page, for_anybody, number_in, page_number


@for_anybody
def versions_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The published versions, newest first."""
    championship, context = championship_page(request, slug, "published")
    context["versions"] = versions(championship=championship)
    return render(request, "championship/versions.html", context)


@for_anybody
def version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A published version, with what moved since the last and why."""
    championship, context = championship_page(request, slug, "published")
    found = version_page(championship=championship, version=number, number=page_number(request))
    published = versions(championship=championship)
    overtaken = behind(championship=championship, published=published)
    context |= {
        "version": found.version,
        "newer": published[0] if published[0].number > number else None,
        "is_behind": overtaken is not None and overtaken.number == number,
        "page": found.page,
        "sections": sections(found.page.items, found.names, found.version.keys),
        "stage_tabs": stage_tabs(found.version.keys),
        "keys": keys_in_words(found.version.keys),
        "what": dict(What.choices),
        "earlier": [one for one in published if one.number < number],
    }
    return render(request, "championship/version.html", context)


@for_anybody
def difference_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What moved from an earlier version (`from` in the query string) to this one."""
    championship, context = championship_page(request, slug, "published")
    before = number_in(request, "from", max(number - 1, 1))
    context |= {
        "before": before,
        "after": number,
        "moves": difference(championship=championship, before=before, after=number),
    }
    return render(request, "championship/difference.html", context)
