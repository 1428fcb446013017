"""Before the draw: who plays, who is absent, which tables still play; then the draw itself."""

from typing import Any, ClassVar

from django import forms
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Championship, Format
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.bracket import level_tables
from league.selectors.players_of_round import ABSENT, PLAY, Present, presence
from league.selectors.stages import Now, draft_of, now, still_open
from league.services.absences import announce_absence, take_absence_back
from league.services.draws import draw_round
from league.services.knockouts import can_play_extra, go_on_as_seeded, open_extra_manche
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done, new_key
from league.web.organiser.shown import show


class DrawForm(DeedForm):
    """What the organiser decides before a draw; a question that does not arise is not asked."""

    unchecked = forms.ChoiceField(
        label=gettext_lazy("Who has neither checked in nor played yet"),
        choices=((ABSENT, gettext_lazy("is absent in this round")), (PLAY, gettext_lazy("plays all the same"))),
        required=False,
        widget=forms.RadioSelect,
    )
    anyway = forms.BooleanField(label=gettext_lazy("Draw now: tables that still play count as level"), required=False)
    one_more = forms.BooleanField(label=gettext_lazy("One round more than was planned"), required=False)
    one_of_several = True

    def __init__(self, *args: Any, asked: dict[str, bool], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, is_asked in asked.items():
            if not is_asked:
                del self.fields[name]


class AbsentForm(DeedForm):
    """Who announces to be absent, and for how many rounds."""

    entry = forms.TypedChoiceField(label=gettext_lazy("Entry"), coerce=int)
    rounds = forms.IntegerField(label=gettext_lazy("For how many rounds"), min_value=1, max_value=20, initial=1)
    fault_fields: ClassVar = {"last": "rounds", "first": "rounds"}

    def __init__(self, *args: Any, entries: list[Present], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [("", "—"), *((e.id, f"{e.number} · {e.team}") for e in entries if not e.absent)]
        self.fields["entry"].choices = offered  # type: ignore[attr-defined]


class TableForm(DeedForm):
    """A table of a knock-out that ended level."""

    table = forms.IntegerField(widget=forms.HiddenInput)


class BackForm(DeedForm):
    """An absence that is taken back."""

    entry = forms.IntegerField(widget=forms.HiddenInput)


@for_organisers
def draw(request: Asked, slug: str) -> HttpResponse:
    """Ask what has to be asked, and draw the next round into a draft."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.RUN, found)
    where = now(championship=found)
    if request.method != "POST" and draft_of(championship=found) is not None:
        return HttpResponseRedirect(reverse("organise-draft", args=[slug]))
    entries = presence(championship=found, round_number=where.next_round, stage=where.stage)
    waiting = still_open(championship=found, before=where.next_round)
    playing = [table or number for number, table, postponed in waiting if not postponed]
    level = level_tables(championship=found, where=where)
    deeds = Deeds(request, found, _deeds(request, found, where, entries, playing) | _level_deeds(request, where))
    if answer := deeds.answer():
        return answer
    checked_in = [one for one in entries if one.here]
    context = {
        "where": where,
        "entries": entries,
        "absent": [one for one in entries if one.absent],
        "checked_in": checked_in,
        "not_here": [one for one in entries if one.is_awaited and not one.absent] if checked_in else [],
        "late": [one for one in entries if one.late] if where.next_round > 1 else [],
        "playing": playing,
        "postponed": [table or number for number, table, postponed in waiting if postponed],
        "may_go_on": where.stage is None or where.stage.format in (Format.SWISS, Format.FREE),
        "fresh": new_key(),
        "level": [(table, can_play_extra(found, len(table.entries))) for table in level],
        "is_knockout": where.stage is not None and where.stage.format == Format.KNOCKOUT,
    }
    return show(request, "draw.html", found, "parties", context, deeds)


def _level_deeds(request: Asked, where: Now) -> dict[str, Deed]:
    """What decides at a table of a knock-out that ended level at the limit."""
    last = where.last
    if last is None or where.stage is None or where.stage.format != Format.KNOCKOUT:
        return {}

    def extra(said: dict[str, Any]) -> Done:
        partie = open_extra_manche(actor=request.actor, round_id=last.pk, table=said["table"])
        text = _("One more manche is open: table %(table)s.") % {"table": partie.table_number}
        return Done(text)

    def seeded(said: dict[str, Any]) -> Done:
        go_on_as_seeded(actor=request.actor, round_id=last.pk, table=said["table"])
        return Done(_("They go on as they came into the stage."))

    return {
        "extra": Deed(TableForm, Action.RUN, extra),
        "seeded": Deed(TableForm, Action.RUN, seeded),
    }


def _deeds(
    request: Asked, found: Championship, where: Now, entries: list[Present], playing: list[int]
) -> dict[str, Deed]:
    fixed = where.stage is not None and where.stage.format in (Format.ROUND_ROBIN, Format.KNOCKOUT)
    asked = {
        "unchecked": any(one.here for one in entries) and any(one.is_awaited for one in entries) and not fixed,
        "anyway": bool(playing) and not (where.stage is not None and where.stage.format == Format.KNOCKOUT),
        "one_more": where.is_over and not fixed,
    }

    def draw_it(said: dict[str, Any]) -> Done:
        drawn = draw_round(
            actor=request.actor,
            championship_id=found.pk,
            unchecked=said.get("unchecked") or (ABSENT if asked["unchecked"] else PLAY),
            anyway=said.get("anyway", False),
            one_more=said.get("one_more", False),
        )
        text = _("Round %(n)s is drawn. Look it over, then publish it.") % {"n": drawn.number}
        return Done(text, reverse("organise-draft", args=[found.slug]))

    def note(said: dict[str, Any]) -> Done:
        first = where.next_round
        announce_absence(actor=request.actor, entry_id=said["entry"], first=first, last=first + said["rounds"] - 1)
        return Done(_("The absence is noted."))

    def back(said: dict[str, Any]) -> Done:
        take_absence_back(actor=request.actor, entry_id=said["entry"], round_number=where.next_round)
        return Done(_("Plays after all."))

    return {
        "draw": Deed(
            lambda *args, **kw: DrawForm(*args, asked=asked, **kw), Action.RUN, draw_it, {"unchecked": ABSENT}
        ),
        "absent": Deed(lambda *args, **kw: AbsentForm(*args, entries=entries, **kw), Action.RUN, note, {"rounds": 1}),
        "back": Deed(BackForm, Action.RUN, back),
    }
