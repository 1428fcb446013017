"""The form that makes a championship and the one that changes it, each for a rulebook that was chosen before.

Everything but the name has a default, so that a new organiser gives a name, a rulebook and a table.
"""

from typing import Any, ClassVar

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rulebooks import Rulebook
from league.errors import UserFault
from league.models import Championship, ClockEnd, Confirmation, DecidedBy, PartieEnd, Ranks, Substitution, Visibility
from league.names import fold
from league.services.settings_of_play import (
    MOST_CLOCK_MINUTES,
    MOST_CONFIRM_MINUTES,
    MOST_STOOD_IN,
    USUAL_VALUES,
    usual_play,
)
from league.web.organiser.deeds import DeedForm
from league.web.organiser.house_fields import house_fields, house_initial, house_of
from league.web.organiser.key_fields import fault_field, key_fields, keys_of
from league.web.rulebook_words import table_name

USUAL_TARGET = USUAL_VALUES[PartieEnd.POINTS]


def usual(rulebook: Rulebook) -> dict[str, Any]:
    """What stands in the form for a new championship."""
    play = usual_play(rulebook)
    return {
        "table": table_code(play["table_entries"], play["players_per_team"]),
        "decided_by": play["decided_by"],
        "partie_end": play["partie_end"],
        "partie_end_value": play["partie_end_value"],
        "time_zone": "Europe/Paris",
        "visibility": Visibility.DRAFT,
        "confirmation": Confirmation.AT_ONCE,
        "substitution": Substitution.NONE,
        "ranks": Ranks.ENTRIES,
        "clock_at_end": ClockEnd.FINISH,
        "keys_as": "usual",
        "primary": "match_points",
    }


def present(championship: Championship) -> dict[str, Any]:
    """What stands in the form that changes a championship."""
    copied = "name target allow_short_tables decided_by partie_end partie_end_value time_zone visibility confirmation "
    copied += "confirm_minutes substitution substitution_limit ranks clock_minutes clock_at_end"
    return {
        **{name: getattr(championship, name) for name in copied.split()},
        **house_initial(championship.house),
        "club": championship.club.name if championship.club else "",
        "table": table_code(championship.table_entries, championship.players_per_team),
        "version": championship.version,
    }


def table_code(entries: int, players: int) -> str:
    """A table as a value of the form: `2x1`."""
    return f"{entries}x{players}"


