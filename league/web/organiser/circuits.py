"""A circuit as its owner makes it: its terms, its championships in order, its published rankings."""

import re
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Circuit, CircuitBy, Visibility
from league.policy import Action, owns_circuit, require, require_circuit
from league.selectors.addresses import championship_at
from league.selectors.circuit_document import circuit_document, terms_of
from league.selectors.circuits import (
    addable,
    circuit_at,
    legs_of,
    own_circuits,
    preview_of,
    versions,
)
from league.services.circuits import (
    add_leg,
    change_circuit,
    create_circuit,
    move_leg,
    publish_circuit,
    ranked_rows,
    remove_leg,
)
from league.web.circuits import head_of, shown_circuit_rows
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done, VersionForm
from league.web.seen import page_number

USUAL_POINTS = "25 18 15 12 10 8 6 4 2 1"
SHOWN_BEFORE = 10
"""Rows of the ranking that would be published."""


class PointsField(forms.CharField):
    """Points by place: numbers with spaces between them, decimals with a point or a comma."""

    def clean(self, value: Any) -> list[int | float]:
        """The numbers, from the first place."""
        words = re.split(r"[\s;]+|,\s+", super().clean(value).strip())
        try:
            numbers = [float(word.replace(",", ".")) for word in words if word]
        except ValueError:
            message = _("Write numbers with spaces between them, such as 25 18 15 12.5.")
            raise forms.ValidationError(message) from None
        return [int(number) if number.is_integer() else number for number in numbers]


class CircuitForm(DeedForm):
    """How a circuit adds up."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    points = PointsField(
        label=gettext_lazy("Points by place"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy(
            "From the first place on, with spaces between them; further places have none. Those who share a rank have "
            "the mean of the places that they take up."
        ),
    )
    best_n = forms.IntegerField(
        label=gettext_lazy("Championships that count"),
        required=False,
        min_value=1,
        max_value=500,
        help_text=gettext_lazy("The best so many of each. Empty: all of them."),
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    by = forms.ChoiceField(label=gettext_lazy("Ranks"), choices=CircuitBy.choices, widget=forms.RadioSelect)
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who sees it"), choices=Visibility.choices, widget=forms.RadioSelect
    )

    def settings(self) -> dict[str, Any]:
        """What the service takes besides the name."""
        return {name: self.cleaned_data[name] for name in ("points", "best_n", "by", "visibility")}


class ChangeCircuitForm(CircuitForm, VersionForm):
    """The same about a circuit that may have changed since."""


class AddLegForm(DeedForm):
    """A championship to be counted."""

    championship = forms.ChoiceField(label=gettext_lazy("Championship"))

    def __init__(self, *args: Any, offered: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["championship"].choices = offered  # type: ignore[attr-defined]


class LegForm(DeedForm):
    """A championship of the circuit."""

    leg = forms.IntegerField(widget=forms.HiddenInput)


class PublishCircuitForm(DeedForm):
    """The next version."""

    label = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=100,
        help_text=gettext_lazy("Such as “After Bayonne” or “Final ranking”."),
    )


@for_organisers
def mine(request: Asked) -> HttpResponse:
    """One's own circuits, and a new one."""

    def make(said: dict[str, Any]) -> Done:
        form = deeds.forms["create"]
        assert isinstance(form, CircuitForm)
        circuit = create_circuit(actor=request.actor, name=said["name"], settings=form.settings())
        goto = reverse("organise-circuit", args=[circuit.slug])
        return Done(_("“%(name)s” is made. Choose its championships.") % {"name": circuit.name}, goto)

    usual = {"points": USUAL_POINTS, "by": CircuitBy.PLAYER, "visibility": Visibility.DRAFT}
    deeds = Deeds(request, None, {"create": Deed(CircuitForm, Action.CREATE, make, usual)})
    if answer := deeds.answer():
        return answer
    context = {"page": own_circuits(actor=request.actor, number=page_number(request)), "form": deeds.forms["create"]}
    return render(request, "circuits/mine.html", context, status=deeds.status)


@for_organisers
def manage(request: Asked, slug: str) -> HttpResponse:
    """Change a circuit, choose its championships, publish its ranking; staff look."""
    circuit = circuit_at(request.actor, slug)
    require_circuit(request.actor, circuit, to_look=True)
    if request.method == "POST":
        require_circuit(request.actor, circuit)
    owns = owns_circuit(request.actor, circuit)
    offered = addable(actor=request.actor, circuit=circuit) if owns else []
    deeds = Deeds(request, None, _deeds(request, circuit, offered))
    if answer := deeds.answer():
        return answer
    document, counts = circuit_document(circuit)
    preview = preview_of(circuit, counts, terms_of(circuit))
    context = head_of(circuit) | {
        "owns": owns,
        "legs": legs_of(circuit=circuit),
        "offered": offered,
        "rows": shown_circuit_rows(ranked_rows(document)[: SHOWN_BEFORE + 1], preview)[:SHOWN_BEFORE],
        "version": preview,
        "versions": versions(circuit=circuit),
        "deeds": deeds.forms,
        "refused": deeds.refused,
    }
    return render(request, "circuits/manage.html", context, status=deeds.status)


def _deeds(request: Asked, circuit: Circuit, offered: list[tuple[str, str]]) -> dict[str, Deed]:
    actor, at = request.actor, {"circuit_id": circuit.pk}

    def change(said: dict[str, Any]) -> Done:
        settings = {name: said[name] for name in ("points", "best_n", "by", "visibility")}
        change_circuit(actor=actor, **at, version=said["version"], name=said["name"], settings=settings)
        return Done(_("Saved."))

    def add(said: dict[str, Any]) -> Done:
        found = championship_at(actor, said["championship"])
        require(actor, Action.LOOK_INSIDE, found)
        add_leg(actor=actor, **at, championship_id=found.pk)
        return Done(_("%(name)s counts now.") % {"name": found.name})

    def take_out(said: dict[str, Any]) -> Done:
        remove_leg(actor=actor, **at, leg_id=said["leg"])
        return Done(_("It does not count any more."))

    def move(*, down: bool) -> Any:
        def moved(said: dict[str, Any]) -> Done:
            move_leg(actor=actor, **at, leg_id=said["leg"], down=down)
            return Done(_("The order is changed."))

        return moved

    def freeze(said: dict[str, Any]) -> Done:
        published = publish_circuit(actor=actor, **at, label=said["label"])
        return Done(_("Version %(number)s is published.") % {"number": published.number})

    present = {
        "name": circuit.name,
        "points": " ".join(str(number) for number in circuit.points),
        "best_n": circuit.best_n,
        "by": circuit.by,
        "visibility": circuit.visibility,
        "version": circuit.version,
    }
    return {
        "change": Deed(ChangeCircuitForm, None, change, present),
        "add": Deed(lambda *args, **kw: AddLegForm(*args, offered=offered, **kw), None, add),
        "remove": Deed(LegForm, None, take_out),
        "up": Deed(LegForm, None, move(down=False)),
        "down": Deed(LegForm, None, move(down=True)),
        "publish": Deed(PublishCircuitForm, None, freeze),
    }
