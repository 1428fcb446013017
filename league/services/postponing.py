"""A table that plays later holds up neither the next round nor who sits at it; it counts as level (STANDINGS 1)."""

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound
from league.models import Partie, PartieStatus, Seat
from league.policy import Actor
from league.services import audit
from league.services.championships import require_running
from league.services.locks import check_version, lock_championship
from league.services.progress import check_seats_free
from league.services.seating import postpone
from league.services.texts import asked_reason


@transaction.atomic
def postpone_partie(*, actor: Actor, partie_id: int, version: int | None, reason: str) -> Partie:
    """Postpone an open partie. Postponing it again returns it. Raises NotFound, Stale, Conflict `not-open`."""
    championship = lock_championship(parties=partie_id)
    require_running(championship)
    why = asked_reason(reason)
    partie = Partie.objects.filter(pk=partie_id).first()
    if partie is None:
        raise NotFound
    if partie.postponed_at is not None and partie.status == PartieStatus.OPEN:
        return partie
    check_version(partie, version)
    _require_open(partie)
    postpone(actor, championship, partie, why)
    return partie


@transaction.atomic
def resume_partie(*, actor: Actor, partie_id: int, version: int | None) -> Partie:
    """Let a postponed partie be played now: its entries sit at it again.

    Results of a postponed partie are taken in all the same. Raises NotFound, Stale; Conflict `not-open`,
    `at-another-table`.
    """
    championship = lock_championship(parties=partie_id)
    require_running(championship)
    partie = Partie.objects.filter(pk=partie_id).first()
    if partie is None:
        raise NotFound
    if partie.postponed_at is None:
        return partie
    check_version(partie, version)
    _require_open(partie)
    sitting = Seat.objects.filter(partie=partie).values_list("entry_id", "partner_id")
    check_seats_free(partie, [number for pair in sitting for number in pair if number is not None])
    partie.postponed_at, partie.postponed_reason, partie.version = None, "", partie.version + 1
    partie.save(update_fields=["postponed_at", "postponed_reason", "version"])
    after = {"number": partie.number, "postponed": False}
    audit.record(actor=actor, action="resume_partie", on=partie, championship=championship, after=after)
    return partie


def _require_open(partie: Partie) -> None:
    if partie.status != PartieStatus.OPEN:
        raise Conflict("not-open", _("This partie is closed already."))
