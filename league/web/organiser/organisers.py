"""Who runs a championship: invited by mail, taken off again."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import NotFound
from league.models import Championship, Role
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.inside import organisers as organisers_of
from league.selectors.inside import waiting_invitations
from league.services.accounts import invite, remove_organiser
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done
from league.web.organiser.shown import show


class InviteForm(DeedForm):
    """Whom to ask, and for what."""

    email = forms.EmailField(label=gettext_lazy("E-mail"), max_length=254)
    role = forms.ChoiceField(
        label=gettext_lazy("As"),
        choices=[
            (Role.ORGANISER, gettext_lazy("organiser: enters, hands in, decides, publishes")),
            (Role.OWNER, gettext_lazy("owner: also changes the championship and who runs it")),
        ],
        widget=forms.RadioSelect,
    )


class RemoveForm(DeedForm):
    """Whom to take off."""

    membership = forms.IntegerField(widget=forms.HiddenInput)


@for_organisers
def organisers(request: Asked, slug: str) -> HttpResponse:
    """List who runs the championship and who was asked to; ask somebody, take somebody off."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.INVITE, found)
    deeds = Deeds(request, found, _deeds(request, found))
    if answer := deeds.answer():
        return answer
    context = {
        "organisers": organisers_of(championship=found),
        "waiting": waiting_invitations(championship=found),
        "invited": deeds.shown,
    }
    return show(request, "organisers.html", found, "settings", context, deeds)


def _deeds(request: Asked, found: Championship) -> dict[str, Deed]:
    def link(token: str) -> str:
        return request.build_absolute_uri(reverse("invitation", args=[token]))

    def ask(asked: dict[str, Any]) -> Done:
        invitation, token = invite(
            actor=request.actor, championship_id=found.pk, email=asked["email"], role=asked["role"], link=link
        )
        said = _("The invitation to %(email)s is on its way.") % {"email": invitation.email}
        # shown at once: mail may not arrive, or nobody has set it up
        return Done(said, shown={"email": invitation.email, "link": link(token)})

    def take_off(said: dict[str, Any]) -> Done:
        listed = {organiser.membership_id: organiser for organiser in organisers_of(championship=found)}
        who = listed.get(said["membership"])
        if who is None:
            raise NotFound
        remove_organiser(actor=request.actor, membership_id=who.membership_id)
        is_self = who.email == request.user.email
        goto = reverse("organise") if is_self else ""
        return Done(_("%(name)s does not run this championship any more.") % {"name": who.name}, goto)

    return {
        "invite": Deed(InviteForm, Action.INVITE, ask, {"role": Role.ORGANISER}),
        "remove": Deed(RemoveForm, Action.INVITE, take_off),
    }
