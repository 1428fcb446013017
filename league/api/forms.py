"""The forms of texts in bodies that are more than any text: the pattern for programs, and in words what is wanted.

msgspec knows the patterns, the document of the API shows them; whoever sent something else is told in words.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import EXTERNAL_ID

OWN_ID: Final = rf"^{EXTERNAL_ID}$(?!\n)"
"""An external id, as a program gives it to what it makes."""
OWN_ID_FAULT: Final = "bad-external-id"
NAMED: Final = rf"^~{EXTERNAL_ID}$"
"""A thing by its external id, where it is not named by its number."""
CLUB: Final = rf"^(?:[-a-zA-Z0-9_]{{1,60}}|~{EXTERNAL_ID})$"
"""A club: its slug, or `~` and its external id."""
NEW_OR_NAMED: Final = rf"^(?:new|~{EXTERNAL_ID})$"
"""Somebody who is not known yet, or a player by an external id."""


class Form(NamedTuple):
    """What is said of a text that is not of the form: a code of a problem, and a sentence."""

    code: str
    sentence: Promise


FORMS: Final[Mapping[str, Form]] = MappingProxyType(
    {
        OWN_ID: Form(OWN_ID_FAULT, _("1 to 100 letters of ASCII, digits, points, colons, hyphens and underscores.")),
        NAMED: Form("bad-form", _("Give a number, or “~” and an external id that your programs gave.")),
        CLUB: Form("bad-form", _("Give the slug of a club, or “~” and an external id that your programs gave.")),
        NEW_OR_NAMED: Form(
            "bad-form", _("Give the id of a player, “~” and an external id that your programs gave, or “new”.")
        ),
    }
)
"""By pattern."""
