"""A championship with a webhook and changes of a test's own choosing, already numbered."""

from typing import Any

from django.utils import timezone

from league.api.webhook_events import told
from league.models import Championship, Change, FeedHead, Webhook
from league.policy import Actor
from league.services import deliveries
from league.services.webhooks import make_webhook
from tests.factories import ChampionshipFactory, owner_of


def webhook_to(url: str, championship: Championship | None = None, **how: Any) -> Webhook:
    """A webhook of a championship, with nothing to tell of yet."""
    cup = championship or ChampionshipFactory()
    Change.objects.filter(championship_id=cup.pk).delete()  # what making it has changed
    Change.objects.filter(position=None).delete()
    return make_webhook(actor=owner_of(cup), championship_id=cup.pk, url=url, **how)


def changed(championship: Championship, kind: str = "partie", key: str = "1", **columns: Any) -> int:
    """A change that is numbered; returns its position."""
    head, _ = FeedHead.objects.get_or_create(pk=1)
    head.position += 1
    head.save()
    Change.objects.create(
        kind=kind,
        championship_id=championship.pk,
        key=key,
        transaction=head.position,
        position=head.position,
        **{"at": timezone.now(), "object_id": head.position, **columns},
    )
    return head.position


def owner(webhook: Webhook) -> Actor:
    return owner_of(webhook.championship)


def work_off(webhook_id: int) -> bool:
    """As a job does it."""
    return deliveries.work_off(webhook_id=webhook_id, tell=told)


def claim_next(webhook_id: int) -> deliveries.Claim | None:
    """As a job does it."""
    return deliveries.claim_next(webhook_id=webhook_id, tell=told)
