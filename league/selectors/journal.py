"""The journal of results, as everybody may see it: what changed in a ranking, when and why."""

from dataclasses import dataclass
from datetime import datetime

from league.models import Championship, ResultEvent
from league.selectors.paging import SIZE, Page, paged


@dataclass(frozen=True, slots=True)
class JournalLine:
    """A line of the journal; numbers are None where it does not speak of one."""

    position: int
    what: str
    partie: int | None
    manche: int | None
    version: int | None
    entry: int | None
    reason: str
    at: datetime


def journal(*, championship: Championship, number: int = 1, size: int = SIZE) -> Page[JournalLine]:
    """The journal, newest first. Two queries."""
    rows = (
        ResultEvent.objects.filter(championship=championship)
        .order_by("-position")
        .values_list(
            "position", "what", "partie__number", "manche__number", "result__version", "entry__number", "reason", "at"
        )
    )
    return paged(rows, number, size, lambda found: [JournalLine(*row) for row in found])
