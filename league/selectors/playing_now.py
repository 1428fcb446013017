"""Where somebody plays at this moment: the open parties of their own entries."""

from dataclasses import dataclass

from django.db.models import F, Q

from league.models import Partie, PartieStatus, Player, Visibility
from league.policy import Actor


@dataclass(frozen=True, slots=True)
class Playing:
    """An open partie of one's own. `table` None where it has no number; `number`: of one's entry."""

    slug: str
    championship: str
    partie: int
    round: int
    table: int | None
    number: int


def playing_now(*, player: Player) -> list[Playing]:
    """The open parties of the entries in which a player is, but those of drafts, newest first. Two queries."""
    rows = Partie.objects.filter(status=PartieStatus.OPEN).exclude(championship__visibility=Visibility.DRAFT)
    columns = ("championship__slug", "championship__name", "number", "round", "table_number")
    found: set[Playing] = set()
    for side in ("entry", "partner"):
        sat = rows.filter(Q(**{f"seats__{side}__team__members__player": player}))
        found |= {Playing(*row) for row in sat.annotate(own=F(f"seats__{side}__number")).values_list(*columns, "own")}
    return sorted(found, key=lambda one: (one.slug, -one.round, one.partie))


def playing_of(*, actor: Actor) -> list[Playing]:
    """The same for the profile that the actor took over; nothing without one. Three queries at most."""
    own = Player.objects.filter(user=actor.user).first() if actor.user else None
    return playing_now(player=own) if own is not None else []
