"""Who may do what: the one table of rights, and the value that says who asks.

Doors ask `may` or call `require` before they call a service; every service is told the `Actor` and writes it into the
audit. A token never gives more than its user has.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from league.errors import NotFound, NotPermitted
from league.models import Membership, Role, Scope, Visibility

if TYPE_CHECKING:
    from league.models import ApiToken, Championship, Circuit, Partie, User


class Action(StrEnum):
    """What somebody asks to do."""

    SEE = "see"
    """See a championship as everybody sees it."""
    LOOK_INSIDE = "look-inside"
    """See attempts, the audit, claims to settle and private data."""
    HAND_IN = "hand-in"
    """Enter logs and sheets: for a manche that has no result, or as the second entry."""
    CORRECT = "correct"
    """Change what was entered: corrections, results moved or turned."""
    SETTLE = "settle"
    """Settle claims and disputes, confirm, annul, penalise; close, annul and reopen parties, rule forfeits."""
    RUN = "run"
    """Enter teams, draw rounds, open parties, give byes."""
    PUBLISH = "publish"
    """Freeze a version of the ranking."""
    CHANGE = "change"
    """Change the championship itself, its keys and its visibility."""
    INVITE = "invite"
    """Choose who runs it."""
    CREATE = "create"
    """Make a championship, a club or a player; needs no championship."""


_REFEREE = frozenset({Action.LOOK_INSIDE, Action.HAND_IN, Action.CORRECT, Action.SETTLE})
_ORGANISER = _REFEREE | {Action.RUN, Action.PUBLISH}
RIGHTS: dict[str, frozenset[Action]] = {
    Role.ORGANISER: _ORGANISER,
    Role.OWNER: _ORGANISER | {Action.CHANGE, Action.INVITE},
    Role.REFEREE: _REFEREE,
    Role.SCORER: frozenset({Action.HAND_IN}),
    Role.AUDITOR: frozenset({Action.LOOK_INSIDE}),
}
"""What each role may do in its championship, beside seeing it; a table scorer only at the tables given."""


def roles_that_may(action: Action) -> list[str]:
    """The roles that give this right in their championship."""
    return [role for role, given in RIGHTS.items() if action in given]


SCOPES: dict[Action, str] = {
    Action.SEE: Scope.READ,
    Action.LOOK_INSIDE: Scope.READ,
    Action.HAND_IN: Scope.HAND_IN,
    Action.CORRECT: Scope.HAND_IN,
}
"""The scope that a token needs for an action; every other one needs `manage`, which lets read too."""


@dataclass(frozen=True, slots=True)
class SideOfTable:
    """Whoever holds the secret link of a partie, speaking for the side at `label` (empty: not chosen yet)."""

    championship_id: int
    partie_id: int
    partie_number: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks, through what, from where.

    Without a user: whoever holds a table's link (`at`), anybody, or the program itself (`request_id` says which).
    """

    user: "User | None" = None
    token: "ApiToken | None" = None
    at: SideOfTable | None = None
    ip: str | None = None
    request_id: str = ""
    _roles: dict[int, "_Held"] = field(default_factory=dict, compare=False, repr=False)

    def learn_role(self, championship_id: int, role: str | None, tables: Any = None) -> None:
        """Remember a role that another query brought along, so that asking for it costs none."""
        self._roles[championship_id] = _Held(role, frozenset(tables or ()))

    def role_in(self, championship_id: int) -> str | None:
        """The user's role in a championship, asked for once."""
        return self._held(championship_id).role

    def tables_in(self, championship_id: int) -> frozenset[int]:
        """The numbers of the tables that a table scorer was given; none for every other role."""
        held = self._held(championship_id)
        return held.tables if held.role == Role.SCORER else frozenset()

    def _held(self, championship_id: int) -> "_Held":
        if self.user is None or self.user.pk is None:
            return _Held(None)
        if championship_id not in self._roles:
            row = Membership.objects.filter(user=self.user, championship=championship_id)
            self.learn_role(championship_id, *(row.values_list("role", "tables").first() or (None,)))
        return self._roles[championship_id]


@dataclass(frozen=True, slots=True)
class _Held:
    """A role in a championship, with the tables that it is for where it is a table scorer's."""

    role: str | None
    tables: frozenset[int] = frozenset()


