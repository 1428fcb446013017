"""Entering a manche as a score sheet: scored while it is typed, handed in once, and nothing typed is lost.

A sheet with faults is not handed in: it is shown again with every faulty cell marked, as any form is. So only what
came in by a log or by a program leaves refused attempts; of a sheet typed here, one that does not fit its partie any
more (RULES 13).
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.utils.translation import gettext as _

from league.errors import UserFault
from league.models import Manche, ResultState, SettledHow
from league.selectors.handed_in import names_of_results, sheet_of_result
from league.selectors.manches import MancheView, manche_view
from league.services.hand_in_answers import HandIn, refusal_in_words
from league.services.once import request_name
from league.services.settings_of_play import laid_rulebook
from league.web.organiser.deeds import new_key
from league.web.organiser.shown import draft_is_done
from league.web.result_table import result_table
from league.web.sheet.cells import SheetTable, said_of
from league.web.sheet.state import SheetState, sheet_state

HAND_INS = ("hand-in", "sure")
"""What a form says it is to do (`do`) that is to be handed in: `sure` with its warnings acknowledged."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A sheet that may be handed in: its bytes, and for a correction the version that it replaces and why.

    `name` is the idempotency key: the same form sent again has the same. `acknowledged`: the warnings of which somebody
    said that it is so.
    """

    body: bytes
    name: str
    replaces: int | None
    reason: str
    acknowledged: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Came:
    """What a hand-in came to: what to say, how (a level of `django.contrib.messages`), and where to go on."""

    said: str
    level: int
    address: str


class SheetDoor(ABC):
    """What the form needs to know of the page that it stands in; made for one request, of somebody who may hand in."""

    template: ClassVar[str]
    is_blind: bool = False
    """Whether what somebody else handed in is not shown: the form is empty, whatever stands."""

    def __init__(self, request: HttpRequest, manche: Manche) -> None:
        self.request = request
        self.manche = manche

    @property
    @abstractmethod
    def score_address(self) -> str:
        """The address of `live_score`."""

    @property
    @abstractmethod
    def who(self) -> str:
        """A name of whoever types, without spaces: a sheet that waits on a device is sent for nobody else."""

    @property
    def sign_in_address(self) -> str:
        """Where somebody signs in again who was signed out while typing; empty where nobody needs to."""
        return ""

    def foreseen(self, filled: Filled) -> HttpResponse | None:
        """The page that comes before a hand-in is saved, None where it is saved at once. Raises what `hand_in` does."""
        return None

    @abstractmethod
    def hand_in(self, filled: Filled) -> HandIn:
        """Hand it in. Raises what the service raises."""

    @abstractmethod
    def came(self, answer: HandIn) -> Came:
        """What to say of a hand-in that was not refused, and where to go on. `manche` is as it stood before."""

    @abstractmethod
    def closed(self) -> HttpResponse:
        """What somebody gets who opens the sheet of a manche that takes no result any more."""

    @abstractmethod
    def page(self, context: dict[str, Any], status: int) -> HttpResponse:
        """Render `template` with the form's context, and whatever else the page shows."""


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
    sure: frozenset[str] = frozenset()
    """The warnings that were shown, and of which it was said that it is so."""
    asks_sure: bool = False
    """Whether warnings are in the way that were not acknowledged."""
    has_news: bool = False
    """Whether somebody else handed in meanwhile: both are shown side by side."""


def sheet(door: SheetDoor) -> HttpResponse:
    """The sheet of a manche: empty, or for a correction as it stands; checked or handed in when it was sent.

    To a script (`asks_json`) it gives what a sheet that waited on the device needs to be sent, and answers a hand-in
    with what came of it: `static/js/outbox.js`.
    """
    request = door.request
    if request.method != "POST" and asks_json(request):
        return JsonResponse({"csrf": get_token(request), "who": door.who})
    view = _view(door)
    table = _table(door.manche, view)
    if request.method != "POST":
        if not view.takes_results:
            return door.closed()
        return _form(door, view, table, _to_begin_with(door.manche, view), is_checked=False)
    typed = _typed(request)
    state = sheet_state(table, typed.cells)
    if request.POST.get("do") in HAND_INS:
        if answer := _hand_in(door, typed, state):
            return answer
        view = _view(door)  # what stands now
        if asks_json(request):
            return JsonResponse({"outcome": "refused", "said": _in_the_way(typed, state)}, status=typed.status)
    return _form(door, view, table, typed, is_checked=True)


def live_score(door: SheetDoor) -> HttpResponse:
    """The score of what is typed so far, and the notes of its cells: what htmx puts into the page."""
    view = _view(door)
    state = sheet_state(_table(door.manche, view), door.request.POST.dict())
    current = view.current.version if view.current else 0
    context = {"state": state, "news": current != _whole(door.request.POST.get("replaces", ""))}
    return render(door.request, "sheet/live.html", context)


def _view(door: SheetDoor) -> MancheView:
    view = manche_view(manche=door.manche, inside=not door.is_blind)
    return replace(view, versions=()) if door.is_blind else view


