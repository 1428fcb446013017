"""What somebody fills in to take part."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import UserFault
from league.services.registrations import Applicant


class RegistrationForm(forms.Form):
    """The players of an entry, `size` of them, the name of the team where there are two, and a note."""

    key = forms.CharField(max_length=64, widget=forms.HiddenInput)
    # filled in by programs only: people do not see it
    website = forms.CharField(
        label=gettext_lazy("Leave this empty"),
        required=False,
        widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, size: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.size = size
        for place in range(1, size + 1):
            self.fields |= _of_player(place)
        if size > 1:
            self.fields["team_name"] = forms.CharField(
                label=_("Name of the team"), max_length=120, required=False, help_text=_("Empty: named after you both.")
            )
        self.fields["note"] = forms.CharField(
            label=_("Note to the organisers"), max_length=300, required=False, widget=forms.Textarea(attrs={"rows": 3})
        )

    def clean_website(self) -> str:
        """Nothing, unless a program filled the form in."""
        if self.cleaned_data["website"]:
            raise forms.ValidationError(_("This field stays empty: empty it and send the form again."), code="trap")
        return ""

    @property
    def people(self) -> list[list[forms.BoundField]]:
        """The fields of each player, for the template."""
        return [[self[f"{what}_{place}"] for what in _FIELDS] for place in range(1, self.size + 1)]

    @property
    def applicants(self) -> list[Applicant]:
        """The players, as typed."""
        said = self.cleaned_data
        return [
            Applicant(
                said[f"name_{place}"],
                said[f"club_{place}"],
                said[f"licence_{place}"],
                said[f"email_{place}"],
                said[f"minor_{place}"],
            )
            for place in range(1, self.size + 1)
        ]

    def lay_fault(self, fault: UserFault) -> None:
        """Show every fault at its field, or above the form where it is about none."""
        for each in fault.faults:
            self.add_error(each.field if each.field in self.fields else None, str(each.message))


_FIELDS = ("name", "club", "licence", "email", "minor")


def _of_player(place: int) -> dict[str, forms.Field]:
    own = place == 1  # what the browser may fill in for whoever sits before it
    email_help = _("Private: only the organisers see it. The link to this registration is sent there.")
    return {
        f"name_{place}": forms.CharField(
            label=_("First name and name"),
            max_length=100,
            widget=forms.TextInput(attrs={"autocomplete": "name" if own else "off", "autocapitalize": "words"}),
        ),
        f"club_{place}": forms.CharField(label=_("Club"), max_length=100, required=False),
        f"licence_{place}": forms.CharField(
            label=_("Licence number"),
            max_length=30,
            required=False,
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        ),
        f"email_{place}": forms.EmailField(
            label=_("E-mail"),
            max_length=254,
            required=False,
            help_text=email_help,
            widget=forms.EmailInput(attrs={"autocomplete": "email" if own else "off"}),
        ),
        f"minor_{place}": forms.BooleanField(label=_("Under age: the name is not shown to the public"), required=False),
    }
