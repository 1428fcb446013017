"""Stages of a championship, their rounds, and who announced that it does not play one (STANDINGS 2 and 5)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.championship import Championship, ClockEnd
from league.models.entries import Entry
from league.models.fields import KeptJSON


class Format(models.TextChoices):
    """How a stage pairs those who are in it."""

    FREE = "free", _("free tables: the organiser seats whoever is there")
    ROUND_ROBIN = "round_robin", _("round robin: everybody meets everybody")
    SWISS = "swiss", _("Swiss: by standing, repeated meetings avoided")
    KNOCKOUT = "knockout", _("knock-out: the first of each table go on")


class CarryOver(models.TextChoices):
    """Which results of the stages before count in this one (STANDINGS 5)."""

    NONE = "none", _("none")
    QUALIFIED = "qualified", _("those among the qualified")


class RoundStatus(models.TextChoices):
    """A draft is its organisers' only; a published round has its parties; a locked one is not redrawn any more."""

    DRAFT = "draft", _("draft")
    PUBLISHED = "published", _("published")
    LOCKED = "locked", _("locked")


class Stage(models.Model):
    """A part of a championship with one format. A championship without stages has free tables.

    `pools`: 1 means that all play together; more: each pool is paired by itself in the same rounds. `qualify`: how many
    of the stage before go on to this one (of each pool where that one has several); null in the first. `table_qualify`:
    the first so many of a knock-out table go on.
    """

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="stages", verbose_name=_("championship")
    )
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=60, blank=True, default="")
    format = models.CharField(_("format"), max_length=12, choices=Format.choices)
    rounds_planned = models.PositiveSmallIntegerField(_("rounds"), null=True, blank=True)
    pools = models.PositiveSmallIntegerField(_("pools"), default=1)
    qualify = models.PositiveSmallIntegerField(_("who goes on to it"), null=True, blank=True)
    table_qualify = models.PositiveSmallIntegerField(_("who goes on from a table"), default=1)
    place_match = models.BooleanField(_("a match for the third place"), default=False)
    apart_by_club = models.BooleanField(_("entries of one club are kept apart"), default=False)
    carry_over = models.CharField(
        _("results carried over"), max_length=10, choices=CarryOver.choices, default=CarryOver.NONE
    )
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ("championship_id", "number")
        constraints = (
            models.UniqueConstraint(fields=["championship", "number"], name="league_stage_number_unique"),
            models.CheckConstraint(
                condition=Q(number__gt=0, pools__range=(1, 64), table_qualify__range=(1, 3))
                & Q(format__in=Format.values, carry_over__in=CarryOver.values),
                name="league_stage_settings",
            ),
            models.CheckConstraint(
                condition=~Q(format=Format.KNOCKOUT) | Q(pools=1), name="league_stage_knockout_without_pools"
            ),
            models.CheckConstraint(condition=Q(qualify__isnull=True) | Q(qualify__gt=0), name="league_stage_qualify"),
        )

    def __str__(self) -> str:
        return self.name or f"{self.championship} · {self.number}"


