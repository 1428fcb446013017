"""Parties, who sits at them, and their manches (RULES 13, STANDINGS 1 and 2)."""

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.championship import Championship
from league.models.entries import Entry

if TYPE_CHECKING:
    from league.models.results import Result

LABELS = "ABCD"
"""Labels of the entries of a partie, in seat order (RULES 13)."""


class PartieStatus(models.TextChoices):
    """Only a closed partie counts in a ranking; a void one is as if never drawn (STANDINGS 1 and 2)."""

    OPEN = "open", _("open")
    CLOSED = "closed", _("closed")
    VOID = "void", _("void")


class ClosedHow(models.TextChoices):
    """What closed a partie; only one that closed at its end is judged again when a result of it changes."""

    END = "end", _("its end was reached")
    REFEREE = "referee", _("the referee stopped it")
    FORFEIT = "forfeit", _("a forfeit was ruled")


class MancheStatus(models.TextChoices):
    """Where a manche stands: its own annulment, else the state of its current result. Never stored."""

    AWAITING = "awaiting", _("awaited")
    PENDING = "pending", _("to be confirmed")
    DIFFERS = "differs", _("the claim differs")
    CONTESTED = "contested", _("contested")
    CONFIRMED = "confirmed", _("confirmed")
    VOID = "void", _("void")


class Partie(models.Model):
    """Two to four entries that play manches against each other until one has won."""

    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="parties", verbose_name=_("championship")
    )
    number = models.PositiveIntegerField(_("number"))
    round = models.PositiveIntegerField(_("round"))
    table_number = models.PositiveIntegerField(_("table"), null=True, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=PartieStatus.choices, default=PartieStatus.OPEN)
    closed_how = models.CharField(_("closed how"), max_length=10, choices=ClosedHow.choices, blank=True, default="")
    reason = models.CharField(_("reason"), max_length=300, blank=True, default="")
    opened_at = models.DateTimeField(_("opened"), default=timezone.now)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    postponed_at = models.DateTimeField(_("postponed"), null=True, blank=True)
    postponed_reason = models.CharField(_("reason of the delay"), max_length=300, blank=True, default="")
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("partie")
        verbose_name_plural = _("parties")
        ordering = ("championship_id", "number")
        indexes = (models.Index(fields=["championship", "round", "number"], name="league_partie_by_round"),)
        constraints = (
            models.UniqueConstraint(fields=["championship", "number"], name="league_partie_number_unique"),
            models.UniqueConstraint(
                fields=["championship", "round", "table_number"],
                condition=Q(table_number__isnull=False) & ~Q(status=PartieStatus.VOID),
                name="league_partie_table_unique",
            ),
            models.CheckConstraint(condition=Q(number__gt=0, round__gt=0), name="league_partie_numbers_positive"),
            models.CheckConstraint(
                condition=Q(status=PartieStatus.OPEN, closed_how="", closed_at__isnull=True)
                | Q(status=PartieStatus.CLOSED, closed_how__in=ClosedHow.values, closed_at__isnull=False)
                | Q(status=PartieStatus.VOID, closed_at__isnull=False),
                name="league_partie_status",
            ),
            models.CheckConstraint(
                condition=Q(status=PartieStatus.OPEN) | Q(closed_how=ClosedHow.END) | ~Q(reason=""),
                name="league_partie_ruling_has_reason",
            ),
            models.CheckConstraint(
                condition=Q(postponed_at__isnull=True) | ~Q(postponed_reason=""),
                name="league_partie_postponed_with_reason",
            ),
        )

    def __str__(self) -> str:
        return f"{self.championship} · {self.number}"


class Seat(models.Model):
    """An entry at a partie. Labels A to D are the order of the seats; the players sit at a1, b1, a2, b2 …

    `partner`: where players are ranked (mêlée), the second entry of the team made for this partie.
    """

    partie = models.ForeignKey(Partie, on_delete=models.PROTECT, related_name="seats", verbose_name=_("partie"))
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats", verbose_name=_("entry"))
    partner = models.ForeignKey(
        Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("partner")
    )
    label = models.CharField(_("label"), max_length=1)
    forfeited_at = models.DateTimeField(_("forfeited"), null=True, blank=True)
    forfeit_reason = models.CharField(_("reason of the forfeit"), max_length=300, blank=True, default="")

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ("partie_id", "label")
        constraints = (
            models.UniqueConstraint(fields=["partie", "entry"], name="league_seat_entry_unique"),
            models.UniqueConstraint(fields=["partie", "label"], name="league_seat_label_unique"),
            models.CheckConstraint(condition=Q(label__in=list(LABELS)), name="league_seat_label"),
            models.UniqueConstraint(fields=["partie", "partner"], name="league_seat_partner_unique"),
            models.CheckConstraint(
                condition=Q(partner__isnull=True) | ~Q(partner=models.F("entry")), name="league_seat_partner_is_another"
            ),
            models.CheckConstraint(
                condition=Q(forfeited_at__isnull=True) | ~Q(forfeit_reason=""), name="league_seat_forfeit_has_reason"
            ),
        )

    def __str__(self) -> str:
        return f"{self.label} · {self.entry}"


class Manche(models.Model):
    """One deal of a partie. What it came to stands in its current result, if it has one.

    The reverse of `Result.current_of` is `current_result`: select_related reads it in the same query.
    """

    partie = models.ForeignKey(Partie, on_delete=models.PROTECT, related_name="manches", verbose_name=_("partie"))
    number = models.PositiveIntegerField(_("number"))
    voided_at = models.DateTimeField(_("annulled"), null=True, blank=True)
    void_reason = models.CharField(_("reason"), max_length=300, blank=True, default="")

    class Meta:
        verbose_name = _("manche")
        verbose_name_plural = _("manches")
        ordering = ("partie_id", "number")
        constraints = (
            models.UniqueConstraint(fields=["partie", "number"], name="league_manche_number_unique"),
            models.CheckConstraint(condition=Q(number__gt=0), name="league_manche_number_positive"),
            models.CheckConstraint(
                condition=Q(voided_at__isnull=True) | ~Q(void_reason=""), name="league_manche_void_has_reason"
            ),
        )

    def __str__(self) -> str:
        return f"{self.partie} · {self.number}"

    @property
    def current(self) -> "Result | None":
        """The result that stands for this manche, or None while it is awaited."""
        return getattr(self, "current_result", None)

    @property
    def status(self) -> MancheStatus:
        """Where the manche stands."""
        return self.status_with(self.current)

    def status_with(self, current: "Result | None") -> MancheStatus:
        """Where the manche stands with this result as its current one, for who has read it already."""
        if self.voided_at is not None:
            return MancheStatus.VOID
        return MancheStatus(current.state) if current else MancheStatus.AWAITING
