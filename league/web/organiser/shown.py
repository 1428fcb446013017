"""The frame of the organisers' pages: which championship, which of its rooms, and what may be done there."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.models import Championship
from league.policy import Action, may
from league.selectors.disputes import open_count
from league.selectors.registrations import undecided
from league.web.organiser.asked import Asked

if TYPE_CHECKING:
    from league.web.organiser.deeds import Deeds

DRAFTS_KEPT = 30


def show(
    request: Asked,
    template: str,
    championship: Championship,
    room: str,
    context: Mapping[str, Any],
    deeds: "Deeds | None" = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """Render a page of a championship, with its deeds if it has some; `room` is the tab that is marked."""
    rights = {action.name.lower(): may(request.actor, action, championship) for action in Action}
    frame = {"championship": championship, "room": room, "may": rights, "drafts_done": drafts_done(request)}
    if rights["look_inside"]:
        frame["open_disputes"] = open_count(championship=championship)
        if championship.registration_opens_at is not None:
            frame["waiting_registrations"] = undecided(championship=championship)
    if deeds is not None:
        frame |= {"deeds": deeds.forms, "refused": deeds.refused}
        status = deeds.status
    return render(request, f"organiser/{template}", {**frame, **context}, status=status)


def drafts_done(request: HttpRequest) -> str:
    """The keys of forms that the server has: the browser forgets what it kept of them."""
    return " ".join(request.session.get("drafts_done", ()))


def draft_is_done(request: HttpRequest, key: str) -> None:
    """Remember that what was typed under this key has arrived. Kept for a while: the next page may not."""
    done = [*request.session.get("drafts_done", ()), key]
    request.session["drafts_done"] = done[-DRAFTS_KEPT:]
