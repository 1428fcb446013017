"""One's own profile as a player: all that is kept, what is corrected, what everybody may read."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import NotFound
from league.models import Player, ShownAs
from league.selectors.organising import club_named, club_names
from league.selectors.player_private import all_kept, own_player
from league.selectors.playing_now import playing_now
from league.services.anonymising import anonymise
from league.services.claims import leave_profile
from league.services.people import change_player
from league.shown_names import initials, neutral_name
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done
from league.web.organiser.player import AnonymiseForm


class MyPlayerForm(DeedForm):
    """What somebody corrects about themselves, and what everybody may read of it."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=100, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    club = forms.CharField(
        label=gettext_lazy("Club"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"list": "clubs"}),
        help_text=gettext_lazy("One that is known here; organisers make new ones."),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        help_text=gettext_lazy("Private: only organisers of your championships see it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    shown_as = forms.ChoiceField(label=gettext_lazy("Everybody may read"), widget=forms.RadioSelect)
    shows_club = forms.BooleanField(label=gettext_lazy("The club is shown to everybody"), required=False)

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["shown_as"].choices = [  # type: ignore[attr-defined]
            (ShownAs.NAME, _("the whole name: %(name)s") % {"name": player.name}),
            (ShownAs.INITIALS, _("initials only: %(name)s") % {"name": initials(player.name)}),
            (ShownAs.HIDDEN, _("no name: %(name)s") % {"name": neutral_name(player.pk)}),
        ]

    def clean_club(self) -> int | None:
        """The club of this name."""
        name = self.cleaned_data["club"]
        found = club_named(name=name) if name.strip() else None
        if name.strip() and found is None:
            raise forms.ValidationError(_("No club of this name is known: ask an organiser."))
        return found.pk if found else None


@for_organisers
def my_player(request: Asked) -> HttpResponse:
    """Show all that is kept; correct it; choose what everybody may read. Without a profile: how to get one."""
    try:
        row = own_player(actor=request.actor)
    except NotFound:
        return render(request, "accounts/no_player.html")
    deeds = Deeds(request, None, _deeds(request, row))
    if answer := deeds.answer():
        return answer
    context = {
        "kept": all_kept(player=row),
        "playing": playing_now(player=row),
        "deeds": deeds.forms,
        "clubs": club_names(),
        "refused": deeds.refused,
    }
    return render(request, "accounts/player.html", context, status=deeds.status)


def _deeds(request: Asked, row: Player) -> dict[str, Deed]:
    def change(said: dict[str, Any]) -> Done:
        changes = {name: said[name] for name in ("name", "email", "shown_as", "shows_club")} | {"club_id": said["club"]}
        change_player(actor=request.actor, player_id=row.pk, version=said["version"], changes=changes)
        return Done(_("Saved."))

    def leave(_said: dict[str, Any]) -> Done:
        leave_profile(actor=request.actor)
        return Done(_("Your account and this profile have nothing to do with each other any more."), reverse("profile"))

    present = {
        "name": row.name,
        "club": row.club.name if row.club else "",
        "email": row.email,
        "shown_as": row.shown_as,
        "shows_club": row.shows_club,
        "version": row.version,
    }
    return {
        "change": Deed(lambda *args, **kw: MyPlayerForm(*args, player=row, **kw), None, change, present),
        "leave": Deed(DeedForm, None, leave),
    }


@for_organisers
def anonymise_me(request: Asked) -> HttpResponse:
    """Take one's own name away for good; the results stay."""
    row = own_player(actor=request.actor)

    def do(_said: dict[str, Any]) -> Done:
        done = anonymise(actor=request.actor, player_id=row.pk)
        said = _("It is done: “%(name)s” stands for the name from now on.") % {"name": done.name}
        return Done(said, reverse("profile"))

    deed = Deed(lambda *args, **kw: AnonymiseForm(*args, called=row.name, **kw), None, do)
    deeds = Deeds(request, None, {"anonymise": deed})
    if answer := deeds.answer():
        return answer
    context = {"player": row, "form": deeds.forms["anonymise"]}
    return render(request, "accounts/player_anonymise.html", context, status=deeds.status)
