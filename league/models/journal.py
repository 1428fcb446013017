"""The journal of results: everything that changes what a ranking counts, in order, appended and never changed."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.championship import Championship
from league.models.entries import Entry
from league.models.parties import Manche, Partie
from league.models.results import Result


class What(models.TextChoices):
    """What happened."""

    CONFIRMED = "confirmed", _("result confirmed")
    CORRECTED = "corrected", _("result corrected")
    WITHHELD = "withheld", _("result no longer counts")
    MANCHE_VOIDED = "manche-voided", _("manche annulled")
    MANCHE_REINSTATED = "manche-reinstated", _("manche reinstated")
    PENALISED = "penalised", _("penalty on a manche")
    PARTIE_CLOSED = "partie-closed", _("partie closed")
    PARTIE_REOPENED = "partie-reopened", _("partie reopened")
    PARTIE_VOIDED = "partie-voided", _("partie annulled")
    FORFEIT = "forfeit", _("forfeit ruled")
    BYE = "bye", _("bye given")
    BYE_REMOVED = "bye-removed", _("bye taken away")
    ENTERED = "entered", _("entry registered")
    RENAMED = "renamed", _("entry renamed")
    WITHDRAWN = "withdrawn", _("entry withdrawn")
    REINSTATED = "reinstated", _("entry reinstated")
    ENTRY_PENALISED = "entry-penalised", _("penalty on the championship")
    RESULT_TAKEN_BACK = "result-taken-back", _("result moved to another table")
    STAGE_STARTED = "stage-started", _("stage started")
    STAGE_CHANGED = "stage-changed", _("stage changed")
    KEYS_CHANGED = "keys-changed", _("ranking keys changed")


class ResultEvent(models.Model):
    """One line of a championship's journal. Positions are given under the championship's lock, without a gap."""

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="journal", verbose_name=_("championship")
    )
    position = models.PositiveBigIntegerField(_("position"))
    what = models.CharField(_("what"), max_length=20, choices=What.choices)
    partie = models.ForeignKey(Partie, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("partie"))
    manche = models.ForeignKey(Manche, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("manche"))
    result = models.ForeignKey(Result, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("result"))
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("entry"))
    reason = models.CharField(_("reason"), max_length=300, blank=True, default="")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("line of the journal")
        verbose_name_plural = _("journal")
        ordering = ("championship_id", "position")
        constraints = (
            models.UniqueConstraint(fields=["championship", "position"], name="league_journal_position_unique"),
            models.CheckConstraint(condition=Q(position__gt=0, what__in=What.values), name="league_journal_line"),
        )

    def __str__(self) -> str:
        return f"{self.position} · {self.get_what_display()}"
