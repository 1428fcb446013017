"""Clubs and players, as everybody may see them."""

from dataclasses import dataclass

from django.db.models import Q

from league.models import Player
from league.names import NEAR, fold, likeness

_CANDIDATES = 500


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player in a list. `club` is a name, empty without one."""

    id: int
    name: str
    club: str
    licence: str


def similar_players(*, name: str, limit: int = 5) -> list[PlayerLine]:
    """Players whose names are near to this one, accents, case and the order of words aside; nearest first."""
    folded = fold(name)
    beginnings = {word[:3] for word in folded.replace("-", " ").split()}
    if not beginnings:
        return []
    any_of = Q()
    for beginning in beginnings:
        any_of |= Q(name_folded__contains=beginning)
    candidates = (
        Player.objects.filter(any_of)
        .order_by("name_folded", "id")
        .values_list("name_folded", "id", "name", "club__name", "licence")[:_CANDIDATES]
    )
    scored = [(likeness(folded, row[0]), PlayerLine(row[1], row[2], row[3] or "", row[4])) for row in candidates]
    near = [(score, line) for score, line in scored if score >= NEAR]
    return [line for score, line in sorted(near, key=lambda pair: (-pair[0], pair[1].id))][:limit]
