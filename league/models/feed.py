"""The feed of changes: one line for each public thing that a transaction has changed, in the order of commits.

Lines are written by triggers of the database (league.triggers), so that no write can be forgotten. A line has no
position until its transaction is committed: `league.services.feed.number_changes` then gives the next ones, one caller
at a time. Who has read up to a position has therefore missed nothing, however transactions overlap.
"""

from django.db import models
from django.db.models import Q

ROUNDS = 2**31
"""`object_id` of a round is its championship's id times this, and its number."""


class ChangeKind(models.TextChoices):
    """What changed. `object_id` of a line is the id of its row; of a ranking, that of its championship.

    A round need not have a row: its `object_id` is made of its championship's id and its number (ROUNDS apart).
    """

    CHAMPIONSHIP = "championship"
    ENTRY = "entry"
    TEAM = "team"
    STAGE = "stage"
    ROUND = "round"
    PARTIE = "partie"
    RANKING = "ranking"
    PUBLISHED_RANKING = "published-ranking"
    PLAYER = "player"
    CLUB = "club"


class Change(models.Model):
    """Something public changed, or came, or went. What it is now is read from its own rows.

    `transaction`: which one wrote the line; a thing waits for its number once in a transaction. On PostgreSQL its
    64-bit id, 0 on SQLite (league/triggers/install.py says why that is enough). `key`: what readers of the API call it
    (a number, a slug), kept because the row may be gone when the line is read. `listed`: everybody could read it before
    or after, without knowing an address; the feed of the whole site has only those.
    """

    kind = models.CharField(max_length=20, choices=ChangeKind.choices)
    championship_id = models.BigIntegerField(null=True)
    object_id = models.BigIntegerField()
    key = models.CharField(max_length=60, default="")
    transaction = models.BigIntegerField()
    at = models.DateTimeField()
    listed = models.BooleanField(default=False)
    position = models.PositiveBigIntegerField(null=True)

    class Meta:
        verbose_name = "change"
        verbose_name_plural = "changes"
        indexes = (models.Index(fields=["championship_id", "position"], name="league_change_championship"),)
        constraints = (
            models.UniqueConstraint(fields=["position"], name="league_change_position_unique"),
            models.UniqueConstraint(
                fields=["transaction", "kind", "object_id", "listed"],
                condition=Q(position__isnull=True),
                name="league_change_once",
            ),
            models.CheckConstraint(condition=Q(kind__in=ChangeKind.values), name="league_change_kind"),
        )

    def __str__(self) -> str:
        return f"{self.position} · {self.kind} {self.object_id}"


class FeedHead(models.Model):
    """The one row that says how far the feed is numbered; its lock lets one caller number at a time."""

    position = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = "head of the feed"
        verbose_name_plural = "head of the feed"
        constraints = (models.CheckConstraint(condition=Q(pk=1), name="league_feed_one_head"),)

    def __str__(self) -> str:
        return str(self.position)
