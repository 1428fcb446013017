"""API tokens: keys for programs. The secret of one is shown once, in the answer to its making, and kept nowhere."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import NotFound, UserFault
from league.models import ApiToken, Championship, Scope
from league.selectors.addresses import championship_at
from league.selectors.championships import championships
from league.selectors.inside import tokens_of
from league.selectors.mail_addresses import championships_to_hand_in
from league.selectors.paging import LARGEST
from league.services.mail_addresses import takes_mail
from league.services.once import once, request_name
from league.services.tokens import create_token, revoke_token
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import DeedForm, new_key

SCOPE_WORDS: Final = {
    Scope.READ: gettext_lazy(
        "read what is not public, as far as you may: drafts, attempts, the inside of a championship"
    ),
    Scope.HAND_IN: gettext_lazy("hand in logs and sheets, and correct results"),
    Scope.MANAGE: gettext_lazy(
        "manage: players, entries, rounds, parties, rulings, publication, webhooks – all else that you may do in pages"
    ),
}
"""What each scope lets a program do (league.policy.SCOPES)."""


SOON: Final = timedelta(days=14)
"""A token that expires within this is shown as one that needs a successor."""


class TokenForm(DeedForm):
    """A new token: what it is called, what it may do, where, and until when."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=80, help_text=gettext_lazy("What program, on which machine.")
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("It may"), choices=list(SCOPE_WORDS.items()), widget=forms.CheckboxSelectMultiple
    )
    championship = forms.ChoiceField(
        label=gettext_lazy("In"), required=False, help_text=gettext_lazy("Never more than you may do yourself.")
    )
    expires_at = forms.DateField(
        label=gettext_lazy("Good until the end of"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("Empty: until you revoke it."),
    )

    def __init__(self, *args: Any, own: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["championship"].choices = [("", _("all my championships")), *own]  # type: ignore[attr-defined]


def told_apart(championships: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Championships by slug with what each is called: those of one name with their slug, which is in their address.

    >>> told_apart([("cup", "Cup"), ("try-1", "To try"), ("try-2", "To try")])
    [('cup', 'Cup'), ('try-1', 'To try (try-1)'), ('try-2', 'To try (try-2)')]
    """
    often = Counter(name for _slug, name in championships)
    return [(slug, f"{name} ({slug})" if often[name] > 1 else name) for slug, name in championships]


@for_organisers
def tokens(request: Asked) -> HttpResponse:
    """List one's tokens, make one, revoke one."""
    if request.method == "POST" and request.POST.get("do") == "revoke":
        return _revoke(request)
    lines = championships(actor=request.actor, own=True, size=LARGEST).items
    own = told_apart([(line.slug, line.name) for line in lines])
    posted = request.POST if request.method == "POST" else None
    form = TokenForm(posted, own=own, initial={"key": new_key(), "scopes": [Scope.HAND_IN]}, auto_id="make-%s")
    secret, again = "", False
    if form.is_valid():
        try:
            secret, again = _make(request, form)
        except UserFault as fault:
            form.lay_fault(fault)
        else:
            form = TokenForm(own=own, initial={"key": new_key(), "scopes": [Scope.HAND_IN]}, auto_id="make-%s")
    now = timezone.now()
    context = {
        "form": form,
        "secret": secret,
        "again": again,
        "tokens": [(token, token.state_at(now)) for token in tokens_of(user=request.user)],
        "scope_words": dict(Scope.choices),
        "soon": now + SOON,
        "rates": settings.API_RATES,
        "by_mail": told_apart(championships_to_hand_in(user=request.user)) if takes_mail() else [],
    }
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


def _make(request: Asked, form: TokenForm) -> tuple[str, bool]:
    """The new token's text, and whether it was made anew.

    The text is kept nowhere, so a form that is sent twice cannot show it again: the first one is revoked and another
    one made, so that one good token and its secret are what a double click leaves.
    """
    said = form.cleaned_data
    only = championship_at(request.actor, said["championship"]) if said["championship"] else None
    made: list[str] = []

    def make() -> dict[str, Any]:
        token, text = create_token(
            actor=request.actor,
            user=request.user,
            name=said["name"],
            scopes=said["scopes"],
            championship=only,
            expires_at=_end_of(said["expires_at"], only),
        )
        made.append(text)
        return {"token": token.pk}

    def make_anew(before: dict[str, Any]) -> dict[str, Any]:
        revoke_token(actor=request.actor, token_id=before["token"])
        return make()

    name = request_name(said["key"], [("at", request.path), *form.said()])
    _answer, is_repeat = once(user=request.user, name=name, do=make, again=make_anew)
    return made[0], is_repeat


def _end_of(day: Any, championship: Championship | None) -> datetime | None:
    """The end of a day, where the championship is or, for all of them, on the site's clock."""
    zone = timezone.get_current_timezone() if championship is None else ZoneInfo(championship.time_zone)
    return None if day is None else datetime.combine(day, time.max, tzinfo=zone)


def _revoke(request: Asked) -> HttpResponse:
    own = {str(token.pk): token for token in tokens_of(user=request.user)}
    token: ApiToken | None = own.get(request.POST.get("token", ""))
    if token is None:
        raise NotFound
    revoke_token(actor=request.actor, token_id=token.pk)
    messages.success(request, _("The token “%(name)s” opens nothing any more.") % {"name": token.name})
    return redirect("tokens")
