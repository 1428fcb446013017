"""Teams of two: who may sit in for a player, and who did at a partie."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import NotFound
from league.models import Entry, Partie, Result, Substitution
from league.names import fold
from league.policy import Action, require
from league.selectors.addresses import entry_at, partie_at
from league.selectors.substitutes import SeatPlace, places, substitutes_of, who_may_sit
from league.services.people import add_player
from league.services.substitutes import end_stand_in, name_substitute, remove_substitute, stand_in
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done, VersionForm
from league.web.organiser.many_entries import NEW, Line, Question, questions
from league.web.organiser.shown import show


class SubstituteForm(DeedForm):
    """Whom to name; and, once asked, who that is."""

    fault_fields = {"player": "name"}  # noqa: RUF012 — as the class above has it

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=100, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    question: Question | None = None

    def clean(self) -> dict[str, Any]:
        """Ask who it is where the name is known, or nearly."""
        said = super().clean() or self.cleaned_data
        said["who"] = NEW
        if not fold(said.get("name", "")):
            return said
        self.question = next(iter(questions([Line(1, "", [said["name"]])])), None)
        if self.question is not None:
            said["who"] = self.data.get(self.question.field, "")
            if said["who"] not in (NEW, *(str(player.id) for player in self.question.known)):
                raise forms.ValidationError(_("This name is known already: say who it is."), code="who")
        return said

    @property
    def answer(self) -> str:
        """What was answered so far, or what is likely."""
        if self.question is None:
            return ""
        return self.data.get(self.question.field) or str(self.question.likely or "")


class RemoveForm(DeedForm):
    """Which substitute to take off."""

    substitute = forms.IntegerField(widget=forms.HiddenInput)


@for_organisers
def substitutes(request: Asked, slug: str, number: int) -> HttpResponse:
    """The substitutes of a team: named, taken off."""
    row = entry_at(request.actor, slug, number)
    require(request.actor, Action.LOOK_INSIDE, row.championship)
    deeds = Deeds(request, row.championship, _of_team(request, row))
    if answer := deeds.answer():
        return answer
    context = {
        "entry": row,
        "rule": row.championship.get_substitution_display(),
        "allowed": row.championship.substitution != Substitution.NONE,
        "substitutes": substitutes_of(team=row.team),
        "form": deeds.forms["name"],
    }
    return show(request, "substitutes.html", row.championship, "entries", context, deeds)


def _of_team(request: Asked, row: Entry) -> dict[str, Deed]:
    def name(said: dict[str, Any]) -> Done:
        is_new = said["who"] == NEW
        player_id = add_player(actor=request.actor, name=said["name"], homonym=True).pk if is_new else int(said["who"])
        name_substitute(actor=request.actor, team_id=row.team_id, player_id=player_id)
        return Done(_("%(name)s is a substitute now.") % {"name": said["name"]})

    def remove(said: dict[str, Any]) -> Done:
        remove_substitute(actor=request.actor, team_id=row.team_id, substitute_id=said["substitute"])
        return Done(_("This substitute is taken off."))

    return {"name": Deed(SubstituteForm, Action.RUN, name), "remove": Deed(RemoveForm, Action.RUN, remove)}


class WhoPlaysForm(VersionForm):
    """Who sits where."""

    one_of_several = True

    place = forms.CharField(max_length=3, widget=forms.HiddenInput)
    player = forms.TypedChoiceField(label=gettext_lazy("Who plays"), required=False, coerce=int, empty_value=None)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=300, required=False)

    def __init__(self, *args: Any, choices: list[tuple[Any, str]], needs_reason: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["player"].choices = choices  # type: ignore[attr-defined]
        self.fields["reason"].required = needs_reason
        if needs_reason:
            self.fields["reason"].help_text = _("Results are in: say why this is corrected. Everybody may read it.")


@for_organisers
def who_plays(request: Asked, slug: str, number: int) -> HttpResponse:
    """Who plays at a partie: the team's own players, or somebody in their place."""
    row = partie_at(request.actor, slug, number)
    require(request.actor, Action.LOOK_INSIDE, row.championship)
    at_table = places(partie=row)
    deeds = Deeds(request, row.championship, _at_partie(request, row, at_table))
    if answer := deeds.answer():
        return answer
    context = {
        "partie": row,
        "places": [(place, deeds.forms.get(place.place)) for place in at_table],
        "allowed": row.championship.substitution != Substitution.NONE,
        "rule": row.championship.get_substitution_display(),
    }
    return show(request, "who_plays.html", row.championship, "parties", context, deeds)


def _at_partie(request: Asked, row: Partie, at_table: list[SeatPlace]) -> dict[str, Deed]:
    """A deed for each place at the table."""
    may_sit = who_may_sit(championship=row.championship, teams=sorted({place.team_id for place in at_table}))
    needs_reason = Result.objects.filter(manche__partie=row).exists()

    def deed(place: SeatPlace) -> Deed:
        choices: list[tuple[Any, str]] = [("", place.player), *may_sit[place.team_id]]
        if place.stand_in_id is not None and place.stand_in_id not in dict(may_sit[place.team_id]):
            choices.append((place.stand_in_id, place.stand_in))

        def sit(said: dict[str, Any]) -> Done:
            if said["place"] != place.place:
                raise NotFound
            where: dict[str, Any] = {"partie_id": row.pk, "label": place.label, "position": place.position}
            where |= {"actor": request.actor, "version": said["version"], "reason": said["reason"]}
            if said["player"] is None:
                end_stand_in(**where)
                return Done(_("%(name)s plays.") % {"name": place.player})
            made = stand_in(player_id=said["player"], **where)
            return Done(_("%(name)s plays for %(player)s.") % {"name": made.player.name, "player": place.player})

        initial = {"version": row.version, "place": place.place, "player": place.stand_in_id or ""}
        return Deed(
            lambda *args, **kw: WhoPlaysForm(*args, choices=choices, needs_reason=needs_reason, **kw),
            Action.RUN,
            sit,
            initial,
        )

    return {place.place: deed(place) for place in at_table}
