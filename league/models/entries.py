"""Who takes part in a championship: teams of one or two players, entered under a number, and their byes."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.championship import Championship
from league.models.players import Player


class Team(models.Model):
    """One or two players under one name; a team is named like its players unless it was named (`is_named`).

    The name is what everybody reads: it follows what its players choose to show.
    """

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="teams", verbose_name=_("championship")
    )
    name = models.CharField(_("name"), max_length=120)
    name_folded = models.CharField(max_length=240, editable=False)
    is_named = models.BooleanField(default=False, editable=False)
    players = models.ManyToManyField(Player, through="TeamMember", related_name="teams")
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        ordering = ("name_folded", "id")
        indexes = (models.Index(fields=["championship", "name_folded", "id"], name="league_team_by_name"),)
        constraints = (models.CheckConstraint(condition=~Q(name_folded=""), name="league_team_named"),)

    def __str__(self) -> str:
        return self.name


class TeamMember(models.Model):
    """A player's place in a team: position 1 sits at a1, b1 …, position 2 at a2, b2 … (RULES 13)."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members", verbose_name=_("team"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships", verbose_name=_("player"))
    position = models.PositiveSmallIntegerField(_("position"))

    class Meta:
        ordering = ("team_id", "position")
        constraints = (
            models.UniqueConstraint(fields=["team", "position"], name="league_team_member_position_unique"),
            models.UniqueConstraint(fields=["team", "player"], name="league_team_member_player_unique"),
            models.CheckConstraint(condition=Q(position__range=(1, 2)), name="league_team_member_position"),
        )

    def __str__(self) -> str:
        return f"{self.player} ({self.position})"


class Entry(models.Model):
    """A team in a championship, under the number that lots are drawn with (STANDINGS 3)."""

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="entries", verbose_name=_("championship")
    )
    number = models.PositiveIntegerField(_("number"))
    team = models.OneToOneField(Team, on_delete=models.PROTECT, related_name="entry", verbose_name=_("team"))
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    penalty = models.PositiveIntegerField(
        _("penalty"), default=0, help_text=_("Taken off the primary key (STANDINGS 2).")
    )
    penalty_reason = models.CharField(_("reason of the penalty"), max_length=300, blank=True, default="")

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ("championship_id", "number")
        constraints = (
            models.UniqueConstraint(fields=["championship", "number"], name="league_entry_number_unique"),
            models.CheckConstraint(condition=Q(number__gt=0), name="league_entry_number_positive"),
            models.CheckConstraint(
                condition=Q(penalty=0) | ~Q(penalty_reason=""), name="league_entry_penalty_has_reason"
            ),
        )

    def __str__(self) -> str:
        return f"{self.number} · {self.team}"


class Bye(models.Model):
    """An entry left over in a round (STANDINGS 2)."""

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="byes", verbose_name=_("championship")
    )
    round = models.PositiveIntegerField(_("round"))
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="byes", verbose_name=_("entry"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("bye")
        verbose_name_plural = _("byes")
        ordering = ("championship_id", "round", "entry_id")
        constraints = (
            models.UniqueConstraint(fields=["championship", "round", "entry"], name="league_bye_unique"),
            models.CheckConstraint(condition=Q(round__gt=0), name="league_bye_round_positive"),
        )

    def __str__(self) -> str:
        return f"{self.round} · {self.entry}"
