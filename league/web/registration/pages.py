"""Registering oneself, and the page behind the secret link: where it stands, and how it is cancelled."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.errors import NotFound, UserFault
from league.models import Championship, ChampionshipStatus, Registration, RegistrationState
from league.selectors.imports import size_of_entries
from league.services.places import free_places, has_started, place_in_line
from league.services.registrations import cancel_registration, register, registration_of
from league.visitor import address_of
from league.web.organiser.asked import actor_of
from league.web.organiser.deeds import new_key
from league.web.registration.forms import RegistrationForm
from league.web.seen import championship_page, for_anybody
from league.web.throttle import wait_for

MOST, SECONDS = 30, 3600
"""Forms of one address in a stretch of seconds: a club registers all its people from one place."""


@never_cache
@for_anybody
def register_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The form, while registration is open; else when it opens, or that it is closed."""
    championship, context = championship_page(request, slug, "register")
    free = free_places(championship)
    context |= {
        "state": _state_of(championship),
        "free": free,
        "full": free == 0 and not championship.waiting_list,
        "pairs": size_of_entries(championship) > 1,
    }
    if request.method != "POST":
        form = RegistrationForm(size=size_of_entries(championship), initial={"key": new_key()})
        return render(request, "registration/register.html", context | {"form": form})
    if wait := wait_for("register", address_of(request), most=MOST, seconds=SECONDS):
        response = render(request, "429.html", {"wait": wait}, status=429)
        response["Retry-After"] = str(wait)
        return response
    form = RegistrationForm(request.POST, size=size_of_entries(championship))
    status = 422
    if form.is_valid():
        try:
            return _registered(request, championship, form)
        except UserFault as fault:
            form.lay_fault(fault)
            status = fault.status
    return render(request, "registration/register.html", context | {"form": form}, status=status)


def _state_of(championship: Championship) -> str:
    """Whether registration is `open`, opens `later`, is `closed`, or is offered `never`."""
    opens = championship.registration_opens_at
    if championship.registration_is_open:
        return "open"
    if opens is None:
        return "never"
    is_running = championship.status == ChampionshipStatus.RUNNING
    return "later" if is_running and opens > timezone.now() else "closed"


def _registered(request: HttpRequest, championship: Championship, form: RegistrationForm) -> HttpResponse:
    def link(token: str) -> str:
        return request.build_absolute_uri(reverse("registration", args=[championship.slug, token]))

    _registration, token = register(
        actor=actor_of(request),
        championship_id=championship.pk,
        key=form.cleaned_data["key"],
        players=form.applicants,
        team_name=form.cleaned_data.get("team_name", ""),
        note=form.cleaned_data["note"],
        link=link,
    )
    if token is None:
        known = _("This is registered already: nothing has changed. The link to it was shown then.")
        messages.info(request, known)
        return redirect("register", championship.slug)
    return redirect("registration", championship.slug, token)


@never_cache
@for_anybody
def registration_page(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Where a registration stands; cancelled by whoever has the link. The link is good for a draft too."""
    found = registration_of(token=token)
    if found.championship.slug != slug:
        raise NotFound
    if request.method == "POST":
        try:
            cancel_registration(actor=actor_of(request), token=token)
        except UserFault as fault:
            messages.error(request, str(fault.message))
        else:
            messages.success(request, _("It is cancelled."))
        return redirect("registration", slug, token)
    return render(request, "registration/registration.html", _shown(request, found))


def _shown(request: HttpRequest, found: Registration) -> dict[str, Any]:
    withdrawn = found.entry is not None and found.entry.withdrawn_at is not None
    undecided = found.state in (RegistrationState.RECEIVED, RegistrationState.WAITING)
    accepted = found.state == RegistrationState.ACCEPTED and not withdrawn
    return {
        "championship": found.championship,
        "registration": found,
        "withdrawn": withdrawn,
        "line": place_in_line(found) if found.state == RegistrationState.WAITING else 0,
        "may_cancel": undecided or (accepted and not has_started(found.championship)),
        "too_late": accepted and has_started(found.championship),
        "address": request.build_absolute_uri(),
        "mailed": any(player.get("email") for player in found.players),
    }
