"""Who is there on the day: entries checked in at the door, and out again. It changes no ranking."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound
from league.models import Entry
from league.policy import Actor
from league.services import audit
from league.services.championships import require_running
from league.services.locks import lock_championship


@transaction.atomic
def check_in(*, actor: Actor, entry_id: int) -> Entry:
    """Note that an entry is there. Checked in already it stays so, since then.

    Raises NotFound; Conflict `withdrawn` (it is reinstated first), `finished`.
    """
    return _noted(actor, entry_id, is_there=True)


@transaction.atomic
def check_in_all(*, actor: Actor, championship_id: int) -> int:
    """Note that every entry that has not withdrawn is there; how many were not before. Raises Conflict `finished`."""
    championship = lock_championship(pk=championship_id)
    require_running(championship)
    rows = Entry.objects.filter(championship=championship, checked_in_at__isnull=True, withdrawn_at__isnull=True)
    ids = list(rows.order_by("number").values_list("pk", flat=True))
    for entry_id in ids:
        _noted(actor, entry_id, is_there=True)
    return len(ids)


@transaction.atomic
def check_out(*, actor: Actor, entry_id: int) -> Entry:
    """Take a check-in back. Raises NotFound, Conflict `finished`."""
    return _noted(actor, entry_id, is_there=False)


def _noted(actor: Actor, entry_id: int, *, is_there: bool) -> Entry:
    championship = lock_championship(entries=entry_id)
    require_running(championship)
    entry = Entry.objects.select_related("team").filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    if is_there == (entry.checked_in_at is not None):
        return entry
    if is_there and entry.withdrawn_at is not None:
        message = _("%(team)s has withdrawn: take it back in first.") % {"team": entry.team.name}
        raise Conflict("withdrawn", message)
    before = audit.state(entry, ("checked_in_at",))
    entry.checked_in_at = timezone.now() if is_there else None
    entry.save(update_fields=["checked_in_at"])
    audit.record(
        actor=actor,
        action="check_in" if is_there else "check_out",
        on=entry,
        championship=championship,
        before=before,
        after=audit.state(entry, ("checked_in_at",)),
    )
    return entry
