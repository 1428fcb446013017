"""Who may do what through the API, written down once more: what the tables of rights are held against.

Nothing is taken from league.policy. A route and method needs one of the `NEEDS`; from that, who asks by what, and how
visible the championship is, `expected` says what must come.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

OK: Final = "done"
"""Done, or refused for a reason that is none of rights: a conflict, a fault in what was sent."""

READ, HAND_IN, MANAGE = "read", "hand_in", "manage"
HERE, ELSEWHERE = "here", "elsewhere"
PUBLIC, UNLISTED, DRAFT = "public", "unlisted", "draft"

_REFEREE: Final = frozenset({"see", "look", "hand-in", "correct", "settle"})
_ORGANISER: Final = _REFEREE | {"run", "publish"}
RIGHTS: Final[dict[str, frozenset[str]]] = {
    "owner": _ORGANISER | {"change"},
    "organiser": _ORGANISER,
    "referee": _REFEREE,
    "scorer": frozenset({"see", "hand-in"}),
    "auditor": frozenset({"see", "look"}),
    "staff": frozenset({"see", "look"}),
    "player": frozenset(),
    "organiser elsewhere": frozenset(),
    "stranger": frozenset(),
    "anonymous": frozenset(),
}
"""What each actor may do in the championship. The player's profile is one of it, and theirs."""

MAY_CREATE: Final = ("owner", "organiser elsewhere", "staff")
SCOPE_OF: Final = {"see": READ, "look": READ, "hand-in": HAND_IN, "correct": HAND_IN}
"""The scope that a right needs; every other one needs `manage`."""


@dataclass(frozen=True, slots=True)
class Asks:
    """An actor, by a token of these scopes for one championship or any, or by the session of a browser (no scopes)."""

    actor: str
    scopes: frozenset[str] | None = None
    only: str | None = None

    def __str__(self) -> str:
        by = "session" if self.scopes is None else "+".join(sorted(self.scopes))
        return f"{self.actor}, {by}" + (f" only {self.only}" if self.only else "")

    def has(self, scope: str) -> bool:
        """Whether this way of asking reaches so far: who manages something may read it."""
        return self.scopes is None or scope in self.scopes or (scope == READ and MANAGE in self.scopes)

    def may(self, right: str) -> bool:
        """Whether the actor may do this in the championship, asking so."""
        reaches = self.only != ELSEWHERE and self.has(SCOPE_OF.get(right, MANAGE))
        return reaches and right in RIGHTS[self.actor]


Expected = int | str
Rule = Callable[[Asks, str], Expected]


def _sees(asks: Asks, visibility: str) -> bool:
    return visibility != DRAFT or asks.may("see")


def _in_championship(*rights: str) -> Rule:
    """One of these rights in the championship; it is not there for who may not see it."""

    def rule(asks: Asks, visibility: str) -> Expected:
        if not _sees(asks, visibility):
            return 404
        return OK if any(map(asks.may, rights)) else 403

    return rule


def _see(asks: Asks, visibility: str) -> Expected:
    return OK if _sees(asks, visibility) else 404


def _draws(asks: Asks) -> bool:
    return asks.only != ELSEWHERE and asks.has(READ) and "run" in RIGHTS[asks.actor]


def _see_draws(asks: Asks, visibility: str) -> Expected:
    return 404 if not _sees(asks, visibility) else OK if _draws(asks) else 403


def _see_draft_round(asks: Asks, _visibility: str) -> Expected:
    return OK if _draws(asks) else 404


def _anybody(_asks: Asks, _visibility: str) -> Expected:
    return OK


def _signed_in(asks: Asks, _visibility: str) -> Expected:
    return 401 if asks.actor == "anonymous" else OK


def _signed_in_sees(asks: Asks, visibility: str) -> Expected:
    return 401 if asks.actor == "anonymous" else _see(asks, visibility)


def _own_batch(asks: Asks, _visibility: str) -> Expected:
    if asks.actor == "anonymous":
        return 401
    return OK if asks.actor == "owner" and asks.only != ELSEWHERE and asks.has(READ) else 404


def _sees_player(asks: Asks, visibility: str) -> bool:
    return visibility != DRAFT or asks.may("look") or (asks.actor == "staff" and not asks.only and asks.has(READ))


def _see_player(asks: Asks, visibility: str) -> Expected:
    return OK if _sees_player(asks, visibility) else 404


def _player_of(*actors: str) -> Rule:
    """These actors, staff only by what reaches beyond a championship."""

    def rule(asks: Asks, visibility: str) -> Expected:
        reaches = asks.only is None or (asks.only == HERE and asks.actor != "staff")
        if asks.actor in actors and reaches:
            return OK
        return 403 if _sees_player(asks, visibility) else 404

    return rule


def _of_account(*actors: str) -> Rule:
    """These actors, by what is bound to no championship."""

    def rule(asks: Asks, _visibility: str) -> Expected:
        return OK if asks.actor in actors and asks.only is None else 403

    return rule


def _look_in_circuit(asks: Asks, _visibility: str) -> Expected:
    return OK if asks.actor in ("owner", "staff") and asks.only is None and asks.has(READ) else 403


@dataclass(frozen=True, slots=True)
class Need:
    """What a method needs: the scopes of which a token must have one if it writes, and the rule for the rest."""

    rule: Rule
    scopes: frozenset[str] = frozenset()


def _writing(rule: Rule, *scopes: str) -> Need:
    return Need(rule, frozenset(scopes))


NEEDS: Final[dict[str, Need]] = {
    # reads
    "anybody": Need(_anybody),
    "see": Need(_see),
    "look inside": Need(_in_championship("look")),
    "see draws": Need(_see_draws),
    "see a draft": Need(_see_draft_round),
    "read as who settles": Need(_in_championship("settle")),
    "read as who changes": Need(_in_championship("change")),
    "be signed in": Need(_signed_in),
    "be signed in and see": Need(_signed_in_sees),
    "have sent the batch": Need(_own_batch),
    "see the player": Need(_see_player),
    "look into the circuit": Need(_look_in_circuit),
    # writes
    "hand in": _writing(_in_championship("hand-in"), HAND_IN),
    "correct": _writing(_in_championship("correct"), HAND_IN),
    "settle": _writing(_in_championship("settle"), MANAGE),
    "run": _writing(_in_championship("run"), MANAGE),
    "publish": _writing(_in_championship("publish"), MANAGE),
    "change": _writing(_in_championship("change"), MANAGE),
    "send a batch": _writing(_in_championship("hand-in", "run"), HAND_IN, MANAGE),
    "stop the batch": _writing(_own_batch, HAND_IN, MANAGE),
    "create": _writing(_of_account(*MAY_CREATE), MANAGE),
    "have made the club": _writing(_of_account("owner", "staff"), MANAGE),
    "own the circuit": _writing(_of_account("owner"), MANAGE),
    "run one of the player's": _writing(_player_of("owner", "organiser", "staff"), MANAGE),
    "own one of the player's": _writing(_player_of("owner", "staff"), MANAGE),
}


def expected(need: str, asks: Asks, visibility: str) -> Expected:
    """`OK`, 401, 403 or 404. A session never writes, and a token does what it was made for: that is asked first."""
    needed = NEEDS[need]
    if needed.scopes:
        if asks.scopes is None:
            return 401
        if not needed.scopes & asks.scopes:
            return 403
    return needed.rule(asks, visibility)
