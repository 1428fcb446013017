"""The feed of changes as it is read: in the order of its positions, of one championship or of the whole site.

What is pending is numbered first (league.services.feed), so whoever asks after a write sees it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, Q, QuerySet

from league.models import Change, ChangeKind
from league.services.feed import number_changes, numbered_up_to, pending

LARGEST = 1000
"""Lines that are read at once."""


@dataclass(frozen=True, slots=True)
class Line:
    """Something changed. `championship_id` is None for players and clubs; `key` as in `league.models.feed.Change`."""

    position: int
    kind: str
    championship_id: int | None
    object_id: int
    key: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines in their order; all up to the position `next` have been looked at. `head`: the last one of all."""

    lines: Sequence[Line]
    next: int
    head: int


def stamp(championship_id: int | None = None) -> int:
    """The position of the last change in a championship; without one, of all that is listed, and of players and clubs.

    It tells every state from every other one; 0 where nothing was ever written. Take it before what it is to stand for
    is read: then it is never newer than that. One query, or with what is to be numbered a few more. Not inside
    `one_moment`, which cannot write.
    """
    rows = _of(championship_id) if championship_id is not None else Change.objects.filter(_LISTED | _PEOPLE)
    last = rows.filter(position__isnull=False).order_by("-position")
    found = last.annotate(is_behind=Exists(pending())).values_list("position", "is_behind").first()
    if found is not None and not found[1]:
        return found[0] or 0
    number_changes()
    return last.values_list("position", flat=True).first() or 0


def changes(
    *,
    after: int = 0,
    limit: int = LARGEST,
    championship_id: int | None = None,
    kinds: Collection[str] = (),
    numbers: bool = True,
) -> Lines:
    """The lines after a position, in their order, at most `limit`; two queries where nothing is to be numbered.

    Without a championship: of everything that is, or was, listed. `kinds`: only of these (all). `numbers`: False
    inside a transaction that goes on, which would keep the head's lock, and all who read the feed waiting, to its end:
    then what is pending is left for later.
    """
    head = number_changes() if numbers else numbered_up_to()
    rows = Change.objects.filter(_LISTED) if championship_id is None else _of(championship_id)
    if kinds:
        rows = rows.filter(kind__in=kinds)
    found = rows.filter(position__gt=after, position__lte=head).order_by("position")[:limit]
    lines = [Line(row.position or 0, row.kind, row.championship_id, row.object_id, row.key, row.at) for row in found]
    return Lines(lines, lines[-1].position if len(lines) == limit else max(head, after), head)


_LISTED = Q(listed=True)
_PEOPLE = Q(kind__in=[ChangeKind.PLAYER, ChangeKind.CLUB])


def _of(championship_id: int) -> QuerySet[Change]:
    return Change.objects.filter(championship_id=championship_id)