ANYBODY = Actor()
"""A visitor who did not sign in."""


def may(
    actor: Actor, action: Action, championship: "Championship | None" = None, partie: "Partie | None" = None
) -> bool:
    """Whether the actor may do this; `championship` is needed for every action but `CREATE`.

    Who may hand in at given tables only may do so somewhere (no `partie`), or not at this one.
    """
    if action is not Action.CREATE and championship is None:
        raise ValueError(f"{action} needs a championship")
    if action is Action.SEE and championship is not None and championship.visibility != Visibility.DRAFT:
        return True  # what anybody may see, every token may see too
    if not _token_allows(actor, action, championship):
        return False
    if actor.at is not None:
        return _holds_link(actor.at, action, championship, partie)
    signed_in = actor.user is not None and actor.user.is_active
    if action is Action.CREATE or championship is None:
        return signed_in and actor.user is not None and (actor.user.may_organise or actor.user.is_staff)
    if actor.user is None or not signed_in:
        return False
    if actor.user.is_staff and action in (Action.SEE, Action.LOOK_INSIDE):
        return True
    role = actor.role_in(championship.pk)
    if role is None or (action is not Action.SEE and action not in RIGHTS[role]):
        return False
    if role == Role.SCORER and partie is not None and action is not Action.SEE:
        return partie.table_number in actor.tables_in(championship.pk)
    return True


def _holds_link(at: SideOfTable, action: Action, championship: "Championship | None", partie: "Partie | None") -> bool:
    if championship is None or championship.pk != at.championship_id:
        return False
    if action is Action.SEE:
        return True
    return action is Action.HAND_IN and (partie is None or partie.pk == at.partie_id)


def _token_allows(actor: Actor, action: Action, championship: "Championship | None") -> bool:
    if actor.token is None:
        return True
    if actor.token.championship_id is not None and (
        championship is None or championship.pk != actor.token.championship_id
    ):
        return False
    return gives(actor.token, SCOPES.get(action, Scope.MANAGE))


def gives(token: "ApiToken", scope: str) -> bool:
    """Whether a token may be used for what this scope is for: who manages something must be able to read it."""
    return scope in token.scopes or (scope == Scope.READ and Scope.MANAGE in token.scopes)


def may_see_drafts(actor: Actor, championship: "Championship") -> bool:
    """Whether the actor may see a round that is being drawn: who runs the championship, by a token that reads too."""
    if may(actor, Action.RUN, championship):
        return True
    return actor.role_in(championship.pk) in roles_that_may(Action.RUN) and may(actor, Action.LOOK_INSIDE, championship)


def require(
    actor: Actor, action: Action, championship: "Championship | None" = None, partie: "Partie | None" = None
) -> None:
    """Raise NotFound if the actor may not even know of the championship, NotPermitted if it may not do this."""
    if may(actor, action, championship, partie):
        return
    if championship is not None and action is not Action.SEE and may(actor, Action.SEE, championship):
        raise NotPermitted
    raise NotFound if championship is not None else NotPermitted


def owns_circuit(actor: Actor, circuit: "Circuit") -> bool:
    """Whether the actor may change a circuit and publish its ranking: whoever made it, by a token that manages too."""
    user = actor.user
    return _token_of_account_has(actor, Scope.MANAGE) and user is not None and user.pk == circuit.owner_id


def may_look_in_circuit(actor: Actor, circuit: "Circuit") -> bool:
    """Whether the actor may see a circuit in draft, and how it is made: its owner, and staff, by a token that reads."""
    user = actor.user
    if owns_circuit(actor, circuit):
        return True
    if user is None or not _token_of_account_has(actor, Scope.READ):
        return False
    return user.is_staff or user.pk == circuit.owner_id


def _token_of_account_has(actor: Actor, scope: str) -> bool:
    """Whether somebody is signed in, or has a token of this scope that is bound to no championship."""
    if actor.user is None or not actor.user.is_active:
        return False
    return actor.token is None or (actor.token.championship_id is None and gives(actor.token, scope))


def require_circuit(actor: Actor, circuit: "Circuit", *, to_look: bool = False) -> None:
    """Raise NotPermitted unless the actor owns the circuit; `to_look`: unless they may look inside of it."""
    if not (may_look_in_circuit(actor, circuit) if to_look else owns_circuit(actor, circuit)):
        raise NotPermitted
