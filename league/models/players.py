"""Clubs and players. A player need not have an account, and an account need not be a player."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class ShownAs(models.TextChoices):
    """What everybody may read of a player's name."""

    NAME = "name", _("the whole name")
    INITIALS = "initials", _("initials only")
    HIDDEN = "hidden", _("no name")


class Club(models.Model):
    """A club: players belong to it and championships are held by it."""

    name = models.CharField(_("name"), max_length=100)
    name_folded = models.CharField(max_length=200, editable=False)
    slug = models.SlugField(_("address"), max_length=60)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ("name_folded", "id")
        constraints = (
            models.UniqueConstraint(fields=["slug"], name="league_club_slug_unique"),
            models.UniqueConstraint(fields=["name_folded"], name="league_club_name_unique"),
        )

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """Somebody who plays. The e-mail address is private: no public page, API answer or export holds it."""

    name = models.CharField(_("name"), max_length=100)
    name_folded = models.CharField(max_length=200, editable=False, db_index=True)
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, null=True, blank=True, related_name="players", verbose_name=_("club")
    )
    licence = models.CharField(_("licence number"), max_length=30, blank=True, default="")
    email = models.EmailField(_("e-mail"), blank=True, default="", help_text=_("Kept private."))
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="player",
        verbose_name=_("account"),
    )
    is_minor = models.BooleanField(_("a minor"), default=False)
    shown_as = models.CharField(_("shown as"), max_length=8, choices=ShownAs.choices, default=ShownAs.NAME)
    shows_club = models.BooleanField(_("the club is shown"), default=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    anonymised_at = models.DateTimeField(_("anonymised"), null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("created by")
    )
    created_at = models.DateTimeField(default=timezone.now)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ("name_folded", "id")
        constraints = (
            models.UniqueConstraint(fields=["licence"], condition=~Q(licence=""), name="league_player_licence_unique"),
            models.CheckConstraint(condition=~Q(name_folded=""), name="league_player_named"),
            models.CheckConstraint(condition=Q(shown_as__in=ShownAs.values), name="league_player_shown_as"),
        )

    def __str__(self) -> str:
        return self.name
