"""Batches: kept, worked off item by item, stopped, forgotten. How an item is done is the business of league.api.

The rows are the truth: an item is `waiting` until the transaction that does it writes its answer. So whoever comes
after a worker that was killed finds what is left to do, and nothing twice. The items of a lane are done in the order of
their lines, by one worker at a time, however many look at it: one claims an item only when it has seen everything
before it done, and leaves the lane when another one holds the item.

An item that ends the process that does it (memory, a time limit, a bug below Python) would be taken up for ever. What
a killed job leaves is the first that waits in its lane, so jobs count that one, in a transaction of its own before
anything of it is read: once so many jobs have begun with an item and none has answered it, it is given up.

An item's row is the first lock of its transaction (league.services.locks): it belongs to nobody else. The batch's own
row is never locked together with it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound
from league.models import Batch, BatchItem, BatchState, Championship, ItemState
from league.policy import Actor
from league.services import audit

STALE: Final = timedelta(seconds=30)
"""A batch that is not over and that nobody has worked at for so long has lost its worker, or its message."""

KEPT: Final = timedelta(days=14)
"""How long a batch that is over is kept with its answers."""

MOST_OPEN: Final = 10
"""How many batches of one account may wait or run at a time."""

MOST_TRIES: Final = 3
"""How many jobs may begin with an item that none of them has answered."""

_OPEN: Final = (BatchState.WAITING, BatchState.RUNNING)
_AT_ONCE: Final = 100
_READ_AHEAD: Final = 20
"""Items of a lane that are read in one query: each has up to 1 MiB."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of what came in: its bytes and its lane; with an answer it is refused unread."""

    number: int
    body: bytes
    lane: int = 0
    answer: dict[str, Any] | None = None


@transaction.atomic
def send_batch(
    *, actor: Actor, championship: Championship | None, lines: Iterable[Line], lanes: int, language: str
) -> Batch:
    """Keep a batch, to be worked off by whoever is woken. `lines` is read once, in chunks, and has one at least.

    Raises Conflict `too-many-batches`.
    """
    assert actor.user is not None
    if Batch.objects.filter(user=actor.user, state__in=_OPEN).count() >= MOST_OPEN:
        message = _("%(n)s of your batches wait or run: wait for one of them.") % {"n": MOST_OPEN}
        raise Conflict("too-many-batches", message)
    batch = Batch.objects.create(
        user=actor.user,
        token=actor.token,
        championship=championship,
        language=language,
        item_count=1,
        lanes=lanes,
        worked_at=timezone.now(),
        ip=actor.ip,
        request_id=actor.request_id,
    )
    batch.item_count = 0
    rows = (_row(batch, line) for line in lines)
    while chunk := list(islice(rows, _AT_ONCE)):
        BatchItem.objects.bulk_create(chunk)
        batch.item_count += len(chunk)
    batch.save(update_fields=["item_count"])
    audit.record(
        actor=actor,
        action="send_batch",
        on=batch,
        championship=championship,
        after=audit.state(batch, ("item_count",)),
    )
    return batch


def _row(batch: Batch, line: Line) -> BatchItem:
    state = ItemState.WAITING if line.answer is None else ItemState.REFUSED
    return BatchItem(batch=batch, line=line.number, lane=line.lane, body=line.body, state=state, answer=line.answer)


@transaction.atomic
def cancel_batch(*, actor: Actor, batch_id: int) -> Batch:
    """Stop a batch: what was done stays, what was not done is never done. A second time changes nothing.

    An item that is being done at this moment is waited for. Raises NotFound, Conflict `batch-over`.
    """
    batch = Batch.objects.select_for_update(no_key=True).filter(pk=batch_id).first()
    if batch is None:
        raise NotFound
    if batch.state == BatchState.CANCELLED:
        return batch
    if batch.state == BatchState.DONE:
        raise Conflict("batch-over", _("Every item of this batch has its answer."))
    before = audit.state(batch, ("state",))
    BatchItem.objects.filter(batch=batch, state=ItemState.WAITING).update(
        state=ItemState.CANCELLED, answer={}, body=b""
    )
    batch.state, batch.finished_at = BatchState.CANCELLED, timezone.now()
    batch.save(update_fields=["state", "finished_at"])
    audit.record(
        actor=actor,
        action="cancel_batch",
        on=batch,
        championship=batch.championship,
        before=before,
        after=audit.state(batch, ("state",)),
    )
    return batch


