"""What was handed in for a manche, as its organisers see it: by whom, as a sheet to correct, and what was refused.

Doors ask `policy.require(actor, Action.LOOK_INSIDE, championship)` first.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from league.errors import NotFound
from league.models import Attempt, Championship, Kind, Manche, Partie, Result
from league.selectors.manches import takes_results
from scoring.documents import open_bytes
from scoring.sheets import sheet_from_outcome
from scoring.verdicts import examine


def names_of_results(*, manche: Manche) -> dict[int, str]:
    """Who handed in each version of a manche's result, by version: displayed names, sides of the table. One query."""
    rows = Result.objects.filter(manche=manche).values_list("version", "by_side", "by__display_name", "token__name")
    return {version: _who(side, by, token) for version, side, by, token in rows}


def _who(side: str, by: str | None, token: str | None = None) -> str:
    """Whoever handed something in: the side of the table, the displayed name, the token's name; what there is."""
    return " · ".join(filter(None, (_("side %(label)s") % {"label": side} if side else "", by, token)))


def sheet_of_result(*, manche: Manche, version: int) -> dict[str, Any]:
    """A version of a result as a sheet that a page can show for correction: its own, or made from its log.

    One query. Raises NotFound.
    """
    found = Result.objects.filter(manche=manche, version=version).select_related("document").first()
    if found is None:
        raise NotFound
    if found.kind == Kind.SHEET:
        sheet: dict[str, Any] = json.loads(bytes(found.document.body))
        return sheet
    judged = examine(open_bytes(bytes(found.document.body)))
    log = judged.document.log
    assert log is not None  # it was valid when it was recorded
    assert judged.outcome is not None
    players = len(log.seats) // len(log.teams)
    return sheet_from_outcome(
        judged.outcome, log.rulebook, players, house=log.house, target=log.target, claim=judged.claim
    )


@dataclass(frozen=True, slots=True)
class AttemptView:
    """A refused document. `open`: its manche can still be handed in for.

    `version` is that of the result that stands, None without one.
    """

    id: int
    partie: int
    manche: int
    code: str
    verdict: dict[str, Any]
    body: bytes
    media: str
    at: datetime
    by: str
    open: bool
    version: int | None


def attempt_view(*, championship: Championship, attempt_id: int) -> AttemptView:
    """A refused document with its bytes. Two queries. Raises NotFound."""
    attempt = (
        Attempt.objects.filter(partie__championship=championship, pk=attempt_id)
        .select_related("partie", "document", "by", "token")
        .first()
    )
    if attempt is None:
        raise NotFound
    manche = (
        Manche.objects.filter(partie=attempt.partie_id, number=attempt.number).select_related("current_result").first()
    )
    current = manche.current if manche else None
    names = (attempt.by.display_name if attempt.by else "", attempt.token.name if attempt.token else "")
    who = _who(attempt.by_side, *names)
    return AttemptView(
        id=attempt.pk,
        partie=attempt.partie.number,
        manche=attempt.number,
        code=attempt.code,
        verdict=attempt.verdict,
        body=bytes(attempt.document.body),
        media=attempt.document.media,
        at=attempt.at,
        by=who,
        open=manche is not None
        and manche.voided_at is None
        and takes_results(attempt.partie.status, current is not None),
        version=current.version if current else None,
    )


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """A refused document in the list of its manche."""

    id: int
    code: str
    verdict: dict[str, Any]
    at: datetime
    by: str


def attempts_of(*, partie: Partie, manche: int) -> list[AttemptLine]:
    """What was refused for a manche, newest first. One query."""
    rows = Attempt.objects.filter(partie=partie, number=manche).order_by("-at", "-id")
    return [
        AttemptLine(id_, code, verdict, at, _who(side, by))
        for id_, code, verdict, at, side, by in rows.values_list(
            "id", "code", "verdict", "at", "by_side", "by__display_name"
        )[:100]
    ]
