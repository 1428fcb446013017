"""Webhooks of a championship, what was sent to them, and what is to be sent next.

Doors ask `policy.require(actor, Action.CHANGE, championship)` before they show any of it.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from django.db.models import OuterRef, QuerySet, Subquery

from league.errors import NotFound
from league.models import Championship, ChangeKind, Delivery, DeliveryState, Webhook
from league.selectors.feed import Lines, changes
from league.selectors.paging import SIZE, Page, paged
from league.selectors.windows import Asked, Window, window

KINDS: Final = tuple(kind for kind in ChangeKind.values if kind not in (ChangeKind.PLAYER, ChangeKind.CLUB))
"""What a webhook of a championship may ask for: players and clubs belong to none."""

_OVERLAP = timedelta(minutes=10)


def webhooks_of(championship: Championship) -> QuerySet[Webhook]:
    """The webhooks of a championship that were not removed, oldest first."""
    return Webhook.objects.filter(championship=championship, removed_at=None).order_by("pk")


def with_last_error(webhooks: QuerySet[Webhook]) -> list[tuple[Webhook, str]]:
    """Webhooks, each with what went wrong when the last of its messages was tried. One query.

    Empty where it arrived, and where none was sent. One that is under way says nothing yet.
    """
    tried = Delivery.objects.filter(webhook=OuterRef("pk"))
    tried = tried.exclude(state=DeliveryState.WAITING, error="").exclude(error="unfinished").order_by("-id")
    rows = webhooks.annotate(last_error=Subquery(tried.values("error")[:1]))
    return [(row, vars(row)["last_error"] or "") for row in rows]


def webhook_at(championship: Championship, webhook_id: int) -> Webhook:
    """One of them. Raises NotFound."""
    found = webhooks_of(championship).filter(pk=webhook_id).first()
    if found is None:
        raise NotFound
    return found


def delivery_at(webhook: Webhook, message_id: str) -> Delivery:
    """A delivery of a webhook by its message's name. Raises NotFound."""
    found = webhook.deliveries.filter(message_id=message_id).first()
    if found is None:
        raise NotFound
    return found


def given_up_first(webhook: Webhook) -> QuerySet[Delivery]:
    """The message in the order of a webhook that was given up, with which it begins when it is resumed; at most one."""
    rows = webhook.deliveries.filter(position=webhook.position, position__gt=0)
    return rows.filter(state=DeliveryState.GIVEN_UP)


def deliveries_page(webhook: Webhook, *, number: int = 1, size: int = SIZE) -> Page[Delivery]:
    """What was sent to a webhook, newest first."""
    return paged(webhook.deliveries.order_by("-id"), number, size, list)


def deliveries_window(webhook: Webhook, *, asked: Asked) -> Window[Delivery]:
    """What was sent to a webhook, newest first, for programs."""
    return window(webhook.deliveries.all(), asked, [("-id", int)], lambda row: row)


def webhooks_window(championship: Championship, *, asked: Asked) -> Window[Webhook]:
    """The webhooks of a championship, for programs."""
    return window(webhooks_of(championship), asked, [("id", int)], lambda row: row)


def lines_after(webhook: Webhook, *, most: int) -> Lines:
    """The next lines of the feed that a webhook is to be told of, up to `most`; fewer do not say that none follow.

    Under the webhook's lock: what is pending is numbered before, by whoever works at it.
    It is told of nothing that is older than itself, but for what may have been under way when it was made.
    """
    found = changes(
        after=webhook.position,
        limit=most,
        championship_id=webhook.championship_id,
        kinds=webhook.kinds,
        numbers=False,
    )
    since = webhook.created_at - _OVERLAP
    return replace(found, lines=[line for line in found.lines if line.at >= since])