class PlayForm(DeedForm):
    """What making and changing a championship have in common."""

    fault_fields: ClassVar = {"club_id": "club", "table_entries": "table", "players_per_team": "table"}

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    table = forms.ChoiceField(label=gettext_lazy("Table"), widget=forms.RadioSelect)
    club = forms.CharField(
        label=gettext_lazy("Club"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"list": "clubs"}),
        help_text=gettext_lazy("A name that is new makes a new club."),
    )
    target = forms.TypedChoiceField(
        label=gettext_lazy("Kilometres of a manche"), required=False, coerce=int, empty_value=None
    )
    allow_short_tables = forms.BooleanField(
        label=gettext_lazy("Tables with one entry less are allowed when the numbers do not fit"), required=False
    )
    decided_by = forms.ChoiceField(
        label=gettext_lazy("A partie is decided by"), choices=DecidedBy.choices, widget=forms.RadioSelect
    )
    partie_end = forms.ChoiceField(
        label=gettext_lazy("A partie ends when"), choices=PartieEnd.choices, widget=forms.RadioSelect
    )
    partie_end_value = forms.IntegerField(
        label=gettext_lazy("That number"),
        required=False,
        help_text=gettext_lazy(
            "Of points or manches; empty where the referee closes parties. In a new championship the 5000 of points, "
            "left as it is, becomes 3 manches, or 2 won."
        ),
    )
    confirmation = forms.ChoiceField(
        label=gettext_lazy("Before it counts, a result waits for"),
        choices=Confirmation.choices,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "The slip of a table leads to its own page: players enter there, without an account, unless results count "
            "at once."
        ),
    )
    confirm_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes after which it counts unless it is contested"),
        required=False,
        min_value=1,
        max_value=MOST_CONFIRM_MINUTES,
        help_text=gettext_lazy(
            "Only where another side confirms; empty: it waits. A second entry and an organiser are always waited for."
        ),
    )
    ranks = forms.ChoiceField(
        label=gettext_lazy("In teams of two, who is ranked"), choices=Ranks.choices, widget=forms.RadioSelect
    )
    clock_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes of a round"),
        required=False,
        min_value=1,
        max_value=MOST_CLOCK_MINUTES,
        help_text=gettext_lazy("For the clock of the hall; empty: none."),
    )
    clock_at_end = forms.ChoiceField(
        label=gettext_lazy("When the time is up"), choices=ClockEnd.choices, widget=forms.RadioSelect
    )
    substitution = forms.ChoiceField(
        label=gettext_lazy("In teams of two, who may stand in for a player"),
        choices=Substitution.choices,
        widget=forms.RadioSelect,
    )
    substitution_limit = forms.IntegerField(
        label=gettext_lazy("Parties that a stand-in may play"),
        required=False,
        min_value=1,
        max_value=MOST_STOOD_IN,
        help_text=gettext_lazy("Each, in this championship; empty: as many as needed."),
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who sees it"), choices=Visibility.choices, widget=forms.RadioSelect
    )
    time_zone = forms.CharField(
        label=gettext_lazy("Time zone"), max_length=60, widget=forms.TextInput(attrs={"list": "time-zones"})
    )

    def __init__(self, *args: Any, rulebook: Rulebook, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rulebook = rulebook
        self.choices(
            "table", [(table_code(s.teams, s.players), table_name(s.teams, s.players)) for s in rulebook.tables]
        )
        targets = sorted({target for shape in rulebook.tables if len(shape.targets) > 1 for target in shape.targets})
        if targets:
            own = ("", _("the table's own"))
            self.choices("target", [own, *((str(km), _("%(km)s km") % {"km": km}) for km in reversed(targets))])
        else:
            del self.fields["target"]
        if not rulebook.has_points:
            self.choices("decided_by", [(DecidedBy.MANCHES, DecidedBy.MANCHES.label)])
            self.choices("partie_end", [choice for choice in PartieEnd.choices if choice[0] != PartieEnd.POINTS])
        self.fields |= house_fields(rulebook)

    def choices(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        """Set what a field offers."""
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    @property
    def house_groups(self) -> list[forms.BoundField]:
        """The controls of house rules, for the template."""
        return [field for field in self if field.name.startswith("house-")]

    @property
    def house_open(self) -> bool:
        """Whether a house rule stands in the form, so that their part of it is shown open."""
        return any(field.value() not in (None, "") or field.errors for field in self.house_groups)

    def settings(self) -> dict[str, Any]:
        """The settings as services take them, the club aside."""
        said = self.cleaned_data
        entries, _x, players = said["table"].partition("x")
        copied = "name allow_short_tables decided_by partie_end partie_end_value confirmation visibility time_zone "
        copied += "confirm_minutes substitution substitution_limit ranks clock_minutes clock_at_end"
        return {
            **{name: said[name] for name in copied.split()},
            "rulebook": self.rulebook.id,
            "house": house_of(said, self.rulebook),
            "table_entries": int(entries),
            "players_per_team": int(players),
            "target": said.get("target"),
        }

    def clean(self) -> dict[str, Any]:
        """Where the referee closes parties there is no number, and where no side is asked to confirm no time for it."""
        said = super().clean() or self.cleaned_data
        if said.get("partie_end") == PartieEnd.REFEREE:
            said["partie_end_value"] = None
        if said.get("confirmation") != Confirmation.OPPONENT:
            said["confirm_minutes"] = None
        if said.get("substitution") == Substitution.NONE:
            said["substitution_limit"] = None
        return said

    def lay_fault(self, fault: UserFault) -> None:
        """Also at the house rule that a fault is about, and at tie-breaks, which stand in several fields."""
        for each in fault.faults:
            key = each.extra.get("key")
            if each.field == "house" and f"house-{key}" in self.fields:
                self.add_error(f"house-{key}", str(each.message))
            elif fault_field(each.field) in self.fields:
                self.add_error(fault_field(each.field), str(each.message))
            else:
                super().lay_fault(each)


class NewChampionshipForm(PlayForm):
    """Everything at once; ranking keys are the usual ones unless others are chosen."""

    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("The last part of its pages' address; empty: made from the name."),
    )
    keys_as = forms.ChoiceField(
        label=gettext_lazy("Ranking keys"),
        choices=[("usual", gettext_lazy("the usual ones")), ("own", gettext_lazy("those chosen below"))],
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, rulebook: Rulebook, **kwargs: Any) -> None:
        super().__init__(*args, rulebook=rulebook, **kwargs)
        self.fields |= key_fields(None if rulebook.has_points else DecidedBy.MANCHES)
        self.key_names = [*key_fields(None)]

    @property
    def key_parts(self) -> list[forms.BoundField]:
        """The controls of ranking keys, for the template."""
        return [self[name] for name in self.key_names if name in self.fields]

    @property
    def keys_open(self) -> bool:
        """Whether keys of one's own stand in the form."""
        return bool(self["keys_as"].value() == "own")

    @property
    def more_open(self) -> bool:
        """Whether something is wrong with what stands under “more”."""
        return bool(set(self.errors) - {"name", "table", "__all__"})

    def clean(self) -> dict[str, Any]:
        """The number that was left as it stood for points becomes the usual one of what was chosen instead."""
        said: dict[str, Any] = super().clean() or {}
        left = said.get("partie_end_value") in (None, USUAL_TARGET)
        if left and "partie_end_value" not in self.errors:
            end = str(said.get("partie_end"))
            said["partie_end_value"] = USUAL_VALUES.get(end, said.get("partie_end_value"))
        return said

    def clean_slug(self) -> str:
        """The address that was asked for, or one made from the name."""
        return self.cleaned_data["slug"] or slugify(fold(self.data.get("name", "")))[:60].strip("-") or "championship"

    def settings(self) -> dict[str, Any]:
        """With the keys, where they were chosen."""
        own = keys_of(self.cleaned_data) if self.cleaned_data["keys_as"] == "own" else {}
        return super().settings() | own


class ChangeChampionshipForm(PlayForm):
    """The settings of a championship that may change; once results are in, the game's own may not."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    change_reason = forms.CharField(label=gettext_lazy("Reason"), max_length=300, required=False)
