"""A side of a table hands in a hand log, as a file or pasted."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from league.errors import Conflict, UserFault
from league.models import Manche
from league.selectors.tables import manche_of_table
from league.services.hand_in_answers import refusal_in_words
from league.services.results import hand_in
from league.web.organiser.deeds import lay, new_key
from league.web.organiser.logs import LogForm
from league.web.organiser.shown import draft_is_done, drafts_done
from league.web.tables.entering import after_hand_in, is_blind, may_enter
from league.web.tables.sheet import meanwhile
from league.web.tables.visit import Visit, at_table, back, held_back, keep_side


@at_table
def log(request: Visit, manche: int) -> HttpResponse:
    """Hand in a log or a sheet as a document. A refused one is kept for the organisers, and said why."""
    row = manche_of_table(request.partie, manche)
    replaces = row.current.version if row.current is not None and not is_blind(request, row) else None
    if request.method != "POST":
        if not may_enter(request, row):
            return back(request)
        return _page(request, row, LogForm(initial={"key": new_key(), "replaces": replaces}))
    if answer := held_back(request):
        return answer
    form = LogForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, row, form, status=422)
    try:
        return _hand_in(request, row, form)
    except UserFault as fault:
        said = meanwhile(request, row, fault) if isinstance(fault, Conflict) else fault
        lay(form, said)
        return _page(request, row, form, status=said.status)


def _hand_in(request: Visit, row: Manche, form: LogForm) -> HttpResponse:
    said = form.cleaned_data
    answer = hand_in(
        actor=request.actor,
        partie_id=row.partie_id,
        number=row.number,
        body=form.body,
        reason=said["reason"],
        replaces=said["replaces"],
    )
    if answer.refused:
        form.add_error(None, refusal_in_words(answer.verdict))
        return _page(request, row, form, status=422)
    draft_is_done(request, said["key"])
    came = after_hand_in(request, answer)
    messages.add_message(request, came.level, came.said)
    response = redirect(came.address)
    keep_side(request, response, request.side, has_acted=True)
    return response


def _page(request: Visit, row: Manche, form: LogForm, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {
        "championship": request.partie.championship,
        "code": request.code,
        "partie": request.partie,
        "manche": row,
        "form": form,
        "current": row.current if form["replaces"].value() else None,
        "is_blind": is_blind(request, row),
        "drafts_done": drafts_done(request),
    }
    return render(request, "tables/log.html", context, status=status)
