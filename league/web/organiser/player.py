"""A player as the organisers of their championships know them: corrected, numbered, given a code to take it over."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import NotPermitted
from league.models import Player, ShownAs
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.organising import club_names, player_in
from league.selectors.player_private import all_kept
from league.selectors.player_rights import may_anonymise
from league.services.anonymising import anonymise
from league.services.claims import make_claim_code, send_claim_link
from league.services.mail import sends_mail
from league.services.numbers import add_number, remove_number
from league.services.people import change_player
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.clubs import club_id
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done
from league.web.organiser.players import PlayerForm
from league.web.organiser.shown import show


def claim_link(request: Asked, token: str) -> str:
    """The whole address of the page that takes a profile over."""
    return request.build_absolute_uri(reverse("claim-link", args=[token]))


class ChangePlayerForm(PlayerForm):
    """What is corrected about a player, and what everybody may read."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    is_minor = forms.BooleanField(
        label=gettext_lazy("A minor"),
        required=False,
        help_text=gettext_lazy("Who becomes one here is hidden, unless the same change says how they are shown."),
    )
    shown_as = forms.ChoiceField(
        label=gettext_lazy("Everybody may read"), choices=ShownAs.choices, widget=forms.RadioSelect
    )
    shows_club = forms.BooleanField(label=gettext_lazy("The club is shown to everybody"), required=False)


class NumberForm(DeedForm):
    """A number that another system gave."""

    system = forms.CharField(
        label=gettext_lazy("Given by"),
        max_length=40,
        help_text=gettext_lazy("A federation, an online server."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    number = forms.CharField(
        label=gettext_lazy("Number"), max_length=60, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class RemoveNumberForm(DeedForm):
    """Which number to take off."""

    number_id = forms.IntegerField(widget=forms.HiddenInput)


@for_organisers
def player(request: Asked, slug: str, player_id: int) -> HttpResponse:
    """Correct what is known of a player, and hand the profile over."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    row = player_in(championship=found, player_id=player_id)
    deeds = Deeds(request, found, _deeds(request, slug, row))
    if answer := deeds.answer():
        return answer
    context = {
        "form": deeds.forms["change"],
        "player": row,
        "kept": all_kept(player=row),
        "clubs": club_names(),
        "code": deeds.shown.get("code"),
        "may_anonymise": may_anonymise(actor=request.actor, player_id=row.pk),
    }
    return show(request, "player.html", found, "entries", context, deeds)


def _deeds(request: Asked, slug: str, row: Player) -> dict[str, Deed]:
    actor, player_id = request.actor, row.pk

    def change(said: dict[str, Any]) -> Done:
        plain = ("name", "licence", "email", "is_minor", "shown_as", "shows_club")
        changes = {name: said[name] for name in plain} | {"club_id": club_id(actor, said["club"])}
        change_player(actor=actor, player_id=player_id, version=said["version"], changes=changes)
        return Done(_("Saved."), reverse("organise-players", args=[slug]))

    def number(said: dict[str, Any]) -> Done:
        add_number(actor=actor, player_id=player_id, system=said["system"], number=said["number"])
        return Done(_("The number is noted."))

    def unnumber(said: dict[str, Any]) -> Done:
        remove_number(actor=actor, player_id=player_id, number_id=said["number_id"])
        return Done(_("The number is taken off."))

    def link(_said: dict[str, Any]) -> Done:
        send_claim_link(actor=actor, player_id=player_id, link=lambda token: claim_link(request, token))
        if not sends_mail():
            return Done(_("This site sends no mail: make a code, and give it to the player."))
        return Done(_("A link is on its way to the player’s address."))

    def code(_said: dict[str, Any]) -> Done:
        # shown at once and never again: it is kept nowhere
        return Done(_("The code is made."), shown={"code": make_claim_code(actor=actor, player_id=player_id)})

    return {
        "change": Deed(ChangePlayerForm, Action.RUN, change, _present(row)),
        "number": Deed(NumberForm, Action.RUN, number),
        "unnumber": Deed(RemoveNumberForm, Action.RUN, unnumber),
        "link": Deed(DeedForm, Action.RUN, link),
        "code": Deed(DeedForm, Action.RUN, code),
    }


def _present(row: Player) -> dict[str, Any]:
    return {
        "name": row.name,
        "club": row.club.name if row.club else "",
        "licence": row.licence,
        "email": row.email,
        "is_minor": row.is_minor,
        "shown_as": row.shown_as,
        "shows_club": row.shows_club,
        "version": row.version,
    }


class AnonymiseForm(DeedForm):
    """Asked twice: the name typed, and the word given."""

    sure = forms.BooleanField(label=gettext_lazy("I know that this cannot be undone"))
    name = forms.CharField(
        label=gettext_lazy("The name, typed once more"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, called: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.called = called

    def clean_name(self) -> str:
        """Refuse another name."""
        name: str = self.cleaned_data["name"]
        if " ".join(name.split()) != self.called:
            raise forms.ValidationError(_("This is not the name that stands above."))
        return name


@for_organisers
def anonymise_player(request: Asked, slug: str, player_id: int) -> HttpResponse:
    """Take somebody's name away for good; the results stay."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    row = player_in(championship=found, player_id=player_id)
    if not may_anonymise(actor=request.actor, player_id=player_id):
        raise NotPermitted

    def do(_said: dict[str, Any]) -> Done:
        done = anonymise(actor=request.actor, player_id=player_id)
        said = _("It is done: “%(name)s” stands for the name from now on.") % {"name": done.name}
        return Done(said, reverse("organise-players", args=[slug]))

    deed = Deed(lambda *args, **kw: AnonymiseForm(*args, called=row.name, **kw), Action.LOOK_INSIDE, do)
    deeds = Deeds(request, found, {"anonymise": deed})
    if answer := deeds.answer():
        return answer
    return show(request, "player_anonymise.html", found, "entries", {"player": row}, deeds)
