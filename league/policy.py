"""Who may do what: the one table of rights, and the value that says who asks.

Doors ask `may` or call `require` before they call a service; every service is told the `Actor` and writes it into the
audit. A token never gives more than its user has.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from league.errors import NotFound, NotPermitted
from league.models import Membership, Role, Scope, Visibility

if TYPE_CHECKING:
    from league.models import ApiToken, Championship, User


class Action(StrEnum):
    """What somebody asks to do."""

    SEE = "see"
    """See a championship as everybody sees it."""
    LOOK_INSIDE = "look-inside"
    """See attempts, the audit, claims to settle and private data."""
    HAND_IN = "hand-in"
    """Hand in logs and sheets, and correct them."""
    SETTLE = "settle"
    """Settle claims, confirm, annul, penalise."""
    RUN = "run"
    """Enter teams, open and close parties, rule forfeits, give byes."""
    PUBLISH = "publish"
    """Freeze a version of the ranking."""
    CHANGE = "change"
    """Change the championship itself, its keys and its visibility."""
    INVITE = "invite"
    """Choose who runs it."""
    CREATE = "create"
    """Make a championship, a club or a player; needs no championship."""


_ORGANISER = frozenset({Action.LOOK_INSIDE, Action.HAND_IN, Action.SETTLE, Action.RUN, Action.PUBLISH})
RIGHTS: dict[str, frozenset[Action]] = {
    Role.ORGANISER: _ORGANISER,
    Role.OWNER: _ORGANISER | {Action.CHANGE, Action.INVITE},
    Role.REFEREE: frozenset({Action.LOOK_INSIDE, Action.HAND_IN, Action.SETTLE}),
    Role.SCORER: frozenset({Action.HAND_IN}),
    Role.AUDITOR: frozenset({Action.LOOK_INSIDE}),
}
"""What each role may do in its championship, beside seeing it."""

SCOPES: dict[Action, str] = {Action.SEE: Scope.READ, Action.LOOK_INSIDE: Scope.READ, Action.HAND_IN: Scope.HAND_IN}
"""The scope that a token needs for an action; every other one needs `manage`."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks, through what, from where. Without a user: anybody, or the program itself (`request_id` says which)."""

    user: "User | None" = None
    token: "ApiToken | None" = None
    ip: str | None = None
    request_id: str = ""
    _roles: dict[int, str | None] = field(default_factory=dict, compare=False, repr=False)

    def learn_role(self, championship_id: int, role: str | None) -> None:
        """Remember a role that another query brought along, so that asking for it costs none."""
        self._roles[championship_id] = role

    def role_in(self, championship_id: int) -> str | None:
        """The user's role in a championship, asked for once."""
        if self.user is None or self.user.pk is None:
            return None
        if championship_id not in self._roles:
            self._roles[championship_id] = (
                Membership.objects.filter(user=self.user, championship=championship_id)
                .values_list("role", flat=True)
                .first()
            )
        return self._roles[championship_id]


ANYBODY = Actor()
"""A visitor who did not sign in."""


def may(actor: Actor, action: Action, championship: "Championship | None" = None) -> bool:
    """Whether the actor may do this; `championship` is needed for every action but `CREATE`."""
    if action is not Action.CREATE and championship is None:
        raise ValueError(f"{action} needs a championship")
    if action is Action.SEE and championship is not None and championship.visibility != Visibility.DRAFT:
        return True  # what anybody may see, every token may see too
    if not _token_allows(actor, action, championship):
        return False
    signed_in = actor.user is not None and actor.user.is_active
    if action is Action.CREATE or championship is None:
        return signed_in
    if actor.user is None or not signed_in:
        return False
    if actor.user.is_staff and action in (Action.SEE, Action.LOOK_INSIDE):
        return True
    role = actor.role_in(championship.pk)
    return role is not None and (action is Action.SEE or action in RIGHTS[role])


def _token_allows(actor: Actor, action: Action, championship: "Championship | None") -> bool:
    if actor.token is None:
        return True
    if actor.token.championship_id is not None and (
        championship is None or championship.pk != actor.token.championship_id
    ):
        return False
    return SCOPES.get(action, Scope.MANAGE) in actor.token.scopes


def require(actor: Actor, action: Action, championship: "Championship | None" = None) -> None:
    """Raise NotFound if the actor may not even know of the championship, NotPermitted if it may not do this."""
    if may(actor, action, championship):
        return
    if championship is not None and action is not Action.SEE and may(actor, Action.SEE, championship):
        raise NotPermitted
    raise NotFound if championship is not None else NotPermitted
