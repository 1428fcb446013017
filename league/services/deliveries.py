"""Changes of a championship brought to its webhooks: signed, in order, again until they arrive. Called by jobs.

The rows are the truth, a job's message only wakes a worker. In one short transaction, under the webhook's lock, a
delivery is claimed: the next changes after the webhook's position become one if none waits, and `next_at` is set to
when whoever has claimed it must have died. Nothing is locked while the network is waited for. What came of it is
written in a second transaction, if the claim still stands. So two workers send once, and what a killed one had is sent
again.
"""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from league.models import Championship, Change, Delivery, DeliveryState, Webhook, WebhookState
from league.selectors.feed import Line
from league.selectors.webhooks import lines_after
from league.services import outward, waking
from league.services.feed import number_changes
from league.services.giving_up import give_up
from league.services.webhook_messages import body_of, headers_of, new_message_id

log = structlog.get_logger(__name__)

BACK_OFF: Final = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 1800, 7200, 21600, *[43200] * 5))
"""How long is waited after each attempt that failed, three days in all; after one more it is given up."""
JITTER: Final = 0.2
"""The share by which a wait is longer or shorter, so that what failed together does not come again together."""
LONGEST_WAIT: Final = timedelta(hours=12)
CLAIMED: Final = timedelta(seconds=60)
"""Much longer than an attempt may last."""
EVENTS: Final = 100
"""Changes in one message, at most."""
ATTEMPTS_KEPT: Final = 30
KEPT: Final = timedelta(days=30)
"""How long deliveries are shown once nothing more comes of them."""

Tell = Callable[[Championship, Sequence[Line], int], dict[str, Any]]
"""What makes the data of a message: of these lines, which go up to this position (league.api.webhook_events)."""

_SHIFT = 25.0  # seconds: then a job lets others have their turn
_SOON = timedelta(minutes=2)
_GONE = 410
_LATER = (429, 503)


@dataclass(frozen=True, slots=True)
class Claim:
    """A delivery to be sent now, by who holds this. `until`: what its row says while the claim stands."""

    webhook_id: int
    delivery_id: int
    until: datetime
    url: str
    signing: tuple[str, ...]
    message_id: str
    body: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an attempt came to. `error` is empty when it arrived, else a key of `delivery_words.WHY`."""

    error: str
    seconds: float
    status: int | None = None
    answer: str = ""
    retry_after: int | None = None


def work_off(*, webhook_id: int, tell: Tell) -> bool:
    """Send what a webhook waits for, one after the other; return whether it stopped before it was through."""
    started = time.monotonic()
    while time.monotonic() - started < _SHIFT:
        number_changes()
        claim = claim_next(webhook_id=webhook_id, tell=tell)
        if claim is None:
            return False
        outcome = attempt(claim)
        write_down(claim, outcome)
        log.info("delivery_tried", webhook=webhook_id, status=outcome.status, error=outcome.error)
    return True


@transaction.atomic
def claim_next(*, webhook_id: int, tell: Tell) -> Claim | None:
    """Take the next delivery of a webhook that is due, for CLAIMED; None: there is nothing to do at this moment.

    Those sent by hand come first and whatever the webhook's state.
    """
    webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=webhook_id, removed_at=None).first()
    if webhook is None:
        return None
    now = timezone.now()
    waiting = webhook.deliveries.filter(state=DeliveryState.WAITING)
    found = waiting.filter(by_hand=True, next_at__lte=now).order_by("id").first()
    if found is None and webhook.state == WebhookState.ACTIVE:
        found = waiting.filter(by_hand=False).first() or _next_message(webhook, tell)
    now = timezone.now()  # a message that was made just now is due
    if found is None or found.next_at is None or found.next_at > now:
        return None
    found.tries += 1
    found.next_at = now + CLAIMED
    begun = {"at": now.isoformat(), "seconds": None, "status": None, "error": "unfinished", "answer": ""}
    found.attempts = [*found.attempts, begun][-ATTEMPTS_KEPT:]
    found.save(update_fields=["tries", "next_at", "attempts"])
    signing = [webhook.secret]
    if webhook.previous_until is not None and webhook.previous_until > now:
        signing.append(webhook.previous_secret)
    return Claim(webhook.pk, found.pk, found.next_at, webhook.url, tuple(signing), found.message_id, found.body)


def attempt(claim: Claim) -> Outcome:
    """Send a delivery, signed anew. Waits for the network: never inside a transaction."""
    started = time.monotonic()
    headers = headers_of(claim.signing, claim.message_id, timezone.now(), claim.body)
    try:
        answer = outward.post(claim.url, claim.body.encode(), headers)
    except outward.NotSent as fault:
        return Outcome(fault.code, time.monotonic() - started)
    error = "" if 200 <= answer.status < 300 else "gone" if answer.status == _GONE else "status"
    after = answer.retry_after if answer.status in _LATER else None
    return Outcome(error, time.monotonic() - started, answer.status, answer.text, after)


@transaction.atomic
def write_down(claim: Claim, outcome: Outcome) -> None:
    """Keep what came of a claimed delivery, unless the claim has lapsed and somebody else sends it."""
    webhook = Webhook.objects.select_for_update(no_key=True).get(pk=claim.webhook_id)
    delivery = Delivery.objects.get(pk=claim.delivery_id)
    if (delivery.state, delivery.next_at) != (DeliveryState.WAITING, claim.until):
        log.warning("delivery_claim_lapsed", delivery=claim.delivery_id)
        return
    delivery.attempts[-1] |= {
        "seconds": round(outcome.seconds, 3),
        "status": outcome.status,
        "error": outcome.error,
        "answer": outcome.answer,
    }
    delivery.status, delivery.error = outcome.status, outcome.error
    _move_on(webhook, delivery, outcome)
    delivery.save()


def _move_on(webhook: Webhook, delivery: Delivery, outcome: Outcome) -> None:
    now = timezone.now()
    delivery.next_at = None
    if not outcome.error:
        delivery.state, delivery.delivered_at = DeliveryState.DELIVERED, now
        return
    if outcome.error != "gone" and not delivery.by_hand and delivery.tries <= len(BACK_OFF):
        wait = _wait(delivery.tries, outcome.retry_after)
        delivery.next_at = now + wait
        if wait <= _SOON:  # the sweep comes too seldom for the first ones
            transaction.on_commit(lambda: waking.ask(webhook.pk, after=wait.total_seconds()), robust=True)
        return
    arrived = [each["at"] for each in delivery.attempts if not each["error"]]
    if delivery.by_hand and arrived:  # it was sent again: it has arrived before
        delivery.state, delivery.delivered_at = DeliveryState.DELIVERED, datetime.fromisoformat(arrived[-1])
    else:
        delivery.state = DeliveryState.GIVEN_UP
    if webhook.state == WebhookState.ACTIVE and (outcome.error == "gone" or not delivery.by_hand):
        give_up(webhook, WebhookState.PAUSED if outcome.error == "gone" else WebhookState.FAILING, outcome.error)


def _wait(tries: int, retry_after: int | None) -> timedelta:
    """How long until the next attempt; longer if the other side asks for it."""
    wait = BACK_OFF[tries - 1] * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 — no secret
    return wait if retry_after is None else max(wait, min(timedelta(seconds=retry_after), LONGEST_WAIT))


def _next_message(webhook: Webhook, tell: Tell) -> Delivery | None:
    """The next changes of a locked webhook's kinds as a delivery, and its position behind them."""
    while True:
        found = lines_after(webhook, most=EVENTS)
        if found.next != webhook.position:
            webhook.position = found.next
            webhook.save(update_fields=["position"])
        if found.lines or found.next >= found.head:
            break
    if not found.lines:
        return None
    data = tell(webhook.championship, found.lines, found.next)
    return new_delivery(webhook, "changes", data, position=found.next)


