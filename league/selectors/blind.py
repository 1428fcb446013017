"""What a blind second entry must not see: the figures of the first, until both agree or differ (DESIGN 2.4).

Nobody sees them meanwhile but whoever looks inside a championship, who is not to be the second then.
"""

from league.models import Championship, Confirmation, Result, ResultState
from league.policy import Action, Actor, may
from league.services.sides import is_same_person


def hides_figures(championship: Championship, current_state: str | None) -> bool:
    """Whether what was handed in for a manche is not shown while its current result is in this state."""
    return championship.confirmation == Confirmation.SECOND_ENTRY and current_state == ResultState.PENDING


def is_shown(championship: Championship, result: Result, current_state: str | None) -> bool:
    """Whether a version is shown all the same: one that counted before it was corrected is known to everybody."""
    return result.confirmed_at is not None or not hides_figures(championship, current_state)


def sees_figures(actor: Actor, championship: Championship, result: Result | None) -> bool:
    """Whether the actor may see the result that stands: it is shown, or their own, or they look inside."""
    if result is None or not hides_figures(championship, result.state):
        return True
    return is_same_person(actor, result.by_id, result.by_side) or may(actor, Action.LOOK_INSIDE, championship)
