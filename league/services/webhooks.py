"""Webhooks made, changed, stopped, resumed and removed by the owners of a championship; a test sent, a message again.

A webhook's row is locked alone, never after anything else but its championship: whoever sends locks it too.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.delivery_words import UNFIT
from league.errors import Conflict, NotFound, UserFault, all_of
from league.models import Delivery, DeliveryState, Webhook, WebhookState
from league.policy import Actor
from league.selectors.webhooks import KINDS, given_up_first
from league.services import audit, outward, waking
from league.services.deliveries import new_delivery
from league.services.feed import numbered_up_to
from league.services.locks import check_version, lock_championship
from league.services.webhook_messages import new_secret

MOST: Final = 10
"""Webhooks of one championship."""
BOTH_SIGN: Final = timedelta(hours=24)
"""How long the secret before signs beside a new one."""

_FIELDS = ("url", "kinds", "state")


@transaction.atomic
def make_webhook(*, actor: Actor, championship_id: int, url: str, kinds: Collection[str] = ()) -> Webhook:
    """Send a championship's changes from now on to an address. `kinds`: which (`selectors.webhooks.KINDS`), () for all.

    Raises UserFault of an address (`delivery_words.UNFIT`), `unknown-kind`; Conflict `too-many-webhooks`.
    """
    championship = lock_championship(pk=championship_id)
    wanted = _asked(url, kinds)
    if Webhook.objects.filter(championship=championship, removed_at=None).count() >= MOST:
        message = _("A championship has at most %(most)s webhooks: remove one first.") % {"most": MOST}
        raise Conflict("too-many-webhooks", message)
    assert actor.user is not None, "a webhook is made by somebody"
    webhook = Webhook.objects.create(
        championship=championship,
        url=url,
        kinds=wanted,
        secret=new_secret(),
        position=numbered_up_to(),
        created_by=actor.user,
    )
    _record(actor, "make_webhook", webhook, None, audit.state(webhook, _FIELDS))
    return webhook


@transaction.atomic
def change_webhook(
    *, actor: Actor, webhook_id: int, version: int | None, url: str, kinds: Collection[str] = ()
) -> Webhook:
    """Give a webhook another address or other kinds; what waits goes to the new address.

    Raises NotFound, Stale, UserFault as `make_webhook`.
    """
    webhook = _locked(webhook_id, version)
    before = audit.state(webhook, _FIELDS)
    webhook.url, webhook.kinds = url, _asked(url, kinds)
    old, new = audit.changes(before, audit.state(webhook, _FIELDS))
    if new:
        _save(webhook, "url", "kinds")
        _record(actor, "change_webhook", webhook, old, new)
    return webhook


@transaction.atomic
def pause_webhook(*, actor: Actor, webhook_id: int, version: int | None) -> Webhook:
    """Send nothing until it is resumed; what changes meanwhile waits. Raises NotFound, Stale."""
    webhook = _locked(webhook_id, version)
    if webhook.state != WebhookState.PAUSED:
        _set_state(actor, "pause_webhook", webhook, WebhookState.PAUSED)
    return webhook


@transaction.atomic
def resume_webhook(*, actor: Actor, webhook_id: int, version: int | None, skip: bool = False) -> Webhook:
    """Send again, at once, beginning with the message that was given up. `skip`: without that one.

    Raises NotFound, Stale.
    """
    webhook = _locked(webhook_id, version)
    if webhook.state == WebhookState.ACTIVE:
        return webhook
    now = timezone.now()
    waiting = webhook.deliveries.filter(state=DeliveryState.WAITING, by_hand=False)
    if not waiting.update(next_at=now, tries=0) and not skip:
        given_up_first(webhook).update(state=DeliveryState.WAITING, by_hand=False, next_at=now, tries=0)
    _set_state(actor, "resume_webhook", webhook, WebhookState.ACTIVE)
    _wake(webhook)
    return webhook


@transaction.atomic
def renew_webhook_secret(*, actor: Actor, webhook_id: int, version: int | None) -> Webhook:
    """Sign by another secret from now on; for BOTH_SIGN the one before signs besides. Raises NotFound, Stale."""
    webhook = _locked(webhook_id, version)
    webhook.previous_secret, webhook.previous_until = webhook.secret, timezone.now() + BOTH_SIGN
    webhook.secret = new_secret()
    _save(webhook, "secret", "previous_secret", "previous_until")
    _record(actor, "renew_webhook_secret", webhook, {"version": webhook.version - 1}, {"version": webhook.version})
    return webhook


@transaction.atomic
def remove_webhook(*, actor: Actor, webhook_id: int, version: int | None) -> Webhook:
    """Send nothing any more, for good; what waits is given up. Raises NotFound, Stale."""
    webhook = _locked(webhook_id, version)
    webhook.deliveries.filter(state=DeliveryState.WAITING).update(
        state=DeliveryState.GIVEN_UP, next_at=None, error="removed"
    )
    webhook.removed_at = timezone.now()
    _save(webhook, "removed_at")
    _record(actor, "remove_webhook", webhook, audit.state(webhook, _FIELDS), None)
    return webhook


@transaction.atomic
def send_test_message(*, actor: Actor, webhook_id: int) -> Delivery:
    """Send a message that tells of no change, once, whatever the webhook's state. Raises NotFound."""
    webhook = _locked(webhook_id, None)
    data = {"championship": webhook.championship.slug}
    delivery = new_delivery(webhook, "test", data, by_hand=True)
    _record(actor, "send_test_message", webhook, None, {"message_id": delivery.message_id})
    _wake(webhook)
    return delivery


