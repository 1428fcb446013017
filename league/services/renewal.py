"""The live ranking, replaced (STANDINGS 4, DESIGN 2.5). Called by jobs, never by doors.

Read at one moment, computed without any lock, and written under the championship's. Whoever comes with an older moment
than what is written already writes nothing; whatever was added to the journal meanwhile is taken up at once.
"""

from datetime import datetime
from typing import Any

import structlog
from django.db import transaction
from django.utils import timezone

from league.models import Championship, Entry, LiveRanking, LiveRow
from league.selectors.etapes import ranking_document
from league.services.locks import lock_championship, one_moment
from scoring.kept_rows import Columns, Computed, computed

log = structlog.get_logger(__name__)

_TURNS = 5


def renew_live_ranking(*, championship_id: int) -> int:
    """Replace a championship's live ranking until it counts the whole journal; return the position that it counts.

    Where results come in faster than that, it stops after a few turns: the mark is still set, so the sweep goes on.
    """
    position = 0
    for _turn in range(_TURNS):
        position, is_due = _renew_once(championship_id)
        if not is_due:
            break
    return position


def renew_all_due(*, marked_before: datetime) -> dict[int, int | None]:
    """Renew every live ranking that was marked as due before a moment, longest waiting first.

    By championship the position that its ranking now counts; None where our program failed, which is logged and does
    not keep the others waiting.
    """
    due = Championship.objects.filter(ranking_due_since__lt=marked_before).order_by("ranking_due_since", "pk")
    positions: dict[int, int | None] = {}
    for championship_id in due.values_list("pk", flat=True):
        try:
            positions[championship_id] = renew_live_ranking(championship_id=championship_id)
        except Exception:
            log.exception("ranking_not_renewed", championship=championship_id)
            positions[championship_id] = None
    return positions


def _renew_once(championship_id: int) -> tuple[int, bool]:
    with one_moment():
        championship = Championship.objects.filter(pk=championship_id).first()
        if championship is None or championship.ranking_due_since is None:
            return 0, False
        whole = ranking_document(championship)
    return _write(championship, computed(whole))


def compute(whole: dict[str, Any]) -> dict[int, Columns]:
    """The columns of the rows of a document `classement/1` or `etapes/1`, by entry number, in order."""
    return computed(whole).rows


@transaction.atomic
def _write(read_as: Championship, found: Computed) -> tuple[int, bool]:
    championship = lock_championship(pk=read_as.pk)
    live = LiveRanking.objects.get(championship=championship)
    if live.journal_position > read_as.journal_position:
        return live.journal_position, championship.ranking_due_since is not None
    _replace_changed(championship, found.rows)
    live.journal_position = read_as.journal_position
    live.keys = found.keys(read_as.ranking_keys)
    live.stage_tables = found.tables
    live.row_count = len(found.rows)
    live.computed_at = timezone.now()
    live.save()
    still_due = championship.journal_position > read_as.journal_position
    championship.ranking_due_since = live.computed_at if still_due else None
    championship.save(update_fields=["ranking_due_since"])
    return live.journal_position, still_due


def _replace_changed(championship: Championship, rows: dict[int, Columns]) -> None:
    """Delete and write only rows that are not as they were: after one result most of them are."""
    columns = list(next(iter(rows.values()), ()))
    ids, present = {}, {}
    for number, entry_id, row_id, *values in Entry.objects.filter(championship=championship).values_list(
        "number", "id", "live_row__id", *(f"live_row__{column}" for column in columns)
    ):
        ids[number] = entry_id
        if row_id is not None:
            present[number] = dict(zip(columns, values, strict=True))
    changed = [number for number in rows if rows[number] != present.get(number)]
    # all that changed goes before any of it comes back: positions are taken once
    LiveRow.objects.filter(entry__in=[ids[number] for number in changed if number in present]).delete()
    LiveRow.objects.bulk_create(
        LiveRow(championship=championship, entry_id=ids[number], **rows[number]) for number in changed
    )
