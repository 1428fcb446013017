"""Who announces not to play a round, before it is drawn (STANDINGS 2: 0 match points, nothing else)."""

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, UserFault
from league.models import Absence, Championship, Round, RoundStatus
from league.policy import Actor
from league.selectors.stages import last_round_number
from league.services import audit
from league.services.entries import locked_entry
from league.services.parties import check_round

MOST_AT_ONCE = 20


@transaction.atomic
def announce_absence(
    *,
    actor: Actor,
    entry_id: int,
    first: int,
    last: int | None = None,
) -> list[int]:
    """Note that an entry does not play the rounds from `first` to `last` (`first` alone without); those newly noted.

    A draft that was drawn with it still seats it: draw it again. Raises NotFound; UserFault `bad-round`, `withdrawn`;
    Conflict `finished`, `round-published`.
    """
    championship, entry = locked_entry(entry_id)
    until = first if last is None else last
    for number in (first, until):
        check_round(number)
    if not first <= until < first + MOST_AT_ONCE:
        message = _("Give rounds in their order, at most %(most)s of them.") % {"most": MOST_AT_ONCE}
        raise UserFault("bad-round", message, field="last")
    if entry.withdrawn_at is not None:
        raise UserFault("withdrawn", _("This entry has withdrawn."), field="entry")
    _refuse_drawn(championship, first)
    noted = []
    for number in range(first, until + 1):
        absence, made = Absence.objects.get_or_create(
            championship=championship, round=number, entry=entry, defaults={"by": actor.user}
        )
        if made:
            noted.append(number)
            after = {"round": number, "entry": entry.number}
            audit.record(actor=actor, action="announce_absence", on=absence, championship=championship, after=after)
    return noted


@transaction.atomic
def take_absence_back(*, actor: Actor, entry_id: int, round_number: int) -> None:
    """Let an entry play a round after all; without an absence nothing happens. Raises NotFound, `round-published`."""
    championship, entry = locked_entry(entry_id)
    absence = Absence.objects.filter(championship=championship, round=round_number, entry=entry).first()
    if absence is None:
        return
    _refuse_drawn(championship, round_number)
    before = {"round": round_number, "entry": entry.number}
    audit.record(actor=actor, action="take_absence_back", on=absence, championship=championship, before=before)
    absence.delete()


def _refuse_drawn(championship: Championship, number: int) -> None:
    """A round that is published is what it is; one that is a draft can still change."""
    drafts = Round.objects.filter(championship=championship, number=number, status=RoundStatus.DRAFT)
    if number <= last_round_number(championship) and not drafts.exists():
        message = _("Round %(number)s has begun: rule a forfeit, or reopen it.") % {"number": number}
        raise Conflict("round-published", message, field="first")
