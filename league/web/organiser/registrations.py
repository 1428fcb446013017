"""Those who registered themselves: accepted, declined; and when people may register."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.listed import ListedPlayer
from league.models import Championship
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.imports import PersonSeen
from league.selectors.registrations import RegistrationSeen, people_of, registrations_of
from league.services.list_reading import fault_in_words
from league.services.places import free_places
from league.services.registrations import (
    accept_clear,
    accept_registration,
    change_registration,
    decline_registration,
)
from league.services.settings_of_play import REGISTRATION
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done, VersionForm
from league.web.organiser.shown import show
from league.web.seen import page_number


class OneForm(VersionForm):
    """A registration, and who its people are: a player's id or `new`, by places."""

    registration = forms.IntegerField(widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """What was answered about its people."""
        said = super().clean() or self.cleaned_data
        answers = {name.removeprefix("who-"): str(self.data[name]) for name in self.data if name.startswith("who-")}
        return said | {"answers": answers}


class DeclineForm(OneForm):
    """A registration that is declined, and why."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=300, help_text=gettext_lazy("Whoever registered reads it.")
    )


class MomentInput(forms.DateTimeInput):
    """A day and a time, as browsers let people pick them."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class SettingsForm(VersionForm):
    """When people may register, how many, and whether the others wait."""

    fault_fields: ClassVar[Mapping[str, str]] = {}

    registration_opens_at = forms.DateTimeField(
        label=gettext_lazy("Opens"),
        required=False,
        widget=MomentInput,
        help_text=gettext_lazy("Empty: nobody can register, organisers enter people."),
    )
    registration_closes_at = forms.DateTimeField(
        label=gettext_lazy("Closes"),
        required=False,
        widget=MomentInput,
        help_text=gettext_lazy("Empty: it stays open until the end of the championship."),
    )
    max_entries = forms.IntegerField(
        label=gettext_lazy("Most entries"),
        required=False,
        min_value=1,
        help_text=gettext_lazy("Empty: as many as come. Organisers may enter more."),
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    waiting_list = forms.BooleanField(label=gettext_lazy("When it is full, people can wait"), required=False)


@dataclass(frozen=True)
class PersonRow:
    """Somebody who registered. `others`: the registrations that name nearly this name before."""

    said: ListedPlayer
    seen: PersonSeen | None
    others: list[int]
    checked: str


@dataclass(frozen=True)
class Row:
    """A registration with its people and what speaks against it."""

    found: RegistrationSeen
    people: list[PersonRow]
    faults: list[str]


@for_organisers
def registrations(request: Asked, slug: str) -> HttpResponse:
    """Look registrations over; accept and decline them; say when people may register."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    decided = request.GET.get("show") == "decided"
    with timezone.override(ZoneInfo(found.time_zone)):  # the times of the form are those of the championship
        deeds = Deeds(request, found, _deeds(request, found))
        if answer := deeds.answer():
            return answer
    page, counts = registrations_of(championship=found, decided=decided, number=page_number(request))
    bound = next((form for form in deeds.forms.values() if isinstance(form, OneForm) and form.is_bound), None)
    context = {
        "page": page,
        "rows": [_row(one, bound.data if bound else {}) for one in page.items],
        "counts": counts,
        "decided": decided,
        "free": free_places(found),
        "form": deeds.forms["settings"],
        "key": deeds.forms["accept_clear"]["key"].value(),
        "address": request.build_absolute_uri(reverse("register", args=[slug])),
        "at_fault": _at_fault(bound),
    }
    return show(request, "registrations.html", found, "entries", context, deeds)


def _at_fault(bound: OneForm | None) -> dict[str, Any]:
    """The registration whose form came back, and what was wrong with it."""
    if bound is None or not bound.errors:
        return {}
    said = bound.data.get("registration", "")
    words = [str(error) for errors in bound.errors.values() for error in errors]
    return {"registration": int(said) if said.isdigit() else 0, "words": words, "reason": bound.data.get("reason", "")}


def _row(found: RegistrationSeen, answers: Mapping[str, Any]) -> Row:
    seen = found.seen
    if seen is None:
        return Row(found, [PersonRow(player, None, [], "") for player in people_of(found.row)], [])
    people = []
    for person in seen.people:
        others = [choice.line for choice in person.choices if choice.line is not None]
        likely = "" if person.likely.startswith("same:") else person.likely
        people.append(PersonRow(person.said, person, others, str(answers.get(person.field) or person.answer or likely)))
    return Row(found, people, [fault_in_words(code, said) for _line, code, said in seen.faults])


def _deeds(request: Asked, found: Championship) -> dict[str, Deed]:
    def accept(said: dict[str, Any]) -> Done:
        row = accept_registration(
            actor=request.actor,
            registration_id=said["registration"],
            version=said["version"],
            answers=said["answers"],
        )
        assert row.entry is not None
        return Done(_("Entered under number %(number)s.") % {"number": row.entry.number})

    def accept_all(said: dict[str, Any]) -> Done:
        count = len(accept_clear(actor=request.actor, championship_id=found.pk))
        return Done(ngettext("%(n)s entry is made.", "%(n)s entries are made.", count) % {"n": count})

    def decline(said: dict[str, Any]) -> Done:
        decline_registration(
            actor=request.actor,
            registration_id=said["registration"],
            version=said["version"],
            reason=said["reason"],
        )
        return Done(_("It is declined; whoever registered is told, with the reason."))

    def change(said: dict[str, Any]) -> Done:
        change_registration(
            actor=request.actor,
            championship_id=found.pk,
            version=said["version"],
            settings={name: said[name] for name in REGISTRATION},
        )
        return Done(_("Saved."))

    def between(opens: datetime | None, closes: datetime | None, done: str) -> Done:
        settings = {name: getattr(found, name) for name in REGISTRATION}
        settings |= {"registration_opens_at": opens, "registration_closes_at": closes}
        change_registration(actor=request.actor, championship_id=found.pk, version=found.version, settings=settings)
        return Done(done)

    def open_now(_said: dict[str, Any]) -> Done:
        now, closes = timezone.now(), found.registration_closes_at
        return between(now, closes if closes and closes > now else None, _("Registration is open."))

    def close_now(_said: dict[str, Any]) -> Done:
        return between(found.registration_opens_at, timezone.now(), _("Registration is closed."))

    stands = {name: getattr(found, name) for name in REGISTRATION} | {"version": found.version}
    return {
        "accept": Deed(OneForm, Action.RUN, accept),
        "accept_clear": Deed(DeedForm, Action.RUN, accept_all),
        "decline": Deed(DeclineForm, Action.RUN, decline),
        "open_now": Deed(DeedForm, Action.CHANGE, open_now),
        "close_now": Deed(DeedForm, Action.CHANGE, close_now),
        "settings": Deed(SettingsForm, Action.CHANGE, change, stands),
    }
