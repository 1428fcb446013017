"""Batches: how far they have come, and what was answered to each line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, QuerySet

from league.errors import NotFound
from league.models import Batch, BatchItem, BatchState, ItemState, Scope
from league.policy import Actor, gives
from league.selectors.windows import Asked, Window, window

_CHUNK: Final = 500
_OVER: Final = (BatchState.DONE, BatchState.CANCELLED)


@dataclass(frozen=True, slots=True)
class FoundBatch:
    """A batch. `counts`: items by state; `championship` is a slug. `rest`: seconds that it may take yet, if known."""

    id: int
    championship: str | None
    state: str
    items: int
    counts: Mapping[str, int]
    created_at: datetime
    finished_at: datetime | None
    rest: int | None

    @property
    def done(self) -> int:
        """How many items have their answer."""
        return self.items - self.counts[ItemState.WAITING]

    @property
    def is_over(self) -> bool:
        """Whether nothing is done at it any more."""
        return self.state in _OVER


@dataclass(frozen=True, slots=True)
class FoundItem:
    """A line of a batch; the members after `state` are those of its answer, None where it has none."""

    line: int
    state: str
    status: int | None = None
    code: str | None = None
    location: str | None = None
    data: Any = None
    problem: Any = field(default=None)


def batch_at(actor: Actor, batch_id: int) -> Batch:
    """A batch of the actor's own: by the token that sent it, or another one of its user that may read.

    Raises NotFound, also for a token of one championship and a batch that is not that championship's.
    """
    batch = Batch.objects.select_related("championship").filter(pk=batch_id, user=actor.user).first()
    if batch is None or not _may_see(actor, batch):
        raise NotFound
    return batch


def _may_see(actor: Actor, batch: Batch) -> bool:
    token = actor.token
    if token is None or token.pk == batch.token_id:
        return True
    return gives(token, Scope.READ) and token.championship_id in (None, batch.championship_id)


def batches(*, actor: Actor, asked: Asked, championship_id: int | None, state: str | None) -> Window[FoundBatch]:
    """The actor's batches, of one championship or all of them, newest first: two queries a page."""
    rows = Batch.objects.select_related("championship").filter(user=actor.user)
    token = actor.token
    if token is not None and not gives(token, Scope.READ):
        rows = rows.filter(token=token)
    elif token is not None and token.championship_id is not None:
        rows = rows.filter(championship=token.championship_id)
    if championship_id is not None:
        rows = rows.filter(championship=championship_id)
    if state is not None:
        rows = rows.filter(state=state)
    found = window(rows, asked, [("-id", int)], lambda row: row)
    counts = _counts([row.pk for row in found.items])
    return Window([_found(row, counts.get(row.pk, {})) for row in found.items], found.previous, found.next)


def batch_view(batch: Batch) -> FoundBatch:
    """How far a batch has come, as it is now."""
    return _found(batch, _counts([batch.pk]).get(batch.pk, {}))


def _counts(batch_ids: list[int]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    rows = BatchItem.objects.filter(batch__in=batch_ids).order_by().values_list("batch_id", "state")
    for batch_id, state, count in rows.annotate(count=Count("pk")):
        found.setdefault(batch_id, {})[state] = count
    return found


def _found(batch: Batch, counts: Mapping[str, int]) -> FoundBatch:
    every = {str(state): counts.get(state, 0) for state in ItemState.values}
    return FoundBatch(
        id=batch.pk,
        championship=batch.championship.slug if batch.championship else None,
        state=batch.state,
        items=batch.item_count,
        counts=every,
        created_at=batch.created_at,
        finished_at=batch.finished_at,
        rest=_rest(batch, every[ItemState.WAITING]),
    )


def _rest(batch: Batch, waiting: int) -> int | None:
    """What the rest takes at the speed up to now; None before anything is done, 0 when nothing will be."""
    if batch.state in _OVER:
        return 0
    done = batch.item_count - waiting
    if not done or batch.worked_at is None:
        return None
    taken = (batch.worked_at - batch.created_at).total_seconds()
    return round(taken / done * waiting) if taken > 0 else None


def items(*, batch: Batch, asked: Asked, state: str | None) -> Window[FoundItem]:
    """The lines of a batch in their order, of one state or all."""
    rows = batch.items.defer("body")
    if state is not None:
        rows = rows.filter(state=state)
    return window(rows, asked, [("line", int)], _item)


def _item(row: BatchItem) -> FoundItem:
    return FoundItem(row.line, row.state, **(row.answer or {}))


def answers(*, batch: Batch) -> Iterator[dict[str, Any]]:
    """What was answered up to now, in the order of the lines, some at a time; what waits is left out."""
    last, rows = 0, _answered(batch)
    while chunk := list(rows.filter(line__gt=last)[:_CHUNK]):
        for line, state, answer in chunk:
            yield {"line": line, "state": state, **answer}
        last = chunk[-1][0]


def _answered(batch: Batch) -> "QuerySet[BatchItem, tuple[int, str, Any]]":
    rows = BatchItem.objects.filter(batch=batch).exclude(state=ItemState.WAITING).order_by("line")
    return rows.values_list("line", "state", "answer")
