"""Whether a form of the organisers' pages is empty whatever stands: for the second entry of a manche (DESIGN 2.4)."""

from league.models import Confirmation, Manche
from league.policy import Action, may
from league.services.second_entries import is_second
from league.web.organiser.asked import Asked


def enters_blind(request: Asked, row: Manche) -> bool:
    """Whether whoever opens the form is to enter the manche without seeing what somebody else has entered.

    Who may correct can ask for that instead (`?correct=yes`).
    """
    if row.partie.championship.confirmation != Confirmation.SECOND_ENTRY:
        return False
    if not is_second(request.actor, row.partie.championship, row.current, None):
        return False
    corrects = request.GET.get("correct") == "yes"
    return not (corrects and may(request.actor, Action.CORRECT, row.partie.championship, row.partie))