def new_delivery(
    webhook: Webhook, kind: str, data: dict[str, Any], *, position: int = 0, by_hand: bool = False
) -> Delivery:
    """A message to a locked webhook, due now."""
    now = timezone.now()
    return Delivery.objects.create(
        webhook=webhook,
        message_id=new_message_id(),
        position=position,
        body=body_of(kind, now, data),
        by_hand=by_hand,
        created_at=now,
        next_at=now,
    )


def due(now: datetime) -> list[int]:
    """The webhooks that have something to be sent now. Changes must have been numbered before."""
    waiting = (
        Delivery.objects.filter(state=DeliveryState.WAITING, next_at__lte=now, webhook__removed_at=None)
        .filter(Q(by_hand=True) | Q(webhook__state=WebhookState.ACTIVE))
        .values_list("webhook_id", flat=True)
    )
    return sorted({*waiting, *_behind()})


def _behind() -> Iterable[int]:
    """The active webhooks for which nothing waits and whose championship has gone on."""
    busy = Delivery.objects.filter(state=DeliveryState.WAITING, by_hand=False).values("webhook_id")
    free = Webhook.objects.filter(state=WebhookState.ACTIVE, removed_at=None).exclude(pk__in=busy)
    rows = list(free.values_list("pk", "championship_id", "position"))
    return [
        pk
        for pk, championship_id, position in rows
        if Change.objects.filter(championship_id=championship_id, position__gt=position).exists()
    ]


def next_due() -> datetime | None:
    """When the next delivery is to be tried that waits for its time; None if none does."""
    rows = Delivery.objects.filter(state=DeliveryState.WAITING, webhook__removed_at=None)
    rows = rows.filter(Q(by_hand=True) | Q(webhook__state=WebhookState.ACTIVE))
    return rows.order_by("next_at").values_list("next_at", flat=True).first()


def forget_deliveries() -> None:
    """Forget what was delivered or given up long ago, but the last one that was given up of each webhook in order."""
    old = Delivery.objects.filter(created_at__lt=timezone.now() - KEPT).exclude(state=DeliveryState.WAITING)
    blocked = Webhook.objects.exclude(state=WebhookState.ACTIVE).values("pk", "position")
    for row in blocked:
        old = old.exclude(webhook_id=row["pk"], position=row["position"])
    old.delete()
