"""Lists of players and entries from files: sent, looked over line by line, accepted or thrown away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.models import ListImport
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.imports import EntrySeen, PersonSeen, import_at, imports_of, look_over, size_of_entries
from league.services.imports import accept_list, discard_list, keep_list, settle_list
from league.services.list_columns import columns_of_lists, titles
from league.services.list_files import MOST_LINES
from league.services.list_reading import fault_in_words
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done
from league.web.organiser.shown import show
from league.web.seen import page_number

SIZE = 50
"""Entries on a page of a preview."""


class FileForm(DeedForm):
    """A file with a list, and what for."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx"}),
    )
    into = forms.ChoiceField(
        label=gettext_lazy("Those on the list"),
        choices=[
            ("enter", gettext_lazy("are entered in this championship")),
            ("know", gettext_lazy("are only made known as players")),
        ],
        widget=forms.RadioSelect,
        initial="enter",
    )


class LookForm(DeedForm):
    """What was answered on a page of the preview, and the preview that was looked at."""

    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Who the people are, by their places, as far as this page says so."""
        said = super().clean() or self.cleaned_data
        said["answers"] = self.answers
        return said

    @property
    def answers(self) -> dict[str, str]:
        """What was answered, by places."""
        fields = {name.removeprefix("who-"): str(self.data[name]) for name in self.data if name.startswith("who-")}
        return {key: answer[:40] for key, answer in list(fields.items())[: 4 * SIZE]}


@dataclass(frozen=True)
class PersonRow:
    """A person of a preview: `checked` is the answer that is offered."""

    seen: PersonSeen
    checked: str
    is_asked: bool


@dataclass(frozen=True)
class Row:
    """An entry of a preview. `begins`: it is the first one of its kind on the page."""

    entry: EntrySeen
    people: Sequence[PersonRow]
    faults: Sequence[tuple[int, str]]
    begins: bool


@for_organisers
def imports(request: Asked, slug: str) -> HttpResponse:
    """Send a file with a list; the lists that were sent before."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.RUN, found)

    def keep(said: dict[str, Any]) -> Done:
        file = said["file"]
        kept = keep_list(
            actor=request.actor,
            championship_id=found.pk,
            file_name=file.name,
            body=b"".join(file.chunks()),
            into=said["into"] == "enter",
        )
        return Done(_("The list is read. Nothing is made yet."), reverse("organise-import-list", args=[slug, kept.pk]))

    deeds = Deeds(request, found, {"keep": Deed(FileForm, Action.RUN, keep, {"into": "enter"})})
    if answer := deeds.answer():
        return answer
    size = size_of_entries(found)
    context = {
        "form": deeds.forms["keep"],
        "lists": imports_of(championship=found),
        "titles": [titles(columns_of_lists(size), language) for language in ("fr", "en")],
        "most": MOST_LINES,
        "pairs": size > 1,
    }
    return show(request, "imports.html", found, "entries", context, deeds)


@for_organisers
def import_list(request: Asked, slug: str, import_id: int) -> HttpResponse:
    """A list before it is accepted: what is new, known, to be settled or wrong; afterwards what became of it."""
    championship = championship_at(request.actor, slug)
    require(request.actor, Action.RUN, championship)
    found = import_at(championship=championship, import_id=import_id)
    if found.accepted_at is not None:
        if request.method == "POST":  # accepted a moment ago, perhaps by somebody else
            return HttpResponseRedirect(request.path)
        return show(request, "import_done.html", championship, "entries", _outcome(found))
    deeds = Deeds(request, championship, _deeds(request, slug, found))
    if answer := deeds.answer():
        return answer
    found = import_at(championship=championship, import_id=import_id)
    sent = next((form for form in deeds.forms.values() if isinstance(form, LookForm) and form.is_bound), None)
    preview = look_over(championship=championship, found=found)
    page = preview.page(page_number(request), SIZE)
    context = {
        "list": found,
        "preview": preview,
        "page": page,
        "rows": _rows(page.items, sent.answers if sent else {}),
        "form": deeds.forms["accept"],
        "discard": deeds.forms["discard"],
        "enters": found.decisions.get("enter", True),
        "unused": found.decisions.get("unused", []),
        "nothing_new": not preview.counts["new"] and not preview.counts["ask"],
    }
    return show(request, "import_list.html", championship, "entries", context, deeds)


def _rows(entries: Sequence[EntrySeen], answers: Mapping[str, str]) -> list[Row]:
    rows, last = [], ""
    for entry in entries:
        people = [
            PersonRow(
                person,
                answers.get(person.key) or person.answer or person.likely,
                is_asked=bool(person.choices) and not person.sure,
            )
            for person in entry.people
        ]
        faults = [(line, fault_in_words(code, said)) for line, code, said in entry.faults]
        rows.append(Row(entry, people, faults, begins=entry.kind != last))
        last = entry.kind
    return rows


def _outcome(found: ListImport) -> dict[str, Any]:
    """What became of a list, for its page."""
    left = [(line, fault_in_words(code, said)) for line, code, said in found.outcome["left"] if code != "out"]
    return {
        "list": found,
        "outcome": found.outcome,
        "bad": left,
        "out": [line for line, code, _said in found.outcome["left"] if code == "out"],
        "enters": found.decisions.get("enter", True),
        "entered": len(found.outcome["entered"]),
    }


def _deeds(request: Asked, slug: str, found: ListImport) -> dict[str, Deed]:
    def settle(said: dict[str, Any]) -> Done:
        settle_list(actor=request.actor, import_id=found.pk, answers=said["answers"])
        return Done(_("Your answers are kept."))

    def accept(said: dict[str, Any]) -> Done:
        done = accept_list(actor=request.actor, import_id=found.pk, seen=said["seen"], answers=said["answers"])
        return Done(_said(done), reverse("organise-import-list", args=[slug, found.pk]))

    def discard(said: dict[str, Any]) -> Done:
        discard_list(actor=request.actor, import_id=found.pk)
        return Done(_("The list is thrown away; nothing was made of it."), reverse("organise-import", args=[slug]))

    return {
        "settle": Deed(LookForm, Action.RUN, settle),
        "accept": Deed(LookForm, Action.RUN, accept),
        "discard": Deed(DeedForm, Action.RUN, discard),
    }


def _said(done: ListImport) -> str:
    if not done.outcome["made"] and not done.outcome["entered"]:
        return _("Nothing was new: nothing has changed.")
    if not done.decisions["enter"]:
        made = done.outcome["made"]
        return ngettext("%(n)s player is made known.", "%(n)s players are made known.", made) % {"n": made}
    count = len(done.outcome["entered"])
    return ngettext("%(n)s entry is made.", "%(n)s entries are made.", count) % {"n": count}
