"""What was handed in for a manche: the bytes, the results in versions, and the attempts that were refused."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.access import ApiToken
from league.models.fields import KeptJSON
from league.models.parties import Manche, Partie, Seat


class Media(models.TextChoices):
    """The writing of a document."""

    JSON = "json", _("JSON")
    TEXT = "text", _("text")


class Kind(models.TextChoices):
    """What a document is: RULES 9 or RULES 11."""

    LOG = "log", _("hand log")
    SHEET = "sheet", _("score sheet")


class ResultState(models.TextChoices):
    """Where a result stands. Only a confirmed one counts."""

    PENDING = "pending", _("to be confirmed")
    DIFFERS = "differs", _("the claim differs")
    CONTESTED = "contested", _("contested")
    CONFIRMED = "confirmed", _("confirmed")
    SUPERSEDED = "superseded", _("replaced")


class SettledHow(models.TextChoices):
    """How a claim that differs was settled."""

    COMPUTED = "computed", _("the computed score was accepted")
    ANOTHER_SHEET = "another_sheet", _("another sheet was asked for")
    REFEREE = "referee", _("the referee decided")


class Document(models.Model):
    """Bytes as they came. Never changed, never deleted."""

    sha256 = models.CharField(max_length=64, db_index=True, editable=False)
    body = models.BinaryField()
    media = models.CharField(_("writing"), max_length=4, choices=Media.choices)
    received_at = models.DateTimeField(_("received"), default=timezone.now)

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        constraints = (models.CheckConstraint(condition=Q(media__in=Media.values), name="league_document_media"),)

    def __str__(self) -> str:
        return self.sha256[:12]


class Result(models.Model):
    """A version of what a manche came to. Never overwritten: a correction is a new version that points at the old one.

    `current_of` is its manche as long as it stands, null once it is superseded: one current result a manche, held
    by the database, and no second place that says which. Penalties stand in its scores and go over to the next version.
    """

    manche = models.ForeignKey(Manche, on_delete=models.PROTECT, related_name="results", verbose_name=_("manche"))
    version = models.PositiveIntegerField(_("version"))
    current_of = models.OneToOneField(
        Manche,
        on_delete=models.PROTECT,
        null=True,
        related_name="current_result",
        editable=False,
        verbose_name=_("current result of"),
    )
    document = models.OneToOneField(
        Document, on_delete=models.PROTECT, related_name="result", verbose_name=_("document")
    )
    kind = models.CharField(_("kind"), max_length=5, choices=Kind.choices)
    verdict = KeptJSON(_("verdict"))
    end = models.CharField(_("end"), max_length=12)
    claim_ok = models.BooleanField(_("the claim agrees"), null=True)
    state = models.CharField(_("state"), max_length=10, choices=ResultState.choices)

    supersedes = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="superseded_by",
        verbose_name=_("replaces"),
    )
    reason = models.CharField(_("reason of the correction"), max_length=300, blank=True, default="")
    settled_how = models.CharField(
        _("claim settled"), max_length=13, choices=SettledHow.choices, blank=True, default=""
    )
    settled_reason = models.CharField(_("reason of the settlement"), max_length=300, blank=True, default="")

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    token = models.ForeignKey(
        ApiToken, on_delete=models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("token")
    )
    at = models.DateTimeField(_("recorded"), default=timezone.now)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("confirmed by"),
    )
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    by_side = models.CharField(_("side that handed in"), max_length=1, blank=True, default="")
    confirmed_side = models.CharField(_("side that confirmed"), max_length=1, blank=True, default="")
    acknowledged = KeptJSON(_("warnings acknowledged"), default=list)

    class Meta:
        # A check passes where it comes to null: each says which nulls it means.
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ("manche_id", "version")
        constraints = (
            models.UniqueConstraint(fields=["manche", "version"], name="league_result_version_unique"),
            models.CheckConstraint(condition=Q(version__gt=0), name="league_result_version_positive"),
            models.CheckConstraint(
                condition=Q(state=ResultState.SUPERSEDED, current_of__isnull=True)
                | Q(
                    state__in=[
                        ResultState.PENDING,
                        ResultState.DIFFERS,
                        ResultState.CONTESTED,
                        ResultState.CONFIRMED,
                    ],
                    current_of__isnull=False,
                    current_of=F("manche"),
                ),
                name="league_result_current",
            ),
            models.CheckConstraint(
                condition=~Q(state=ResultState.CONFIRMED) | Q(confirmed_at__isnull=False),
                name="league_result_confirmed_when",
            ),
            models.CheckConstraint(
                condition=~Q(state=ResultState.DIFFERS) | Q(claim_ok__isnull=False, claim_ok=False),
                name="league_result_differs",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=[ResultState.PENDING, ResultState.CONFIRMED], claim_ok=False)
                | ~Q(settled_how=""),
                name="league_result_difference_settled",
            ),
            models.CheckConstraint(
                condition=Q(settled_how="") | (Q(settled_how__in=SettledHow.values) & ~Q(settled_reason="")),
                name="league_result_settled_with_reason",
            ),
            models.CheckConstraint(
                condition=Q(supersedes__isnull=True) | ~Q(reason=""), name="league_result_correction_has_reason"
            ),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="league_result_kind"),
        )

    def __str__(self) -> str:
        return f"{self.manche} · {self.version}"


class ResultScore(models.Model):
    """What one entry had from one result: whatever is summed, ordered or joined is a column.

    `points` is null in a rulebook without points. `penalty` is taken off besides; it is never in `lines`.
    """

    result = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="scores", verbose_name=_("result"))
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="scores", verbose_name=_("seat"))
    points = models.IntegerField(_("points"), null=True)
    km = models.PositiveIntegerField(_("km"))
    coups_fourres = models.PositiveSmallIntegerField(_("coups fourrés"))
    won = models.BooleanField(_("won"))
    lines = KeptJSON(_("lines"), default=dict)
    penalty = models.PositiveIntegerField(_("penalty"), default=0)
    penalty_reason = models.CharField(_("reason of the penalty"), max_length=300, blank=True, default="")

    class Meta:
        verbose_name = _("score")
        verbose_name_plural = _("scores")
        ordering = ("result_id", "seat_id")
        constraints = (
            models.UniqueConstraint(fields=["result", "seat"], name="league_score_seat_unique"),
            models.UniqueConstraint(fields=["result"], condition=Q(won=True), name="league_score_one_winner"),
            models.CheckConstraint(
                condition=Q(penalty=0) | (~Q(penalty_reason="") & Q(points__isnull=False)),
                name="league_score_penalty_has_reason",
            ),
            models.CheckConstraint(condition=Q(coups_fourres__lte=4), name="league_score_coups_fourres"),
        )

    def __str__(self) -> str:
        return f"{self.seat}: {self.total}"

    @property
    def total(self) -> int | None:
        """Points after the penalty, or None where the rulebook has no points."""
        return None if self.points is None else self.points - self.penalty


class Attempt(models.Model):
    """A document that was refused: kept, with the refusal, and without any effect.

    `number` is that of the manche for which it was handed in; the partie may have no such manche (RULES 13).
    """

    partie = models.ForeignKey(Partie, on_delete=models.PROTECT, related_name="attempts", verbose_name=_("partie"))
    number = models.PositiveIntegerField(_("manche"))
    document = models.OneToOneField(
        Document, on_delete=models.PROTECT, related_name="attempt", verbose_name=_("document")
    )
    code = models.CharField(_("refusal"), max_length=40)
    verdict = KeptJSON(_("verdict"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    token = models.ForeignKey(
        ApiToken, on_delete=models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("token")
    )
    by_side = models.CharField(_("side that handed in"), max_length=1, blank=True, default="")
    at = models.DateTimeField(_("received"), default=timezone.now)

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        ordering = ("-at", "-id")
        constraints = (models.CheckConstraint(condition=~Q(code=""), name="league_attempt_has_code"),)

    def __str__(self) -> str:
        return f"{self.partie} · {self.number}: {self.code}"