# ---- for who works at batches ----------------------------------------------------------------------------------------


def begin(batch_id: int) -> Batch | None:
    """Say that somebody works at a batch; return it, None if it is over."""
    note_work(batch_id)
    Batch.objects.filter(pk=batch_id, state=BatchState.WAITING).update(state=BatchState.RUNNING)
    return Batch.objects.filter(pk=batch_id, state=BatchState.RUNNING).first()


def note_work(batch_id: int) -> None:
    """Say that somebody is at work, so that nobody takes the batch up who need not."""
    Batch.objects.filter(pk=batch_id, state__in=_OPEN).update(worked_at=timezone.now())


def waiting_items(batch: Batch, lane: int) -> Iterator[tuple[int, bytes]]:
    """The ids and bytes of a lane's waiting items in the order of their lines, a few read ahead; nothing is locked."""
    last = 0
    while True:
        rows = batch.items.filter(lane=lane, state=ItemState.WAITING, line__gt=last).order_by("line")
        chunk = list(rows.values_list("pk", "line", "body")[:_READ_AHEAD])
        if not chunk:
            return
        for item_id, _line, body in chunk:
            yield item_id, bytes(body)
        last = chunk[-1][1]


def claim_item(item_id: int) -> BatchItem | None:
    """Take an item for the rest of the transaction, with its batch, token and the token's user as they are now.

    None while another worker has it: then it is that one's lane. Whether it still waits is for the caller to see.
    """
    rows = BatchItem.objects.select_for_update(of=("self",), skip_locked=True, no_key=True)
    return rows.select_related("batch__token__user").defer("body").filter(pk=item_id).first()


@transaction.atomic
def count_try(item_id: int) -> int | None:
    """Write down that a job begins with an item; return how many did, with this one.

    None while another worker has the item, which is no try. Of one that is answered nothing is written.
    """
    rows = BatchItem.objects.select_for_update(skip_locked=True, no_key=True).only("state", "tries")
    item = rows.filter(pk=item_id).first()
    if item is None:
        return None
    if item.state == ItemState.WAITING:
        item.tries += 1
        item.save(update_fields=["tries"])
    return item.tries


def settle_item(item: BatchItem, state: ItemState, answer: dict[str, Any]) -> None:
    """Write what became of an item, in the transaction that did it. Its bytes, which nobody needs again, go."""
    BatchItem.objects.filter(pk=item.pk).update(state=state, answer=answer, body=b"")


@transaction.atomic
def finish_if_over(batch_id: int) -> bool:
    """Let a batch be done when nothing of it waits; whether it is over. Items that another worker holds do wait."""
    batch = Batch.objects.select_for_update(no_key=True).get(pk=batch_id)
    if batch.state in _OPEN and not batch.items.filter(state=ItemState.WAITING).exists():
        batch.state, batch.finished_at = BatchState.DONE, timezone.now()
        batch.worked_at = batch.finished_at
        batch.save(update_fields=["state", "finished_at", "worked_at"])
    return batch.state not in _OPEN


def take_up_stale(*, now: datetime) -> list[int]:
    """The ids of the batches that have lost their workers, oldest first; they count as worked at from now on."""
    rows = Batch.objects.filter(_stale(now)).order_by("pk")
    return [batch_id for batch_id in rows.values_list("pk", flat=True) if _take_up(batch_id, now)]


def _take_up(batch_id: int, now: datetime) -> bool:
    is_first = Batch.objects.filter(_stale(now), pk=batch_id).update(worked_at=now)
    return bool(is_first) and not finish_if_over(batch_id)


def _stale(now: datetime) -> Q:
    return Q(state__in=_OPEN) & (Q(worked_at__lt=now - STALE) | Q(worked_at__isnull=True))


def lanes_waiting(batch_id: int) -> list[int]:
    """The lanes of a batch in which something waits."""
    rows = BatchItem.objects.filter(batch=batch_id, state=ItemState.WAITING)
    return sorted(rows.order_by().values_list("lane", flat=True).distinct())


def forget_batches(*, now: datetime) -> int:
    """Forget the batches that were over long ago, with their items; return how many. What they did stays."""
    rows = Batch.objects.filter(finished_at__lt=now - KEPT)
    found = list(rows.values_list("pk", flat=True))
    for batch_id in found:
        Batch.objects.filter(pk=batch_id).delete()
    return len(found)
