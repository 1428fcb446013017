"""A partie as its organiser sees it: who sits where, what comes next, and what the referee rules."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Partie, PartieStatus
from league.policy import Action, require
from league.seating import players_of, seat_labels
from league.selectors.addresses import partie_at
from league.selectors.handed_in import attempts_of
from league.selectors.next_table import next_table
from league.selectors.organising import entry_ids_of, names_at
from league.selectors.parties import PartieView, called, partie_view
from league.selectors.substitutes import shown_stand_ins
from league.services.parties import close_partie, reopen_partie, rule_forfeit, void_partie
from league.services.postponing import postpone_partie, resume_partie
from league.table_codes import table_address
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, Deeds, Done, ReasonForm, VersionForm
from league.web.organiser.shown import show
from league.web.organiser.table_link import renewing


class ForfeitForm(ReasonForm):
    """Who is absent or left."""

    entry = forms.ChoiceField(label=gettext_lazy("Who is absent or left?"))
    field_order = ("entry", "reason")

    def __init__(self, *args: Any, seats: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entry"].choices = seats  # type: ignore[attr-defined]


@for_organisers
def partie(request: Asked, slug: str, number: int) -> HttpResponse:
    """A partie: its seats, its manches, the next one to hand in; rulings with their reasons."""
    row = partie_at(request.actor, slug, number)
    require(request.actor, Action.LOOK_INSIDE, row.championship)
    view = partie_view(partie=row)
    deeds = Deeds(request, row.championship, _deeds(request, row, view))
    if answer := deeds.answer():
        return answer
    players = row.championship.players_per_team
    labels, names = [seat.label for seat in view.seats], names_at(partie=row)
    entered = request.GET.get("entered", "")
    just_entered = int(entered) if entered.isascii() and entered.isdigit() and len(entered) < 5 else 0
    context = {
        "partie": view,
        "postponed": row.postponed_reason if row.postponed_at and row.status == PartieStatus.OPEN else "",
        "table_address": f"{table_address(row)}?as=side",
        "stand_ins": shown_stand_ins(championship=row.championship, partie=row),
        "entered": just_entered,
        "next_table": next_table(after=row, manche=just_entered) if just_entered else None,
        "seats": [
            (seat, list(zip(players_of(seat.label, players), names.get(seat.label, ()), strict=False)))
            for seat in view.seats
        ],
        "manches": [(manche, seat_labels(labels, players, manche.number)) for manche in view.manches_played],
        "awaited_seats": called(view, seat_labels(labels, players, view.awaited)) if view.awaited else [],
        "attempts": attempts_of(partie=row, manche=view.awaited) if view.awaited else [],
    }
    return show(request, "partie.html", row.championship, "parties", context, deeds)


def _deeds(request: Asked, row: Partie, view: PartieView) -> dict[str, Deed]:
    seen = {"version": row.version}
    entry_ids = entry_ids_of(partie=row)
    seats = [(seat.number, f"{seat.label} · {seat.team}") for seat in view.seats if not seat.forfeited]

    def close(said: dict[str, Any]) -> Done:
        closed = close_partie(actor=request.actor, partie_id=row.pk, version=said["version"], reason=said["reason"])
        if closed.status == "void":
            return Done(_("No manche was finished: the partie is void."))
        return Done(_("The partie is closed."))

    def void(said: dict[str, Any]) -> Done:
        void_partie(actor=request.actor, partie_id=row.pk, version=said["version"], reason=said["reason"])
        return Done(_("The partie is annulled."))

    def reopen(said: dict[str, Any]) -> Done:
        reopen_partie(actor=request.actor, partie_id=row.pk, version=said["version"], reason=said["reason"])
        return Done(_("The partie goes on."))

    def forfeit(said: dict[str, Any]) -> Done:
        rule_forfeit(
            actor=request.actor,
            partie_id=row.pk,
            entry_id=entry_ids[int(said["entry"])],
            version=said["version"],
            reason=said["reason"],
        )
        return Done(_("The forfeit is ruled, and the partie closed."))

    def delay(said: dict[str, Any]) -> Done:
        postpone_partie(actor=request.actor, partie_id=row.pk, version=said["version"], reason=said["reason"])
        return Done(_("The partie is postponed: it holds up nobody."))

    def resume(said: dict[str, Any]) -> Done:
        resume_partie(actor=request.actor, partie_id=row.pk, version=said["version"])
        return Done(_("The partie is played now."))

    return {
        "postpone": Deed(ReasonForm, Action.SETTLE, delay, seen),
        "resume": Deed(VersionForm, Action.SETTLE, resume, seen),
        "close": Deed(ReasonForm, Action.SETTLE, close, seen),
        "void": Deed(ReasonForm, Action.SETTLE, void, seen),
        "reopen": Deed(ReasonForm, Action.SETTLE, reopen, seen),
        "renew_link": renewing(request, row),
        "forfeit": Deed(lambda *args, **kw: ForfeitForm(*args, seats=seats, **kw), Action.SETTLE, forfeit, seen),
    }
