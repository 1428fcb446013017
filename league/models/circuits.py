"""Circuits: championships added up (STANDINGS 5)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.championship import Championship, Visibility
from league.models.fields import KeptJSON


class CircuitBy(models.TextChoices):
    """Who a circuit ranks."""

    PLAYER = "player", _("players")
    CLUB = "club", _("clubs")


class Circuit(models.Model):
    """Points by final place, best n of m championships, by player or by club."""

    slug = models.SlugField(_("address"), max_length=60)
    name = models.CharField(_("name"), max_length=120)
    points = models.JSONField(_("points by place"), default=list)
    best_n = models.PositiveSmallIntegerField(_("championships that count"), null=True, blank=True)
    by = models.CharField(_("ranks"), max_length=6, choices=CircuitBy.choices, default=CircuitBy.PLAYER)
    visibility = models.CharField(_("visibility"), max_length=10, choices=Visibility.choices, default=Visibility.DRAFT)
    championships = models.ManyToManyField(Championship, through="CircuitLeg", related_name="circuits")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="circuits", verbose_name=_("owner")
    )
    created_at = models.DateTimeField(default=timezone.now)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("circuit")
        verbose_name_plural = _("circuits")
        ordering = ("-created_at", "-id")
        constraints = (
            models.UniqueConstraint(fields=["slug"], name="league_circuit_slug_unique"),
            models.CheckConstraint(
                condition=Q(by__in=CircuitBy.values, visibility__in=Visibility.values), name="league_circuit_choices"
            ),
        )

    def __str__(self) -> str:
        return self.name


class CircuitLeg(models.Model):
    """A championship of a circuit; what counts is its last published ranking."""

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="legs", verbose_name=_("circuit"))
    championship = models.ForeignKey(
        Championship, on_delete=models.PROTECT, related_name="legs", verbose_name=_("championship")
    )
    position = models.PositiveSmallIntegerField(_("position"))

    class Meta:
        verbose_name = _("championship of a circuit")
        verbose_name_plural = _("championships of a circuit")
        ordering = ("circuit_id", "position")
        constraints = (
            models.UniqueConstraint(fields=["circuit", "championship"], name="league_circuit_leg_unique"),
            models.UniqueConstraint(fields=["circuit", "position"], name="league_circuit_leg_position_unique"),
        )

    def __str__(self) -> str:
        return f"{self.circuit} · {self.championship}"


class PublishedCircuit(models.Model):
    """A numbered, frozen ranking of a circuit: its rows, and the versions of the rankings that it counts."""

    circuit = models.ForeignKey(Circuit, on_delete=models.PROTECT, related_name="published", verbose_name=_("circuit"))
    number = models.PositiveIntegerField(_("number"))
    label = models.CharField(_("label"), max_length=100)
    counts = KeptJSON(_("what it counts"), default=list)
    terms = KeptJSON(_("terms"), default=dict)
    rows = KeptJSON(_("rows"), default=list)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("published"), default=timezone.now)

    class Meta:
        verbose_name = _("published ranking of a circuit")
        verbose_name_plural = _("published rankings of circuits")
        ordering = ("circuit_id", "-number")
        constraints = (models.UniqueConstraint(fields=["circuit", "number"], name="league_published_circuit_unique"),)

    def __str__(self) -> str:
        return f"{self.circuit} · {self.number}"
