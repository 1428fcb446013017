"""Roles: what somebody is to a championship, changed; and the tables that a table scorer is given."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault
from league.models import Championship, Membership, Role
from league.policy import Actor
from league.services import audit
from league.services.locks import lock_championship

_MOST_TABLES = 200
_LARGEST = 9999


def asked_role(role: str, tables: Iterable[Any]) -> tuple[str, list[int]]:
    """A role with its tables, sorted, each once; no other role than a table scorer has any.

    Raises UserFault `unknown-choice`, `tables-missing`, `bad-table-number`.
    """
    if role not in Role.values:
        raise UserFault("unknown-choice", _("Choose one of the list."), field="role")
    if role != Role.SCORER:
        return role, []
    numbers = sorted(set(tables))
    if not numbers:
        message = _("Say at which tables: their numbers.")
        raise UserFault("tables-missing", message, field="tables")
    if len(numbers) > _MOST_TABLES or not all(type(n) is int and 1 <= n <= _LARGEST for n in numbers):
        message = _("Tables are counted from 1 to %(most)s.") % {"most": _LARGEST}
        raise UserFault("bad-table-number", message, field="tables")
    return role, numbers


@transaction.atomic
def change_role(*, actor: Actor, membership_id: int, role: str, tables: Iterable[Any] = ()) -> Membership:
    """Give somebody who runs a championship another role, or a table scorer other tables.

    Raises NotFound, what `asked_role` raises, Conflict `last-owner`.
    """
    championship = lock_championship(memberships=membership_id)
    membership = Membership.objects.filter(pk=membership_id).first()
    if membership is None:  # somebody took it away before the lock was had
        raise NotFound
    new, numbers = asked_role(role, tables)
    before = audit.state(membership, ("user_id", "role", "tables"))
    if (membership.role, membership.tables) == (new, numbers):
        return membership
    if new != Role.OWNER:
        keep_an_owner(championship, membership)
    membership.role, membership.tables = new, numbers
    membership.save(update_fields=["role", "tables"])
    after = audit.state(membership, ("user_id", "role", "tables"))
    audit.record(
        actor=actor, action="change_role", on=membership, championship=championship, before=before, after=after
    )
    return membership


def keep_an_owner(championship: Championship, leaving: Membership) -> None:
    """Raise Conflict `last-owner` if nobody else owns the locked championship."""
    owners = Membership.objects.filter(championship=championship, role=Role.OWNER)
    if leaving.role == Role.OWNER and owners.count() == 1:
        raise Conflict("last-owner", _("A championship keeps at least one owner."))
