"""Handing in: a document becomes a result of a manche, or an attempt (DESIGN 2, RULES 13).

In this order: a repeated request is answered as before; the very bytes of the current result are answered with it;
anything else on a manche that has a result must be a correction, with a reason and the version that it replaces; what
does not fit the partie, or what the rules refuse, is kept as an attempt and changes nothing; all else is a result.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault
from league.models import Attempt, Championship, Confirmation, PartieStatus, Result, ResultState, SettledHow
from league.policy import Action, Actor, may, require
from league.services import audit, fit, second_entries
from league.services.championships import require_running
from league.services.dispute_rows import close_dispute_of
from league.services.documents import Reading, read_document, refusal_code
from league.services.external_ids import check_external_id
from league.services.hand_in_answers import HandIn, KeyKnown, answer, check_key, remember, remembered, request_digest
from league.services.locks import lock_championship
from league.services.once import claimed, in_progress
from league.services.overdue import wake_overdue
from league.services.own_manches import manche_meant, name_manche
from league.services.progress import Table, load_table
from league.services.sides import check_side, require_side_open, side_of
from league.services.texts import asked_reason
from league.services.versions import add_version, keep, settle_into_partie

MOST_MANCHES = 9999
"""The number that a manche can have at most, by far."""


def hand_in(
    *,
    actor: Actor,
    partie_id: int,
    number: int | None,
    body: bytes,
    reason: str = "",
    replaces: int | None = None,
    idempotency_key: str = "",
    acknowledged: Sequence[str] = (),
    may_count: bool = True,
    external_id: str = "",
    waits: bool = True,
    check: Callable[[int], None] | None = None,
) -> HandIn:
    """Hand in a log or a sheet, as it came, for manche `number` of a partie.

    `external_id`: what the sender calls the manche, given to it when the document is taken. It names the manche in the
    place of `number` (None): the one that has it, else the one that is awaited. So the same game sent again, after an
    answer that got lost, comes to the same manche.

    `reason` and `replaces` (the version that the sender has seen) make it a correction. `acknowledged`: the warnings of
    a sheet of which the sender said that it is so (`scoring.sheet_warnings.warning_name`), kept with the result. With
    an `idempotency_key` the same request again gets the same answer. A refused document is an answer, not an exception.
    Where a second entry is awaited (`league.services.second_entries`), what another person hands in without `replaces`
    is that one. What somebody hands in who may confirm it counts at once (`counts_by`), unless it is moved and waited
    before (`may_count`).

    `waits`: while a request with the same key is under way, for its answer; else Conflict `in-progress` (on SQLite it
    waits all the same). `check`: what a door asks below the lock, of the manche's number, before anything is changed.

    Raises TooLarge; NotFound; NotPermitted; UserFault `bad-idempotency-key`, `bad-external-id`, `side-required`;
    Conflict: `finished`, `manche-void`, `result-exists` (no `replaces`, or an old one: the present version is in
    `extra`), `reason-required`, `later-manches`, `at-another-table`, `partie-over`, `at-the-desk`,
    `external-id-taken`, `nothing-awaited`; KeyReused.
    """
    check_key(idempotency_key)
    if external_id:
        check_external_id(external_id)
    if number is None and not external_id:
        raise ValueError("a manche is named by its number or by an external id")
    if number is not None and not 1 <= number <= MOST_MANCHES:
        raise NotFound
    # a replay needs no row: judged before the lock is taken, which is held only for what does
    reading = read_document(body)
    said = (partie_id, number, body, reason, replaces, external_id, acknowledged)
    digest = request_digest(*said) if idempotency_key else ""
    try:
        with transaction.atomic():
            championship = _locked(actor, partie_id, "" if waits else idempotency_key)
            table = load_table(championship, partie_id)
            meant, named = manche_meant(table, number, external_id)
            answered = _record(actor, table, meant, reading, reason, replaces, acknowledged, may_count, check)
            if external_id and not named and not answered.refused:
                name_manche(table, meant, external_id)
            wake_overdue(championship)
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


def _locked(actor: Actor, partie_id: int, key: str) -> Championship:
    """Lock the championship; with a key, unless a request that has it is under way. The key costs no query."""
    if not key or actor.user is None:
        return lock_championship(parties=partie_id)
    try:
        return lock_championship(claimed(user=actor.user, name=key), parties=partie_id)
    except NotFound:
        if Championship.objects.filter(parties=partie_id).exists():
            raise in_progress() from None
        raise


def _record(
    actor: Actor,
    table: Table,
    number: int,
    reading: Reading,
    reason: str,
    replaces: int | None,
    acknowledged: Sequence[str],
    may_count: bool,
    check: Callable[[int], None] | None,
) -> HandIn:
    championship = table.championship
    check_side(actor, table)
    manche = table.manche(number)
    current = manche.current if manche is not None else None
    is_second = second_entries.is_second(actor, championship, current, replaces)
    if current is not None and not is_second and _is_repeat(actor, championship, current, reading):
        return answer("repeated", table, number, reading, result=current)
    if check is not None:
        check(number)
    require_running(championship)
    require_side_open(actor, table)
    if manche is not None and manche.voided_at is not None:
        raise Conflict("manche-void", _("This manche was annulled: reinstate it first."))
    if current is not None and not is_second:
        reason = _correction_reason(current, reason, replaces)
        _require_may_correct(actor, table, current)
    refusal = fit.misfit(reading, table, number)
    if refusal is None and not reading.judged.valid:
        refusal = reading.verdict
    if refusal is None:
        refusal = fit.second_interrupted(reading, table, number)
    if refusal is not None or manche is None:
        assert refusal is not None  # a manche that was not made is out of order
        return _refuse(actor, table, number, reading, refusal)
    if is_second and current is not None:
        second_entries.enter_second(actor, table, manche, current, reading)
        return answer("second", table, number, reading, result=current)
    ruled = reason if current is not None and _is_rulers(actor, table, current, reading) else ""
    counts = may_count and counts_by(actor, table)
    result = add_version(actor, table, manche, reading, reason, acknowledged, ruled=ruled, counts=counts)
    if current is not None and current.state == ResultState.CONTESTED:
        close_dispute_of(actor, manche, result.reason)
    settle_into_partie(actor, table, result, current)
    return answer("recorded", table, number, reading, result=result)


def _is_repeat(actor: Actor, championship: Championship, current: Result, reading: Reading) -> bool:
    """Whether these very bytes are what stands, or what this person has entered beside it."""
    if current.document.sha256 == reading.sha256:
        return True
    return championship.confirmation == Confirmation.SECOND_ENTRY and second_entries.was_sent(
        actor, current, reading.sha256
    )


def counts_by(actor: Actor, table: Table) -> bool:
    """Whether what the actor hands in counts at once: who may confirm it is not asked to confirm their own sheet.

    A blind second entry is another person's, whoever made the first.
    """
    asks = table.championship.confirmation in (Confirmation.ORGANISER, Confirmation.OPPONENT)
    return asks and actor.at is None and may(actor, Action.SETTLE, table.championship, table.partie)


def _is_rulers(actor: Actor, table: Table, current: Result, reading: Reading) -> bool:
    """Whether a correction is the referee's own decision: then it counts at once.

    That of a contested result is, and that of a partie that is over, of which nobody is asked any more: else it would
    be open until then, while its entries sit at their next tables. There a claim that differs is settled first.
    """
    waits = table.championship.confirmation != Confirmation.AT_ONCE
    over = waits and table.partie.status == PartieStatus.CLOSED and current.state == ResultState.CONFIRMED
    return (
        (current.state == ResultState.CONTESTED or (over and reading.verdict.get("claim_ok") is not False))
        and actor.at is None
        and may(actor, Action.SETTLE, table.championship, table.partie)
    )


def _require_may_correct(actor: Actor, table: Table, current: Result) -> None:
    """Entering and changing are two rights; only here it is known which one is asked for. Raises NotPermitted.

    Where another sheet was asked for, or a side replaces its own before it is confirmed, entering is enough. Two blind
    entries that differ both stay: which one is right is for a referee.
    """
    asked_for = current.settled_how == SettledHow.ANOTHER_SHEET
    is_own = actor.at is not None and current.by_side == side_of(actor) != ""
    open_states = {ResultState.PENDING, ResultState.DIFFERS}
    if table.championship.confirmation != Confirmation.SECOND_ENTRY:
        open_states.add(ResultState.CONTESTED)
    action = Action.HAND_IN if asked_for or (is_own and current.state in open_states) else Action.CORRECT
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
        document=keep(reading),
        code=code,
        verdict=verdict,
        by=actor.user,
        by_side=side_of(actor),
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
