"""How an address names a thing: by its number or id, or by `~` and the id that a program gave it.

The converters of league.api.urls make an int of the one and an `External` of the other; the base of the views looks
that up once it knows who asks, so that the methods of views get ints alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.urls import register_converter

from league.errors import NotFound
from league.models import EXTERNAL_ID, ExternalKind
from league.policy import Actor
from league.selectors.external_ids import object_named

_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class External:
    """A thing of this kind, under the id that a program gave it."""

    kind: str
    external_id: str


class _Reference:
    kind: ClassVar[ExternalKind]
    regex = rf"(?:[0-9]{{1,10}}|~{EXTERNAL_ID})"

    def to_python(self, value: str) -> "int | External":
        if value.startswith("~"):
            return External(self.kind, value[1:])
        number = int(value)
        if number > _MOST:
            raise ValueError
        return number

    def to_url(self, value: object) -> str:
        return str(value)


class _ClubReference:
    """A club is named by its slug, which a view gets as text; what an external id stands for it gets as an id."""

    regex = rf"(?:[-a-zA-Z0-9_]+|~{EXTERNAL_ID})"

    def to_python(self, value: str) -> "str | External":
        return External(ExternalKind.CLUB, value[1:]) if value.startswith("~") else value

    def to_url(self, value: object) -> str:
        return str(value)


def register() -> None:
    """Make a converter for each kind, with the name of the kind: `<partie:number>`."""
    register_converter(_ClubReference, ExternalKind.CLUB.value)
    for kind in ExternalKind:
        if kind != ExternalKind.CLUB:
            register_converter(type(f"{kind.title()}Reference", (_Reference,), {"kind": kind}), kind.value)


def resolved(actor: Actor, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a view, with each `External` as what stands for it: a number, for a player or a team its id.

    Raises NotFound for an id that nobody gave, and for that of a manche of another partie than the address names.
    """
    if not any(isinstance(value, External) for value in kwargs.values()):
        return dict(kwargs)
    found = dict(kwargs)
    for name, value in kwargs.items():
        if isinstance(value, External):
            at = object_named(actor=actor, slug=kwargs.get("slug"), kind=value.kind, external_id=value.external_id)
            if at is None:
                raise NotFound
            found[name] = at.number
            if at.partie is not None and found.setdefault("number", at.partie) != at.partie:
                raise NotFound
    return found
