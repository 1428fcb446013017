"""How an account begins: as the very first one, or by an invitation."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from league.errors import Conflict, NotFound, UserFault
from league.models import Invitation, User
from league.services.accounts import accept_invitation, create_first_account, needs_first_account, waiting_invitation
from league.web.accounts.forms import FirstAccountForm, InvitedForm
from league.web.accounts.sign_in import welcome
from league.web.organiser.asked import actor_of


@sensitive_post_parameters()
@never_cache
def first_account(request: HttpRequest) -> HttpResponse:
    """Make the first account; once there is one, this page only leads to signing in."""
    if not needs_first_account():
        return _came_late(request)
    form = FirstAccountForm(request.POST or None)
    if form.is_valid():
        try:
            user = create_first_account(actor=actor_of(request), **form.cleaned_data)
        except UserFault as fault:
            if fault.code == "not-first":  # somebody was faster
                return _came_late(request)
            form.lay_fault(fault)
        else:
            welcome(request, user)
            messages.success(request, _("Your account is made. You can create your first championship now."))
            return redirect("organise")
    return render(request, "accounts/first.html", {"form": form}, status=422 if form.errors else 200)


def _came_late(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        messages.info(request, _("The first account has been made already: sign in."))
    return redirect("organise")


@sensitive_post_parameters()
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show who invites to what; accept as the account of the address invited, which is made if there is none."""
    try:
        waiting = waiting_invitation(token)
    except NotFound:
        return render(request, "accounts/invitation_gone.html", status=404)
    known = User.objects.filter(email=waiting.email).first()
    is_it = request.user.is_authenticated and request.user == known
    form = InvitedForm(request.POST if request.method == "POST" and known is None else None)
    if request.method == "POST" and (is_it or form.is_valid()):
        try:
            return _accepted(request, waiting, token, form.cleaned_data if known is None else {})
        except Conflict as fault:
            messages.error(request, str(fault.message))
            return redirect(request.path)
        except NotFound as fault:
            raise Http404(str(fault.message)) from fault
        except UserFault as fault:
            form.lay_fault(fault)
    context = {"invitation": waiting, "known": known is not None, "is_it": is_it, "form": form}
    return render(request, "accounts/invitation.html", context, status=422 if form.errors else 200)


def _accepted(request: HttpRequest, waiting: Invitation, token: str, said: dict[str, str]) -> HttpResponse:
    membership = accept_invitation(actor=actor_of(request), token=token, **said)
    if request.user != membership.user:
        welcome(request, membership.user)
    done = _("You now help to run “%(championship)s”.") % {"championship": waiting.championship.name}
    messages.success(request, done)
    return redirect("organise-championship", waiting.championship.slug)
