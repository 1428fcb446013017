"""Disputes with their threads, for those at the table and for referees; and what waits to be confirmed.

Doors ask policy first: a thread is for the sides of its table, and for whoever looks inside the championship.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet

from league.errors import NotFound
from league.models import (
    Championship,
    Confirmation,
    Dispute,
    DisputeMessage,
    Manche,
    PartieStatus,
    Result,
    ResultState,
    Seat,
    SecondEntry,
)
from league.selectors.paging import SIZE, Page, paged
from league.selectors.side_names import NAME, called
from league.services.overdue import counts_at


@dataclass(frozen=True, slots=True)
class Said:
    """A message: `side` is a label, empty for somebody who runs the championship, whose displayed name is `by`."""

    side: str
    by: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SecondView:
    """What a second person entered for a manche: a valid verdict (RULES 10 and 11). `side`, `by` as in `Said`."""

    side: str
    by: str
    verdict: dict[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class DisputeView:
    """A dispute with its thread, first message first. `side` or `by` opened it; `result_version`: what is contested."""

    id: int
    version: int
    side: str
    by: str
    opened_at: datetime
    closed_at: datetime | None
    closed_by: str
    decision: str
    result_version: int
    messages: Sequence[Said]
    seconds: Sequence[SecondView]


@dataclass(frozen=True, slots=True)
class DisputeLine:
    """A dispute in a list. `teams` by seat label."""

    id: int
    partie: int
    table_number: int | None
    round: int
    manche: int
    teams: dict[str, str]
    side: str
    by: str
    opened_at: datetime
    closed_at: datetime | None
    decision: str
    messages: int


@dataclass(frozen=True, slots=True)
class PendingLine:
    """A result that waits to be confirmed. `counts_at`: when it counts unless it is contested, None without a time.

    `totals`: by seat label what it comes to, points or, without points, km. `acceptable`: no claim differs, and no
    second entry is awaited.
    """

    manche_id: int
    partie: int
    table_number: int | None
    round: int
    manche: int
    version: int
    by_side: str
    by: str
    at: datetime
    counts_at: datetime | None
    claim_ok: bool | None
    teams: dict[str, str]
    totals: dict[str, int | None]


def open_count(*, championship: Championship) -> int:
    """How many disputes wait for a referee. One query."""
    return _open(championship).count()


def disputes(
    *, championship: Championship, closed: bool = False, number: int = 1, size: int = SIZE
) -> Page[DisputeLine]:
    """Open disputes, oldest first, or those that were closed, newest first. Three queries."""
    rows = _open(championship).order_by("opened_at", "id")
    if closed:
        rows = Dispute.objects.filter(manche__partie__championship=championship, closed_at__isnull=False)
        rows = rows.order_by("-closed_at", "-id")
    rows = rows.select_related("manche__partie", "opened_by").annotate(said=Count("messages"))
    return paged(rows, number, size, dispute_lines)


def dispute_at(*, championship: Championship, dispute_id: int) -> tuple[Manche, DisputeView]:
    """A dispute of a championship with its manche (its partie has the championship). Raises NotFound. Three queries."""
    dispute = (
        Dispute.objects.filter(manche__partie__championship=championship, pk=dispute_id)
        .select_related("manche__partie__championship", "result", "opened_by", "closed_by")
        .defer("result__verdict")
        .first()
    )
    if dispute is None:
        raise NotFound
    return dispute.manche, _view(dispute)


def dispute_of(*, manche_id: int) -> DisputeView | None:
    """The open dispute of a manche with its thread, or None. One query, or three."""
    dispute = (
        Dispute.objects.filter(manche=manche_id, closed_at__isnull=True)
        .select_related("result", "opened_by", "closed_by")
        .defer("result__verdict")
        .first()
    )
    return _view(dispute) if dispute is not None else None


def pending(
    *, championship: Championship, round_number: int | None = None, number: int = 1, size: int = SIZE
) -> Page[PendingLine]:
    """The results that wait to be confirmed, oldest first. Four queries."""
    rows = _pending(championship, round_number).select_related("manche__partie", "by").prefetch_related("scores")
    return paged(rows.defer("verdict"), number, size, lambda found: _pending_lines(championship, found))


def acceptable(*, championship: Championship, round_number: int | None = None) -> list[tuple[int, int]]:
    """What can be accepted together: manche ids with the version that stands. One query.

    Whatever waits to be confirmed has no claim that differs, or it was settled. Where a second entry is awaited there
    is nothing to agree with yet.
    """
    if championship.confirmation == Confirmation.SECOND_ENTRY:
        return []
    return list(_pending(championship, round_number).values_list("manche_id", "version"))


def pending_rounds(*, championship: Championship) -> list[tuple[int, int]]:
    """The rounds in which results wait to be confirmed, with how many. One query."""
    rows = _pending(championship, None).order_by("manche__partie__round")
    return list(rows.values_list("manche__partie__round").annotate(n=Count("pk")))


def _open(championship: Championship) -> QuerySet[Dispute]:
    """Disputes of parties that were not annulled: annulling one leaves nothing to decide."""
    return Dispute.objects.filter(manche__partie__championship=championship, closed_at__isnull=True).exclude(
        manche__partie__status=PartieStatus.VOID
    )


def _pending(championship: Championship, round_number: int | None) -> QuerySet[Result]:
    rows = Result.objects.filter(
        current_of__partie__championship=championship,
        current_of__voided_at__isnull=True,
        state=ResultState.PENDING,
    ).exclude(current_of__partie__status=PartieStatus.VOID)
    if round_number is not None:
        rows = rows.filter(current_of__partie__round=round_number)
    return rows.order_by("at", "id")


def dispute_lines(found: Sequence[Any]) -> list[DisputeLine]:
    """Rows with `said`, how many messages they have, as lines. One query."""
    teams = _teams([dispute.manche.partie_id for dispute in found])
    return [
        DisputeLine(
            id=dispute.pk,
            partie=dispute.manche.partie.number,
            table_number=dispute.manche.partie.table_number,
            round=dispute.manche.partie.round,
            manche=dispute.manche.number,
            teams=dict(teams.get(dispute.manche.partie_id, {}).values()),
            side=dispute.side,
            by=dispute.opened_by.display_name if dispute.opened_by else "",
            opened_at=dispute.opened_at,
            closed_at=dispute.closed_at,
            decision=dispute.decision,
            messages=dispute.said,
        )
        for dispute in found
    ]


def _pending_lines(championship: Championship, found: Sequence[Result]) -> list[PendingLine]:
    seats = _teams([result.manche.partie_id for result in found])
    lines = []
    for result in found:
        partie, at_table = result.manche.partie, seats.get(result.manche.partie_id, {})
        totals = {
            at_table[score.seat_id][0]: score.km if score.points is None else score.total
            for score in result.scores.all()
        }
        lines.append(
            PendingLine(
                manche_id=result.manche_id,
                partie=partie.number,
                table_number=partie.table_number,
                round=partie.round,
                manche=result.manche.number,
                version=result.version,
                by_side=result.by_side,
                by=result.by.display_name if result.by else "",
                at=result.at,
                counts_at=counts_at(championship, result.at),
                claim_ok=result.claim_ok,
                teams=dict(at_table.values()),
                totals=dict(sorted(totals.items())),
            )
        )
    return lines


def _teams(partie_ids: Sequence[int]) -> dict[int, dict[int, tuple[str, str]]]:
    """By partie, then by seat id: the label and the team's name, in the order of the labels."""
    found: dict[int, dict[int, tuple[str, str]]] = {}
    rows = Seat.objects.filter(partie__in=partie_ids).order_by("partie", "label")
    for seat_id, partie_id, label, *names in rows.values_list("pk", "partie_id", "label", *NAME):
        found.setdefault(partie_id, {})[seat_id] = (label, called(*names))
    return found


def _view(dispute: Dispute) -> DisputeView:
    said = DisputeMessage.objects.filter(dispute=dispute).order_by("pk")
    seconds = SecondEntry.objects.filter(result=dispute.result_id).order_by("pk")
    return DisputeView(
        id=dispute.pk,
        version=dispute.version,
        side=dispute.side,
        by=dispute.opened_by.display_name if dispute.opened_by else "",
        opened_at=dispute.opened_at,
        closed_at=dispute.closed_at,
        closed_by=dispute.closed_by.display_name if dispute.closed_by else "",
        decision=dispute.decision,
        result_version=dispute.result.version,
        messages=[
            Said(side, by or "", text, at)
            for side, by, text, at in said.values_list("side", "by__display_name", "text", "at")
        ],
        seconds=[
            SecondView(side, by or "", verdict, at)
            for side, by, verdict, at in seconds.values_list("by_side", "by__display_name", "verdict", "at")
        ],
    )
