"""One person once: numbers given by others, profiles claimed, two profiles made one."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.fields import KeptJSON
from league.models.players import Player


class PlayerNumber(models.Model):
    """A number that another system gave a player: a federation's, an online server's."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="numbers", verbose_name=_("player"))
    system = models.CharField(_("given by"), max_length=40)
    number = models.CharField(_("number"), max_length=60)

    class Meta:
        verbose_name = _("external number")
        verbose_name_plural = _("external numbers")
        ordering = ("player_id", "system", "number")
        constraints = (
            models.UniqueConstraint(fields=["system", "number"], name="league_player_number_unique"),
            models.CheckConstraint(condition=~Q(system="") & ~Q(number=""), name="league_player_number_filled"),
        )

    def __str__(self) -> str:
        return f"{self.system} {self.number}"


class ProfileClaim(models.Model):
    """A link or a code with which somebody takes a profile over: to the private e-mail, or from an organiser's hand.

    Only the digest is kept. `attempts` counts wrong codes.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims", verbose_name=_("player"))
    token_sha256 = models.CharField(max_length=64, editable=False)
    is_code = models.BooleanField(default=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("made by")
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(_("expires"))
    attempts = models.PositiveSmallIntegerField(default=0)
    used_at = models.DateTimeField(_("used"), null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("used by")
    )

    class Meta:
        verbose_name = _("claim of a profile")
        verbose_name_plural = _("claims of profiles")
        ordering = ("-created_at", "-id")
        constraints = (
            models.UniqueConstraint(fields=["token_sha256"], name="league_profile_claim_token_unique"),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at")), name="league_profile_claim_expires_later"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player}"


class PlayerMerge(models.Model):
    """Two profiles that became one: what moved stands here, so that it can be undone."""

    kept = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merges", verbose_name=_("kept"))
    merged = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merged_by", verbose_name=_("merged"))
    moved = KeptJSON(_("what moved"), default=dict)
    reason = models.CharField(_("reason"), max_length=300, blank=True, default="")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("undone by")
    )

    class Meta:
        verbose_name = _("merge of players")
        verbose_name_plural = _("merges of players")
        ordering = ("-at", "-id")
        constraints = (
            models.CheckConstraint(condition=~Q(kept=F("merged")), name="league_player_merge_of_two"),
            models.UniqueConstraint(
                fields=["merged"], condition=Q(undone_at__isnull=True), name="league_player_merge_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.merged} → {self.kept}"
