"""The feed's numbers: whoever reads the feed has what is pending numbered first.

A line is written by its transaction, and seen by others once that is committed, in whatever order: so it cannot have
its number from a sequence, which would show 8 before 7 and let who has read up to 8 miss 7. It is numbered afterwards,
by one caller at a time: the head's lock is held until the numbers are committed, so at every moment the numbers that
anybody sees are 1 to some n, without a gap, and what comes later is greater.
"""

from datetime import UTC, datetime

from django.db import connection, transaction
from django.db.models import Exists, QuerySet

from league.models import Change, FeedHead

_NUMBER = """
    UPDATE league_change SET position = numbered.position, at = numbered.at
    FROM (
        SELECT id, %s + row_number() OVER (ORDER BY id) AS position,
               MAX(CASE WHEN at < %s THEN %s ELSE at END) OVER (ORDER BY id) AS at
        FROM league_change WHERE position IS NULL
    ) numbered
    WHERE league_change.id = numbered.id
"""
"""A time is never before that of the line before: who asks for what changed since then must be answered."""


def number_changes() -> int:
    """Number the changes that are committed and have no position; return the position of the last one.

    One query, and nothing written or locked, where none is pending. Not for a transaction that is read only, and rather
    not inside one that goes on writing: it would keep others from numbering until its end.
    """
    head = FeedHead.objects.annotate(is_behind=Exists(pending())).values_list("position", "is_behind").first()
    if head is not None and not head[1]:
        return int(head[0])
    return _number()


def numbered_up_to() -> int:
    """The position of the last change that has one; nothing is numbered."""
    return FeedHead.objects.values_list("position", flat=True).first() or 0


def pending() -> QuerySet[Change]:
    """The changes that have no position yet."""
    return Change.objects.filter(position__isnull=True)


@transaction.atomic
def _number() -> int:
    head, _made = FeedHead.objects.select_for_update().get_or_create(pk=1)
    last = Change.objects.filter(position=head.position).values_list("at", flat=True).first()
    since = connection.ops.adapt_datetimefield_value(last or datetime.min.replace(tzinfo=UTC))
    with connection.cursor() as cursor:
        cursor.execute(_NUMBER, [head.position, since, since])
        numbered = cursor.rowcount
    if numbered:
        head.position += numbered
        head.save(update_fields=["position"])
    return head.position
