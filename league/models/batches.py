"""Batches: many items sent at once, each saved or refused on its own by a job that can be stopped and resumed."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.access import ApiToken
from league.models.championship import Championship
from league.models.fields import KeptJSON


class BatchState(models.TextChoices):
    """Where a batch stands. `cancelled`: what was done before stays, what was not done is never done."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", pgettext_lazy("batch", "done")
    CANCELLED = "cancelled", pgettext_lazy("batch", "cancelled")


class ItemState(models.TextChoices):
    """What became of an item. `failed`: our program failed at it, which stands in the log of the server."""

    WAITING = "waiting", _("waiting")
    SAVED = "saved", _("saved")
    REPEATED = "repeated", _("was there already")
    REFUSED = "refused", _("refused")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", pgettext_lazy("item of a batch", "cancelled")


class Batch(models.Model):
    """Up to 10,000 items. The rows of its items are the truth, a job's message only wakes a worker.

    `language`: that of the texts in its answers. `lanes`: how many jobs may work at it side by side; items of one
    partie share a lane and are done in their order.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="batches")
    token = models.ForeignKey(ApiToken, on_delete=models.PROTECT, null=True, related_name="batches")
    championship = models.ForeignKey(Championship, on_delete=models.PROTECT, null=True, related_name="batches")
    state = models.CharField(_("state"), max_length=10, choices=BatchState.choices, default=BatchState.WAITING)
    language = models.CharField(max_length=10, default="en")
    item_count = models.PositiveIntegerField(_("items"))
    lanes = models.PositiveSmallIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    worked_at = models.DateTimeField(null=True, db_index=True)
    finished_at = models.DateTimeField(null=True)
    ip = models.GenericIPAddressField(null=True)
    request_id = models.CharField(max_length=64, default="")

    class Meta:
        verbose_name = _("batch")
        verbose_name_plural = _("batches")
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(
                condition=Q(state__in=BatchState.values, item_count__gt=0, lanes__gt=0), name="league_batch_settings"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running"], finished_at__isnull=True)
                | Q(state__in=["done", "cancelled"], finished_at__isnull=False),
                name="league_batch_finished",
            ),
        )

    def __str__(self) -> str:
        return f"{self.pk} ({self.state})"


class BatchItem(models.Model):
    """One line of a batch: its bytes as they came, until it is answered; the answer, in one transaction with the deed.

    `tries`: how many jobs have begun with it (league.services.batches). What was sent may say what is private of people
    (an address, who is a minor): it is not kept longer than it serves.
    """

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="items")
    line = models.PositiveIntegerField()
    lane = models.PositiveSmallIntegerField(default=0)
    body = models.BinaryField()
    state = models.CharField(max_length=10, choices=ItemState.choices, default=ItemState.WAITING)
    answer = KeptJSON(null=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("item of a batch")
        verbose_name_plural = _("items of a batch")
        ordering = ("batch_id", "line")
        indexes = (
            models.Index(
                fields=["batch", "lane", "line"], condition=Q(state="waiting"), name="league_batch_item_waiting"
            ),
        )
        constraints = (
            models.UniqueConstraint(fields=["batch", "line"], name="league_batch_item_line_unique"),
            models.CheckConstraint(
                condition=Q(state__in=ItemState.values, line__gt=0), name="league_batch_item_settings"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", answer__isnull=True) | (~Q(state="waiting") & Q(answer__isnull=False)),
                name="league_batch_item_answered",
            ),
        )

    def __str__(self) -> str:
        return f"{self.batch_id}:{self.line}"
