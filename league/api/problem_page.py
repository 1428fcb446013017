"""The page that every problem's `type` points at: what each code means, and what to do."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.api.problem_types import PROBLEM_TYPES, REFUSED
from league.api.rulebooks import codes
from league.web.docs.pages import tabs
from league.web.docs.problems import explanations
from league.web.rule_texts import citation_address

REFUSALS = ("refusal", "fault", "misfit")


@require_safe
def problem_page(request: HttpRequest) -> HttpResponse:
    """The problems of requests, the refusals of the rules with their paragraphs, and what only pages and mail say."""
    refusals: dict[str, tuple[str, str | None]] = {}
    for one in codes():
        if one.kind in REFUSALS and one.code not in PROBLEM_TYPES and one.paragraph is not None:
            refusals.setdefault(one.code, (one.paragraph, citation_address(one.paragraph)))
    known = PROBLEM_TYPES.keys() | refusals.keys()
    said = explanations()
    context = {
        "problems": [(code, kind, said.get(code, "")) for code, kind in PROBLEM_TYPES.items()],
        "refusals": refusals,
        "refused": REFUSED,
        "elsewhere": [(code, words) for code, words in said.items() if code not in known],
        "tabs": tabs(),
        "name": "docs-problems",
    }
    return render(request, "api/problems.html", context)
