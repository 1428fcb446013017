"""Entering a manche as a score sheet: scored while it is typed, handed in once, and nothing typed is lost.

A sheet with faults is not handed in: it is shown again with every faulty cell marked, as any form is. So only what
came in by a log or by a program leaves refused attempts; of a sheet typed here, one that does not fit its partie any
more (RULES 13).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.errors import UserFault
from league.models import Manche, PartieStatus, ResultState, SettledHow
from league.policy import Action, require
from league.selectors.addresses import manche_at
from league.selectors.handed_in import names_of_results, sheet_of_result
from league.selectors.manches import MancheView, manche_view
from league.services.hand_in_answers import HandIn, refusal_in_words
from league.services.once import request_name
from league.services.results import hand_in
from league.services.settings_of_play import laid_rulebook
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import new_key
from league.web.organiser.sheet_cells import SheetTable, said_of
from league.web.organiser.sheet_state import SheetState, sheet_state
from league.web.organiser.shown import draft_is_done, show
from league.web.result_table import result_table


@dataclass
class Typed:
    """What the form sent, or is to show: the cells, its key, the version that it replaces (0: none), the reason."""

    cells: Mapping[str, str]
    key: str
    replaces: int = 0
    reason: str = ""
    reason_note: str = ""
    faults: list[str] = field(default_factory=list)
    status: int = 200
    has_news: bool = False
    """Whether somebody else handed in meanwhile: both are shown side by side."""


@for_organisers
def sheet(request: Asked, slug: str, number: int, manche: int) -> HttpResponse:
    """The sheet of a manche: empty, or for a correction as it stands."""
    row = manche_at(request.actor, slug, number, manche)
    require(request.actor, Action.HAND_IN, row.partie.championship)
    view = manche_view(manche=row)
    table = _table(row, view)
    if request.method != "POST" and not view.takes_results:
        return redirect("organise-manche", slug, number, manche)  # which says that the partie is over
    if request.method != "POST":
        return _form(request, row, view, table, _to_begin_with(row, view), is_checked=False)
    typed = _typed(request)
    state = sheet_state(table, typed.cells)
    if request.POST.get("do") == "hand-in":
        if answer := _hand_in(request, row, view, typed, state):
            return answer
        view = manche_view(manche=row)  # what stands now
    return _form(request, row, view, table, typed, is_checked=True)


@require_POST
@for_organisers
def sheet_score(request: Asked, slug: str, number: int, manche: int) -> HttpResponse:
    """The score of what is typed so far, and the notes of its cells: what htmx puts into the page."""
    row = manche_at(request.actor, slug, number, manche)
    require(request.actor, Action.HAND_IN, row.partie.championship)
    view = manche_view(manche=row)
    state = sheet_state(_table(row, view), request.POST.dict())
    current = view.current.version if view.current else 0
    context = {"state": state, "news": current != _whole(request.POST.get("replaces", ""))}
    return render(request, "organiser/sheet_live.html", context)


def _table(row: Manche, view: MancheView) -> SheetTable:
    return SheetTable(row.partie.championship, {label: name for label, (_number, name) in sorted(view.teams.items())})


def _typed(request: Asked) -> Typed:
    said = request.POST.dict()
    return Typed(
        cells=said,
        key=said.get("key", "")[:40] or new_key(),
        replaces=_whole(said.get("replaces", "")),
        reason=said.get("reason", "")[:300],
    )


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def _to_begin_with(row: Manche, view: MancheView) -> Typed:
    """The usual end; for a correction, what stands, unless another sheet was asked for."""
    current = view.current
    if current is None:
        return Typed({"end": "target"}, new_key())
    if current.settled_how == SettledHow.ANOTHER_SHEET and current.state == ResultState.DIFFERS:
        return Typed({"end": "target"}, new_key(), current.version)
    return Typed(said_of(sheet_of_result(manche=row, version=current.version)), new_key(), current.version)


def _hand_in(request: Asked, row: Manche, view: MancheView, typed: Typed, state: SheetState) -> HttpResponse | None:
    """Hand in what was typed; the redirect that follows, or None when `typed` says what is in the way."""
    if not state.is_complete:
        typed.status = 422
        return None
    body = json.dumps(state.document, ensure_ascii=False, sort_keys=True).encode()
    sent = request_name(
        typed.key, [("at", request.path), ("replaces", typed.replaces), ("reason", typed.reason), ("sheet", body)]
    )
    try:
        answer = hand_in(
            actor=request.actor,
            partie_id=row.partie_id,
            number=row.number,
            body=body,
            reason=typed.reason,
            replaces=typed.replaces or None,
            idempotency_key=sent,
        )
    except UserFault as fault:
        _lay(fault, typed)
        return None
    if answer.refused:
        typed.faults.append(refusal_in_words(answer.verdict))
        typed.status, typed.key = 422, new_key()
        return None
    draft_is_done(request, typed.key)
    return go_on(request, row, answer)


def _lay(fault: UserFault, typed: Typed) -> None:
    """Say what is in the way. What another one did meanwhile is shown beside, and is what is replaced from now on."""
    typed.status = fault.status
    present = fault.extra.get("present", {}).get("version")
    if fault.code == "result-exists" and present is not None:
        typed.has_news = typed.replaces != present
        typed.replaces = present
        typed.reason_note = _("Say why yours is right: everybody may read it.")
    elif fault.field == "reason":
        typed.reason_note = str(fault.message)
    else:
        typed.faults += [str(each.message) for each in fault.faults]


def go_on(request: Asked, row: Manche, answer: HandIn) -> HttpResponse:
    """Where somebody goes after a hand-in: to the manche where something is to be decided, else to the partie."""
    slug, partie = row.partie.championship.slug, row.partie.number
    if answer.state == ResultState.DIFFERS:
        messages.warning(request, _("Recorded. What the table announced differs: settle that, then it counts."))
    elif answer.state == ResultState.PENDING:
        messages.success(request, _("Recorded. It counts once it is confirmed."))
    elif answer.outcome == "repeated":
        messages.info(request, _("This is what stands already."))
    else:
        messages.success(request, _what_counts(row, answer))
        return redirect("organise-partie", slug, partie)
    return redirect("organise-manche", slug, partie, answer.manche)


def _what_counts(row: Manche, answer: HandIn) -> str:
    """What was recorded; `row` is as it stood before."""
    if answer.partie_status == PartieStatus.CLOSED and row.partie.status == PartieStatus.OPEN:
        return _("Recorded, and the partie is over.")
    if answer.version != 1:
        return _("The correction is recorded.")
    return _("Manche %(manche)s is recorded.") % {"manche": answer.manche}


def _form(
    request: Asked, row: Manche, view: MancheView, table: SheetTable, typed: Typed, *, is_checked: bool
) -> HttpResponse:
    championship, current = row.partie.championship, view.current
    asked_again = current is not None and current.settled_how == SettledHow.ANOTHER_SHEET
    state = sheet_state(table, typed.cells)
    context: dict[str, Any] = {
        "manche": view,
        "partie": row.partie,
        "typed": typed,
        "state": state,
        "focus": "" if typed.has_news else _focus(state) if is_checked else state.cells.teams[0].km.name,
        "is_checked": is_checked,
        "has_points": laid_rulebook(championship).has_points,
        "current": current,
        "needs_reason": current is not None and not asked_again,
        "table": result_table(current, championship) if current else None,
        "names": names_of_results(manche=row) if current else {},
        "score_address": reverse("organise-sheet-score", args=[championship.slug, row.partie.number, row.number]),
    }
    return show(request, "sheet.html", championship, "parties", context, status=typed.status)


def _focus(state: SheetState) -> str:
    """The cell to begin with after a check: the first of which something is said."""
    return next((todo.cell for todo in state.todo if todo.cell), "")
