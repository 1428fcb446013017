"""Players of a championship: listed, made with licence, club and private address, near-duplicates told before."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import UserFault
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.imports import size_of_entries
from league.selectors.organising import club_names, players_of
from league.services.entries import enter_players
from league.services.people import add_player
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.clubs import club_id
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done
from league.web.organiser.shown import show
from league.web.seen import page_number


class PlayerForm(DeedForm):
    """Who somebody is."""

    fault_fields: ClassVar = {"club_id": "club"}

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=100, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    club = forms.CharField(
        label=gettext_lazy("Club"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"list": "clubs"}),
        help_text=gettext_lazy("A name that is new makes a new club."),
    )
    licence = forms.CharField(label=gettext_lazy("Licence number"), max_length=30, required=False)
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        help_text=gettext_lazy("Private: only organisers of this player's championships see it."),
    )


class NewPlayerForm(PlayerForm):
    """A new player, who is not somebody of nearly the same name."""

    is_minor = forms.BooleanField(
        label=gettext_lazy("A minor"),
        required=False,
        help_text=gettext_lazy("Neither name nor club is shown to everybody, until somebody chooses otherwise."),
    )

    homonym = forms.BooleanField(required=False, widget=forms.HiddenInput)
    enter = forms.BooleanField(label=gettext_lazy("Enter at once"), required=False)
    similar: Sequence[dict[str, Any]] = ()

    def lay_fault(self, fault: UserFault) -> None:
        """People of nearly this name are shown, with the choice to go on."""
        super().lay_fault(fault)
        self.similar = [player for each in fault.faults for player in each.extra.get("players", ())]


@for_organisers
def players(request: Asked, slug: str) -> HttpResponse:
    """The players of a championship, by name."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    text = request.GET.get("q", "")[:100]
    context = {"page": players_of(championship=found, text=text, number=page_number(request), size=50), "q": text}
    context["kept"] = urlencode({"q": text}) + "&" if text else ""
    return show(request, "players.html", found, "entries", context)


@for_organisers
def new_player(request: Asked, slug: str) -> HttpResponse:
    """Make a player with all that is known, and enter them where teams are of one."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.RUN, found)
    alone = size_of_entries(found) == 1

    def make(said: dict[str, Any]) -> Done:
        player = add_player(
            actor=request.actor,
            name=said["name"],
            club_id=club_id(request.actor, said["club"]),
            licence=said["licence"],
            email=said["email"],
            is_minor=said["is_minor"],
            homonym=said["homonym"],
        )
        if not (alone and said["enter"]):
            made = _("%(name)s is known now: write the name among the entries to enter it.") % {"name": player.name}
            return Done(made, reverse("organise-entries", args=[slug]))
        entry = enter_players(actor=request.actor, championship_id=found.pk, player_ids=[player.pk])
        entered = _("%(name)s is entered under number %(number)s.") % {"name": player.name, "number": entry.number}
        return Done(entered, reverse("organise-entries", args=[slug]))

    deeds = Deeds(request, found, {"make": Deed(NewPlayerForm, Action.RUN, make, {"enter": alone})})
    if answer := deeds.answer():
        return answer
    context = {"form": deeds.forms["make"], "clubs": club_names(), "alone": alone}
    return show(request, "new_player.html", found, "entries", context, deeds)
