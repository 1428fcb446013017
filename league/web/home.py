"""The home page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    """Say what the site is, and show what is being played."""
    return render(request, "home.html")
