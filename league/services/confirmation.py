"""What the other side of a table says of a result: that it is so, or that it is not; and all that agree, accepted.

The side that handed in does not confirm itself; it corrects (`league.services.results`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, NotPermitted, UserFault
from league.models import Confirmation, Dispute, Manche, Result, ResultState
from league.policy import Actor
from league.services import audit
from league.services.dispute_rows import open_dispute, open_dispute_of
from league.services.disputes import add_message, asked_text
from league.services.progress import Table
from league.services.rulings import confirm, let_count, locked
from league.services.sides import check_side, require_side_open


@transaction.atomic
def confirm_as_side(*, actor: Actor, manche_id: int, version: int) -> Result:
    """Another side of the table agrees: the result counts. Confirming it again changes nothing.

    What somebody with an account has entered, any side may confirm. Raises NotFound, NotPermitted, UserFault
    `side-required`, Conflict `result-changed`, `partie-over`, `not-for-sides`, `own-result`, `contested`,
    `unsettled-claim`.
    """
    table, manche, result = locked(manche_id, version)
    label = _side(actor, table)
    if result.state == ResultState.CONFIRMED:
        return result
    require_side_open(actor, table)
    if table.championship.confirmation != Confirmation.OPPONENT:
        raise Conflict("not-for-sides", _("In this championship the other side is not asked to confirm."))
    _refuse_own(result, label)
    if result.state == ResultState.CONTESTED:
        raise Conflict("contested", _("This result is contested: a referee decides."))
    if result.state != ResultState.PENDING:
        message = _("The claim differs from the computed score: a referee settles that first.")
        raise Conflict("unsettled-claim", message)
    return let_count(actor, table, manche, result, "confirm", "")


@transaction.atomic
def contest(*, actor: Actor, manche_id: int, version: int, text: str) -> Dispute:
    """Another side says that a result is not right: it counts no more on its own, a dispute is open.

    `text` is its first message. Where it is contested already, the text is added to the thread. Raises as
    `confirm_as_side`, and UserFault `required`, `too-long`, Conflict `nothing-to-contest`.
    """
    said = asked_text(text)
    table, manche, result = locked(manche_id, version)
    label = _side(actor, table)
    require_side_open(actor, table)
    dispute = open_dispute_of(manche)
    if dispute is not None:
        add_message(actor, dispute, said)
        return dispute
    if table.championship.confirmation == Confirmation.SECOND_ENTRY:
        raise Conflict("not-for-sides", _("Enter the manche too: where both differ, a referee decides."))
    _refuse_own(result, label)
    if result.state != ResultState.PENDING:
        raise Conflict("nothing-to-contest", _("This result does not wait for you: speak to a referee."))
    before = {"state": str(result.state)}
    result.state = ResultState.CONTESTED
    result.save(update_fields=["state"])
    dispute = open_dispute(actor, result, said)
    audit.record(
        actor=actor,
        action="contest",
        on=result,
        championship=table.championship,
        before=before,
        after={"state": str(result.state), "version": result.version},
        reason=said[:300],
    )
    return dispute


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of one result of those that were to be accepted together; `fault`: why it was not."""

    manche_id: int
    fault: str = ""


def accept_all(*, actor: Actor, championship_id: int, seen: Iterable[tuple[int, int]]) -> list[Accepted]:
    """Confirm the results that the actor has seen listed, each in a transaction of its own: (manche id, version).

    What was contested or corrected meanwhile is left as it is, and said; manches of other championships are left out.
    """
    asked = list(seen)
    own = Manche.objects.filter(partie__championship=championship_id, pk__in=[manche_id for manche_id, _v in asked])
    known = set(own.values_list("pk", flat=True))
    return [_accept_one(actor, manche_id, version) for manche_id, version in asked if manche_id in known]


def _accept_one(actor: Actor, manche_id: int, version: int) -> Accepted:
    try:
        confirm(actor=actor, manche_id=manche_id, version=version)
    except UserFault as fault:
        return Accepted(manche_id, str(fault.message))
    return Accepted(manche_id)


def _side(actor: Actor, table: Table) -> str:
    label = check_side(actor, table)
    if not label:
        raise NotPermitted
    return label


def _refuse_own(result: Result, label: str) -> None:
    if result.by_side == label:
        message = _("Your side has handed this in: another side of the table confirms it. You can still correct it.")
        raise Conflict("own-result", message)
