"""Working at a batch: the items of a lane in their order, each in one transaction with its answer.

An item is done with the rights that the batch's token and its user have at that moment. What a user can put right is
the item's answer; so is a fault of ours (`failed`), which stands in the log, so that no item keeps the rest waiting.
Nor does one that ends its worker each time: it is given up. When the database itself goes away, nothing is answered:
the item waits for the next who comes.
"""

import time
from typing import Final

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league.api.batch_items import Deed, answer_of, read_item
from league.api.problems import RequestFault, problem
from league.errors import UserFault
from league.models import Batch, BatchItem, ItemState
from league.policy import Actor
from league.services.batch_waking import wake_lane
from league.services.batches import (
    MOST_TRIES,
    begin,
    claim_item,
    count_try,
    finish_if_over,
    lanes_waiting,
    note_work,
    settle_item,
    waiting_items,
)
from league.services.held_back import held_back

log = structlog.get_logger(__name__)

SLICE: Final = 20.0
"""Seconds that a job works at a lane before it lets others have their turn."""

_NOTED_EVERY: Final = 5.0  # seconds
_TURNS: Final = 3
_INTERNAL: Final = "internal"
_GAVE_UP: Final = "item-gave-up"
_OURS: Final = frozenset({_INTERNAL, _GAVE_UP})
"""The codes of faults of this site."""


def work_off(batch_id: int, *, seconds: float | None = None) -> bool:
    """Work at all lanes of a batch, for so many seconds at most; whether it is over."""
    until = None if seconds is None else time.monotonic() + seconds
    for lane in lanes_waiting(batch_id):
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            break
        work_lane(batch_id, lane, seconds=left)
    return finish_if_over(batch_id)


def work_and_go_on(batch_id: int, lane: int) -> None:
    """Work at a lane for a while, then ask for the rest of it: as a job does."""
    if work_lane(batch_id, lane, seconds=SLICE):
        wake_lane(batch_id, lane)
    else:
        finish_if_over(batch_id)


def work_lane(batch_id: int, lane: int, *, seconds: float | None = None) -> bool:
    """Do the items of a lane, for so many seconds at most. Whether something of it is left that nobody works at."""
    batch = begin(batch_id)
    if batch is None:
        return False
    started = noted = time.monotonic()
    slug = batch.championship.slug if batch.championship else None
    is_first = True
    with translation.override(batch.language), held_back() as send:
        for item_id, body in waiting_items(batch, lane):
            tries = count_try(item_id) if is_first else 0
            is_first = False
            if tries is None or not _do(batch, item_id, body if tries <= MOST_TRIES else None, slug):
                return False
            now = time.monotonic()
            if seconds is not None and now - started >= seconds:
                return True
            if now - noted >= _NOTED_EVERY:
                noted = now
                note_work(batch_id)
                send()
    return False


def _do(batch: Batch, item_id: int, body: bytes | None, slug: str | None) -> bool:
    """Do an item unless it is done; False where another worker has it. Without a body: give it up."""
    try:
        deed: Deed | UserFault = _given_up(batch, item_id) if body is None else read_item(body, slug)
    except UserFault as fault:
        deed = fault
    for turn in range(_TURNS):
        try:
            return _do_in_one(item_id, deed)
        except (OperationalError, InterfaceError):  # a deadlock, a server that goes down
            if turn == _TURNS - 1:
                raise
            time.sleep(0.05 * (turn + 1))
        except Exception:
            log.exception("item_failed", batch=batch.pk, item=item_id, request_id=batch.request_id)
            return _do_in_one(item_id, _failed())
    raise AssertionError("unreachable")


@transaction.atomic
def _do_in_one(item_id: int, deed: "Deed | UserFault") -> bool:
    item = claim_item(item_id)
    if item is None:
        return False
    if item.state != ItemState.WAITING:
        return True
    actor = _actor(item)
    try:
        if isinstance(deed, UserFault):
            raise deed
        _require_token(actor)
        state, answer = answer_of(deed(actor))
    except UserFault as fault:
        state, answer = answer_of(problem(actor, fault, getattr(fault, "headers", {})))
        if fault.code in _OURS:
            state = ItemState.FAILED
    settle_item(item, state, answer)
    return True


def _actor(item: BatchItem) -> Actor:
    batch, token = item.batch, item.batch.token
    return Actor(user=token.user if token else None, token=token, ip=batch.ip, request_id=batch.request_id)


def _require_token(actor: Actor) -> None:
    """Raise the 401 of a token that is no longer good: it is asked at each item, as at each request."""
    token, user = actor.token, actor.user
    is_good = token is not None and token.revoked_at is None and user is not None and user.is_active
    if not is_good or (token and token.expires_at is not None and token.expires_at <= timezone.now()):
        message = _("The token of this batch was revoked or has expired.")
        raise RequestFault("invalid-token", message, status=401)


def _failed() -> RequestFault:
    message = _("Something went wrong here, and nothing was changed. Tell us the request_id.")
    return RequestFault(_INTERNAL, message, status=500)


def _given_up(batch: Batch, item_id: int) -> RequestFault:
    line = batch.items.values_list("line", flat=True).get(pk=item_id)
    log.error("item_given_up", batch=batch.pk, item=item_id, line=line, request_id=batch.request_id)
    message = _(
        "The work at line %(line)s broke off %(n)s times, so it was given up, and nothing of it was saved. Tell us the "
        "request_id."
    ) % {"line": line, "n": MOST_TRIES}
    return RequestFault(_GAVE_UP, message, status=500, extra={"line": line})
