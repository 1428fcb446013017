"""Who may change a player, who belongs to no championship: those who run one of theirs, who made them, the staff.

The rights of a role stand in `league.policy`; a player's own rights over what is theirs stand in `player_private`.
"""

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.errors import NotPermitted
from league.models import Membership, Player, Role, Substitute, TeamMember
from league.policy import RIGHTS, Action, Actor

_WHO_RUN = [role for role, rights in RIGHTS.items() if Action.RUN in rights]


def changeable_players(*, actor: Actor) -> QuerySet[Player]:
    """The players whom the actor may change, profiles that were merged or anonymised among them."""
    user = actor.user
    if user is None or not user.is_active or actor.token is not None:
        return Player.objects.none()
    if user.is_staff:
        return Player.objects.all()
    run = Membership.objects.filter(user=user, role__in=_WHO_RUN).values("championship")
    plays = TeamMember.objects.filter(player=OuterRef("pk"), team__championship__in=run)
    sits_in = Substitute.objects.filter(player=OuterRef("pk"), team__championship__in=run)
    return Player.objects.filter(Q(created_by=user) | Exists(plays) | Exists(sits_in))


def may_change_player(*, actor: Actor, player_id: int) -> bool:
    """Whether the actor may change this player. One query."""
    return changeable_players(actor=actor).filter(pk=player_id).exists()


def require_may_change(*, actor: Actor, player_id: int) -> None:
    """Raise NotPermitted unless the actor may change this player. One query."""
    if not may_change_player(actor=actor, player_id=player_id):
        raise NotPermitted


def may_anonymise(*, actor: Actor, player_id: int) -> bool:
    """Whether the actor may take a player's name away for good: they themselves, an owner concerned, the staff."""
    user = actor.user
    if user is None or not user.is_active or actor.token is not None:
        return False
    if user.is_staff:
        return True
    owned = Membership.objects.filter(user=user, role=Role.OWNER).values("championship")
    concerned = Q(user=user) | Exists(TeamMember.objects.filter(player=OuterRef("pk"), team__championship__in=owned))
    return Player.objects.filter(concerned, pk=player_id).exists()
