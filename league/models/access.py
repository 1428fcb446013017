"""How programs come in: tokens, and the keys that make a repeated request harmless."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.championship import Championship
from league.models.fields import KeptJSON


class Scope(models.TextChoices):
    """What a token may be used for; never more than its user may do."""

    READ = "read", _("read")
    HAND_IN = "hand_in", _("hand in logs and sheets")
    MANAGE = "manage", _("manage")


class ApiToken(models.Model):
    """A program's key: found by its prefix, proved by a secret of which only the digest is kept."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tokens", verbose_name=_("user")
    )
    championship = models.ForeignKey(
        Championship,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tokens",
        help_text=_("Empty: every championship of its user."),
        verbose_name=_("championship"),
    )
    name = models.CharField(_("name"), max_length=80)
    prefix = models.CharField(max_length=12, editable=False)
    secret_sha256 = models.CharField(max_length=64, editable=False)
    scopes = models.JSONField(_("scopes"), default=list)
    created_at = models.DateTimeField(_("made"), default=timezone.now)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        ordering = ("user_id", "-created_at", "-id")
        constraints = (models.UniqueConstraint(fields=["prefix"], name="league_token_prefix_unique"),)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def state_at(self, now: datetime) -> str:
        """Whether it opens anything: `good`, `expired`, `revoked`, or `idle` while its user may not sign in."""
        if self.revoked_at is not None:
            return "revoked"
        if self.expires_at is not None and self.expires_at <= now:
            return "expired"
        return "good" if self.user.is_active else "idle"


class IdempotencyRecord(models.Model):
    """What was answered to a request that named a key, so that the same request again is answered alike."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("user")
    )
    key = models.CharField(max_length=100)
    request_sha256 = models.CharField(max_length=64)
    answer = KeptJSON()
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("remembered answer")
        verbose_name_plural = _("remembered answers")
        constraints = (
            models.UniqueConstraint(fields=["user", "key"], name="league_idempotency_key_unique"),
            models.CheckConstraint(condition=~Q(key=""), name="league_idempotency_has_key"),
        )

    def __str__(self) -> str:
        return self.key
