"""A table's page: who plays, the manches so far, and what the side that is spoken for has to do now."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from league.errors import NotPermitted, UserFault
from league.models import Championship, Confirmation
from league.selectors.disputes import DisputeView, SecondView
from league.selectors.tables import TableView, Waiting, manche_of_table, table_view
from league.services.confirmation import confirm_as_side, contest
from league.services.disputes import LONGEST_MESSAGE, say
from league.services.settings_of_play import laid_rulebook
from league.web.result_table import result_table
from league.web.scores import ScoreTable, columns_of_verdict, score_table
from league.web.tables.entering import may_enter
from league.web.tables.visit import Visit, at_table, back, keep_side, looks_inside, runs_it, speaking, takes_results


@dataclass
class Tried:
    """What was tried and did not succeed: why, and the words that were typed."""

    faults: list[str] = field(default_factory=list)
    text: str = ""
    status: int = 200


@at_table
def table(request: Visit) -> HttpResponse:
    """The table. Who enters results by an account goes on to their own page, unless they ask for this (`?as=side`)."""
    if request.method != "POST":
        if runs_it(request) and request.GET.get("as") != "side":
            return redirect(_own_address(request))
        return _page(request, Tried())
    do = _DEEDS.get(request.POST.get("do", ""))
    if do is None:
        raise BadRequest("no such deed")
    try:
        return do(request)
    except UserFault as fault:
        faults = [str(each.message) for each in fault.faults]
        return _page(request, Tried(faults, request.POST.get("text", ""), fault.status))


@require_GET
@at_table
def now(request: Visit) -> HttpResponse:
    """What changes of the page: nothing (204) to whoever has seen how it stands (`seen`)."""
    context = _context(request, Tried())
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    return render(request, "tables/now.html", context | {"is_news": True})


def _choose(request: Visit) -> HttpResponse:
    label = request.POST.get("side", "")
    if request.has_acted and label != request.side:
        said = _("You have acted for side %(side)s on this device: who speaks for another side uses their own.")
        raise NotPermitted("side-has-acted", said % {"side": request.side})
    if label not in request.partie.seats.values_list("label", flat=True):
        raise BadRequest("no such side")
    response = back(request)
    keep_side(request, response, label, has_acted=request.has_acted)
    return response


def _confirm(request: Visit) -> HttpResponse:
    confirm_as_side(actor=request.actor, **_about(request))
    return _acted(request, _("Confirmed: the manche counts."))


def _contest(request: Visit) -> HttpResponse:
    contest(actor=request.actor, text=request.POST.get("text", ""), **_about(request))
    return _acted(request, _("Contested: a referee decides. Say here what else there is to say."))


def _say(request: Visit) -> HttpResponse:
    say(actor=request.actor, dispute_id=_number(request, "dispute"), text=request.POST.get("text", ""))
    return _acted(request, _("Said."))


_DEEDS: Mapping[str, Callable[[Visit], HttpResponse]] = {
    "side": _choose,
    "confirm": _confirm,
    "contest": _contest,
    "say": _say,
}


def _about(request: Visit) -> dict[str, int]:
    manche = manche_of_table(request.partie, _number(request, "manche"))
    return {"manche_id": manche.pk, "version": _number(request, "version")}


def _number(request: Visit, name: str) -> int:
    said = request.POST.get(name, "")
    if not (said.isascii() and said.isdigit() and len(said) < 16):
        raise BadRequest("no number")
    return int(said)


def _acted(request: Visit, said: str) -> HttpResponse:
    messages.success(request, said)
    response = back(request)
    keep_side(request, response, request.side, has_acted=True)
    return response


def _own_address(request: Visit) -> str:
    """Where somebody with an account enters this table's results: the sheet that is awaited, else the partie."""
    view = table_view(actor=speaking(request.actor, request.partie, ""), partie=request.partie)
    at = [request.partie.championship.slug, request.partie.number]
    if view.partie.awaited:
        return reverse("organise-sheet", args=[*at, view.partie.awaited])
    if looks_inside(request):
        if view.waiting is not None:
            return reverse("organise-manche", args=[*at, view.waiting.manche.number])
        return reverse("organise-partie", args=at)
    if view.waiting is not None and request.partie.championship.confirmation == Confirmation.SECOND_ENTRY:
        return reverse("organise-sheet", args=[*at, view.waiting.manche.number])
    return f"{reverse('table', args=[request.code])}?as=side"


def _page(request: Visit, tried: Tried) -> HttpResponse:
    return render(request, "tables/table.html", _context(request, tried), status=tried.status)


def _context(request: Visit, tried: Tried) -> dict[str, Any]:
    view = table_view(actor=request.actor, partie=request.partie)
    championship, waiting = request.partie.championship, view.waiting
    names = {seat.label: seat.team for seat in view.partie.seats}
    row = manche_of_table(request.partie, waiting.manche.number) if waiting else None
    current = waiting.manche.current if waiting else None
    return {
        "championship": championship,
        "code": request.code,
        "side": request.side,
        "team": names.get(request.side, ""),
        "has_acted": request.has_acted,
        "table": view,
        "partie": view.partie,
        "names": names,
        "takes_results": takes_results(request.partie),
        "waiting": waiting,
        "score": result_table(current, championship) if current else None,
        "differences": current.verdict.get("claim_differences", ()) if current else (),
        "seconds": _seconds(waiting.dispute, names, championship) if waiting and waiting.dispute else [],
        "may_enter": row is not None and may_enter(request, row),
        "todo": _todo(request, view, waiting),
        "longest": LONGEST_MESSAGE,
        "tried": tried,
        "runs_it": runs_it(request),
        "drafts_done": " ".join(request.session.get("drafts_done", ())),
        "seen": _seen(request, view),
    }


def _todo(request: Visit, view: TableView, waiting: Waiting | None) -> str:
    """What is to be done with the result that waits: a name that `tables/waiting.html` knows, empty for nothing."""
    if waiting is None or not takes_results(request.partie):
        return ""
    if waiting.sheet_reason:
        return "sheet"
    if waiting.state != "pending":
        return str(waiting.state)
    is_own = request.side != "" and waiting.by_side == request.side
    confirmation = request.partie.championship.confirmation
    if confirmation == Confirmation.SECOND_ENTRY:
        return "own-blind" if is_own else "second"
    if is_own:
        return "own"
    return "confirm" if confirmation == Confirmation.OPPONENT else "organiser"


def _seconds(
    dispute: DisputeView, names: Mapping[str, str], championship: Championship
) -> list[tuple[SecondView, ScoreTable]]:
    """The second entries of a dispute as score tables."""
    rulebook = laid_rulebook(championship)
    return [
        (second, score_table(columns_of_verdict(second.verdict, None, names), rulebook)) for second in dispute.seconds
    ]


def _seen(request: Visit, view: TableView) -> str:
    """A digest of what the page shows, by which it knows that there is nothing new."""
    waiting = view.waiting
    thread = waiting.dispute if waiting else None
    shown = (
        request.side,
        view.partie.version,
        [(manche.number, manche.status, manche.version) for manche in view.partie.manches],
        waiting and (waiting.version, waiting.state, waiting.sheet_reason),
        thread and (thread.id, thread.version, len(thread.messages), len(thread.seconds)),
    )
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]
