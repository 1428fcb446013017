"""Results from the players' own hands: the secret link of a table, second entries, disputes."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.fields import KeptJSON
from league.models.parties import LABELS, Manche, Partie
from league.models.results import Document, Result


class TableLink(models.Model):
    """The secret address of a partie, printed as a QR code on its slip.

    The token is derived from the site's secret, the partie and `nonce`, so that slips can be printed again; another
    nonce makes the old slips void.
    """

    partie = models.OneToOneField(Partie, on_delete=models.CASCADE, related_name="link", verbose_name=_("partie"))
    nonce = models.CharField(max_length=32, editable=False)
    made_at = models.DateTimeField(default=timezone.now)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("link of a table")
        verbose_name_plural = _("links of tables")

    def __str__(self) -> str:
        return f"{self.partie}"


class SecondEntry(models.Model):
    """What a second person entered for a manche without seeing the first: they agree if the outcome is the same."""

    result = models.ForeignKey(
        Result, on_delete=models.PROTECT, related_name="second_entries", verbose_name=_("result")
    )
    document = models.OneToOneField(
        Document, on_delete=models.PROTECT, related_name="second_entry", verbose_name=_("document")
    )
    verdict = KeptJSON(_("verdict"))
    agrees = models.BooleanField(_("agrees"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    by_side = models.CharField(_("side"), max_length=1, blank=True, default="")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("second entry")
        verbose_name_plural = _("second entries")
        ordering = ("result_id", "id")

    def __str__(self) -> str:
        return f"{self.result}"


class Dispute(models.Model):
    """A result that somebody contests, until a referee closes it."""

    manche = models.ForeignKey(Manche, on_delete=models.PROTECT, related_name="disputes", verbose_name=_("manche"))
    result = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="disputes", verbose_name=_("result"))
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("opened by")
    )
    side = models.CharField(_("side"), max_length=1, blank=True, default="")
    opened_at = models.DateTimeField(_("opened"), default=timezone.now)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("closed by")
    )
    decision = models.CharField(_("decision"), max_length=300, blank=True, default="")
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        ordering = ("-opened_at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=["manche"], condition=Q(closed_at__isnull=True), name="league_dispute_one_open"
            ),
            models.CheckConstraint(condition=Q(side="") | Q(side__in=list(LABELS)), name="league_dispute_side"),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True) | ~Q(decision=""), name="league_dispute_closed_with_decision"
            ),
        )

    def __str__(self) -> str:
        return f"{self.manche}"


class DisputeMessage(models.Model):
    """What somebody said in a dispute: a side of the table, or somebody who runs the championship."""

    dispute = models.ForeignKey(Dispute, on_delete=models.CASCADE, related_name="messages", verbose_name=_("dispute"))
    text = models.CharField(_("text"), max_length=1000)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    side = models.CharField(_("side"), max_length=1, blank=True, default="")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ("dispute_id", "id")
        constraints = (models.CheckConstraint(condition=~Q(text=""), name="league_dispute_message_has_text"),)

    def __str__(self) -> str:
        return self.text[:40]