def asks_json(request: HttpRequest) -> bool:
    """Whether a script asks, which is answered in JSON."""
    return request.headers.get("Accept") == "application/json"


def _table(row: Manche, view: MancheView) -> SheetTable:
    return SheetTable(row.partie.championship, {label: name for label, (_number, name) in sorted(view.teams.items())})


def _typed(request: HttpRequest) -> Typed:
    said = request.POST.dict()
    return Typed(
        cells=said,
        key=said.get("key", "")[:40] or new_key(),
        replaces=_whole(said.get("replaces", "")),
        reason=said.get("reason", "")[:300],
        sure=frozenset(said.get("sure", "").split()) if said.get("do") == "sure" else frozenset(),
    )


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def _to_begin_with(row: Manche, view: MancheView) -> Typed:
    """The usual end; for a correction, what stands, unless another sheet was asked for."""
    current = view.current
    if current is None:
        return Typed({"end": "target"}, new_key())
    if current.settled_how == SettledHow.ANOTHER_SHEET and current.state != ResultState.CONFIRMED:
        return Typed({"end": "target"}, new_key(), current.version)
    return Typed(said_of(sheet_of_result(manche=row, version=current.version)), new_key(), current.version)


def _hand_in(door: SheetDoor, typed: Typed, state: SheetState) -> HttpResponse | None:
    """Hand in what was typed; the redirect that follows, or None when `typed` says what is in the way."""
    typed.asks_sure = any(warning.name not in typed.sure for warning in state.warnings)
    if not state.is_complete or typed.asks_sure:
        typed.status = 422
        return None
    filled = _filled(door, typed, state)
    try:
        if page := door.foreseen(filled):
            return _to_be_looked_at(door, page)
        answer = door.hand_in(filled)
    except UserFault as fault:
        _lay(fault, typed)
        return None
    if answer.refused:
        typed.faults.append(refusal_in_words(answer.verdict))
        typed.status, typed.key = 422, new_key()
        return None
    draft_is_done(door.request, typed.key)
    came = door.came(answer)
    if door.request.POST.get("away") != "yes":  # where it is sent from another page, that page says so
        messages.add_message(door.request, came.level, came.said)
    if asks_json(door.request):
        return JsonResponse({"outcome": "recorded", "said": came.said, "goto": came.address})
    return HttpResponseRedirect(came.address)


def _to_be_looked_at(door: SheetDoor, page: HttpResponse) -> HttpResponse:
    """The page; a script is told to show it."""
    if not asks_json(door.request):
        return page
    said = _("It corrects what stands: look at what it moves, and hand it in.")
    return JsonResponse({"outcome": "refused", "said": said}, status=409)


def _in_the_way(typed: Typed, state: SheetState) -> str:
    """In one line why a sheet was not recorded."""
    if typed.has_news:
        return _("Somebody else has handed in this manche meanwhile.")
    if typed.asks_sure and state.is_complete:
        return _("Something on the sheet is improbable: look at it again.")
    return " ".join([*typed.faults, typed.reason_note]).strip() or state.said


def _filled(door: SheetDoor, typed: Typed, state: SheetState) -> Filled:
    body = json.dumps(state.document, ensure_ascii=False, sort_keys=True).encode()
    acknowledged = [warning.name for warning in state.warnings]
    said = [("at", door.request.path), ("replaces", typed.replaces), ("reason", typed.reason), ("sheet", body)]
    return Filled(body, request_name(typed.key, said), typed.replaces or None, typed.reason, acknowledged)


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


def _form(door: SheetDoor, view: MancheView, table: SheetTable, typed: Typed, *, is_checked: bool) -> HttpResponse:
    row, current = door.manche, view.current
    asked_again = current is not None and current.settled_how == SettledHow.ANOTHER_SHEET
    state = sheet_state(table, typed.cells)
    context: dict[str, Any] = {
        "manche": view,
        "partie": row.partie,
        "typed": typed,
        "state": state,
        "focus": "" if typed.has_news else _focus(state) if is_checked else state.cells.teams[0].km.name,
        "is_checked": is_checked,
        "has_points": laid_rulebook(row.partie.championship).has_points,
        "current": current,
        "needs_reason": current is not None and not asked_again,
        "table": result_table(current, row.partie.championship) if current else None,
        "names": names_of_results(manche=row) if current else {},
        "score_address": door.score_address,
        "sign_in_address": door.sign_in_address,
        "who": door.who,
        "worker_scope": "/".join(door.request.path.split("/")[:3]) + "/",
        "shows_warnings": typed.asks_sure or bool(typed.sure and state.warnings),
    }
    page = door.page(context, typed.status)
    page.headers["X-Kept-Offline"] = "sheet"  # static/js/sheet_worker.js: once it was opened, it opens without network
    return page


def _focus(state: SheetState) -> str:
    """The cell to begin with after a check: the first of which something is said."""
    return next((todo.cell for todo in state.todo if todo.cell), "")
