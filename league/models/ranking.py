"""Rankings: the live one, replaced by a job, and the published ones, frozen (STANDINGS 4)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.championship import Championship
from league.models.entries import Entry
from league.models.fields import KeptJSON


class Standing(models.TextChoices):
    """Why a row has a rank or none (STANDINGS 2 and 3)."""

    RANKED = "ranked", _("ranked")
    UNDER_MINIMUM = "under-minimum", _("under the minimum of manches")
    WITHDRAWN = "withdrawn", _("withdrawn")


class LiveRanking(models.Model):
    """What the live ranking of a championship counts: the journal up to a position, under keys as they were then."""

    championship = models.OneToOneField(
        Championship, on_delete=models.CASCADE, related_name="live_ranking", verbose_name=_("championship")
    )
    journal_position = models.PositiveBigIntegerField(_("position in the journal"), default=0)
    keys = KeptJSON(_("keys"), default=dict)
    stage_tables = KeptJSON(
        _("tables of the stages"), default=list, help_text=_("Of each stage and pool, with those who went on.")
    )
    row_count = models.PositiveIntegerField(_("rows"), default=0)
    computed_at = models.DateTimeField(_("computed"), null=True)

    class Meta:
        verbose_name = _("live ranking")
        verbose_name_plural = _("live rankings")

    def __str__(self) -> str:
        return f"{self.championship} @ {self.journal_position}"


class Row(models.Model):
    """What a live and a published row have in common: one entry's line, with why it stands above the next.

    `stage`: the number of the stage that placed it; `pool` and `pool_rank` within it (STANDINGS 5). Null without them.
    """

    position = models.PositiveIntegerField(_("position"))
    rank = models.PositiveIntegerField(_("rank"), null=True)
    values = KeptJSON(_("values"), default=dict)
    above_next_by = models.CharField(_("above the next by"), max_length=30, null=True)  # noqa: DJ001 — null as in STANDINGS 7
    why = KeptJSON(_("why"), null=True)
    standing = models.CharField(_("standing"), max_length=13, choices=Standing.choices, default=Standing.RANKED)
    played = models.PositiveIntegerField(_("parties played"), default=0)
    manches = models.PositiveIntegerField(_("manches played"), default=0)
    stage = models.PositiveSmallIntegerField(_("stage"), null=True)
    pool = models.PositiveSmallIntegerField(_("pool"), null=True)
    pool_rank = models.PositiveIntegerField(_("rank in the pool"), null=True)

    class Meta:
        abstract = True


class LiveRow(Row):
    """A row of the live ranking, one an entry."""

    championship = models.ForeignKey(
        Championship, on_delete=models.CASCADE, related_name="live_rows", verbose_name=_("championship")
    )
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="live_row", verbose_name=_("entry"))

    class Meta:
        verbose_name = _("row of the live ranking")
        verbose_name_plural = _("rows of the live ranking")
        ordering = ("championship_id", "position")
        constraints = (
            models.UniqueConstraint(fields=["championship", "position"], name="league_live_row_position_unique"),
        )

    def __str__(self) -> str:
        return f"{self.rank}. {self.entry}"


class PublishedRanking(models.Model):
    """A numbered, frozen version: what it counts, under which keys and rules, and what moved since the last."""

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="published_rankings", verbose_name=_("championship")
    )
    number = models.PositiveIntegerField(_("number"))
    label = models.CharField(_("label"), max_length=100)
    round = models.PositiveIntegerField(_("as of round"), null=True)
    rules_version = models.CharField(_("version of the rules"), max_length=20)
    keys = KeptJSON(_("keys"))
    stage_tables = KeptJSON(
        _("tables of the stages"), default=list, help_text=_("Of each stage and pool, with those who went on.")
    )
    journal_position = models.PositiveBigIntegerField(_("position in the journal"))
    note = models.CharField(_("note"), max_length=500, blank=True, default="")
    moved = KeptJSON(
        _("what moved"), default=list, help_text=_("Entries whose rank is not that of the version before.")
    )
    causes = KeptJSON(_("why it moved"), default=list)
    row_count = models.PositiveIntegerField(_("rows"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("published"), default=timezone.now)

    class Meta:
        verbose_name = _("published ranking")
        verbose_name_plural = _("published rankings")
        ordering = ("championship_id", "-number")
        constraints = (
            models.UniqueConstraint(fields=["championship", "number"], name="league_published_number_unique"),
            models.CheckConstraint(
                condition=Q(number__gt=0) & (Q(round__isnull=True) | Q(round__gt=0)),
                name="league_published_numbers_positive",
            ),
        )

    def __str__(self) -> str:
        return f"{self.championship} · {self.number}"


class PublishedRow(Row):
    """A frozen row: it keeps the entry's name and players as they were."""

    ranking = models.ForeignKey(
        PublishedRanking, on_delete=models.PROTECT, related_name="rows", verbose_name=_("ranking")
    )
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+", verbose_name=_("entry"))
    number = models.PositiveIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=120)
    players = models.JSONField(_("players"), default=list)

    class Meta:
        verbose_name = _("row of a published ranking")
        verbose_name_plural = _("rows of published rankings")
        ordering = ("ranking_id", "position")
        constraints = (
            models.UniqueConstraint(fields=["ranking", "position"], name="league_published_row_position_unique"),
            models.UniqueConstraint(fields=["ranking", "entry"], name="league_published_row_entry_unique"),
        )

    def __str__(self) -> str:
        return f"{self.rank}. {self.name}"
