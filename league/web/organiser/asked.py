"""The door of the organisers' pages: who asks, and what a fault of theirs looks like in a browser."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache

from league.models import User
from league.policy import Actor
from league.visitor import address_of
from league.web.refusals import refusals_as_pages


class Asked(HttpRequest):
    """A request of somebody who is signed in, as `for_organisers` hands it on. Never made: for type checkers."""

    user: User
    actor: Actor


def actor_of(request: HttpRequest) -> Actor:
    """Who asks: the user of the session, if any, with the address that the audit keeps."""
    return Actor(
        user=request.user if request.user.is_authenticated else None,
        ip=address_of(request),
        request_id=getattr(request, "request_id", ""),
    )


def for_organisers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Ask who is not signed in to sign in, and come back; give the view `request.actor`.

    A championship that the actor may not know of is not there (404); what they may not do is forbidden (403). Nothing
    of these pages stays in a cache.
    """

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            if getattr(request, "htmx", False) or request.headers.get("Accept") == "application/json":
                return HttpResponse(status=401)  # a part of a page cannot become the page of signing in
            return redirect_to_login(request.get_full_path(), reverse("sign-in"))
        request.actor = actor_of(request)  # type: ignore[attr-defined]
        with refusals_as_pages():
            return view(request, *args, **kwargs)

    return never_cache(asked)
