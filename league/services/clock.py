"""The clock of a round: started, paused, given more time, stopped.

The row keeps when it was started and how many seconds were left then, so that every device works out the same time from
the server's.
"""

from collections.abc import Callable
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault
from league.models import Round, RoundStatus
from league.policy import Actor
from league.selectors.clock import seconds_left
from league.services import audit
from league.services.locks import check_version, lock_championship

MOST_MINUTES: Final = 600


@transaction.atomic
def set_clock(*, actor: Actor, round_id: int, version: int | None, minutes: int, at_end: str) -> Round:
    """Choose how long a round lasts and what becomes of the manche under way then; the clock goes back to the start.

    Raises NotFound, Stale, UserFault `bad-minutes`, Conflict `not-published`.
    """
    _check_minutes(minutes)

    def change(round_: Round) -> None:
        round_.clock_minutes, round_.clock_at_end = minutes, at_end
        round_.clock_started_at, round_.clock_left = None, None

    return _change(actor, round_id, version, "set_clock", change)


@transaction.atomic
def start_clock(*, actor: Actor, round_id: int, version: int | None = None) -> Round:
    """Start the clock, or let it go on; a running one stays. Raises NotFound, Stale, UserFault `bad-minutes`."""

    def change(round_: Round) -> None:
        if round_.clock_started_at is not None:
            return
        if round_.clock_left is None:
            if round_.clock_minutes is None:
                raise UserFault("bad-minutes", _("Say first how many minutes the round lasts."), field="minutes")
            round_.clock_left = 60 * round_.clock_minutes
        round_.clock_started_at = timezone.now()

    return _change(actor, round_id, version, "start_clock", change)


@transaction.atomic
def pause_clock(*, actor: Actor, round_id: int, version: int | None = None) -> Round:
    """Hold the clock. One that does not run stays as it is. Raises NotFound, Stale."""

    def change(round_: Round) -> None:
        if round_.clock_started_at is not None:
            round_.clock_left, round_.clock_started_at = seconds_left(round_, timezone.now()), None

    return _change(actor, round_id, version, "pause_clock", change)


@transaction.atomic
def add_minutes(*, actor: Actor, round_id: int, version: int | None, minutes: int) -> Round:
    """Give more time, also when it is up. Raises NotFound, Stale, UserFault `bad-minutes`."""
    _check_minutes(minutes)

    def change(round_: Round) -> None:
        now = timezone.now()
        left = seconds_left(round_, now)
        if left is None:
            left = 60 * (round_.clock_minutes or 0)
        round_.clock_left = left + 60 * minutes
        if round_.clock_started_at is not None:
            round_.clock_started_at = now

    return _change(actor, round_id, version, "add_minutes", change)


@transaction.atomic
def stop_clock(*, actor: Actor, round_id: int, version: int | None = None) -> Round:
    """Let the time be up at once. Raises NotFound, Stale."""

    def change(round_: Round) -> None:
        round_.clock_left, round_.clock_started_at = 0, None

    return _change(actor, round_id, version, "stop_clock", change)


def _check_minutes(minutes: int) -> None:
    if not 1 <= minutes <= MOST_MINUTES:
        message = _("Give a whole number from 1 to %(most)s.") % {"most": MOST_MINUTES}
        raise UserFault("bad-minutes", message, field="minutes")


_FIELDS: Final = ("clock_minutes", "clock_at_end", "clock_started_at", "clock_left")


def _change(actor: Actor, round_id: int, version: int | None, action: str, change: Callable[[Round], None]) -> Round:
    championship = lock_championship(rounds=round_id)
    round_ = Round.objects.filter(pk=round_id).first()
    if round_ is None:
        raise NotFound
    check_version(round_, version)
    if round_.status == RoundStatus.DRAFT:
        raise Conflict("not-published", _("This round is still a draft."))
    before = audit.state(round_, _FIELDS)
    change(round_)
    was, now = audit.changes(before, audit.state(round_, _FIELDS))
    if not now:
        return round_
    round_.version += 1
    round_.save(update_fields=[*_FIELDS, "version"])
    audit.record(actor=actor, action=action, on=round_, championship=championship, before=was, after=now)
    return round_
