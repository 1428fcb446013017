"""Who plays in a round that is to be drawn: neither withdrawn nor announced as absent, and here if that is asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Q

from league.models import Absence, Bye, Championship, Entry, Format, PartieStatus, Seat, Stage

PLAY: Final = "play"
ABSENT: Final = "absent"
UNCHECKED: Final = (PLAY, ABSENT)
"""What those do who neither checked in nor have played yet."""


@dataclass(frozen=True, slots=True)
class Present:
    """An entry before a draw. `absent`: announced for that round; `here`: checked in.

    `late`: has not played yet, and had no bye; in a mêlée one plays as a partner too.
    """

    id: int
    number: int
    team: str
    absent: bool
    here: bool
    late: bool

    @property
    def is_awaited(self) -> bool:
        """Whether nothing says that it is there: not checked in, and has not played."""
        return self.late and not self.here


def presence(*, championship: Championship, round_number: int, stage: Stage | None = None) -> list[Present]:
    """The entries that did not withdraw, by number; those of a stage alone where it takes nobody in. One query."""
    away = Absence.objects.filter(entry=OuterRef("pk"), round=round_number)
    seats = Seat.objects.filter(Q(entry=OuterRef("pk")) | Q(partner=OuterRef("pk")))
    sat = seats.exclude(partie__status=PartieStatus.VOID)
    rows = Entry.objects.filter(championship=championship, withdrawn_at__isnull=True)
    if stage is not None and not takes_late(stage):
        rows = rows.filter(stages__stage=stage)
    found = (
        rows.annotate(away=Exists(away), sat=Exists(sat) | Exists(Bye.objects.filter(entry=OuterRef("pk"))))
        .order_by("number")
        .values_list("id", "number", "team__name", "away", "checked_in_at", "sat")
    )
    return [Present(id_, number, team, away, here is not None, not sat) for id_, number, team, away, here, sat in found]


def takes_late(stage: Stage) -> bool:
    """Whether entries that come now can still play in a stage: it has not begun, or it is a first one without a plan
    of who meets whom."""
    return stage.number == 1 and (stage.started_at is None or stage.format in (Format.SWISS, Format.FREE))


def who_plays(
    *, championship: Championship, round_number: int, numbers: Iterable[int], unchecked: str
) -> tuple[list[int], list[int]]:
    """Of these entries those who play and those who are absent, each by number. One query.

    Where nobody at all has checked in, there is no check-in: everybody counts as here. Whoever has played is here too.
    """
    wanted = set(numbers)
    found = presence(championship=championship, round_number=round_number)
    asked = unchecked == ABSENT and any(one.here for one in found)
    away = {one.number for one in found if one.absent or (asked and one.is_awaited)}
    return sorted(wanted - away), sorted(wanted & away)
