"""The manches of a championship in one list, each with the result that stands, for programs that would walk else."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Prefetch, Q, QuerySet

from league.models import Championship, Manche, MancheStatus, ResultScore, ResultState, Seat
from league.selectors.blind import hides_figures
from league.selectors.parties import sat_in
from league.selectors.windows import Asked, Window, window


@dataclass(frozen=True, slots=True)
class MancheItem:
    """A manche. What stands for its result is empty or None without one, and while a blind second entry is awaited.

    `entries`, `points` (after penalties) and `km` by label. `version` 0: no result that is shown.
    """

    partie: int
    number: int
    round: int
    table_number: int | None
    status: str
    void_reason: str
    entries: Mapping[str, int]
    version: int
    kind: str
    writing: str
    sha256: str
    end: str
    claim_ok: bool | None
    winner: str | None
    points: Mapping[str, int | None]
    km: Mapping[str, int]
    coups_fourres: Mapping[str, int]
    at: datetime | None
    confirmed_at: datetime | None


def manches(
    *,
    championship: Championship,
    asked: Asked,
    round_number: int | None = None,
    partie_number: int | None = None,
    status: str | None = None,
    entry_number: int | None = None,
) -> Window[MancheItem]:
    """The manches of a championship by partie and number: of a round, a partie, a status, an entry. Three queries."""
    rows = Manche.objects.filter(partie__championship=championship)
    if round_number is not None:
        rows = rows.filter(partie__round=round_number)
    if partie_number is not None:
        rows = rows.filter(partie__number=partie_number)
    if status is not None:
        rows = rows.filter(_in_status(status))
    if entry_number is not None:
        rows = rows.filter(partie__in=championship.parties.filter(sat_in(championship, entry_number)))
    order = [("partie_number", int), ("number", int)]
    return window(_with_all(rows), asked, order, lambda row: _item(championship, row))


def _in_status(status: str) -> Q:
    """As `Manche.status` says it."""
    if status == MancheStatus.VOID:
        return Q(voided_at__isnull=False)
    counted = Q(voided_at__isnull=True)
    if status == MancheStatus.AWAITING:
        return counted & Q(current_result__isnull=True)
    return counted & Q(current_result__state=ResultState(status))


def _with_all(rows: QuerySet[Manche]) -> QuerySet[Manche]:
    seats = Seat.objects.select_related("entry").order_by("label")
    scores = ResultScore.objects.defer("lines").order_by("seat_id")
    return (
        rows.annotate(partie_number=F("partie__number"))
        .select_related("partie", "current_result__document")
        .defer("current_result__verdict", "current_result__document__body")
        .prefetch_related(Prefetch("partie__seats", seats), Prefetch("current_result__scores", scores))
    )


def _item(championship: Championship, row: Manche) -> MancheItem:
    result = row.current
    if result is not None and hides_figures(championship, result.state):
        result = None
    seats = {seat.pk: seat for seat in row.partie.seats.all()}
    found = {seats[score.seat_id].label: score for score in result.scores.all()} if result else {}
    scores = {label: found[label] for label in sorted(found)}
    return MancheItem(
        partie=row.partie.number,
        number=row.number,
        round=row.partie.round,
        table_number=row.partie.table_number,
        status=row.status,
        void_reason=row.void_reason,
        entries={seat.label: seat.entry.number for seat in seats.values()},
        version=result.version if result else 0,
        kind=result.kind if result else "",
        writing=result.document.media if result else "",
        sha256=result.document.sha256 if result else "",
        end=result.end if result else "",
        claim_ok=result.claim_ok if result else None,
        winner=next((label for label, score in scores.items() if score.won), None),
        points={label: score.total for label, score in scores.items()},
        km={label: score.km for label, score in scores.items()},
        coups_fourres={label: score.coups_fourres for label, score in scores.items()},
        at=result.at if result else None,
        confirmed_at=result.confirmed_at if result else None,
    )
