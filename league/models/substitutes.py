"""Who may sit in for a player of a team, and who did."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.entries import Team
from league.models.parties import Seat
from league.models.players import Player


class Substitute(models.Model):
    """A player named as a substitute of a team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="substitutes", verbose_name=_("team"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="substitute_of", verbose_name=_("player"))
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("substitute")
        verbose_name_plural = _("substitutes")
        ordering = ("team_id", "id")
        constraints = (models.UniqueConstraint(fields=["team", "player"], name="league_substitute_unique"),)

    def __str__(self) -> str:
        return f"{self.player} · {self.team}"


class StandIn(models.Model):
    """Somebody who sat at a partie in the place of the player at a position of the team."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="stand_ins", verbose_name=_("seat"))
    position = models.PositiveSmallIntegerField(_("position"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="stood_in", verbose_name=_("player"))
    reason = models.CharField(_("reason"), max_length=300, blank=True, default="")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("stand-in")
        verbose_name_plural = _("stand-ins")
        ordering = ("seat_id", "position")
        constraints = (
            models.UniqueConstraint(fields=["seat", "position"], name="league_stand_in_position_unique"),
            models.UniqueConstraint(fields=["seat", "player"], name="league_stand_in_player_unique"),
            models.CheckConstraint(condition=Q(position__range=(1, 2)), name="league_stand_in_position"),
        )

    def __str__(self) -> str:
        return f"{self.player} · {self.seat}"
