"""The page that every problem's `type` points at: what each code means."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.api.problem_types import PROBLEM_TYPES, REFUSED
from league.api.rulebooks import codes
from league.web.rule_texts import citation_address

REFUSALS = ("refusal", "fault", "misfit")


@require_safe
def problem_page(request: HttpRequest) -> HttpResponse:
    """The problems of requests, and the refusals of the rules with their paragraphs; each code is an anchor."""
    refusals: dict[str, tuple[str, str | None]] = {}
    for one in codes():
        if one.kind in REFUSALS and one.code not in PROBLEM_TYPES and one.paragraph is not None:
            refusals.setdefault(one.code, (one.paragraph, citation_address(one.paragraph)))
    context = {"problems": PROBLEM_TYPES, "refusals": refusals, "refused": REFUSED}
    return render(request, "api/problems.html", context)
