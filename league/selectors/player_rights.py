"""Who may change a player, who belongs to no championship: those who run one of theirs, who made them, the staff.

The rights of a role stand in `league.policy`; a player's own rights over what is theirs stand in `player_private`. A
token gives what its user has, by its scopes; one that was made for a championship reaches those who take part there.
"""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.errors import NotPermitted
from league.models import AuditEntry, Membership, Player, Role, Scope, Substitute, TeamMember
from league.policy import Action, Actor, gives, roles_that_may


def changeable_players(*, actor: Actor) -> QuerySet[Player]:
    """The players whom the actor may change, profiles that were merged or anonymised among them."""
    return _players(actor, Action.RUN, Scope.MANAGE)


def readable_players(*, actor: Actor) -> QuerySet[Player]:
    """The players of whom the actor may see what is private: who may look inside of a championship of theirs.

    Whoever may change a player sees what they change, by a token that has no scope but `manage` too.
    """
    return _players(actor, Action.LOOK_INSIDE, Scope.READ) | changeable_players(actor=actor)


def _players(actor: Actor, action: Action, scope: str) -> QuerySet[Player]:
    user, only = actor.user, None
    if user is None or not user.is_active:
        return Player.objects.none()
    if actor.token is not None:
        if not gives(actor.token, scope):
            return Player.objects.none()
        only = actor.token.championship_id
    if user.is_staff and (only is None or action is Action.LOOK_INSIDE):
        return Player.objects.all() if only is None else Player.objects.filter(_takes_part([only]))
    run = Membership.objects.filter(user=user, role__in=roles_that_may(action)).values("championship")
    if only is not None:
        return Player.objects.filter(_takes_part(run.filter(championship=only)))
    return Player.objects.filter(Q(created_by=user) | _takes_part(run))


def _takes_part(championships: Any) -> Q:
    plays = TeamMember.objects.filter(player=OuterRef("pk"), team__championship__in=championships)
    sits_in = Substitute.objects.filter(player=OuterRef("pk"), team__championship__in=championships)
    return Q(Exists(plays)) | Q(Exists(sits_in))


def may_change_player(*, actor: Actor, player_id: int) -> bool:
    """Whether the actor may change this player. One query."""
    return changeable_players(actor=actor).filter(pk=player_id).exists()


def require_may_change(*, actor: Actor, player_id: int) -> None:
    """Raise NotPermitted unless the actor may change this player. One query."""
    if not may_change_player(actor=actor, player_id=player_id):
        raise NotPermitted


def may_anonymise(*, actor: Actor, player_id: int) -> bool:
    """Whether the actor may take a player's name away for good: they themselves, an owner concerned, the staff."""
    user, only = actor.user, None
    if user is None or not user.is_active:
        return False
    if actor.token is not None:
        if Scope.MANAGE not in actor.token.scopes:
            return False
        only = actor.token.championship_id
    if user.is_staff and only is None:
        return True
    owned = Membership.objects.filter(user=user, role=Role.OWNER).values("championship")
    if only is not None:
        owned = owned.filter(championship=only)
    concerned = Q(Exists(TeamMember.objects.filter(player=OuterRef("pk"), team__championship__in=owned)))
    if only is None:
        concerned |= Q(user=user)
    return Player.objects.filter(concerned, pk=player_id).exists()


def require_may_rename_club(*, actor: Actor, club_id: int) -> None:
    """Raise NotPermitted unless the actor made this club, as the audit says, or is of the staff. One query.

    A club belongs to nobody: whoever names it for a championship has no right over it.
    """
    user, token = actor.user, actor.token
    if user is None or not user.is_active:
        raise NotPermitted
    if token is not None and (Scope.MANAGE not in token.scopes or token.championship_id is not None):
        raise NotPermitted
    made = AuditEntry.objects.filter(action="add_club", object_type="club", object_id=club_id, user=user)
    if not user.is_staff and not made.exists():
        raise NotPermitted
