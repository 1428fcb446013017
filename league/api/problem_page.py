"""The page that every problem's `type` points at."""

from django.http import HttpRequest, HttpResponse


def problem_page(request: HttpRequest) -> HttpResponse:
    """What each code means."""
    return HttpResponse()
