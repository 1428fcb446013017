"""Who enters what at a table: which manche a side may hand in now, and what is said of it afterwards."""

from django.contrib import messages
from django.urls import reverse
from django.utils.translation import gettext as _

from league.models import Confirmation, Manche, MancheStatus, PartieStatus, ResultState, SettledHow
from league.services.hand_in_answers import HandIn
from league.services.second_entries import is_second
from league.web.sheet.entry import Came
from league.web.tables.visit import Visit, takes_results


def may_enter(request: Visit, manche: Manche) -> bool:
    """Whether this side may hand in for a manche now: a new result, a second entry, or its own anew."""
    current = manche.current
    if not takes_results(request.partie) or not request.side or manche.status == MancheStatus.VOID:
        return False
    if current is None or is_blind(request, manche) or current.settled_how == SettledHow.ANOTHER_SHEET:
        return True
    return current.by_side == request.side and current.state != ResultState.CONFIRMED and not _both_stay(manche)


def is_blind(request: Visit, manche: Manche) -> bool:
    """Whether this side enters the manche as the second, without seeing the first."""
    return is_second(request.actor, request.partie.championship, manche.current, None)


def _both_stay(manche: Manche) -> bool:
    """Whether two blind entries differ: which one is right is for a referee."""
    current, championship = manche.current, manche.partie.championship
    return (
        current is not None
        and current.state == ResultState.CONTESTED
        and championship.confirmation == Confirmation.SECOND_ENTRY
    )


def after_hand_in(request: Visit, answer: HandIn) -> Came:
    """What a side is told after a hand-in; it goes back to its table."""
    said, level = _said(request, answer)
    return Came(said, level, reverse("table", args=[request.code]))


def _said(request: Visit, answer: HandIn) -> tuple[str, int]:
    if answer.outcome == "repeated":
        return _("This is what stands already."), messages.INFO
    if answer.state == ResultState.DIFFERS:
        said = _("Recorded. The totals that you announced are not what the cards come to: a referee settles that.")
        return said, messages.WARNING
    if answer.state == ResultState.CONTESTED:
        said = _("Recorded. It differs from what was entered first: both are shown, and a referee decides.")
        return said, messages.WARNING
    if answer.outcome == "second":
        return _over(answer) or _("Recorded. Both entries agree: the manche counts."), messages.SUCCESS
    if answer.state == ResultState.CONFIRMED:
        return _over(answer) or _("Recorded: the manche counts."), messages.SUCCESS
    waits_for = {
        Confirmation.OPPONENT: _("Recorded. It counts once another side of the table has confirmed it."),
        Confirmation.SECOND_ENTRY: _("Recorded. It counts once somebody else has entered the same."),
    }
    confirmation = Confirmation(request.partie.championship.confirmation)
    return waits_for.get(confirmation, _("Recorded. It counts once an organiser has confirmed it.")), messages.SUCCESS


def _over(answer: HandIn) -> str:
    return _("Recorded, and the partie is over.") if answer.partie_status == PartieStatus.CLOSED else ""
