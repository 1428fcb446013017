"""The door on the day, for a phone: who is there, who is missing, one tap each."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import NotFound
from league.models import Championship
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.check_in import ALL, HERE, MISSING, door
from league.selectors.imports import size_of_entries
from league.selectors.organising import entry_id_of
from league.selectors.players_of_round import takes_late
from league.selectors.stages import now
from league.services.check_in import check_in, check_in_all, check_out
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done
from league.web.organiser.entries import LinesForm
from league.web.organiser.many_entries import enter_lines
from league.web.organiser.shown import draft_is_done, show
from league.web.seen import page_number


class NumberForm(DeedForm):
    """Whom it is about."""

    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


@for_organisers
def check_in_page(request: Asked, slug: str) -> HttpResponse:
    """Check entries in, and out again; look for one by name or number."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    shown = request.GET.get("show", MISSING)
    shown = shown if shown in (HERE, ALL) else MISSING
    text = request.GET.get("q", "")[:100]
    deeds = Deeds(request, found, _deeds(request, found, shown))
    if answer := deeds.answer():
        return answer
    stage = now(championship=found).stage
    listed = door(championship=found, show=shown, text=text, number=page_number(request))
    form = deeds.forms["late"]
    assert isinstance(form, LinesForm)
    context = {
        "form": form,
        "answers": form.answers() if form.is_bound and not form.has_error("lines") else [],
        "door": listed,
        "page": listed.page,
        "shown": shown,
        "q": text,
        "kept": urlencode({"show": shown, "q": text}) + "&",
        "key": deeds.forms["check_in"]["key"].value(),
        "under_way": stage if stage is not None and not takes_late(stage) else None,
    }
    return show(request, "check_in.html", found, "entries", context, deeds)


def _deeds(request: Asked, found: Championship, shown: str) -> dict[str, Deed]:
    # whoever was looked for is found: the next one comes
    goto = f"{reverse('organise-check-in', args=[found.slug])}?{urlencode({'show': shown})}"

    def entry(number: int) -> int:
        id_ = entry_id_of(championship=found, number=number)
        if id_ is None:
            raise NotFound
        return id_

    def come(said: dict[str, Any]) -> Done:
        row = check_in(actor=request.actor, entry_id=entry(said["number"]))
        return Done(_("%(number)s %(team)s is there.") % {"number": row.number, "team": row.team.name}, goto)

    def all_come(_said: dict[str, Any]) -> Done:
        count = check_in_all(actor=request.actor, championship_id=found.pk)
        return Done(ngettext("%(n)s more is there.", "%(n)s more are there.", count) % {"n": count}, goto)

    def go(said: dict[str, Any]) -> Done:
        row = check_out(actor=request.actor, entry_id=entry(said["number"]))
        return Done(_("%(number)s %(team)s is not there.") % {"number": row.number, "team": row.team.name}, goto)

    def enter_late(said: dict[str, Any]) -> Done:
        made = enter_lines(actor=request.actor, championship_id=found.pk, lines=said["read"], who=said["who"])
        for row in made:
            check_in(actor=request.actor, entry_id=row.pk)
        draft_is_done(request, said["key"])
        names = ", ".join(_("No. %(number)s %(team)s") % {"number": row.number, "team": row.team.name} for row in made)
        return Done(_("Entered, and there: %(names)s.") % {"names": names}, goto)

    size = size_of_entries(found)
    return {
        "check_in": Deed(NumberForm, Action.RUN, come),
        "check_in_all": Deed(DeedForm, Action.RUN, all_come),
        "check_out": Deed(NumberForm, Action.RUN, go),
        "late": Deed(lambda *args, **kw: LinesForm(*args, size=size, **kw), Action.RUN, enter_late),
    }
