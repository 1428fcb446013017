"""Handing in: a document becomes a result of a manche, or an attempt (DESIGN 2, RULES 13).

In this order: a repeated request is answered as before; the very bytes of the current result are answered with it;
anything else on a manche that has a result must be a correction, with a reason and the version that it replaces; what
does not fit the partie, or what the rules refuse, is kept as an attempt and changes nothing; all else is a result.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault
from league.models import (
    Attempt,
    Championship,
    Confirmation,
    Document,
    Manche,
    Result,
    ResultScore,
    ResultState,
    SettledHow,
    What,
)
from league.policy import Action, Actor, require
from league.services import audit, fit, journal
from league.services.championships import require_running
from league.services.documents import Reading, read_document, refusal_code
from league.services.hand_in_answers import HandIn, KeyKnown, answer, check_key, remember, remembered, request_digest
from league.services.locks import lock_championship
from league.services.progress import Score, Table, advance, load_table
from league.services.texts import asked_reason
from scoring.verdicts import Judged

MOST_MANCHES = 9999
"""The number that a manche can have at most, by far."""

FIELDS = ("version", "kind", "state", "claim_ok", "end", "reason")


def hand_in(
    *,
    actor: Actor,
    partie_id: int,
    number: int,
    body: bytes,
    reason: str = "",
    replaces: int | None = None,
    idempotency_key: str = "",
    acknowledged: Sequence[str] = (),
) -> HandIn:
    """Hand in a log or a sheet, as it came, for manche `number` of a partie.

    `reason` and `replaces` (the version that the sender has seen) make it a correction. `acknowledged`: the warnings of
    a sheet of which the sender said that it is so (`scoring.sheet_warnings.warning_name`), kept with the result. With
    an `idempotency_key` the same request again gets the same answer. A refused document is an answer, not an exception.

    Raises TooLarge; NotFound; UserFault `bad-idempotency-key`; Conflict: `finished`, `manche-void`, `result-exists` (no
    `replaces`, or an old one: the present version is in `extra`), `reason-required`, `later-manches`,
    `at-another-table`; KeyReused.
    """
    check_key(idempotency_key)
    if not 1 <= number <= MOST_MANCHES:
        raise NotFound
    # a replay needs no row: judged before the lock is taken, which is held only for what does
    reading = read_document(body)
    digest = request_digest(partie_id, number, body, reason, replaces) if idempotency_key else ""
    try:
        with transaction.atomic():
            championship = lock_championship(parties=partie_id)
            answered = _record(actor, championship, partie_id, number, reading, reason, replaces, acknowledged)
            if idempotency_key:
                remember(actor, idempotency_key, digest, answered)
            return answered
    except (UserFault, KeyKnown):
        # A key is nearly always new, so it is not looked for beforehand: where it turns out to be known, whatever was
        # just done or refused is undone, and the answer of the first time is the only one.
        before = remembered(actor, idempotency_key, digest) if idempotency_key else None
        if before is None:
            raise
        return before


def _record(
    actor: Actor,
    championship: Championship,
    partie_id: int,
    number: int,
    reading: Reading,
    reason: str,
    replaces: int | None,
    acknowledged: Sequence[str],
) -> HandIn:
    table = load_table(championship, partie_id)
    manche = table.manche(number)
    current = manche.current if manche is not None else None
    if current is not None and current.document.sha256 == reading.sha256:
        return answer("repeated", table, number, reading, result=current)
    require_running(championship)
    if manche is not None and manche.voided_at is not None:
        raise Conflict("manche-void", _("This manche was annulled: reinstate it first."))
    if current is not None:
        _require_may_correct(actor, table, current)
        reason = _correction_reason(current, reason, replaces)
    refusal = fit.misfit(reading, table, number)
    if refusal is None and not reading.judged.valid:
        refusal = reading.verdict
    if refusal is None:
        refusal = fit.second_interrupted(reading, table, number)
    if refusal is not None or manche is None:
        assert refusal is not None  # a manche that was not made is out of order
        return _refuse(actor, table, number, reading, refusal)
    result = _add_version(actor, table, manche, reading, reason, acknowledged)
    _settle_into_partie(actor, table, result, current)
    return answer("recorded", table, number, reading, result=result)


def _require_may_correct(actor: Actor, table: Table, current: Result) -> None:
    """Entering and changing are two rights; only here it is known which one is asked for. Raises NotPermitted.

    Where another sheet was asked for, or a side replaces its own before it is confirmed, entering is enough.
    """
    asked_for = current.settled_how == SettledHow.ANOTHER_SHEET
    own = actor.at is not None and current.state == ResultState.PENDING and current.by_side == actor.at.label != ""
    action = Action.HAND_IN if asked_for or own else Action.CORRECT
    require(actor, action, table.championship, table.partie)


def _correction_reason(current: Result, reason: str, replaces: int | None) -> str:
    """The reason of a correction that may be made, else Conflict with the present version.

    Where another sheet was asked for, the ruling that asked is the reason.
    """
    present = {"version": current.version, "state": current.state, "result": current.pk}
    asked_for = current.settled_how == SettledHow.ANOTHER_SHEET
    if replaces != current.version and not (asked_for and replaces is None):
        raise Conflict(
            "result-exists",
            _("This manche has a result (version %(version)s). To correct it, look at it, and say why.")
            % {"version": current.version},
            field="replaces",
            extra={"present": present},
        )
    if reason.strip():
        return asked_reason(reason)
    if asked_for:
        return current.settled_reason
    message = _("A correction needs a reason: everybody may read it.")
    raise Conflict("reason-required", message, field="reason", extra={"present": present})


def _refuse(actor: Actor, table: Table, number: int, reading: Reading, verdict: dict[str, Any]) -> HandIn:
    code = refusal_code(verdict) or ""
    attempt = Attempt.objects.create(
        partie=table.partie,
        number=number,
        document=_keep(reading),
        code=code,
        verdict=verdict,
        by=actor.user,
        token=actor.token,
    )
    audit.record(
        actor=actor,
        action="hand_in_refused",
        on=attempt,
        championship=table.championship,
        after={"partie": table.partie.number, "manche": number, "code": code, "sha256": reading.sha256},
    )
    return answer("refused", table, number, reading, verdict=verdict, attempt=attempt.pk)


def _keep(reading: Reading) -> Document:
    return Document.objects.create(sha256=reading.sha256, body=reading.body, media=reading.media)


def _add_version(
    actor: Actor, table: Table, manche: Manche, reading: Reading, reason: str, acknowledged: Sequence[str]
) -> Result:
    """Write the result with its scores, instead of the manche's current one if it has one."""
    current, verdict = manche.current, reading.verdict
    if current is not None:
        Result.objects.filter(pk=current.pk).update(state=ResultState.SUPERSEDED, current_of=None)
    now = timezone.now()
    state = _first_state(table.championship, verdict)
    confirmed = state == ResultState.CONFIRMED
    result = Result.objects.create(
        manche=manche,
        current_of=manche,
        version=current.version + 1 if current else 1,
        document=_keep(reading),
        kind=reading.kind,
        verdict=verdict,
        end=verdict["outcome"]["end"],
        claim_ok=verdict.get("claim_ok"),
        state=state,
        supersedes=current,
        reason=reason if current else "",
        by=actor.user,
        token=actor.token,
        at=now,
        confirmed_by=actor.user if confirmed else None,
        confirmed_at=now if confirmed else None,
        acknowledged=list(acknowledged),
    )
    _write_scores(table, manche, result, reading.judged)
    if table.awaited == manche.number:
        table.awaited = None
    return result


def _first_state(championship: Championship, verdict: dict[str, Any]) -> ResultState:
    if verdict.get("claim_ok") is False:
        return ResultState.DIFFERS
    if championship.confirmation == Confirmation.AT_ONCE:
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


def _settle_into_partie(actor: Actor, table: Table, result: Result, replaced: Result | None) -> None:
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
        action="correct" if replaced else "hand_in",
        on=result,
        championship=table.championship,
        before=audit.state(replaced, FIELDS) if replaced else None,
        after=audit.state(result, FIELDS) | {"sha256": result.document.sha256} | _acknowledged(result),
        reason=result.reason,
    )


def _acknowledged(result: Result) -> dict[str, Any]:
    return {"acknowledged": result.acknowledged} if result.acknowledged else {}
