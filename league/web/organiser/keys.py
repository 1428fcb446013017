"""How a championship's entries are ranked: seen, and changed with a reason that everybody may read (STANDINGS 3)."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import UserFault
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.organising import KeysChange, changes_of_keys
from league.services.championships import change_keys
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, Deeds, Done, VersionForm
from league.web.organiser.key_fields import explanations, fault_field, key_fields, keys_initial, keys_of
from league.web.organiser.shown import show
from league.wording import key_name


class KeysForm(VersionForm):
    """The keys and why they change."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=300, help_text=gettext_lazy("Everybody may read it.")
    )

    def __init__(self, *args: Any, decided_by: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        reason = self.fields.pop("reason")
        self.fields |= key_fields(decided_by) | {"reason": reason}

    @property
    def ties(self) -> list[forms.BoundField]:
        """The tie-breaks in their order, for the template."""
        return [field for field in self if field.name.startswith("tie-")]

    @property
    def numbers(self) -> list[forms.BoundField]:
        """The numbers that some keys need, for the template."""
        return [self[name] for name in ("best_n", "minimum", "scale")]

    @property
    def numbers_open(self) -> bool:
        """Whether one of them stands in the form, so that they are shown open."""
        return any(field.value() not in (None, "") or field.errors for field in self.numbers)

    def lay_fault(self, fault: UserFault) -> None:
        """Tie-breaks stand in several fields."""
        for each in fault.faults:
            name = fault_field(each.field)
            self.add_error(name if name in self.fields else None, str(each.message))


@for_organisers
def keys(request: Asked, slug: str) -> HttpResponse:
    """Show the ranking keys with what each counts, and change them."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.CHANGE, found)

    def change(said: dict[str, Any]) -> Done:
        change_keys(
            actor=request.actor,
            championship_id=found.pk,
            version=said["version"],
            settings=keys_of(said),
            reason=said["reason"],
        )
        return Done(_("The ranking follows the new keys from now on; the journal says so."))

    initial = keys_initial(found.ranking_keys) | {"version": found.version}
    deed = Deed(lambda *args, **kw: KeysForm(*args, decided_by=found.decided_by, **kw), Action.CHANGE, change, initial)
    deeds = Deeds(request, found, {"change": deed})
    if answer := deeds.answer():
        return answer
    context = {
        "form": deeds.forms["change"],
        "explanations": explanations(),
        "changes": [(change, _in_words(change)) for change in changes_of_keys(championship=found)],
    }
    return show(request, "keys.html", found, "settings", context, deeds)


def _in_words(change: KeysChange) -> list[str]:
    """What a change of keys came to: each key before and after."""
    said = []
    if "primary" in change.after:
        said.append(f"{key_name(change.before['primary'])} → {key_name(change.after['primary'])}")
    if "tie_breaks" in change.after:
        said.append(_("If level: %(keys)s") % {"keys": ", ".join(map(key_name, change.after["tie_breaks"])) or "–"})
    return said
