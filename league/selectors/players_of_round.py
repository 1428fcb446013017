"""Who plays in a round that is to be drawn: neither withdrawn nor announced as absent, and here if that is asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef

from league.models import Absence, Championship, Entry, Seat

PLAY: Final = "play"
ABSENT: Final = "absent"
UNCHECKED: Final = (PLAY, ABSENT)
"""What those do who did not check in."""


@dataclass(frozen=True, slots=True)
class Present:
    """An entry before a draw. `absent`: announced for that round; `here`: checked in; `late`: has not played yet."""

    id: int
    number: int
    team: str
    absent: bool
    here: bool
    late: bool


def presence(*, championship: Championship, round_number: int) -> list[Present]:
    """The entries that did not withdraw, by number. One query."""
    away = Absence.objects.filter(entry=OuterRef("pk"), round=round_number)
    sat = Seat.objects.filter(entry=OuterRef("pk"))
    rows = (
        Entry.objects.filter(championship=championship, withdrawn_at__isnull=True)
        .annotate(away=Exists(away), sat=Exists(sat))
        .order_by("number")
        .values_list("id", "number", "team__name", "away", "checked_in_at", "sat")
    )
    return [Present(id_, number, team, away, here is not None, not sat) for id_, number, team, away, here, sat in rows]


def who_plays(
    *, championship: Championship, round_number: int, numbers: Iterable[int], unchecked: str
) -> tuple[list[int], list[int]]:
    """Of these entries those who play and those who are absent, each by number. One query.

    Where nobody at all has checked in, there is no check-in: everybody counts as here.
    """
    wanted = set(numbers)
    found = presence(championship=championship, round_number=round_number)
    asked = unchecked == ABSENT and any(one.here for one in found)
    away = {one.number for one in found if one.absent or (asked and not one.here)}
    return sorted(wanted - away), sorted(wanted & away)
