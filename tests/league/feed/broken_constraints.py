"""What the feed's rows cannot be; `tests/league/test_constraints_of_the_day.py` tries it."""

from collections.abc import Callable
from typing import Any

from league.models import Change, FeedHead
from league.services.feed import number_changes

BROKEN: list[tuple[str, Callable[[], Any]]] = [
    ("league_change_position_unique", lambda: (number_changes(), Change.objects.update(position=1))),
    ("league_change_kind", lambda: Change.objects.update(kind="rumour")),
    (
        "league_change_once",
        lambda: (number_changes(), Change.objects.update(transaction=1, kind="entry", object_id=1, position=None)),
    ),
    ("league_feed_one_head", lambda: FeedHead.objects.create(pk=2)),
]
