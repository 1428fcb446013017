"""The round in the hall: its tables and what each waits for, how far it is, what comes next, and its clock."""

from typing import Any, ClassVar

from django import forms
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.models import Championship, ClockEnd, RoundStatus
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.hall import (
    HallTable,
    Progress,
    RoundState,
    hall_tables,
    left_out,
    progress,
    round_state,
    table_to_enter,
)
from league.selectors.organising import byes_of_round, seatable
from league.selectors.parties import rounds
from league.selectors.stages import Now, now
from league.services.clock import add_minutes, pause_clock, set_clock, start_clock, stop_clock
from league.services.rounds import MOST_REOPENED, lock_round, reopen_round, undo_step
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, Deeds, Done, ReasonForm, VersionForm, new_key
from league.web.organiser.free_tables import free_deeds
from league.web.organiser.shown import show
from league.web.seen import number_in, page_number


class MinutesForm(VersionForm):
    """More minutes."""

    minutes = forms.IntegerField(label=gettext_lazy("Minutes"), min_value=1, max_value=600)


class ClockForm(MinutesForm):
    """How long a round lasts, and what happens then."""

    at_end = forms.ChoiceField(label=gettext_lazy("When the time is up"), choices=ClockEnd.choices)
    fault_fields: ClassVar = {"clock_minutes": "minutes"}


@for_organisers
def parties_page(request: Asked, slug: str) -> HttpResponse:
    """The tables of a round, the last one unless the address names another, and every step that a round takes."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    where, played = now(championship=found), rounds(championship=found)
    last = played[-1].number if played else 1
    number = number_in(request, "round", last)
    state = round_state(championship=found, round_number=number)
    free = seatable(championship=found, round_number=number)
    byes = byes_of_round(championship=found, round_number=number)
    deeds = Deeds(
        request, found, free_deeds(request, found, number, free, byes) | _deeds(request, found, state, number)
    )
    if answer := deeds.answer():
        return answer
    how_far = progress(championship=found, round_number=number)
    context = {
        "rounds": played,
        "number": number,
        "where": where,
        "state": state if state is None or state.status != RoundStatus.DRAFT else None,
        "draft": where.last if where.last and where.last.status == RoundStatus.DRAFT else None,
        "is_last": number == where.next_round - 1 or not played,
        "progress": how_far,
        "step": _next_step(where, number, state, how_far),
        "page": hall_tables(championship=found, round_number=number, number=page_number(request)),
        "byes": byes,
        "left_out": left_out(championship=found, round_number=number),
        "kept": f"round={number}&",
        "free": [entry for entry in free if not entry.met],
        "fresh": new_key(),
        "table_missing": request.GET.get("missing", "")[:9],
        "most_reopened": MOST_REOPENED,
    }
    return show(request, "parties.html", found, "parties", context, deeds)


def _next_step(where: Now, number: int, state: RoundState | None, how_far: Progress) -> str:
    """The one step that is offered first: "draft", "draw", "lock", "stage", "ranking", or nothing while tables play."""
    if where.last is not None and where.last.status == RoundStatus.DRAFT:
        return "draft"
    if where.next_round == 1:
        return "draw"
    if number != where.next_round - 1 or not how_far.is_done:
        return ""
    if where.is_over:
        return "stage" if where.following else "ranking"
    return "draw"


def _deeds(request: Asked, found: Championship, state: RoundState | None, number: int) -> dict[str, Deed]:
    """What is done with a round that was drawn."""
    if state is None:
        return {}
    here: dict[str, Any] = {"actor": request.actor, "round_id": state.id}
    seen = {"version": state.version}
    parties = reverse("organise-parties", args=[found.slug])

    def lock(said: dict[str, Any]) -> Done:
        lock_round(**here, version=said["version"])
        return Done(_("Round %(n)s is locked.") % {"n": number})

    def reopen(said: dict[str, Any]) -> Done:
        reopen_round(**here, version=said["version"], reason=said["reason"])
        text = _("Round %(n)s is a draft again: what was played stays.") % {"n": number}
        return Done(text, reverse("organise-draft", args=[found.slug]))

    def undo(said: dict[str, Any]) -> Done:
        left = undo_step(**here, version=said["version"])
        if left is not None and left.status == RoundStatus.DRAFT:
            text = _("Publishing is taken back: round %(n)s is a draft.") % {"n": number}
            return Done(text, reverse("organise-draft", args=[found.slug]))
        return Done(_("Round %(n)s is not locked any more.") % {"n": number}, parties)

    return {
        "lock": Deed(VersionForm, Action.RUN, lock, seen),
        "reopen_round": Deed(ReasonForm, Action.RUN, reopen, seen),
        "undo": Deed(VersionForm, Action.RUN, undo, seen),
        **_clock_deeds(request, state),
    }


def _clock_deeds(request: Asked, state: RoundState) -> dict[str, Deed]:
    here: dict[str, Any] = {"actor": request.actor, "round_id": state.id}
    seen = {"version": state.version}

    def choose(said: dict[str, Any]) -> Done:
        set_clock(**here, version=said["version"], minutes=said["minutes"], at_end=said["at_end"])
        return Done(_("The clock is set."))

    def start(said: dict[str, Any]) -> Done:
        start_clock(**here, version=said["version"])
        return Done(_("The clock runs."))

    def pause(said: dict[str, Any]) -> Done:
        pause_clock(**here, version=said["version"])
        return Done(_("The clock is held."))

    def more(said: dict[str, Any]) -> Done:
        add_minutes(**here, version=said["version"], minutes=said["minutes"])
        return Done(ngettext("%(n)s minute more.", "%(n)s minutes more.", said["minutes"]) % {"n": said["minutes"]})

    def stop(said: dict[str, Any]) -> Done:
        stop_clock(**here, version=said["version"])
        return Done(_("The time is up."))

    clock = state.clock
    return {
        "clock_set": Deed(ClockForm, Action.RUN, choose, seen | {"minutes": clock.minutes, "at_end": clock.at_end}),
        "clock_start": Deed(VersionForm, Action.RUN, start, seen),
        "clock_pause": Deed(VersionForm, Action.RUN, pause, seen),
        "clock_more": Deed(MinutesForm, Action.RUN, more, seen | {"minutes": 5}),
        "clock_stop": Deed(VersionForm, Action.RUN, stop, seen),
    }


@for_organisers
def go_to_table(request: Asked, slug: str) -> HttpResponse:
    """From the number of a table to what is to be done there: the sheet of its awaited manche, or its partie."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    number, table = number_in(request, "round", 1), number_in(request, "table", 0)
    there = table_to_enter(championship=found, round_number=number, table=table)
    if there is None:
        home = reverse("organise-parties", args=[slug])
        return HttpResponseRedirect(f"{home}?round={number}&missing={table}")
    return HttpResponseRedirect(_address(slug, there))


def _address(slug: str, there: HallTable) -> str:
    if there.manche is None:
        return reverse("organise-partie", args=[slug, there.number])
    if there.state in ("awaited", "postponed"):
        return reverse("organise-sheet", args=[slug, there.number, there.manche])
    return reverse("organise-manche", args=[slug, there.number, there.manche])
