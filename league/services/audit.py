"""Writing the audit: every service leaves one entry, in its own transaction."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Model

from league.models import AuditEntry, Championship
from league.policy import Actor
from league.services.waking import wake_after_commit

State = dict[str, Any]


def state(row: Model, fields: Iterable[str]) -> State:
    """The row's fields as JSON: foreign keys as ids, times in ISO 8601."""
    found = {}
    for name in fields:
        value = row.serializable_value(name)
        found[name] = value.isoformat() if isinstance(value, datetime) else value
    return found


def changes(before: State, after: State) -> tuple[State, State]:
    """Both states cut down to the keys in which they differ."""
    keys = [key for key in after if before.get(key) != after[key]]
    return {key: before.get(key) for key in keys}, {key: after[key] for key in keys}


def record(
    *,
    actor: Actor,
    action: str,
    on: Model,
    championship: Championship | None = None,
    before: State | None = None,
    after: State | None = None,
    reason: str = "",
) -> None:
    """Write down that `actor` did `action` (the service's name) to the row `on`; wake the championship's webhooks.

    Who came by a table's link stands in `via`: the number of the partie and the label of the side.
    """
    AuditEntry.objects.create(
        user=actor.user,
        token=actor.token,
        action=action,
        championship=championship,
        object_type=on._meta.model_name or "",  # noqa: SLF001 — Django documents _meta
        object_id=on.pk,
        before=before,
        after=after,
        reason=reason,
        via=f"{actor.at.partie_number}/{actor.at.label}" if actor.at else "",
        ip=actor.ip,
        request_id=actor.request_id,
    )
    if championship is not None:
        wake_after_commit(championship)
