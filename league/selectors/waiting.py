"""What waits for a decision, in windows for programs: disputes, and results that do not count yet.

Doors ask `policy.require(actor, Action.LOOK_INSIDE, championship)` first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count

from league.models import Championship, Dispute, Manche, PartieStatus, Result, ResultState
from league.selectors.disputes import DisputeLine, dispute_lines
from league.selectors.windows import Asked, Window, window

WAITING = (ResultState.PENDING, ResultState.DIFFERS, ResultState.CONTESTED)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A result that does not count yet. `by_side`: the label of who handed it in, empty for an account."""

    partie: int
    table_number: int | None
    round: int
    manche: int
    version: int
    state: str
    settled_how: str
    by_side: str
    claim_ok: bool | None
    claim_differences: Sequence[dict[str, Any]]
    at: datetime


def disputes(*, championship: Championship, asked: Asked, is_open: bool | None = None) -> Window[DisputeLine]:
    """The disputes of a championship in the order in which they were opened. Two queries.

    Those of parties that were annulled are none that is open.
    """
    rows = Dispute.objects.filter(manche__partie__championship=championship)
    if is_open is not None:
        rows = rows.filter(closed_at__isnull=is_open)
    if is_open:
        rows = rows.exclude(manche__partie__status=PartieStatus.VOID)
    rows = rows.select_related("manche__partie", "opened_by").annotate(said=Count("messages"))
    found = window(rows, asked, [("id", int)], lambda row: row)
    return Window(dispute_lines(found.items), found.previous, found.next)


def waiting(
    *, championship: Championship, asked: Asked, state: str | None = None, round_number: int | None = None
) -> Window[Waiting]:
    """The results that wait for somebody, in the order in which they came. One query."""
    rows = Result.objects.filter(
        current_of__partie__championship=championship,
        current_of__voided_at__isnull=True,
        state__in=WAITING if state is None else [state],
    ).exclude(current_of__partie__status=PartieStatus.VOID)
    if round_number is not None:
        rows = rows.filter(current_of__partie__round=round_number)
    return window(rows.select_related("manche__partie"), asked, [("id", int)], _waiting)


def manches_at(*, championship: Championship, places: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """The ids of manches by the number of the partie and their own; what is not there is not in it. One query."""
    rows = Manche.objects.filter(
        partie__championship=championship, partie__number__in={partie for partie, _manche in places}
    )
    found = {(partie, number): pk for partie, number, pk in rows.values_list("partie__number", "number", "pk")}
    return {place: found[place] for place in places if place in found}


def _waiting(row: Result) -> Waiting:
    partie = row.manche.partie
    return Waiting(
        partie=partie.number,
        table_number=partie.table_number,
        round=partie.round,
        manche=row.manche.number,
        version=row.version,
        state=row.state,
        settled_how=row.settled_how,
        by_side=row.by_side,
        claim_ok=row.claim_ok,
        claim_differences=row.verdict.get("claim_differences", ()),
        at=row.at,
    )
