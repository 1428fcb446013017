"""A version of a result, written: its row and its scores, and what it changes in partie, journal, audit and ranking.

Results are never overwritten: each is a new version that points at the old one (DESIGN 2). For services that have
locked the championship and decided that there is one.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone

from league.models import (
    Championship,
    Confirmation,
    Document,
    Manche,
    Result,
    ResultScore,
    ResultState,
    SettledHow,
    User,
    What,
)
from league.policy import Actor
from league.services import audit, journal
from league.services.documents import Reading
from league.services.progress import Score, Table, advance
from league.services.sides import side_of
from scoring.verdicts import Judged

FIELDS = ("version", "kind", "state", "claim_ok", "end", "reason")


def keep(reading: Reading) -> Document:
    """Keep the bytes as they came."""
    return Document.objects.create(sha256=reading.sha256, body=reading.body, media=reading.media)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a version comes from, if not from the actor's own hands: whose entry it is, and its document."""

    document: Document
    by: User | None
    side: str


def add_version(
    actor: Actor,
    table: Table,
    manche: Manche,
    reading: Reading,
    reason: str,
    acknowledged: Sequence[str] = (),
    *,
    ruled: str = "",
    counts: bool = False,
    origin: Origin | None = None,
) -> Result:
    """Write the result with its scores, instead of the manche's current one if it has one.

    `ruled`: the reason of a referee, by whose decision it counts at once, whatever the championship waits for.
    `counts`: nobody else is asked to confirm it; a claim that differs is settled first all the same.
    """
    current, verdict = manche.current, reading.verdict
    if current is not None:
        Result.objects.filter(pk=current.pk).update(state=ResultState.SUPERSEDED, current_of=None)
    now = timezone.now()
    state = ResultState.CONFIRMED if ruled else _first_state(table.championship, verdict, counts)
    confirmed = state == ResultState.CONFIRMED
    result = Result.objects.create(
        manche=manche,
        current_of=manche,
        version=table.last_versions[manche.pk] + 1,
        document=origin.document if origin else keep(reading),
        kind=reading.kind,
        verdict=verdict,
        end=verdict["outcome"]["end"],
        claim_ok=verdict.get("claim_ok"),
        state=state,
        supersedes=current,
        reason=reason if current else "",
        settled_how=SettledHow.REFEREE if ruled else "",
        settled_reason=ruled,
        by=origin.by if origin else actor.user,
        by_side=origin.side if origin else side_of(actor),
        token=None if origin else actor.token,
        at=now,
        confirmed_by=actor.user if confirmed else None,
        confirmed_at=now if confirmed else None,
        acknowledged=list(acknowledged),
    )
    _write_scores(table, manche, result, reading.judged)
    if table.awaited == manche.number:
        table.awaited = next((m.number for m in table.manches if m.number > manche.number and m.current is None), None)
    return result


def _first_state(championship: Championship, verdict: dict[str, Any], counts: bool) -> ResultState:
    if verdict.get("claim_ok") is False:
        return ResultState.DIFFERS
    if counts or championship.confirmation == Confirmation.AT_ONCE:
        return ResultState.CONFIRMED
    return ResultState.PENDING


def _write_scores(table: Table, manche: Manche, result: Result, judged: Judged) -> None:
    """Penalties of the version before go over to this one: they are the referee's, not the sheet's."""
    outcome, points = judged.outcome, judged.score
    assert outcome is not None
    before = table.scores.get(manche.pk, {})
    scores, rows = {}, []
    for seat in table.seats:
        team, old = outcome.teams[seat.label], before.get(seat.id)
        score = Score(
            points=points[seat.label]["total"] if points else None,
            km=team.km,
            won=outcome.winner == seat.label,
            penalty=old.penalty if old else 0,
            penalty_reason=old.penalty_reason if old else "",
        )
        scores[seat.id] = score
        rows.append(
            ResultScore(
                result=result,
                seat_id=seat.id,
                coups_fourres=len(team.coups_fourres),
                lines=points[seat.label]["lines"] if points else {},
                **asdict(score),
            )
        )
    ResultScore.objects.bulk_create(rows)
    table.scores[manche.pk] = scores


def settle_into_partie(actor: Actor, table: Table, result: Result, replaced: Result | None, action: str = "") -> None:
    """Bring partie, journal, audit and the ranking's mark to what the new result says."""
    what = None
    if result.state == ResultState.CONFIRMED:
        what = journal.confirmed_or_corrected(result)
    elif replaced is not None and replaced.state == ResultState.CONFIRMED:
        what = What.WITHHELD
    lines = [journal.Line(what, table.partie, result.manche, result, reason=result.reason)] if what else []
    journal.write(table.championship, *lines, *advance(table))
    audit.record(
        actor=actor,
        action=action or ("correct" if replaced else "hand_in"),
        on=result,
        championship=table.championship,
        before=audit.state(replaced, FIELDS) if replaced else None,
        after=audit.state(result, FIELDS) | {"sha256": result.document.sha256} | _acknowledged(result),
        reason=result.reason,
    )


def _acknowledged(result: Result) -> dict[str, Any]:
    return {"acknowledged": result.acknowledged} if result.acknowledged else {}
