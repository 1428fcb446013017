"""What services do to batches, to misplaced results and to roles, for the test that each of it is written down."""

from collections.abc import Callable
from typing import Any

from league.models import Membership, Role
from league.services import accounts, batches, moving, roles
from league.services.batches import Line
from tests.factories import PartieFactory, UserFactory

Tried = Callable[[Any], Any]


def _moved(hall: Any) -> Any:
    goal = PartieFactory(championship=hall.championship)
    return hall.handed_in().on_manche(moving.move_result, partie_number=goal.number, manche_number=1, reason="R")


def _turned(hall: Any) -> Any:
    return hall.handed_in().on_manche(moving.turn_result, sides={"A": "B", "B": "A"}, reason="R")


def _another_role(hall: Any) -> Any:
    membership = Membership.objects.create(user=UserFactory(), championship=hall.championship, role=Role.ORGANISER)
    return hall.do(roles.change_role, membership_id=membership.pk, role=Role.SCORER, tables=[3])


def _sent(hall: Any) -> Any:
    lines = [Line(1, b"{}")]
    return hall.do(batches.send_batch, championship=hall.championship, lines=lines, lanes=1, language="en")


def _stopped(hall: Any) -> Any:
    return hall.do(batches.cancel_batch, batch_id=_sent(hall).pk)


def _not_invited(hall: Any) -> Any:
    invitation, _token = hall.on_championship(accounts.invite, email="new@example.org", link=str)
    return hall.do(accounts.withdraw_invitation, invitation_id=invitation.pk)


DONE: dict[str, Tried] = {
    "cancel_batch": _stopped,
    "change_role": _another_role,
    "move_result": _moved,
    "send_batch": _sent,
    "turn_result": _turned,
    "withdraw_invitation": _not_invited,
}
MADE_ANEW = {"move_result": "take_back_result", "turn_result": "correct"}
