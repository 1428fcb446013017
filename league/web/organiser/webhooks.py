"""Webhooks of a championship: where its changes are sent to, and what became of what was sent."""

import json
from typing import Any, Final

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.delivery_words import WHY
from league.models import Championship, Delivery, Webhook, WebhookState
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.webhooks import KINDS, deliveries_page, given_up_first, webhook_at, webhooks_of, with_last_error
from league.services.outward import LONGEST
from league.services.webhooks import (
    change_webhook,
    make_webhook,
    pause_webhook,
    remove_webhook,
    renew_webhook_secret,
    resume_webhook,
    send_again,
    send_test_message,
)
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done, VersionForm
from league.web.organiser.shown import show
from league.web.seen import page_number

KIND_WORDS: Final = {
    "championship": gettext_lazy("the championship itself"),
    "entry": gettext_lazy("entries"),
    "team": gettext_lazy("teams"),
    "stage": gettext_lazy("stages"),
    "round": gettext_lazy("rounds"),
    "partie": gettext_lazy("parties and their results"),
    "ranking": gettext_lazy("the live ranking"),
    "published-ranking": gettext_lazy("published rankings"),
}
_KINDS: Final = [(kind, KIND_WORDS[kind]) for kind in KINDS]
_BADGES: Final = {"active": "good", "failing": "bad", "delivered": "good", "given-up": "bad", "waiting": "info"}


class WebhookForm(DeedForm):
    """Where to, and which changes."""

    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=LONGEST,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
        help_text=gettext_lazy("Of a program that takes what is sent there; see the documentation."),
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("Which changes"),
        required=False,
        choices=_KINDS,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("None ticked: all."),
    )


class ChangeForm(WebhookForm, VersionForm):
    """The same of a webhook that there is."""


class ResumeForm(VersionForm):
    """Whether what was given up is sent first."""

    skip = forms.BooleanField(
        label=gettext_lazy("Leave out the message that was given up"),
        required=False,
        help_text=gettext_lazy("Only if the other side will never take it."),
    )


class AgainForm(DeedForm):
    """Which message."""

    message = forms.CharField(max_length=40, widget=forms.HiddenInput)


@for_organisers
def webhooks(request: Asked, slug: str) -> HttpResponse:
    """List the webhooks, make one."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.CHANGE, found)

    def make(said: dict[str, Any]) -> Done:
        made = make_webhook(actor=request.actor, championship_id=found.pk, url=said["url"], kinds=said["kinds"])
        return Done(_("The webhook is made. Send it a test."), reverse("organise-webhook", args=[slug, made.pk]))

    deeds = Deeds(request, found, {"make": Deed(WebhookForm, Action.CHANGE, make)})
    if answer := deeds.answer():
        return answer
    lines = [
        {**_line(one), "failed": error and one.state == WebhookState.ACTIVE, "why": WHY.get(error)}
        for one, error in with_last_error(webhooks_of(found))
    ]
    context = {"webhooks": lines}
    return show(request, "webhooks.html", found, "settings", context, deeds)


@for_organisers
def webhook(request: Asked, slug: str, webhook_id: int) -> HttpResponse:
    """One webhook: its secret, what was sent to it and what was answered; changed, tested, stopped and resumed."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.CHANGE, found)
    one = webhook_at(found, webhook_id)
    deeds = Deeds(request, found, _deeds(request, found, one))
    if answer := deeds.answer():
        return answer
    page = deliveries_page(one, number=page_number(request))
    context = {
        **_line(one),
        "page": page,
        "deliveries": [_delivery(row, one) for row in page.items],
        "is_stopped": one.state != WebhookState.ACTIVE,
        "given_up": one.state == WebhookState.FAILING,
    }
    return show(request, "webhook.html", found, "settings", context, deeds)


def _deeds(request: Asked, found: Championship, one: Webhook) -> dict[str, Deed]:
    which: dict[str, Any] = {"actor": request.actor, "webhook_id": one.pk}

    def change(said: dict[str, Any]) -> Done:
        change_webhook(**which, version=said["version"], url=said["url"], kinds=said["kinds"])
        return Done(_("The webhook is changed."))

    def pause(said: dict[str, Any]) -> Done:
        pause_webhook(**which, version=said["version"])
        return Done(_("Nothing is sent until you resume it; what changes meanwhile waits."))

    def resume(said: dict[str, Any]) -> Done:
        resume_webhook(**which, version=said["version"], skip=said.get("skip", False))
        return Done(_("It is sent to again, at once."))

    def renew(said: dict[str, Any]) -> Done:
        renew_webhook_secret(**which, version=said["version"])
        return Done(_("The webhook has another secret. For a day both sign, so that nothing is lost meanwhile."))

    def remove(said: dict[str, Any]) -> Done:
        remove_webhook(**which, version=said["version"])
        return Done(_("The webhook is removed."), reverse("organise-webhooks", args=[found.slug]))

    def test(_said: dict[str, Any]) -> Done:
        send_test_message(**which)
        return Done(_("The test is on its way: its answer stands below as soon as it has come."))

    def again(said: dict[str, Any]) -> Done:
        send_again(**which, message_id=said["message"])
        return Done(_("The message is on its way again."))

    version = {"version": one.version}
    return {
        "change": Deed(ChangeForm, Action.CHANGE, change, {**version, "url": one.url, "kinds": one.kinds}),
        "pause": Deed(VersionForm, Action.CHANGE, pause, version),
        "resume": Deed(ResumeForm if given_up_first(one).exists() else VersionForm, Action.CHANGE, resume, version),
        "renew": Deed(VersionForm, Action.CHANGE, renew, version),
        "remove": Deed(VersionForm, Action.CHANGE, remove, version),
        "test": Deed(DeedForm, Action.CHANGE, test),
        "again": Deed(AgainForm, Action.CHANGE, again),
    }


def _line(one: Webhook) -> dict[str, Any]:
    kinds = [KIND_WORDS[kind] for kind in one.kinds if kind in KIND_WORDS]
    return {"webhook": one, "kinds": kinds, "badge": _BADGES.get(one.state, "warn")}


def _delivery(row: Delivery, one: Webhook) -> dict[str, Any]:
    """A delivery with its attempts, the last one first."""
    attempts = [
        {**each, "at": parse_datetime(each["at"]), "why": WHY.get(each["error"], "")} for each in row.attempts[::-1]
    ]
    waits = row.state == "waiting"
    return {
        "row": row,
        "badge": _BADGES[row.state],
        "why": WHY.get(row.error, ""),
        "is_test": row.position == 0,
        "events": len(json.loads(row.body)["data"].get("items", ())),
        "attempts": attempts,
        "may_go": not waits or row.by_hand or one.state == WebhookState.ACTIVE,
        "under_way": waits and bool(attempts) and attempts[0]["error"] == "unfinished",
    }