@transaction.atomic
def send_again(*, actor: Actor, webhook_id: int, message_id: str) -> Delivery:
    """Send a message at once: one that waits for its next attempt now, any other once more, beside the order.

    Raises NotFound, Conflict `webhook-stopped` for a message that waits in the order of a webhook that is stopped.
    """
    webhook = _locked(webhook_id, None)
    delivery = webhook.deliveries.filter(message_id=message_id).first()
    if delivery is None:
        raise NotFound
    if delivery.state == DeliveryState.WAITING:
        if not delivery.by_hand and webhook.state != WebhookState.ACTIVE:
            raise Conflict("webhook-stopped", _("This message waits in its order: resume the webhook."))
        if _is_under_way(delivery):
            return delivery
    else:
        delivery.state, delivery.by_hand, delivery.delivered_at = DeliveryState.WAITING, True, None
    delivery.next_at = timezone.now()
    delivery.save(update_fields=["state", "by_hand", "delivered_at", "next_at"])
    _record(actor, "send_again", webhook, None, {"message_id": delivery.message_id})
    _wake(webhook)
    return delivery


def lock_webhook(*, championship_id: int, webhook_id: int) -> Webhook:
    """Lock and return a webhook of a championship, for the rest of the transaction. Raises NotFound."""
    webhook = _locked(webhook_id, None)
    if webhook.championship_id != championship_id:
        raise NotFound
    return webhook


def _is_under_way(delivery: Delivery) -> bool:
    """Whether somebody has claimed it and still lives: it is being sent already."""
    began = bool(delivery.attempts) and delivery.attempts[-1]["error"] == "unfinished"
    return began and delivery.next_at is not None and delivery.next_at > timezone.now()


def _asked(url: str, kinds: Collection[str]) -> list[str]:
    """The kinds in their order. Raises Faults."""
    faults = []
    try:
        outward.check(url)
    except outward.NotSent as fault:
        faults.append(UserFault(fault.code, UNFIT[fault.code], field="url"))
    if set(kinds) - set(KINDS):
        faults.append(UserFault("unknown-kind", _("Choose at least one of the list."), field="kinds"))
    all_of(faults)
    return [kind for kind in KINDS if kind in kinds]


def _locked(webhook_id: int, version: int | None) -> Webhook:
    webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=webhook_id, removed_at=None).first()
    if webhook is None:
        raise NotFound
    check_version(webhook, version)
    return webhook


def _save(webhook: Webhook, *fields: str) -> None:
    webhook.version += 1
    webhook.save(update_fields=[*fields, "version"])


def _set_state(actor: Actor, action: str, webhook: Webhook, state: WebhookState) -> None:
    before = {"state": webhook.state}
    webhook.state = state
    _save(webhook, "state")
    _record(actor, action, webhook, before, {"state": state.value})


def _record(actor: Actor, action: str, webhook: Webhook, before: Any, after: Any) -> None:
    audit.record(actor=actor, action=action, on=webhook, championship=webhook.championship, before=before, after=after)


def _wake(webhook: Webhook) -> None:
    transaction.on_commit(lambda: waking.ask(webhook.pk), robust=True)
