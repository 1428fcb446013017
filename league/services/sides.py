"""Who speaks at a table: a side of it, by the secret link, or somebody with an account."""

from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault
from league.models import Confirmation, PartieStatus
from league.policy import Actor
from league.services.progress import Table


def side_of(actor: Actor) -> str:
    """The label of the side that the actor speaks for, empty for somebody with an account."""
    return actor.at.label if actor.at is not None else ""


def check_side(actor: Actor, table: Table) -> str:
    """The label of the side, which must sit at this table; empty for somebody with an account.

    Raises NotFound where the link is another table's, UserFault `side-required` while no side was chosen.
    """
    if actor.at is None:
        return ""
    if actor.at.partie_id != table.partie.pk:
        raise NotFound
    if actor.at.label not in [seat.label for seat in table.seats]:
        raise UserFault("side-required", _("Say first for which side of the table you speak."), field="side")
    return actor.at.label


def require_side_open(actor: Actor, table: Table) -> None:
    """Raise Conflict `partie-over` or `at-the-desk` where a table's link is good for reading only.

    Where results count at once nobody would look at what a table sends: there they are entered by those who run the
    championship.
    """
    if actor.at is None:
        return
    if table.partie.status != PartieStatus.OPEN:
        raise Conflict("partie-over", _("The partie is over: what is wrong, the referee puts right."))
    if table.championship.confirmation == Confirmation.AT_ONCE:
        raise Conflict("at-the-desk", _("In this championship the organisers enter the results: hand them the sheet."))


def is_same_person(actor: Actor, user_id: int | None, side: str) -> bool:
    """Whether whoever did something before, by an account or for a side, is the one who asks now."""
    if actor.user is not None and user_id == actor.user.pk:
        return True
    return side != "" and side == side_of(actor)
