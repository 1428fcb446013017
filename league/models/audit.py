"""Who changed what, when, from where and why."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.access import ApiToken
from league.models.championship import Championship
from league.models.fields import KeptJSON


class AuditEntry(models.Model):
    """One change by one service, written in its transaction. `before` is null for what was made, `after` for what
    was taken away. E-mail addresses do not stand in them, only that one changed."""

    at = models.DateTimeField(_("at"), default=timezone.now, db_index=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("user")
    )
    token = models.ForeignKey(ApiToken, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("token"))
    action = models.CharField(_("action"), max_length=40)
    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, null=True, related_name="audit", verbose_name=_("championship")
    )
    object_type = models.CharField(_("kind of object"), max_length=30)
    object_id = models.BigIntegerField(_("object"))
    before = KeptJSON(_("before"), null=True)
    after = KeptJSON(_("after"), null=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True, default="")
    via = models.CharField(_("through"), max_length=60, blank=True, default="")
    ip = models.GenericIPAddressField(_("address"), null=True)
    request_id = models.CharField(_("request"), max_length=64, blank=True, default="")

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        ordering = ("-at", "-id")
        indexes = (
            models.Index(fields=["championship", "-id"], name="league_audit_championship"),
            models.Index(fields=["object_type", "object_id", "-id"], name="league_audit_object"),
        )
        constraints = (models.CheckConstraint(condition=~Q(action=""), name="league_audit_action"),)

    def __str__(self) -> str:
        return f"{self.action} {self.object_type} {self.object_id}"
