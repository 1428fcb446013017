"""The clock of a round as everybody may see it: told by the server, so that no device's own clock matters."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from league.models import Championship, Round, RoundStatus


@dataclass(frozen=True, slots=True)
class ClockView:
    """The clock of a round at `now`, the server's time.

    `state`: "off" (no minutes chosen), "ready" (not started), "running", "paused" or "over". `seconds_left` None when
    off; `ends_at` only while it runs. `at_end`: what becomes of the manche under way, "finish" or "stop".
    """

    round: int
    state: str
    seconds_left: int | None
    ends_at: datetime | None
    minutes: int | None
    at_end: str
    now: datetime
    version: int

    @property
    def shown(self) -> str:
        """Minutes and seconds, as a clock shows them."""
        left = self.seconds_left or 0
        return f"{left // 60}:{left % 60:02}"


def round_clock(*, championship: Championship, round_number: int | None = None) -> ClockView | None:
    """The clock of a published round, the last one unless a number is given; None without such a round. One query."""
    rounds = Round.objects.filter(championship=championship).exclude(status=RoundStatus.DRAFT)
    if round_number is not None:
        rounds = rounds.filter(number=round_number)
    round_ = rounds.order_by("-number").defer("pairing").first()
    return clock_of(round_) if round_ is not None else None


def clock_of(round_: Round, now: datetime | None = None) -> ClockView:
    """The clock of a round. No query."""
    now = now or timezone.now()
    left = seconds_left(round_, now)
    if left is None:
        left = 60 * round_.clock_minutes if round_.clock_minutes is not None else None
        state = "off" if left is None else "ready"
    elif left == 0:
        state = "over"
    else:
        state = "running" if round_.clock_started_at is not None else "paused"
    return ClockView(
        round=round_.number,
        state=state,
        seconds_left=left,
        ends_at=now + timedelta(seconds=left) if state == "running" and left is not None else None,
        minutes=round_.clock_minutes,
        at_end=round_.clock_at_end,
        now=now,
        version=round_.version,
    )


def seconds_left(round_: Round, now: datetime) -> int | None:
    """Whole seconds left of a clock that was started once, None before; never below 0."""
    if round_.clock_left is None or round_.clock_started_at is None:
        return round_.clock_left
    gone = (now - round_.clock_started_at).total_seconds()
    return max(0, round(round_.clock_left - gone))
