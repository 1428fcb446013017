"""Who is there and who is missing, for the door.

Doors ask `policy.require(actor, Action.LOOK_INSIDE, championship)` first: real names stand here, hidden ones too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Prefetch, Q

from league.models import Championship, Entry, TeamMember
from league.names import fold, tidy
from league.selectors.paging import Page, paged

SIZE = 100
MISSING, HERE, ALL = "missing", "here", "all"
"""Which entries are listed."""


@dataclass(frozen=True, slots=True)
class DoorLine:
    """An entry at the door. `players`: their real names, in the order of their seats."""

    id: int
    number: int
    team: str
    players: Sequence[str]
    clubs: Sequence[str]
    here_since: datetime | None


@dataclass(frozen=True, slots=True)
class Door:
    """The entries asked for, by name, and how many of all that have not withdrawn are there."""

    page: Page[DoorLine]
    here: int
    expected: int

    @property
    def missing(self) -> int:
        """How many are not there yet."""
        return self.expected - self.here


def door(*, championship: Championship, show: str = MISSING, text: str = "", number: int = 1) -> Door:
    """The entries to check in. `text`: a number, or part of a name, among all of them. Five queries."""
    rows = Entry.objects.filter(championship=championship, withdrawn_at__isnull=True)
    counts = rows.aggregate(expected=Count("id"), here=Count("id", filter=Q(checked_in_at__isnull=False)))
    said = tidy(text)
    if said.isascii() and said.isdigit() and len(said) < 10:
        rows = rows.filter(number=int(said))
    elif fold(said):
        named = TeamMember.objects.filter(player__name_folded__contains=fold(said)).values("team")
        rows = rows.filter(Q(team__name_folded__contains=fold(said)) | Q(team__in=named))
    elif show != ALL:
        rows = rows.filter(checked_in_at__isnull=show == MISSING)
    members = TeamMember.objects.select_related("player__club").defer("player__email").order_by("position")
    rows = rows.select_related("team").prefetch_related(Prefetch("team__members", members))
    page = paged(
        rows.order_by("team__name_folded", "number"), number, SIZE, lambda found: [_line(row) for row in found]
    )
    return Door(page, counts["here"], counts["expected"])


def _line(entry: Entry) -> DoorLine:
    players = [member.player for member in entry.team.members.all()]
    clubs = dict.fromkeys(player.club.name for player in players if player.club)
    names = [player.name for player in players]
    return DoorLine(entry.pk, entry.number, entry.team.name, names, list(clubs), entry.checked_in_at)
