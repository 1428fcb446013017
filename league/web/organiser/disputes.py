"""What waits for a referee: disputes with their threads and decisions, and results that can be accepted together."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.models import Championship, Confirmation, Manche
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.disputes import DisputeView, acceptable, dispute_at, disputes, pending, pending_rounds
from league.selectors.manches import MancheView, manche_view
from league.services.confirmation import Accepted, accept_all
from league.services.disputes import ANOTHER_SHEET, LONGEST_MESSAGE, SECOND, STANDS, decide, say
from league.services.settings_of_play import laid_rulebook
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done, ReasonForm
from league.web.organiser.shown import show
from league.web.result_table import result_table
from league.web.scores import columns_of_verdict, score_table
from league.web.seen import number_in, page_number


class AcceptForm(DeedForm):
    """The results that were listed when the page was read: manche ids with their versions."""

    seen = forms.RegexField(r"^\d{1,12}:\d{1,9}( \d{1,12}:\d{1,9})*$", widget=forms.HiddenInput, max_length=100_000)

    @property
    def listed(self) -> list[tuple[int, int]]:
        """Manche ids with versions."""
        pairs = (pair.split(":") for pair in self.cleaned_data["seen"].split())
        return [(int(manche_id), int(version)) for manche_id, version in pairs]


class SayForm(DeedForm):
    """A message to both sides."""

    text = forms.CharField(
        label=gettext_lazy("To both sides of the table"),
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class DecideForm(ReasonForm):
    """What becomes of a contested result."""

    how = forms.ChoiceField(label=gettext_lazy("What is right?"), widget=forms.RadioSelect)
    field_order = ("how", "reason")

    def __init__(self, *args: Any, has_second: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(STANDS, _("The result counts as it stands."))]
        if has_second:
            choices.append((SECOND, _("The second entry counts instead.")))
        choices.append((ANOTHER_SHEET, _("The table hands in another sheet.")))
        self.fields["how"].choices = choices  # type: ignore[attr-defined]


@for_organisers
def disputes_page(request: Asked, slug: str) -> HttpResponse:
    """Open disputes, oldest first; results to be confirmed (`?round=`), to accept together; closed disputes."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    asked = number_in(request, "round", 0) or None
    listed = acceptable(championship=found, round_number=asked)
    deeds = Deeds(request, found, {"accept": _accept(request, found, listed)})
    if answer := deeds.answer():
        return answer
    context = {
        "open": disputes(championship=found, number=page_number(request)),
        "closed": disputes(championship=found, closed=True, size=20).items,
        "pending": pending(championship=found, round_number=asked, number=page_number(request)),
        "rounds": pending_rounds(championship=found),
        "round": asked,
        "acceptable": len(listed),
        "is_blind": found.confirmation == Confirmation.SECOND_ENTRY,
    }
    return show(request, "disputes.html", found, "disputes", context, deeds)


def _accept(request: Asked, found: Championship, listed: list[tuple[int, int]]) -> Deed:
    def do(_said: dict[str, Any]) -> Done:
        form = AcceptForm(request.POST)
        form.is_valid()  # it was, or the deed would not be done
        accepted = accept_all(actor=request.actor, championship_id=found.pk, seen=form.listed)
        return Done(_what_became(accepted), reverse("organise-disputes", args=[found.slug]))

    seen = " ".join(f"{manche_id}:{version}" for manche_id, version in listed)
    return Deed(AcceptForm, Action.SETTLE, do, {"seen": seen})


def _what_became(accepted: list[Accepted]) -> str:
    count = sum(not one.fault for one in accepted)
    said = ngettext("%(n)s result counts now.", "%(n)s results count now.", count) % {"n": count}
    faults = {one.manche_id: one.fault for one in accepted if one.fault}
    if not faults:
        return said
    rows = Manche.objects.filter(pk__in=faults).values_list("pk", "partie__number", "number").order_by("partie__number")
    left = [
        _("Partie %(partie)s, manche %(manche)s: %(why)s") % {"partie": partie, "manche": number, "why": faults[pk]}
        for pk, partie, number in rows
    ]
    return f"{said} {_('Not accepted:')} {' '.join(left)}"


@for_organisers
def dispute_page(request: Asked, slug: str, dispute_id: int) -> HttpResponse:
    """A dispute: what was entered, side by side; what both sides say; the decision."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    row, view = dispute_at(championship=found, dispute_id=dispute_id)
    deeds = Deeds(request, found, _deeds(request, row, view))
    if answer := deeds.answer():
        return answer
    if request.method == "POST":
        row, view = dispute_at(championship=found, dispute_id=dispute_id)  # what stands now
    manche = manche_view(manche=row, inside=True)
    return show(request, "dispute.html", found, "disputes", _shown(found, row, manche, view), deeds)


def _shown(found: Championship, row: Manche, manche: MancheView, view: DisputeView) -> dict[str, Any]:
    names = {label: name for label, (_number, name) in sorted(manche.teams.items())}
    contested = next((one for one in manche.versions if one.version == view.result_version), None)
    rulebook = laid_rulebook(found)
    return {
        "here": "true",
        "dispute": view,
        "partie": row.partie,
        "manche": manche,
        "names": names,
        "score": result_table(contested, found) if contested else None,
        "seconds": [
            (second, score_table(columns_of_verdict(second.verdict, None, names), rulebook)) for second in view.seconds
        ],
        "is_open": view.closed_at is None and manche.status == "contested",
    }


def _deeds(request: Asked, row: Manche, view: DisputeView) -> dict[str, Deed]:
    about: dict[str, Any] = {"actor": request.actor, "dispute_id": view.id}
    has_second = bool(view.seconds)

    def do_say(said: dict[str, Any]) -> Done:
        say(**about, text=said["text"])
        return Done(_("Said."))

    def do_decide(said: dict[str, Any]) -> Done:
        decide(**about, version=said["version"], how=said["how"], reason=said["reason"])
        if said["how"] == ANOTHER_SHEET:
            return Done(_("Decided: another sheet is awaited."))
        return Done(_("Decided: it counts."))

    return {
        "say": Deed(SayForm, Action.SETTLE, do_say),
        "decide": Deed(
            lambda *args, **kw: DecideForm(*args, has_second=has_second, **kw),
            Action.SETTLE,
            do_decide,
            {"version": view.version},
        ),
    }
