"""How entries come in before the day: people register themselves, and lists are imported."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.championship import Championship
from league.models.entries import Entry
from league.models.fields import KeptJSON


class RegistrationState(models.TextChoices):
    """Where a registration stands. Only an accepted one is an entry."""

    RECEIVED = "received", _("received: it has a place")
    WAITING = "waiting", _("on the waiting list")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    CANCELLED = "cancelled", pgettext_lazy("registration", "cancelled")


class Registration(models.Model):
    """What somebody filled in to take part. Whoever has the secret link may look at it and cancel it.

    `players`: a list of `{"name": …, "club": …, "licence": …, "email": …, "minor": …}`, as typed; addresses stay
    private. The first one also has the `language` in which mail is written. Places and the waiting list go by
    `position`.
    """

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="registrations", verbose_name=_("championship")
    )
    position = models.PositiveIntegerField(_("position"))
    team_name = models.CharField(_("name of the team"), max_length=120, blank=True, default="")
    players = KeptJSON(_("players"), default=list)
    note = models.CharField(_("note"), max_length=300, blank=True, default="")
    state = models.CharField(
        _("state"), max_length=10, choices=RegistrationState.choices, default=RegistrationState.RECEIVED
    )
    reason = models.CharField(_("reason"), max_length=300, blank=True, default="")
    token_sha256 = models.CharField(max_length=64, editable=False)
    said_sha256 = models.CharField(max_length=64, editable=False)
    entry = models.OneToOneField(
        Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="registration", verbose_name=_("entry")
    )
    at = models.DateTimeField(_("received"), default=timezone.now)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("decided by")
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")
        ordering = ("championship_id", "position")
        constraints = (
            models.UniqueConstraint(fields=["championship", "position"], name="league_registration_position_unique"),
            models.UniqueConstraint(fields=["token_sha256"], name="league_registration_token_unique"),
            models.CheckConstraint(
                condition=Q(state__in=RegistrationState.values, position__gt=0), name="league_registration_state"
            ),
            models.CheckConstraint(
                condition=Q(state=RegistrationState.ACCEPTED, entry__isnull=False)
                | (~Q(state=RegistrationState.ACCEPTED) & Q(entry__isnull=True)),
                name="league_registration_accepted_is_entry",
            ),
        )

    def __str__(self) -> str:
        return f"{self.championship} · {self.position}"


class ListImport(models.Model):
    """A list of players or entries that was read from a file, and what was decided about its lines.

    Nothing of it is written anywhere else until it is accepted. `lines`: the entries that were read, with the numbers
    of their lines (`league.listed`), until then. `decisions`: whether those on it are entered, and what an organiser
    settled, by line and place. `outcome`: what became of each place.
    """

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="imports", verbose_name=_("championship")
    )
    file_name = models.CharField(_("file"), max_length=200)
    sha256 = models.CharField(max_length=64, editable=False)
    lines = KeptJSON(_("lines"), default=list)
    decisions = KeptJSON(_("decisions"), default=dict)
    outcome = KeptJSON(_("outcome"), null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("by"))
    at = models.DateTimeField(_("read"), default=timezone.now)
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("imported list")
        verbose_name_plural = _("imported lists")
        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return self.file_name
