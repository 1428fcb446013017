"""Results by mail: one's own secret addresses of a championship. An address is shown once and kept nowhere."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import NotFound
from league.models import Championship
from league.policy import Action, may, require
from league.selectors.addresses import championship_at
from league.selectors.mail_addresses import mail_addresses_of
from league.services.mail_addresses import create_mail_address, revoke_mail_address, takes_mail
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done
from league.web.organiser.shown import show


class AddressForm(DeedForm):
    """A new address: what it is called."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=80, help_text=gettext_lazy("From where you write, or what program.")
    )


class RevokeForm(DeedForm):
    """Which address."""

    address = forms.IntegerField(widget=forms.HiddenInput)


@for_organisers
def mail_addresses(request: Asked, slug: str) -> HttpResponse:
    """List one's addresses, make one, revoke one."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.HAND_IN, found)

    def make(said: dict[str, Any]) -> Done:
        _made, text = create_mail_address(actor=request.actor, user=request.user, championship=found, name=said["name"])
        return Done(_("The address is made. It is shown this once."), shown={"address": text})

    def revoke(said: dict[str, Any]) -> Done:
        own = {one.pk: one for one in mail_addresses_of(user=request.user, championship=found)}
        if said["address"] not in own:
            raise NotFound
        one = revoke_mail_address(actor=request.actor, address_id=said["address"])
        return Done(_("Nothing comes in by the address “%(name)s” any more.") % {"name": one.name})

    deeds = Deeds(
        request,
        found,
        {
            "make": Deed(AddressForm, Action.HAND_IN, make),
            "revoke": Deed(RevokeForm, Action.HAND_IN, revoke),
        },
    )
    if answer := deeds.answer():
        return answer
    context = {
        "takes_mail": takes_mail(),
        "made": deeds.shown.get("address", ""),
        "addresses": mail_addresses_of(user=request.user, championship=found),
    }
    return show(request, "mail_addresses.html", found, _room(request, found), context, deeds)


def _room(request: Asked, championship: Championship) -> str:
    """The tab below which the page stands: of the settings or, for who may not change those, of what is handed in."""
    if may(request.actor, Action.CHANGE, championship):
        return "settings"
    return "parties" if may(request.actor, Action.LOOK_INSIDE, championship) else "tables"
