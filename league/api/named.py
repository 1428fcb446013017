"""How a body names a thing: by its number, or by `~` and the id that a program gave it, as addresses do."""

from typing import Annotated

import msgspec
from django.utils.translation import gettext as _

from league.api.views import ApiView
from league.errors import UserFault
from league.models import EXTERNAL_ID
from league.selectors.external_ids import object_named

Number = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
"""A number that something can have."""

Ref = Number | Annotated[str, msgspec.Meta(pattern=rf"^~{EXTERNAL_ID}$")]
"""A thing: its number (its id, of a player or a team), or `~` and its external id."""


def number_named(view: ApiView, *, kind: str, said: int | str, field: str) -> int:
    """The number of what a member of a body names, of a player or a team its id; whether it is there is not asked.

    Raises UserFault `unknown-reference` for an external id that nobody gave in the championship of the address.
    """
    if isinstance(said, int):
        return said
    found = object_named(actor=view.actor, slug=view.kwargs.get("slug"), kind=kind, external_id=said[1:])
    if found is None:
        message = _("Nothing here has the external id “%(id)s”.") % {"id": said[1:]}
        raise UserFault("unknown-reference", message, field=field)
    return found.number
