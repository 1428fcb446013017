"""Webhooks: a championship's changes sent to an address, signed, in order, again until they arrive."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.championship import Championship
from league.models.fields import KeptJSON


class WebhookState(models.TextChoices):
    """Whether it is sent to. `failing`: given up after its last retry, until somebody resumes it."""

    ACTIVE = "active", _("active")
    PAUSED = "paused", _("paused")
    FAILING = "failing", _("given up")


class DeliveryState(models.TextChoices):
    """Where a delivery stands."""

    WAITING = "waiting", _("waiting")
    DELIVERED = "delivered", _("delivered")
    GIVEN_UP = "given-up", _("given up")


class Webhook(models.Model):
    """Where changes of a championship are sent to, and how far in the feed they were (`position`).

    `kinds`: which changes (`ChangeKind`), empty for all. The secret signs; it is shown to who made it and can be
    changed, so it is kept as it is. The one before it signs besides until `previous_until`.
    """

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="webhooks", verbose_name=_("championship")
    )
    url = models.URLField(_("address"), max_length=500)
    secret = models.CharField(max_length=80, editable=False)
    previous_secret = models.CharField(max_length=80, default="", editable=False)
    previous_until = models.DateTimeField(null=True, editable=False)
    kinds = models.JSONField(_("which changes"), default=list, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=WebhookState.choices, default=WebhookState.ACTIVE)
    position = models.PositiveBigIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ("championship_id", "id")
        constraints = (
            models.CheckConstraint(
                condition=Q(state__in=WebhookState.values) & ~Q(url="") & ~Q(secret=""), name="league_webhook_settings"
            ),
            models.CheckConstraint(
                condition=Q(previous_secret="", previous_until__isnull=True)
                | ~Q(previous_secret="") & Q(previous_until__isnull=False),
                name="league_webhook_previous_secret",
            ),
        )

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """A message to a webhook: the same id at every attempt, and the same bytes, but for the names of people who were
    anonymised in between (league.services.anonymising), which go out of what waits too.

    Of those in order one at a time waits for each webhook; those sent `by_hand` (a test, a message again) go beside
    it, once. `position`: of the last change that it tells of, 0 for a test. `tries`: how often since it began to wait.
    `next_at`: when it is tried (again), and while it is under way, when whoever sends it must have died. `status` and
    `error`: what the last attempt came to. `attempts`: the last of them, oldest first (league.services.deliveries).
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries")
    message_id = models.CharField(max_length=40)
    position = models.PositiveBigIntegerField()
    body = models.TextField()
    state = models.CharField(_("state"), max_length=10, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    by_hand = models.BooleanField(default=False)
    tries = models.PositiveSmallIntegerField(default=0)
    attempts = KeptJSON(default=list)
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=200, default="")
    created_at = models.DateTimeField(default=timezone.now)
    next_at = models.DateTimeField(null=True, db_index=True)
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ("webhook_id", "id")
        indexes = (models.Index(fields=["webhook", "-id"], name="league_delivery_of_webhook"),)
        constraints = (
            models.UniqueConstraint(fields=["message_id"], name="league_delivery_message_unique"),
            models.UniqueConstraint(
                fields=["webhook"], condition=Q(state="waiting", by_hand=False), name="league_delivery_one_waits"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", next_at__isnull=False, delivered_at__isnull=True)
                | Q(state="delivered", next_at__isnull=True, delivered_at__isnull=False)
                | Q(state="given-up", next_at__isnull=True, delivered_at__isnull=True),
                name="league_delivery_state",
            ),
        )

    def __str__(self) -> str:
        return f"{self.message_id} ({self.state})"
