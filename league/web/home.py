"""The home page, what the site is, and the list of championships."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from engine.rulebooks import RULEBOOKS
from league.models import ChampionshipStatus
from league.selectors.championships import championships
from league.services.accounts import needs_first_account
from league.web.organiser.asked import actor_of
from league.web.seen import page_number

ON_HOME_PAGE = 6


def home(request: HttpRequest) -> HttpResponse:
    """Say what the site is, and show what is being played; to the very first visitor, offer the first account."""
    running = championships(actor=actor_of(request), status=ChampionshipStatus.RUNNING, size=ON_HOME_PAGE)
    context = {"running": running, "rulebooks": RULEBOOKS, "needs_first_account": needs_first_account()}
    return render(request, "home.html", context)


def championship_list(request: HttpRequest) -> HttpResponse:
    """The championships, newest first; the query string filters them: `q`, `status`, `rulebook`."""
    text = request.GET.get("q", "")[:100].replace("\0", "")
    status = request.GET.get("status", "")
    rulebook = request.GET.get("rulebook", "")
    status = status if status in ChampionshipStatus.values else ""
    rulebook = rulebook if rulebook in RULEBOOKS else ""
    page = championships(
        actor=actor_of(request), text=text, status=status, rulebook=rulebook, number=page_number(request)
    )
    asked = {"q": text, "status": status, "rulebook": rulebook}
    kept = urlencode({name: value for name, value in asked.items() if value})
    context = {"page": page, "asked": asked, "statuses": ChampionshipStatus.choices, "rulebooks": RULEBOOKS}
    context["kept"] = f"{kept}&" if kept else ""
    return render(request, "championships.html", context)


def about(request: HttpRequest) -> HttpResponse:
    """What the site keeps of whom, under which licence its source stands, and where it is."""
    return render(request, "about.html")
