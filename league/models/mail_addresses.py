"""Secret addresses to which results come by mail."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.championship import Championship
from league.models.fields import KeptJSON


class MailAddress(models.Model):
    """An address that says by its secret which championship is meant and who sends.

    Mail servers show addresses in their logs and users forward mails: it lets its user hand in, nothing else, and it
    can be taken back. Only the digest of the secret is kept.
    """

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="mail_addresses", verbose_name=_("championship")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="mail_addresses", verbose_name=_("user")
    )
    name = models.CharField(_("name"), max_length=80)
    secret_sha256 = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(_("made"), default=timezone.now)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("mail address")
        verbose_name_plural = _("mail addresses")
        ordering = ("championship_id", "id")
        constraints = (
            models.UniqueConstraint(fields=["secret_sha256"], name="league_mail_address_secret_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="league_mail_address_named"),
        )

    def __str__(self) -> str:
        return self.name


class ReceivedMail(models.Model):
    """A mail that came in, by its Message-ID: the same mail twice is answered once and counts once."""

    address = models.ForeignKey(MailAddress, on_delete=models.PROTECT, related_name="mails")
    message_id_sha256 = models.CharField(max_length=64)
    answer = KeptJSON()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("received mail")
        verbose_name_plural = _("received mails")
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(fields=["address", "message_id_sha256"], name="league_received_mail_once"),
        )

    def __str__(self) -> str:
        return self.message_id_sha256[:12]
