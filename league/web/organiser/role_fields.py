"""Fields of forms that give a role, and a table scorer's tables."""

import re
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Role

ROLES: Final = (
    (Role.ORGANISER, gettext_lazy("organiser: enters, draws, hands in, decides, publishes")),
    (Role.REFEREE, gettext_lazy("referee: hands in, corrects, decides, rules")),
    (Role.SCORER, gettext_lazy("table scorer: enters results at given tables, and changes none")),
    (Role.AUDITOR, gettext_lazy("auditor: reads everything, changes nothing")),
    (Role.OWNER, gettext_lazy("owner: also changes the championship and who runs it")),
)
"""What each role may do, in words."""

ROLE_NAMES: Final = dict(Role.choices)

_RANGE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")
_MOST = 200


class TablesField(forms.CharField):
    """Numbers of tables as people write them: `1-5, 8`. Its value is the list of them."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=gettext_lazy("Tables of a table scorer"),
            help_text=gettext_lazy("Their numbers, such as 1-5, 8."),
            required=False,
            max_length=200,
            **kwargs,
        )

    def to_python(self, value: Any) -> Any:
        """The numbers, each once, in order. Raises ValidationError for what is no number nor range."""
        text = super().to_python(value) or ""
        numbers: set[int] = set()
        tight = re.sub(r"\s*[-–]\s*", "-", text)
        for part in re.findall(r"[^,;\s]+", tight):
            found = _RANGE.fullmatch(part)
            if found is None:
                raise ValidationError(_("“%(part)s” is no number of a table.") % {"part": part})
            first, last = int(found[1]), int(found[2] or found[1])
            if not first <= last < first + _MOST:
                raise ValidationError(_("“%(part)s” is no number of a table.") % {"part": part})
            numbers.update(range(first, last + 1))
        return sorted(numbers)

    def prepare_value(self, value: Any) -> Any:
        """Numbers as they are written."""
        return as_written(value) if isinstance(value, list) else value


def as_written(numbers: list[int]) -> str:
    """Numbers with ranges for those that follow each other.

    >>> as_written([1, 2, 3, 5, 8, 9])
    '1-3, 5, 8-9'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
