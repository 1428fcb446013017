"""The journal of results, as everybody may see it: what changed in a ranking, when and why."""

from dataclasses import dataclass
from datetime import datetime

from league.models import Championship, ResultEvent, What
from league.selectors.paging import SIZE, Page, paged

CAUSES = {
    What.CORRECTED,
    What.WITHHELD,
    What.MANCHE_VOIDED,
    What.MANCHE_REINSTATED,
    What.PENALISED,
    What.PARTIE_REOPENED,
    What.PARTIE_VOIDED,
    What.FORFEIT,
    What.BYE_REMOVED,
    What.WITHDRAWN,
    What.REINSTATED,
    What.ENTRY_PENALISED,
    What.RESULT_TAKEN_BACK,
    What.STAGE_CHANGED,
    What.KEYS_CHANGED,
}
"""What is told with its reason when a version follows another one; results that simply came in are not."""


@dataclass(frozen=True, slots=True)
class JournalLine:
    """A line of the journal; numbers are None where it does not speak of one.

    `team`: of the entry, as it is called now; `table`: of the partie.
    """

    position: int
    what: str
    partie: int | None
    manche: int | None
    version: int | None
    entry: int | None
    reason: str
    at: datetime
    team: str = ""
    table: int | None = None


def journal(*, championship: Championship, number: int = 1, size: int = SIZE) -> Page[JournalLine]:
    """The journal, newest first. Two queries."""
    rows = (
        ResultEvent.objects.filter(championship=championship)
        .order_by("-position")
        .values_list(
            "position",
            "what",
            "partie__number",
            "manche__number",
            "result__version",
            "entry__number",
            "reason",
            "at",
            "entry__team__name",
            "partie__table_number",
        )
    )
    return paged(rows, number, size, lambda found: [JournalLine(*row) for row in found])
