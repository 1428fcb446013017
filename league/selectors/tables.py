"""A table as those who sit at it see it: who plays, the manches so far, and the result that waits for somebody."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from league.errors import NotFound
from league.models import Manche, MancheStatus, Partie, PartieStatus, Result
from league.policy import Actor
from league.seating import seat_labels
from league.selectors.blind import sees_figures
from league.selectors.disputes import DisputeView, dispute_of
from league.selectors.manches import MancheView, manche_view
from league.selectors.parties import PartieView, called, partie_view
from league.services.overdue import counts_at
from league.table_codes import is_code_of, partie_id_of

_WAITS = (MancheStatus.PENDING, MancheStatus.DIFFERS, MancheStatus.CONTESTED)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A result that waits. `manche.current` is None where the asker is to enter it without seeing it.

    `by_side`: the label of the side that handed it in, empty for somebody with an account; `counts_at`: when it counts
    unless it is contested, None without such a time; `sheet_reason`: why another sheet was asked for, or empty.
    """

    manche: MancheView
    version: int
    state: str
    by_side: str
    at: datetime
    counts_at: datetime | None
    sheet_reason: str
    dispute: DisputeView | None


@dataclass(frozen=True, slots=True)
class TableView:
    """A table. `awaited_seats`: seats and names, in order of play, of the manche that is to be played next."""

    partie: PartieView
    awaited_seats: Sequence[tuple[str, str]]
    waiting: Waiting | None

    @property
    def is_open(self) -> bool:
        """Whether something can still be done."""
        return self.partie.status == PartieStatus.OPEN


def partie_by_code(code: str) -> Partie:
    """The partie whose table has this code, with its championship and link. One query. Raises NotFound."""
    partie_id = partie_id_of(code)
    if partie_id is None:
        raise NotFound
    partie = Partie.objects.select_related("championship", "link").filter(pk=partie_id).first()
    if partie is None or not is_code_of(code, partie):
        raise NotFound
    return partie


def manche_of_table(partie: Partie, number: int) -> Manche:
    """A manche of a table. One query. Raises NotFound."""
    manche = (
        Manche.objects.filter(partie=partie, number=number)
        .select_related("current_result")
        .defer("current_result__verdict")
        .first()
    )
    if manche is None:
        raise NotFound
    manche.partie = partie
    return manche


def table_view(*, actor: Actor, partie: Partie) -> TableView:
    """What a table's page shows to the side that the actor speaks for; a constant number of queries."""
    view = partie_view(partie=partie)
    number = next((manche.number for manche in view.manches if manche.status in _WAITS), None)
    labels = [seat.label for seat in view.seats]
    return TableView(
        partie=view,
        awaited_seats=called(view, seat_labels(labels, partie.championship.players_per_team, view.awaited))
        if view.awaited
        else (),
        waiting=_waiting(actor, manche_of_table(partie, number)) if number is not None else None,
    )


def _waiting(actor: Actor, manche: Manche) -> Waiting | None:
    result: Result | None = manche.current
    if result is None:
        return None
    championship = manche.partie.championship
    return Waiting(
        manche=manche_view(manche=manche, inside=sees_figures(actor, championship, result)),
        version=result.version,
        state=result.state,
        by_side=result.by_side,
        at=result.at,
        counts_at=counts_at(championship, result.at),
        sheet_reason=result.settled_reason if result.settled_how == "another_sheet" else "",
        dispute=dispute_of(manche_id=manche.pk) if result.state == MancheStatus.CONTESTED else None,
    )
