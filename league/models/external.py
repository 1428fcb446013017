"""What other programs call our things, so that a retry after a lost answer never makes a second one."""

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.championship import Championship

EXTERNAL_ID = r"[A-Za-z0-9._:-]{1,100}"
"""What an external id may be made of."""


class ExternalKind(models.TextChoices):
    """What may have an external id. Players and clubs have theirs within an account, the rest within a championship."""

    PLAYER = "player"
    CLUB = "club"
    TEAM = "team"
    ENTRY = "entry"
    STAGE = "stage"
    ROUND = "round"
    PARTIE = "partie"
    MANCHE = "manche"


class ExternalId(models.Model):
    """A name that a program gave: unique for its kind within its space, one for each thing there.

    `request_sha256`: of the request that made the thing, by which the same request is known when it comes again.
    """

    kind = models.CharField(max_length=10, choices=ExternalKind.choices)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    championship = models.ForeignKey(Championship, on_delete=models.PROTECT, null=True, related_name="external_ids")
    external_id = models.CharField(max_length=100, validators=[RegexValidator(rf"\A{EXTERNAL_ID}\Z")])
    object_id = models.BigIntegerField()
    request_sha256 = models.CharField(max_length=64, default="")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = "external id"
        verbose_name_plural = "external ids"
        constraints = (
            models.UniqueConstraint(fields=["championship", "kind", "external_id"], name="league_external_id_unique"),
            models.UniqueConstraint(fields=["championship", "kind", "object_id"], name="league_external_id_once"),
            models.UniqueConstraint(fields=["user", "kind", "external_id"], name="league_external_id_of_user_unique"),
            models.UniqueConstraint(fields=["user", "kind", "object_id"], name="league_external_id_of_user_once"),
            models.CheckConstraint(
                condition=Q(user__isnull=True, championship__isnull=False) & ~Q(kind__in=["player", "club"])
                | Q(user__isnull=False, championship__isnull=True, kind__in=["player", "club"]),
                name="league_external_id_space",
            ),
            models.CheckConstraint(
                condition=~Q(external_id="") & Q(kind__in=ExternalKind.values), name="league_external_id_said"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} ~{self.external_id}"
