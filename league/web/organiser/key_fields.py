"""The part of a form that chooses how entries are ranked: a primary key and tie-breaks in their order (STANDINGS 3)."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.tiebreaks import PRIMARY_KEYS, TIE_BREAKS
from scoring.why import KEY_NAMES

PLACES = 8
"""Tie-breaks that a form has room for."""

EXPLAINED = {
    "match_points": gettext_lazy("2 for every opponent of the partie placed below, 1 for every one level, added up."),
    "mean_match_points": gettext_lazy(
        "Match points per closed partie: for free tables, where a sum rewards playing more."
    ),
    "manches_won": gettext_lazy("Manches won, added up."),
    "total_points": gettext_lazy("Points of all manches, added up."),
    "best_n": gettext_lazy("Points of the parties with most points, added up."),
    "mean_points": gettext_lazy("Points per manche, from a least number of manches on."),
    "direct_encounter": gettext_lazy("Who did better against the others who are level, if all of them have met."),
    "manche_share": gettext_lazy("Manches won of those played."),
    "coups_fourres": gettext_lazy("Coups fourrés, added up."),
    "km": gettext_lazy("Kilometres, added up."),
    "mean_difference": gettext_lazy("Own points less the mean of the others' at the table, a manche."),
    "mean_km_difference": gettext_lazy("Own kilometres less the mean of the others' at the table, a manche."),
    "buchholz": gettext_lazy("Match points of all opponents met: who had the harder way."),
    "sonneborn_berger": gettext_lazy("Match points of the opponents beaten, half of those level."),
    "draw": gettext_lazy("Lots drawn from a secret that is shown at the end, so that anyone can redo them."),
}
"""What each key counts, in a sentence."""

PRIMARY_LIMITS = dict.fromkeys(
    ("total_points", "best_n"), gettext_lazy("Only where every partie has a fixed number of manches.")
)
"""What a key needs to be the primary one (STANDINGS 3); as a tie-break it needs nothing."""


def key_fields(decided_by: str | None) -> dict[str, forms.Field]:
    """The fields, by name; `decided_by` leaves out keys that are not offered there, None offers all."""
    primaries = [key for key in PRIMARY_KEYS.values() if decided_by is None or decided_by in key.decided_by]
    breaks = [key for key in TIE_BREAKS.values() if decided_by is None or decided_by in key.decided_by]
    fields: dict[str, forms.Field] = {
        "primary": forms.ChoiceField(
            label=_("Ranked by"),
            choices=[(key.name, _explained(key.name)) for key in primaries],
            widget=forms.RadioSelect,
        )
    }
    offered = [("", "—"), *((key.name, _capital(_(KEY_NAMES[key.name]))) for key in breaks)]
    for place in range(1, PLACES + 1):
        label = _("Tie-break %(place)s") % {"place": place}
        fields[f"tie-{place}"] = forms.ChoiceField(label=label, choices=offered, required=False)
    fields["best_n"] = forms.IntegerField(
        label=_("Parties that count"),
        required=False,
        min_value=1,
        max_value=999,
        help_text=_("For the points of the best parties."),
    )
    fields["minimum"] = forms.IntegerField(
        label=_("Least number of manches"),
        required=False,
        min_value=0,
        max_value=999,
        help_text=_("For points a manche; empty: half of those scheduled."),
    )
    fields["scale"] = forms.CharField(
        label=_("Match points by place"),
        required=False,
        max_length=60,
        help_text=_("Empty: 2 for every opponent placed below. Else a number for each place, such as 5 3 1 0."),
    )
    return fields


def _explained(key: str) -> str:
    return format_html(
        '<span class="explained">{} <span class="soft small">{} {}</span></span>',
        _capital(_(KEY_NAMES[key])),
        EXPLAINED[key],
        PRIMARY_LIMITS.get(key, ""),
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def explanations() -> list[tuple[str, str]]:
    """Every tie-break by name with what it counts, for those who choose."""
    return [(_capital(_(KEY_NAMES[key])), str(EXPLAINED[key])) for key in TIE_BREAKS]


def keys_of(said: Mapping[str, Any]) -> dict[str, Any]:
    """The keys as the service takes them, from a form's cleaned data. A number that is none stays for it to refuse."""
    tie_breaks = [said[f"tie-{place}"] for place in range(1, PLACES + 1) if said.get(f"tie-{place}")]
    scale = [_number(word) for word in re.split(r"[\s;/]+|,\s+", said.get("scale", "").strip()) if word]
    return {
        "primary": said["primary"],
        "tie_breaks": tie_breaks,
        "scale": scale or None,
        "best_n": said.get("best_n"),
        "minimum": said.get("minimum"),
    }


def _number(word: str) -> int | float | str:
    try:
        number = float(word.replace(",", "."))
        return int(number) if number.is_integer() else number
    except (ValueError, OverflowError):
        return word


def keys_initial(keys: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in the fields for keys that were chosen (`Championship.ranking_keys`)."""
    ties = {f"tie-{place}": name for place, name in enumerate(keys["tie_breaks"], 1)}
    scale = " ".join(map(str, keys.get("scale") or ()))
    return {
        "primary": keys["primary"],
        "best_n": keys.get("best_n"),
        "minimum": keys.get("minimum"),
        "scale": scale,
    } | ties


def fault_field(field: str | None) -> str:
    """The form's field for a service's: tie-breaks stand in several."""
    return "tie-1" if field == "tie_breaks" else field or ""