class StageEntry(models.Model):
    """An entry in a stage: its pool (from 1, null without pools) and its place among those who came in (from 1)."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="members", verbose_name=_("stage"))
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="stages", verbose_name=_("entry"))
    pool = models.PositiveSmallIntegerField(_("pool"), null=True, blank=True)
    seed = models.PositiveIntegerField(_("seed"))

    class Meta:
        verbose_name = _("entry of a stage")
        verbose_name_plural = _("entries of a stage")
        ordering = ("stage_id", "seed")
        constraints = (
            models.UniqueConstraint(fields=["stage", "entry"], name="league_stage_entry_unique"),
            models.UniqueConstraint(fields=["stage", "seed"], name="league_stage_seed_unique"),
            models.CheckConstraint(
                condition=Q(seed__gt=0) & (Q(pool__isnull=True) | Q(pool__gt=0)), name="league_stage_entry_numbers"
            ),
        )

    def __str__(self) -> str:
        return f"{self.stage} · {self.seed} · {self.entry}"


class Round(models.Model):
    """A round that was drawn. Rounds that were opened by hand (free tables) need none.

    `pairing` holds the draft, and what was drawn for the record: `{"tables": [{"number": 1, "sides": [[3], [7]],
    "pool": null, "kept": false, "partie": 12, "place": null, "extra_of": null}], "byes": [9], "absent": [4],
    "drawn": {"tables": [[[3], [7]]], "byes": [9]}, "unchecked": "play", "began": true}`, entries by number; a
    side has two numbers where players are ranked (mêlée). `number` is the table's, `partie` the number of its partie
    once published. `kept`: it was played when the round was reopened. Of a knock-out: `place` is the best place that
    the table is played for (1: the final, 3: a match for the third place, null: the first so many go
    on), `extra_of` the table whose level entries play one more manche at this one, of which the first alone counts.
    `drawn`: what the draw gave before it was changed by hand. `by_seed`: tables of which the better seeds go on.
    `idle`: who has nobody left to meet. `forfeit`: who has withdrawn from a table of a round robin. `unchecked`: what
    those do who did not check in, "play" or "absent". `began`: its stage began with this draw. `seed`: shown then.
    The clock: `clock_started_at` with `clock_left` seconds then; paused: no start, seconds left; null: not used.
    """

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="rounds", verbose_name=_("championship")
    )
    stage = models.ForeignKey(
        Stage, on_delete=models.PROTECT, null=True, blank=True, related_name="rounds", verbose_name=_("stage")
    )
    number = models.PositiveIntegerField(_("round"))
    status = models.CharField(_("status"), max_length=10, choices=RoundStatus.choices, default=RoundStatus.DRAFT)
    seed = models.CharField(_("seed of the draw"), max_length=64, blank=True, default="")
    pairing = KeptJSON(_("pairing"), default=dict)
    drawn_at = models.DateTimeField(_("drawn"), null=True, blank=True)
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    locked_at = models.DateTimeField(_("locked"), null=True, blank=True)
    reopened = models.PositiveSmallIntegerField(_("times reopened"), default=0)
    clock_minutes = models.PositiveSmallIntegerField(_("minutes of the clock"), null=True, blank=True)
    clock_at_end = models.CharField(
        _("when the time is up"), max_length=10, choices=ClockEnd.choices, default=ClockEnd.FINISH
    )
    clock_started_at = models.DateTimeField(_("clock started"), null=True, blank=True)
    clock_left = models.PositiveIntegerField(_("seconds left when it was started or paused"), null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(default=timezone.now)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ("championship_id", "number")
        constraints = (
            models.UniqueConstraint(fields=["championship", "number"], name="league_round_number_unique"),
            models.UniqueConstraint(
                fields=["championship"], condition=Q(status=RoundStatus.DRAFT), name="league_round_one_draft"
            ),
            models.CheckConstraint(
                condition=Q(number__gt=0, status__in=RoundStatus.values, clock_at_end__in=ClockEnd.values),
                name="league_round_settings",
            ),
            models.CheckConstraint(
                condition=Q(status=RoundStatus.DRAFT, locked_at__isnull=True)
                | Q(status=RoundStatus.PUBLISHED, published_at__isnull=False, locked_at__isnull=True)
                | Q(status=RoundStatus.LOCKED, published_at__isnull=False, locked_at__isnull=False),
                name="league_round_status",
            ),
            models.CheckConstraint(
                condition=Q(clock_started_at__isnull=True) | Q(clock_left__isnull=False),
                name="league_round_clock_has_time",
            ),
        )

    def __str__(self) -> str:
        return f"{self.championship} · {self.number}"


class Absence(models.Model):
    """An entry that announced before the draw that it does not play a round: 0 match points, nothing else."""

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="absences", verbose_name=_("championship")
    )
    round = models.PositiveIntegerField(_("round"))
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="absences", verbose_name=_("entry"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        ordering = ("championship_id", "round", "entry_id")
        constraints = (
            models.UniqueConstraint(fields=["championship", "round", "entry"], name="league_absence_unique"),
            models.CheckConstraint(condition=Q(round__gt=0), name="league_absence_round_positive"),
        )

    def __str__(self) -> str:
        return f"{self.round} · {self.entry}"
