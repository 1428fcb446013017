"""Who takes part: entered one a line, looked over, renamed, withdrawn, penalised."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.errors import UserFault
from league.models import Entry
from league.policy import Action, require
from league.selectors.addresses import championship_at, entry_at
from league.selectors.imports import size_of_entries
from league.selectors.people import entries as entries_of
from league.selectors.people import entry_line
from league.selectors.registrations import undecided
from league.selectors.round_robin import robin_effect
from league.services.entries import penalise_entry, reinstate, rename_team, withdraw
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done
from league.web.organiser.many_entries import NEW, Question, enter_lines, questions, read_lines
from league.web.organiser.shown import draft_is_done, show
from league.web.seen import page_number


class LinesForm(DeedForm):
    """Names, one entry a line; and, once asked, who those are that are known."""

    lines = forms.CharField(
        label=gettext_lazy("Names"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 8, "autocapitalize": "words", "spellcheck": "false"}),
    )

    two_people = forms.BooleanField(
        label=gettext_lazy("Names that stand here twice are different people"), required=False
    )

    def __init__(self, *args: Any, size: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.size = size
        self.asked: list[Question] = []
        self.has_same_names = False
        self.fields["lines"].help_text = (
            _("One player a line.") if size == 1 else _("One team a line: “one / other”, or “name: one / other”.")
        )

    def clean(self) -> dict[str, Any]:
        """Read the lines; a name that is known must be answered for before anything is made."""
        said = super().clean() or self.cleaned_data
        if "lines" not in said:
            return said
        try:
            said["read"] = read_lines(said["lines"], self.size, two_people=said["two_people"])
        except UserFault as fault:
            self.has_same_names = any(each.code == "same-name" for each in fault.faults)
            self.lay_fault(fault)
            return said
        self.asked = questions(said["read"])
        said["who"] = {}
        for question in self.asked:
            answer = self.data.get(question.field, "")
            if answer not in (NEW, *(str(player.id) for player in question.known)):
                raise forms.ValidationError(_("Some names are known already: say who is who."), code="who")
            said["who"][question.field] = answer
        return said

    def answers(self) -> list[tuple[Question, str]]:
        """The questions with what was answered so far, or what is likely."""
        return [(question, self.data.get(question.field) or str(question.likely or "")) for question in self.asked]


@for_organisers
def entries(request: Asked, slug: str) -> HttpResponse:
    """List the entries, and enter more."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)

    def enter(said: dict[str, Any]) -> Done:
        made = enter_lines(actor=request.actor, championship_id=found.pk, lines=said["read"], who=said["who"])
        count = len(made)
        draft_is_done(request, said["key"])
        return Done(ngettext("%(n)s entry is made.", "%(n)s entries are made.", count) % {"n": count})

    deed = Deed(lambda *args, **kw: LinesForm(*args, size=size_of_entries(found), **kw), Action.RUN, enter)
    deeds = Deeds(request, found, {"enter": deed})
    if answer := deeds.answer():
        return answer
    form = deeds.forms["enter"]
    assert isinstance(form, LinesForm)
    context = {
        "page": entries_of(championship=found, number=page_number(request), size=50, inside=True),
        "registrations": undecided(championship=found),
        "form": form,
        "answers": form.answers() if form.is_bound and not form.has_error("lines") else [],
    }
    return show(request, "entries.html", found, "entries", context, deeds)


class RenameForm(DeedForm):
    """A team's name."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=120,
        required=False,
        help_text=gettext_lazy("Empty: like its players, as everybody may read them."),
    )


class WhyForm(DeedForm):
    """A ruling about an entry."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=300, help_text=gettext_lazy("Everybody may read it.")
    )


class PenaltyForm(WhyForm):
    """A penalty on the championship."""

    points = forms.IntegerField(
        label=gettext_lazy("Penalty"),
        min_value=0,
        help_text=gettext_lazy("Taken off what the entry is ranked by; 0 lifts it."),
    )
    field_order = ("points", "reason")


@for_organisers
def entry(request: Asked, slug: str, number: int) -> HttpResponse:
    """An entry: its players, its name, and what is ruled about it."""
    row = entry_at(request.actor, slug, number)
    require(request.actor, Action.LOOK_INSIDE, row.championship)
    deeds = Deeds(request, row.championship, _deeds(request, row))
    if answer := deeds.answer():
        return answer
    effect = robin_effect(championship=row.championship, entry=row)
    context = {"effect": effect, "entry": entry_line(row, inside=True)}
    return show(request, "entry.html", row.championship, "entries", context, deeds)


def _deeds(request: Asked, row: Entry) -> dict[str, Deed]:
    team = row.team

    def rename(said: dict[str, Any]) -> Done:
        rename_team(actor=request.actor, team_id=team.pk, version=said["version"], name=said["name"])
        return Done(_("Saved."))

    def leave(said: dict[str, Any]) -> Done:
        withdraw(actor=request.actor, entry_id=row.pk, reason=said["reason"])
        return Done(_("%(team)s has withdrawn.") % {"team": team.name})

    def come_back(said: dict[str, Any]) -> Done:
        reinstate(actor=request.actor, entry_id=row.pk, reason=said["reason"])
        return Done(_("%(team)s is in again.") % {"team": team.name})

    def punish(said: dict[str, Any]) -> Done:
        penalise_entry(actor=request.actor, entry_id=row.pk, points=said["points"], reason=said["reason"])
        if said["points"] == 0:
            return Done(_("The penalty is lifted."))
        return Done(_("The penalty is noted, with its reason."))

    return {
        "rename": Deed(RenameForm, Action.RUN, rename, {"name": team.name, "version": team.version}),
        "withdraw": Deed(WhyForm, Action.RUN, leave),
        "reinstate": Deed(WhyForm, Action.RUN, come_back),
        "penalise": Deed(PenaltyForm, Action.RUN, punish, {"points": row.penalty or None}),
    }
