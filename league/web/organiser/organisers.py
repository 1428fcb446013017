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
from league.selectors.inside import Organiser, waiting_invitations
from league.selectors.inside import organisers as organisers_of
from league.services.accounts import invite, remove_organiser, withdraw_invitation
from league.services.mail import sends_mail
from league.services.roles import change_role
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done, new_key
from league.web.organiser.role_fields import ROLE_NAMES, ROLES, TablesField
from league.web.organiser.shown import show


class InviteForm(DeedForm):
    """Whom to ask, and for what."""

    email = forms.EmailField(label=gettext_lazy("E-mail"), max_length=254)
    role = forms.ChoiceField(label=gettext_lazy("As"), choices=ROLES, widget=forms.RadioSelect)
    tables = TablesField()


class RemoveForm(DeedForm):
    """Whom to take off."""

    membership = forms.IntegerField(widget=forms.HiddenInput)


class WithdrawForm(DeedForm):
    """Which invitation to take back."""

    invitation = forms.IntegerField(widget=forms.HiddenInput)


class RoleForm(RemoveForm):
    """What somebody is from now on."""

    role = forms.ChoiceField(label=gettext_lazy("As"), choices=ROLES, widget=forms.RadioSelect)
    tables = TablesField()


@for_organisers
def organisers(request: Asked, slug: str) -> HttpResponse:
    """List who runs the championship and who was asked to; ask somebody, take somebody off."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.INVITE, found)
    deeds = Deeds(request, found, _deeds(request, found))
    if answer := deeds.answer():
        return answer
    listed = organisers_of(championship=found)
    asked, form = request.POST.get("membership"), deeds.forms["role"]
    context = {
        "organisers": [(one, form if str(one.membership_id) == asked else _role_form(one)) for one in listed],
        "roles": ROLE_NAMES,
        "waiting": waiting_invitations(championship=found),
        "invited": deeds.shown,
    }
    return show(request, "organisers.html", found, "settings", context, deeds)


def _role_form(organiser: Organiser) -> RoleForm:
    """The form of one who runs it, as it stands; the fields of each have ids of their own."""
    initial = {"role": organiser.role, "tables": list(organiser.tables), "membership": organiser.membership_id}
    return RoleForm(initial={**initial, "key": new_key()}, auto_id=f"role-{organiser.membership_id}-%s")


def _deeds(request: Asked, found: Championship) -> dict[str, Deed]:
    def link(token: str) -> str:
        return request.build_absolute_uri(reverse("invitation", args=[token]))

    def ask(asked: dict[str, Any]) -> Done:
        invitation, token = invite(actor=request.actor, championship_id=found.pk, link=link, **asked_for(asked))
        if sends_mail():
            said = _("The invitation to %(email)s is on its way.") % {"email": invitation.email}
        else:
            said = _("The invitation of %(email)s is made. This site sends no mail: give the link yourself.") % {
                "email": invitation.email
            }
        # shown at once: mail may not arrive, or nobody has set it up
        shown = {"email": invitation.email, "link": link(token), "role": invitation.role, "tables": invitation.tables}
        return Done(said, shown=shown)

    def who_is(said: dict[str, Any]) -> Organiser:
        listed = {organiser.membership_id: organiser for organiser in organisers_of(championship=found)}
        if said["membership"] not in listed:
            raise NotFound
        return listed[said["membership"]]

    def change(said: dict[str, Any]) -> Done:
        who = who_is(said)
        change_role(
            actor=request.actor, membership_id=who.membership_id, role=said["role"], tables=said["tables"] or ()
        )
        is_self = who.email == request.user.email and said["role"] != Role.OWNER
        goto = reverse("organise") if is_self else ""
        return Done(_("%(name)s has another role now.") % {"name": who.name}, goto)

    def take_back(said: dict[str, Any]) -> Done:
        if said["invitation"] not in {one.id for one in waiting_invitations(championship=found)}:
            raise NotFound
        withdraw_invitation(actor=request.actor, invitation_id=said["invitation"])
        return Done(_("The invitation is taken back: its link is good for nothing."))

    def take_off(said: dict[str, Any]) -> Done:
        who = who_is(said)
        remove_organiser(actor=request.actor, membership_id=who.membership_id)
        is_self = who.email == request.user.email
        goto = reverse("organise") if is_self else ""
        return Done(_("%(name)s does not run this championship any more.") % {"name": who.name}, goto)

    return {
        "invite": Deed(InviteForm, Action.INVITE, ask, {"role": Role.ORGANISER}),
        "remove": Deed(RemoveForm, Action.INVITE, take_off),
        "role": Deed(RoleForm, Action.INVITE, change),
        "withdraw": Deed(WithdrawForm, Action.INVITE, take_back),
    }


def asked_for(said: dict[str, Any]) -> dict[str, Any]:
    """What an invitation asks for: whom, as what, at which tables."""
    return {"email": said["email"], "role": said["role"], "tables": said["tables"] or ()}
