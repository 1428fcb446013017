"""Championships, who runs them, and who was asked to."""

import hashlib
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.players import Club


class DecidedBy(models.TextChoices):
    """What decides a partie (RULES 8, STANDINGS 1)."""

    POINTS = "points", _("points")
    MANCHES = "manches", _("manches won")


class PartieEnd(models.TextChoices):
    """When a partie is over (STANDINGS 1); the number is `Championship.partie_end_value`."""

    POINTS = "points", _("a number of points is reached")
    MANCHES = "manches", _("a number of manches is played")
    WINS = "wins", _("a number of manches is won")
    REFEREE = "referee", _("the referee closes it")


class Visibility(models.TextChoices):
    """Who sees a championship."""

    DRAFT = "draft", _("draft: its organisers only")
    UNLISTED = "unlisted", _("unlisted: whoever has the address")
    PUBLIC = "public", _("public")


class Confirmation(models.TextChoices):
    """What a valid result waits for before it counts."""

    AT_ONCE = "at_once", _("nothing: it counts at once")
    OPPONENT = "opponent", _("another side of the table confirms it")
    SECOND_ENTRY = "second_entry", _("a second person enters it without seeing the first, and both agree")
    ORGANISER = "organiser", _("an organiser confirms it")


class Ranks(models.TextChoices):
    """Who is ranked (STANDINGS 3). Where players are, each enters alone and teams are made afresh each round."""

    ENTRIES = "entries", _("entries: a player or a team that stays together")
    PLAYERS = "players", _("players: teams are drawn afresh each round (mêlée)")


class Substitution(models.TextChoices):
    """Who may sit in for a player of a team."""

    NONE = "none", _("nobody")
    NAMED = "named", _("the substitutes named by the team")
    FREE = "free", _("anybody who is in no other team of the championship")


class ClockEnd(models.TextChoices):
    """What becomes of the manche under way when the time of a round is up."""

    FINISH = "finish", _("the manche under way is finished")
    STOP = "stop", _("the manche under way is stopped")


class ChampionshipStatus(models.TextChoices):
    """A finished championship takes no more results, and its secret is shown."""

    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")


class Role(models.TextChoices):
    """What somebody is to a championship; league/policy.py says what each may do."""

    OWNER = "owner", _("owner")
    ORGANISER = "organiser", _("organiser")
    REFEREE = "referee", _("referee")
    SCORER = "scorer", _("table scorer")
    AUDITOR = "auditor", _("auditor")


