"""How a body names a thing: by its number, or by `~` and the id that a program gave it, as addresses do."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final, TypeVar

import msgspec
from django.utils.translation import gettext as _

from league.api import parameters
from league.api.forms import NAMED, OWN_ID
from league.api.problems import RequestFault
from league.api.views import ApiView
from league.errors import Conflict, UserFault, all_of
from league.selectors.external_ids import object_named

T = TypeVar("T")

Number = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
"""A number that something can have."""

Ref = Number | Annotated[str, msgspec.Meta(pattern=NAMED)]
"""A thing: its number (its id, of a player or a team), or `~` and its external id."""

NUMBER_OR_OWN_ID: Final[dict[str, Any]] = {
    "oneOf": [{"type": "integer", "minimum": 1, "maximum": 2**31 - 1}, {"type": "string", "pattern": NAMED}]
}
"""The schema of a filter that names a thing as bodies do."""

OwnId = Annotated[str, msgspec.Meta(pattern=OWN_ID)]
"""The external id that a program gives to what it makes."""


def together(asked: Iterable[Callable[[], T]]) -> list[T]:
    """What each of these gives, with all that is wrong with them said at once; conflicts only where nothing else is."""
    given: list[T] = []
    faults: list[UserFault] = []
    for ask in asked:
        try:
            given.append(ask())
        except UserFault as fault:
            faults += fault.faults
    all_of([fault for fault in faults if not isinstance(fault, Conflict)])
    if faults:
        raise faults[0]
    return given


def number_asked(view: ApiView, name: str, kind: str) -> int | None:
    """The number of a thing that a filter names, of a player its id; by `~` and its external id too. None: left out.

    Whether it is there is not asked. Raises RequestFault `bad-parameter`, also for an external id that nobody gave.
    """
    said = view.request.query_params.get(name)
    if said is None or not said.startswith("~"):
        return parameters.integer(view.request, name, or_named=True)
    found = object_named(actor=view.actor, slug=view.kwargs.get("slug"), kind=kind, external_id=said[1:])
    if found is None:
        message = _("Nothing here has the external id “%(id)s”.") % {"id": said[1:101]}
        raise RequestFault("bad-parameter", message, field=name)
    return found.number


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
