"""Taking a profile over: by the link of a mail, or by the code that an organiser gave."""

from contextlib import suppress

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from league.errors import NotFound, UserFault
from league.models import Player, User
from league.models.people import fold_email
from league.policy import ANYBODY
from league.selectors.people import player_view
from league.services.claims import claim_by_code, claim_by_link, send_claim_link, waiting_claim
from league.services.mail import sends_mail
from league.visitor import address_of
from league.web.accounts.forms import AccountForm, FirstAccountForm, InvitedForm
from league.web.accounts.sign_in import MAILS, SECONDS, welcome
from league.web.organiser.asked import actor_of
from league.web.seen import for_anybody
from league.web.throttle import wait_for

TRIES, STRETCH = 10, 600
"""Codes that one visitor may try in a stretch of seconds."""


def _code_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Code"),
        max_length=40,
        help_text=gettext_lazy("As the organiser gave it: a number, then eight letters and digits."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
    )


class CodeForm(AccountForm):
    """A code, from somebody who is signed in."""

    code = _code_field()


class CodeAndAccountForm(FirstAccountForm):
    """A code, from somebody who has no account yet."""

    code = _code_field()
    field_order = ("code", "display_name", "email", "password")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["email"].help_text = gettext_lazy("You sign in with it. Everybody else never sees it.")


@sensitive_post_parameters()
@never_cache
def by_code(request: HttpRequest) -> HttpResponse:
    """Take a profile over with a code, as one's account or with one that is made."""
    form_type = CodeForm if request.user.is_authenticated else CodeAndAccountForm
    form = form_type(request.POST or None)
    if request.method == "POST" and (wait := wait_for("claim", address_of(request), most=TRIES, seconds=STRETCH)):
        return _wait(request, wait)
    if form.is_valid():
        try:
            return _taken(request, claim_by_code(actor=actor_of(request), **form.cleaned_data))
        except UserFault as fault:
            form.lay_fault(fault)
    return render(request, "accounts/claim_code.html", {"form": form}, status=422 if form.errors else 200)


@sensitive_post_parameters()
@never_cache
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Take over the profile to whose private address the link was sent."""
    try:
        waiting = waiting_claim(token)
    except NotFound:
        return render(request, "accounts/claim_gone.html", status=404)
    known = User.objects.filter(email=fold_email(waiting.player.email)).exists()
    signed_in = request.user.is_authenticated
    form = InvitedForm(request.POST if request.method == "POST" and not signed_in and not known else None)
    if request.method == "POST" and (signed_in or form.is_valid()):
        try:
            said = {} if signed_in else form.cleaned_data
            return _taken(request, claim_by_link(actor=actor_of(request), token=token, **said))
        except UserFault as fault:
            if signed_in or isinstance(fault, NotFound):
                messages.error(request, str(fault.message))
                return redirect(request.path)
            form.lay_fault(fault)
    context = {"claim": waiting, "known": known, "form": form}
    return render(request, "accounts/claim_link.html", context, status=422 if form.errors else 200)


def _taken(request: HttpRequest, player: Player) -> HttpResponse:
    user = player.user
    assert user is not None
    if request.user != user:
        welcome(request, user)
    messages.success(request, _("This profile is yours now: look at what is kept, and choose what everybody may read."))
    return redirect("my-player")


@require_POST
@for_anybody
def ask_for_link(request: HttpRequest, player_id: int) -> HttpResponse:
    """Send a link to a player's private address, if there is one; nobody learns whether there is."""
    player_view(actor=ANYBODY, player_id=player_id)  # who has no public page has none of this either
    if wait := wait_for("claim-link", address_of(request), most=MAILS, seconds=SECONDS):
        return _wait(request, wait)

    def link(token: str) -> str:
        return request.build_absolute_uri(reverse("claim-link", args=[token]))

    with suppress(UserFault):  # no address, or taken over already: both are nobody's business
        send_claim_link(actor=actor_of(request), player_id=player_id, link=link)
    said = _("If an address is known of this player, a link is on its way to it. Else ask an organiser for a code.")
    if not sends_mail():
        said = _("This site sends no mail: ask an organiser for a code.")
    messages.success(request, said)
    return redirect("player", player_id)


def _wait(request: HttpRequest, seconds: int) -> HttpResponse:
    answer = render(request, "429.html", {"wait": seconds}, status=429)
    answer["Retry-After"] = str(seconds)
    return answer
