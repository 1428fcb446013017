"""The part of a form that lays house rules over a rulebook: a control for each parameter, empty where nothing differs.

Which parameters there are, and which values they take, is the engine's (RULES 12).
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rulebooks import CHOICES, HOUSE_KEYS, MOST_POINTS, POINT_VALUES, SWITCHES, Rulebook

PREFIX = "house-"

NAMES = {
    "start_feu_vert": gettext_lazy("A green light is needed to start"),
    "vp_starts": gettext_lazy("The right of way starts by itself"),
    "feu_vert_after_parade": gettext_lazy("A green light must follow a remedy"),
    "botte_on_attack": gettext_lazy("A safety exposed on its own hazard"),
    "go_on_empty_sabot": gettext_lazy("A safety gives another go when the draw pile is empty"),
    "blocked_end": gettext_lazy("A manche can end as blocked"),
    "most_km_wins": gettext_lazy("When nobody arrives, most kilometres win"),
    "last_card_couronnement": gettext_lazy("Arriving with the last card drawn is a delayed action"),
    "botte": gettext_lazy("Points: each safety"),
    "quatre_bottes": gettext_lazy("Points: all four safeties"),
    "coup_fourre": gettext_lazy("Points: each coup fourré"),
    "victoire": gettext_lazy("Points: victory"),
    "couronnement": gettext_lazy("Points: delayed action"),
    "sans_200": gettext_lazy("Points: without 200"),
    "capot": gettext_lazy("Points: shutout"),
    "capot_to": gettext_lazy("A shutout pays"),
}
VALUES = {
    "repairs": gettext_lazy("repairs: it stands in for the remedy"),
    "lifts": gettext_lazy("lifts: the team is where it was before"),
    "each_opponent": gettext_lazy("each opponent"),
    "driving_opponents": gettext_lazy("opponents that have driven"),
    "shutout_winner": gettext_lazy("a winner whose opponents all are shut out"),
}


def house_fields(rulebook: Rulebook) -> dict[str, forms.Field]:
    """The fields, by name, for a rulebook; its own value stands in each as what an empty field means."""
    offered = [key for key in HOUSE_KEYS if rulebook.has_points or key not in (*POINT_VALUES, "capot_to")]
    return {PREFIX + key: _field(key, getattr(rulebook, key)) for key in offered}


def _field(key: str, own: Any) -> forms.Field:
    if key in POINT_VALUES:
        widget = forms.NumberInput(attrs={"placeholder": own})
        return forms.IntegerField(label=NAMES[key], required=False, min_value=0, max_value=MOST_POINTS, widget=widget)
    values = (
        [("true", _("yes")), ("false", _("no"))] if key in SWITCHES else [(v, str(VALUES[v])) for v in CHOICES[key]]
    )
    said = dict(values)[_in_form(own)]
    as_usual = ("", _("as in the rulebook (%(value)s)") % {"value": said})
    return forms.ChoiceField(label=NAMES[key], required=False, choices=[as_usual, *values])


def house_of(said: Mapping[str, Any], rulebook: Rulebook) -> dict[str, Any]:
    """The house rules that a form's cleaned data lay over the rulebook: only what differs from it."""
    house = {}
    for key in HOUSE_KEYS:
        value = said.get(PREFIX + key)
        if value in (None, ""):
            continue
        if key in SWITCHES:
            value = value == "true"
        if value != getattr(rulebook, key):
            house[key] = value
    return house


def house_initial(house: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in the fields for house rules that were chosen."""
    return {PREFIX + key: _in_form(value) for key, value in house.items()}


def _in_form(value: Any) -> Any:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value
