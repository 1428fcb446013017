"""The door of a table's pages: the code in the address is all the right there is, and it is good for this table only.

Which side somebody speaks for is their own word, kept in a signed cookie of that table. Once the side has done
something with it the word stands; another browser could give another word, so the audit keeps from where each came.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers

from league.errors import NotFound
from league.models import ChampionshipStatus, Confirmation, Partie, PartieStatus
from league.policy import Action, Actor, SideOfTable, may
from league.selectors.tables import partie_by_code
from league.visitor import address_of
from league.web.organiser.asked import actor_of
from league.web.throttle import wait_for

GUESSES, GUESSES_IN = 30, 300
"""Addresses that are none, of one sender in a stretch of seconds; a whole hall may share one address."""
SENDINGS, SENDINGS_IN = 300, 60
"""What one table may send in a stretch of seconds, the score of a sheet while it is typed included."""
HAND_INS, HAND_INS_IN = 30, 300
"""Documents that one table may hand in in a stretch of seconds: each is kept, a refused one too."""

_KEPT = 30 * 24 * 3600  # seconds
_ACTED = "!"


class Visit(HttpRequest):
    """A request at a table, as `at_table` hands it on. Never made: for type checkers."""

    code: str
    partie: Partie
    actor: Actor
    side: str
    has_acted: bool


def at_table(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give the view the table of its address and the side that is spoken for; nothing of it is cached or indexed."""

    @wraps(view)
    def visited(request: HttpRequest, code: str, *args: Any, **kwargs: Any) -> HttpResponse:
        response = _answer(view, request, code, *args, **kwargs)
        add_never_cache_headers(response)
        response["X-Robots-Tag"] = "noindex, nofollow"
        # no other site learns the address; "no-referrer" would take the Origin away that forms are checked by
        response["Referrer-Policy"] = "same-origin"
        return response

    return visited


def _answer(
    view: Callable[..., HttpResponse], request: HttpRequest, code: str, *args: Any, **kwargs: Any
) -> HttpResponse:
    if request.method == "POST" and (wait := wait_for("table", code[:60], most=SENDINGS, seconds=SENDINGS_IN)):
        return _too_many(request, wait)
    try:
        partie = partie_by_code(code)
    except NotFound:
        if wait := wait_for("table-guess", address_of(request), most=GUESSES, seconds=GUESSES_IN):
            return _too_many(request, wait)
        return render(request, "tables/gone.html", status=404)
    _learn(request, code, partie)
    try:
        return view(request, *args, **kwargs)
    except NotFound as fault:
        raise Http404(str(fault.message)) from fault


def _learn(request: Any, code: str, partie: Partie) -> None:
    said = request.get_signed_cookie(_cookie(partie), default="", salt=_salt(code), max_age=_KEPT)
    request.code, request.partie = code, partie
    request.side, request.has_acted = said.removesuffix(_ACTED), said.endswith(_ACTED)
    request.actor = speaking(actor_of(request), partie, request.side)


def speaking(actor: Actor, partie: Partie, label: str) -> Actor:
    """The same visitor as somebody who holds the link of this table, for the side at `label`."""
    return replace(actor, at=SideOfTable(partie.championship_id, partie.pk, partie.number, label))


def keep_side(request: Visit, response: HttpResponse, label: str, *, has_acted: bool) -> None:
    """Remember in this browser for which side it speaks at this table."""
    response.set_signed_cookie(
        _cookie(request.partie),
        label + (_ACTED if has_acted else ""),
        salt=_salt(request.code),
        max_age=_KEPT,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def held_back(request: Visit) -> HttpResponse | None:
    """What a table gets that hands in too often; None if it may do so now, which is counted."""
    wait = wait_for("table-hand-in", request.code, most=HAND_INS, seconds=HAND_INS_IN)
    return _too_many(request, wait) if wait else None


def takes_results(partie: Partie) -> bool:
    """Whether somebody may still do something by the link: else it is good for reading only."""
    championship = partie.championship
    return (
        partie.status == PartieStatus.OPEN
        and championship.status == ChampionshipStatus.RUNNING
        and championship.confirmation != Confirmation.AT_ONCE
    )


def runs_it(request: Visit) -> bool:
    """Whether somebody is signed in who enters results of this table by an account."""
    own = replace(request.actor, at=None)
    return may(own, Action.HAND_IN, request.partie.championship, request.partie)


def looks_inside(request: Visit) -> bool:
    """Whether somebody is signed in who sees the organisers' pages."""
    return may(replace(request.actor, at=None), Action.LOOK_INSIDE, request.partie.championship)


def back(request: Visit) -> HttpResponse:
    """To the table's own page."""
    return redirect("table", request.code)


def _cookie(partie: Partie) -> str:
    return f"table-{partie.pk}"


def _salt(code: str) -> str:
    return f"league.table.{code}"


def _too_many(request: HttpRequest, wait: int) -> HttpResponse:
    response = render(request, "429.html", {"wait": wait}, status=429)
    response["Retry-After"] = wait
    return response