class Championship(models.Model):
    """A championship: how its parties are played, and how its entries are ranked.

    Its row is the one lock of everything that belongs to it: a service that writes below it locks it first
    (league/services/locks.py). `journal_position` is the number of the last entry of its journal of results;
    `ranking_due_since` is the mark that the live ranking does not count all of them yet: set by the transaction
    that adds to the journal, taken away by the one that replaces the ranking. Null: the ranking is up to date.
    """

    slug = models.SlugField(_("address"), max_length=60)
    name = models.CharField(_("name"), max_length=120)
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, null=True, blank=True, related_name="championships", verbose_name=_("club")
    )

    rulebook = models.CharField(_("rulebook"), max_length=40)
    house = models.JSONField(_("house rules"), default=dict, blank=True)
    table_entries = models.PositiveSmallIntegerField(_("entries at a table"), default=2)
    players_per_team = models.PositiveSmallIntegerField(_("players of an entry"), default=1)
    target = models.PositiveIntegerField(
        _("target of a manche (km)"), null=True, blank=True, help_text=_("Empty: the first target of the table.")
    )
    allow_short_tables = models.BooleanField(_("tables with one entry less"), default=False)

    decided_by = models.CharField(_("a partie is decided by"), max_length=10, choices=DecidedBy.choices)
    partie_end = models.CharField(_("a partie ends when"), max_length=10, choices=PartieEnd.choices)
    partie_end_value = models.PositiveIntegerField(_("that number"), null=True, blank=True)
    confirmation = models.CharField(
        _("a result waits for"), max_length=12, choices=Confirmation.choices, default=Confirmation.AT_ONCE
    )

    confirm_minutes = models.PositiveSmallIntegerField(
        _("counts unconfirmed after (minutes)"),
        null=True,
        blank=True,
        help_text=_("Empty: it waits until somebody confirms it."),
    )
    ranks = models.CharField(_("ranks"), max_length=8, choices=Ranks.choices, default=Ranks.ENTRIES)
    substitution = models.CharField(
        _("who may stand in"), max_length=6, choices=Substitution.choices, default=Substitution.NONE
    )
    substitution_limit = models.PositiveSmallIntegerField(
        _("parties of a stand-in"), null=True, blank=True, help_text=_("Empty: as many as needed.")
    )
    registration_opens_at = models.DateTimeField(_("registration opens"), null=True, blank=True)
    registration_closes_at = models.DateTimeField(_("registration closes"), null=True, blank=True)
    max_entries = models.PositiveIntegerField(_("most entries"), null=True, blank=True)
    waiting_list = models.BooleanField(_("waiting list"), default=True)
    clock_minutes = models.PositiveSmallIntegerField(_("minutes of a round"), null=True, blank=True)
    clock_at_end = models.CharField(
        _("when the time is up"), max_length=10, choices=ClockEnd.choices, default=ClockEnd.FINISH
    )

    primary = models.CharField(_("primary key"), max_length=30, default="match_points")
    tie_breaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    scale = models.JSONField(_("scale by place"), null=True, blank=True)
    best_n = models.PositiveSmallIntegerField(_("parties that count"), null=True, blank=True)
    minimum = models.PositiveSmallIntegerField(_("least number of manches"), null=True, blank=True)
    secret = models.CharField(max_length=64, editable=False)

    time_zone = models.CharField(_("time zone"), max_length=60, default="Europe/Paris")
    visibility = models.CharField(_("visibility"), max_length=10, choices=Visibility.choices, default=Visibility.DRAFT)
    status = models.CharField(
        _("status"), max_length=10, choices=ChampionshipStatus.choices, default=ChampionshipStatus.RUNNING
    )
    version = models.PositiveIntegerField(default=1, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("created by")
    )
    created_at = models.DateTimeField(default=timezone.now)

    journal_position = models.PositiveBigIntegerField(default=0, editable=False)
    ranking_due_since = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("championship")
        verbose_name_plural = _("championships")
        ordering = ("-created_at", "-id")
        indexes = (
            models.Index(
                fields=["ranking_due_since"],
                condition=Q(ranking_due_since__isnull=False),
                name="league_championship_due",
            ),
        )
        constraints = (
            models.UniqueConstraint(fields=["slug"], name="league_championship_slug_unique"),
            models.CheckConstraint(condition=Q(table_entries__range=(2, 4)), name="league_championship_table_entries"),
            models.CheckConstraint(
                condition=Q(players_per_team__range=(1, 2)), name="league_championship_players_per_team"
            ),
            models.CheckConstraint(
                condition=Q(partie_end=PartieEnd.REFEREE, partie_end_value__isnull=True)
                | (~Q(partie_end=PartieEnd.REFEREE) & Q(partie_end_value__isnull=False, partie_end_value__gt=0)),
                name="league_championship_partie_end",
            ),
            models.CheckConstraint(
                condition=Q(partie_end__in=PartieEnd.values)
                & Q(decided_by__in=DecidedBy.values)
                & Q(visibility__in=Visibility.values)
                & Q(confirmation__in=Confirmation.values)
                & Q(status__in=ChampionshipStatus.values)
                & Q(ranks__in=Ranks.values, substitution__in=Substitution.values, clock_at_end__in=ClockEnd.values),
                name="league_championship_known_choices",
            ),
            models.CheckConstraint(
                condition=Q(ranks=Ranks.ENTRIES) | Q(players_per_team=2), name="league_championship_melee_of_pairs"
            ),
            models.CheckConstraint(
                condition=Q(registration_opens_at__isnull=True)
                | Q(registration_closes_at__isnull=True)
                | Q(registration_closes_at__gt=F("registration_opens_at")),
                name="league_championship_registration_closes_later",
            ),
            models.CheckConstraint(
                condition=Q(ranking_due_since__isnull=True) | Q(journal_position__gt=0),
                name="league_championship_due_for_something",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def ranking_keys(self) -> dict[str, Any]:
        """How its entries are ranked, as the members of `classement/1` (STANDINGS 7); what is not set is left out."""
        keys = {"primary": self.primary, "tie_breaks": self.tie_breaks}
        chosen = {"scale": self.scale, "best_n": self.best_n, "minimum": self.minimum}
        return keys | {name: value for name, value in chosen.items() if value is not None}

    @property
    def registration_is_open(self) -> bool:
        """Whether people may register themselves now; without a time to open they never may."""
        now, closes = timezone.now(), self.registration_closes_at
        opened = self.registration_opens_at is not None and self.registration_opens_at <= now
        return opened and (closes is None or now < closes) and self.status == ChampionshipStatus.RUNNING

    @property
    def secret_sha256(self) -> str:
        """The digest that is shown from the start, so that the lots drawn can be redone at the end (STANDINGS 3)."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    @property
    def shown_secret(self) -> str | None:
        """The secret itself once the championship is finished, None before."""
        return self.secret if self.status == ChampionshipStatus.FINISHED else None


class Membership(models.Model):
    """Somebody's role in a championship."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships", verbose_name=_("user")
    )
    championship = models.ForeignKey(
        Championship, on_delete=models.CASCADE, related_name="memberships", verbose_name=_("championship")
    )
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    tables = models.JSONField(
        _("tables"), default=list, blank=True, help_text=_("Numbers of the tables of a table scorer.")
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("organiser")
        verbose_name_plural = _("organisers")
        ordering = ("championship_id", "since", "id")
        constraints = (
            models.UniqueConstraint(fields=["championship", "user"], name="league_membership_unique"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="league_membership_role"),
        )

    def __str__(self) -> str:
        return f"{self.user} · {self.championship}"


class Invitation(models.Model):
    """An address asked to help run a championship. Only the digest of the link's token is kept."""

    championship = models.ForeignKey(
        Championship, on_delete=models.CASCADE, related_name="invitations", verbose_name=_("championship")
    )
    email = models.EmailField(_("e-mail"), max_length=254)
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.ORGANISER)
    tables = models.JSONField(_("tables"), default=list, blank=True)
    token_sha256 = models.CharField(max_length=64, editable=False)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("invited by")
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(_("expires"))
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("accepted by"),
    )
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ("-created_at", "-id")
        constraints = (
            models.UniqueConstraint(fields=["token_sha256"], name="league_invitation_token_unique"),
            models.UniqueConstraint(
                fields=["championship", "email"],
                condition=Q(accepted_at__isnull=True, withdrawn_at__isnull=True),
                name="league_invitation_one_waiting",
            ),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="league_invitation_role"),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True, accepted_by__isnull=True)
                | Q(accepted_at__isnull=False, accepted_by__isnull=False),
                name="league_invitation_accepted_by_somebody",
            ),
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="league_invitation_expires_later"),
        )

    def __str__(self) -> str:
        return f"{self.email} · {self.championship}"
