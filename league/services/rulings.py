"""What an organiser decides about a manche: confirm, settle a claim, penalise, annul, reinstate.

Each looks at the version that the decider has seen: another present version is Conflict `result-changed`.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault
from league.models import Manche, Result, ResultScore, ResultState, SettledHow, What
from league.policy import Actor
from league.services import audit, journal
from league.services.championships import require_running
from league.services.dispute_rows import close_dispute_of, open_dispute_of
from league.services.locks import lock_championship
from league.services.progress import Table, advance, is_interrupted_beside, load_table
from league.services.sides import side_of
from league.services.texts import asked_reason

_FIELDS = ("version", "state", "settled_how", "settled_reason")


@transaction.atomic
def confirm(*, actor: Actor, manche_id: int, version: int) -> Result:
    """Let a pending result count. Confirming it again changes nothing.

    A contested one counts by the decision of its dispute (`league.services.disputes.decide`). Where that asked for
    another sheet, which never came, it may be confirmed after all.
    Raises NotFound, Conflict `result-changed`, `unsettled-claim`, `contested`, `later-manches`.
    """
    table, manche, result = locked(manche_id, version)
    if result.state == ResultState.CONFIRMED:
        return result
    if result.state == ResultState.DIFFERS:
        message = _("The claim differs from the computed score: settle that first.")
        raise Conflict("unsettled-claim", message)
    before = audit.state(result, _FIELDS)
    if result.state == ResultState.CONTESTED:
        if open_dispute_of(manche) is not None:
            raise Conflict("contested", _("This result is contested: decide its dispute, with a reason."))
        result.settled_how = result.settled_reason = ""
    return let_count(actor, table, manche, result, "confirm", "", before)


@transaction.atomic
def settle_claim(*, actor: Actor, manche_id: int, version: int, how: str, reason: str) -> Result:
    """Settle a claim that differs from the computed score (RULES 10).

    `computed`: the computed score is accepted; `referee`: the referee lets it count (and may penalise besides); both
    confirm the result. `another_sheet`: the manche waits for another document, which then needs no reason of its own.
    Raises NotFound, UserFault, Conflict `result-changed`, `nothing-to-settle`, `later-manches`.
    """
    why = asked_reason(reason)
    if how not in SettledHow.values:
        raise UserFault("unknown-choice", _("Choose one of the list."), field="how")
    table, manche, result = locked(manche_id, version)
    if result.state != ResultState.DIFFERS:
        raise Conflict("nothing-to-settle", _("The claim of this result does not differ, or was settled."))
    before = audit.state(result, _FIELDS)
    result.settled_how, result.settled_reason = how, why
    if how != SettledHow.ANOTHER_SHEET:
        return let_count(actor, table, manche, result, "settle_claim", why, before)
    result.save(update_fields=["settled_how", "settled_reason"])
    audit.record(
        actor=actor,
        action="settle_claim",
        on=result,
        championship=table.championship,
        before=before,
        after=audit.state(result, _FIELDS),
        reason=why,
    )
    return result


@transaction.atomic
def penalise(*, actor: Actor, manche_id: int, version: int, label: str, points: int, reason: str) -> ResultScore:
    """Set what is taken off the total of the entry at seat `label` in a manche; 0 lifts it (STANDINGS 2).

    Raises NotFound, UserFault `bad-penalty`, `no-points`, Conflict `result-changed`.
    """
    why = asked_reason(reason)
    if not 0 <= points <= 100_000:
        raise UserFault("bad-penalty", _("Give a whole number from 0 to 100000."), field="points")
    table, manche, result = locked(manche_id, version)
    score = ResultScore.objects.select_related("seat").filter(result=result, seat__label=label).first()
    if score is None:
        raise NotFound
    if score.points is None:
        raise UserFault("no-points", _("This rulebook has no points to take off."), field="points")
    fields = ("penalty", "penalty_reason")
    before = audit.state(score, fields)
    score.penalty, score.penalty_reason = points, why if points else ""
    after = audit.state(score, fields)
    if before == after:
        return score
    score.save(update_fields=fields)
    journal.write(
        table.championship,
        journal.Line(What.PENALISED, table.partie, manche, result, score.seat.entry, reason=why),
    )
    audit.record(
        actor=actor,
        action="penalise",
        on=score,
        championship=table.championship,
        before=before,
        after=after,
        reason=why,
    )
    return score


@transaction.atomic
def void_manche(*, actor: Actor, manche_id: int, version: int, reason: str) -> Manche:
    """Annul a manche that has a result: it counts for nothing, its number is not used again; its dispute is closed.

    Raises NotFound, Conflict `result-changed`, `later-manches`.
    """
    why = asked_reason(reason)
    table, manche, result = locked(manche_id, version, void_too=True)
    if manche.voided_at is not None:
        return manche
    manche.voided_at, manche.void_reason = timezone.now(), why
    close_dispute_of(actor, manche, why)
    return _void_or_not(actor, table, manche, result, "void_manche", What.MANCHE_VOIDED, why)


@transaction.atomic
def reinstate_manche(*, actor: Actor, manche_id: int, version: int, reason: str) -> Manche:
    """Take an annulment back.

    Raises NotFound, Conflict `result-changed`, `later-manches`; `second-interrupted` where the referee has stopped
    this manche and another one that counts (STANDINGS 1).
    """
    why = asked_reason(reason)
    table, manche, result = locked(manche_id, version, void_too=True)
    if manche.voided_at is None:
        return manche
    if result.end == "interrupted" and is_interrupted_beside(table, manche.number):
        message = _("The referee has stopped a manche of this partie already: only one can count.")
        raise Conflict("second-interrupted", message)
    manche.voided_at, manche.void_reason = None, ""
    return _void_or_not(actor, table, manche, result, "reinstate_manche", What.MANCHE_REINSTATED, why)


def locked(manche_id: int, version: int, *, void_too: bool = False) -> tuple[Table, Manche, Result]:
    """Lock the championship and read the table, the manche and the result that stands, which is `version`.

    Raises NotFound, Conflict `finished`, `result-changed`, `manche-void`.
    """
    championship = lock_championship(parties__manches=manche_id)
    require_running(championship)
    partie_id = Manche.objects.values_list("partie_id", flat=True).filter(pk=manche_id).first()
    if partie_id is None:  # it was only awaited, and is not any more
        raise NotFound
    table = load_table(championship, partie_id)
    manche = next(manche for manche in table.manches if manche.pk == manche_id)
    result = manche.current
    if result is None:
        raise NotFound("no-result", _("This manche has no result yet."))
    if result.version != version:
        raise Conflict(
            "result-changed",
            _("There is another result by now (version %(version)s): look at it first.") % {"version": result.version},
            extra={"present": {"version": result.version, "state": result.state, "result": result.pk}},
        )
    if manche.voided_at is not None and not void_too:
        raise Conflict("manche-void", _("This manche was annulled: reinstate it first."))
    return table, manche, result


def let_count(
    actor: Actor,
    table: Table,
    manche: Manche,
    result: Result,
    action: str,
    reason: str,
    before: audit.State | None = None,
) -> Result:
    """Let a result count that waited, under the championship's lock. Raises Conflict `later-manches`."""
    before = before or audit.state(result, _FIELDS)
    result.state, result.confirmed_by, result.confirmed_at = ResultState.CONFIRMED, actor.user, timezone.now()
    result.confirmed_side = side_of(actor)
    result.save(
        update_fields=["state", "confirmed_by", "confirmed_side", "confirmed_at", "settled_how", "settled_reason"]
    )
    what = journal.confirmed_or_corrected(result)
    line = journal.Line(what, table.partie, manche, result, reason=reason or result.reason)
    journal.write(table.championship, line, *advance(table))
    audit.record(
        actor=actor,
        action=action,
        on=result,
        championship=table.championship,
        before=before,
        after=audit.state(result, _FIELDS),
        reason=reason,
    )
    return result


def _void_or_not(
    actor: Actor, table: Table, manche: Manche, result: Result, action: str, what: What, reason: str
) -> Manche:
    manche.save(update_fields=["voided_at", "void_reason"])
    is_void = manche.voided_at is not None
    line = journal.Line(what, table.partie, manche, result, reason=reason)
    journal.write(table.championship, line, *advance(table))
    audit.record(
        actor=actor,
        action=action,
        on=manche,
        championship=table.championship,
        before={"void": not is_void},
        after={"void": is_void},
        reason=reason,
    )
    return manche
