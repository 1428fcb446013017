"""A player as the asker may see them: what everybody may, and what is private for who may look inside."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.errors import NotPermitted
from league.models import ExternalKind, Player, PlayerNumber
from league.policy import Actor
from league.selectors.external_ids import external_ids
from league.selectors.items import PlayerItem, player_item
from league.selectors.lists import player
from league.selectors.player_private import MergeLine, NumberLine, merges_into
from league.selectors.player_rights import may_change_player, readable_players


@dataclass(frozen=True, slots=True)
class PlayerInside:
    """What is private about a player. `club` is a slug, None without one; `merged_into`: the profile that was kept."""

    name: str
    club: str | None
    licence: str
    email: str
    is_minor: bool
    shown_as: str
    shows_club: bool
    is_claimed: bool
    is_anonymous: bool
    merged_into: int | None
    numbers: Sequence[NumberLine]
    merges: Sequence[MergeLine]


@dataclass(frozen=True, slots=True)
class PlayerShown:
    """A player: what everybody may know, what the asker's programs call them, and what is private, None for others."""

    id: int
    name: str
    club: str
    external_id: str | None
    private: PlayerInside | None


def player_shown(*, actor: Actor, player_id: int) -> PlayerShown:
    """A player, seen by the actor. At most four queries. Raises NotFound.

    Who may not look inside is answered a merged profile with the one that it is now.
    """
    row = readable_players(actor=actor).select_related("club").filter(pk=player_id).first()
    item: PlayerItem = player(player_id=player_id) if row is None else player_item(row)
    names = external_ids(actor=actor, kind=ExternalKind.PLAYER, object_ids=[item.id])
    return PlayerShown(item.id, item.name, item.club, names.get(item.id), None if row is None else _inside(row))


def _inside(row: Player) -> PlayerInside:
    numbers = PlayerNumber.objects.filter(player=row).order_by("system", "number", "id")
    return PlayerInside(
        name=row.name,
        club=row.club.slug if row.club else None,
        licence=row.licence,
        email=row.email,
        is_minor=row.is_minor,
        shown_as=row.shown_as,
        shows_club=row.shows_club,
        is_claimed=row.user_id is not None,
        is_anonymous=row.anonymised_at is not None,
        merged_into=row.merged_into_id,
        numbers=[NumberLine(*number) for number in numbers.values_list("id", "system", "number")],
        merges=merges_into(player=row),
    )


def require_player(*, actor: Actor, player_id: int) -> None:
    """Raise NotFound for a player whom the actor may not see, NotPermitted for one whom they may not change."""
    if may_change_player(actor=actor, player_id=player_id):
        return
    player_shown(actor=actor, player_id=player_id)
    raise NotPermitted
