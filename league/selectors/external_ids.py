"""What other programs call our things (league.models.external)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet

from league.models import Club, Entry, ExternalId, ExternalKind, Manche, Partie, Player, Round, Stage, Team
from league.policy import Actor

_CALLED: Mapping[str, tuple[type[Model], str]] = {
    ExternalKind.CLUB: (Club, "pk"),
    ExternalKind.ENTRY: (Entry, "number"),
    ExternalKind.PARTIE: (Partie, "number"),
    ExternalKind.PLAYER: (Player, "pk"),
    ExternalKind.ROUND: (Round, "number"),
    ExternalKind.STAGE: (Stage, "number"),
    ExternalKind.TEAM: (Team, "pk"),
}
"""Where a thing stands, and what addresses call it."""
OF_ACCOUNTS = frozenset({ExternalKind.PLAYER, ExternalKind.CLUB})
"""The kinds whose external ids belong to an account; the others' belong to a championship."""


@dataclass(frozen=True, slots=True)
class Named:
    """What an external id stands for: `number` is what addresses use, an id for teams, players and clubs.

    `partie`: the number of a manche's partie.
    """

    object_id: int
    number: int
    request_sha256: str = ""
    partie: int | None = None


def object_named(*, actor: Actor, kind: str, external_id: str, slug: str | None = None) -> Named | None:
    """What an external id stands for: in the championship at `slug`, for a player or a club in the actor's account.

    None if nobody gave it, or if what it stood for is gone. Whether the actor may see it is not asked here.
    """
    found = _rows(actor, kind, slug).filter(external_id=external_id).first()
    if found is None:
        return None
    if kind == ExternalKind.MANCHE:
        numbers = Manche.objects.filter(pk=found.object_id).values_list("partie__number", "number").first()
        return numbers and Named(found.object_id, numbers[1], found.request_sha256, partie=numbers[0])
    model, column = _CALLED[kind]
    number = model._default_manager.filter(pk=found.object_id).values_list(column, flat=True).first()  # noqa: SLF001
    return None if number is None else Named(found.object_id, number, found.request_sha256)


def external_ids(*, actor: Actor, kind: str, object_ids: Collection[int], slug: str | None = None) -> dict[int, str]:
    """The external ids of these rows, by id; a row without one is not in it. One query, none for nobody's."""
    if not object_ids or (kind in OF_ACCOUNTS and actor.user is None):
        return {}
    return dict(_rows(actor, kind, slug).filter(object_id__in=object_ids).values_list("object_id", "external_id"))


def ids_called(*, actor: Actor, kind: str, external_id: str, slug: str | None = None) -> "QuerySet[ExternalId, Any]":
    """The id of the row that has an external id, to filter by."""
    return _rows(actor, kind, slug).filter(external_id=external_id).values("object_id")


def _rows(actor: Actor, kind: str, slug: str | None) -> QuerySet[ExternalId]:
    if kind in OF_ACCOUNTS:
        return ExternalId.objects.filter(kind=kind, user=actor.user, user__isnull=False)
    return ExternalId.objects.filter(kind=kind, championship__slug=slug or "")
