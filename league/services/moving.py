"""Results put on the wrong table or the wrong side: moved, exchanged or turned in one act (RULES 13).

What was handed in stays as it came; the manche that it is moved to has it as a new version. Nothing of an act that does
not fit is kept.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, UserFault
from league.models import (
    Championship,
    Kind,
    Manche,
    MancheStatus,
    Partie,
    PartieStatus,
    Result,
    ResultScore,
    ResultState,
    SettledHow,
    What,
)
from league.policy import Actor
from league.services import audit, journal
from league.services.dispute_rows import close_dispute_of
from league.services.hand_in_answers import HandIn, refusal_in_words
from league.services.own_manches import exchange_names
from league.services.progress import Table, advance, check_seats_free, load_table
from league.services.results import hand_in
from league.services.rulings import confirm, locked, settle_claim
from league.services.texts import asked_reason

_STATE = ("version", "state", "reason")


@transaction.atomic
def turn_result(*, actor: Actor, manche_id: int, version: int, sides: Mapping[str, str], reason: str) -> HandIn:
    """Give each side of a manche's sheet the column of another: `sides` says whose column each label gets.

    It is a correction, with the turned sheet as its document. Raises NotFound; UserFault `bad-sides`, Conflict
    `result-changed`, `log-not-turned` (a log says who sat where: the right one is handed in instead), `does-not-fit`,
    and what a correction raises.
    """
    why = asked_reason(reason)
    _table, manche, result = locked(manche_id, version)
    if result.kind == Kind.LOG:
        message = _("A log says card by card who played: hand in the right log as a correction.")
        raise Conflict("log-not-turned", message)
    sheet = json.loads(bytes(result.document.body))
    labels = sorted(sheet["teams"])
    if sorted(sides) != labels or sorted(sides.values()) != labels:
        raise UserFault("bad-sides", _("Give each side the column of one team."), field="sides")
    if all(label == column for label, column in sides.items()):
        raise UserFault("bad-sides", _("Every side has its own column: nothing to turn."), field="sides")
    turned = _turned(sheet, sides)
    body = json.dumps(turned, ensure_ascii=False, sort_keys=True).encode()
    answered = hand_in(
        actor=actor,
        partie_id=manche.partie_id,
        number=manche.number,
        body=body,
        reason=why,
        replaces=version,
        may_count=(counted := result.state == ResultState.CONFIRMED),
    )
    return _counting(actor, _taken(answered), manche, why, counted=counted)


def _turned(sheet: dict[str, Any], sides: Mapping[str, str]) -> dict[str, Any]:
    """The sheet with its columns, and what the table announced, under other labels."""
    turned = dict(sheet)
    for member in ("teams", "claim"):
        columns = sheet.get(member)
        if isinstance(columns, dict):
            turned[member] = {label: columns[column] for label, column in sides.items() if column in columns}
    if sheet.get("extension") in sides.values():
        turned["extension"] = next(label for label, column in sides.items() if column == sheet["extension"])
    return turned


@transaction.atomic
def move_result(
    *, actor: Actor, manche_id: int, version: int, partie_number: int, manche_number: int, reason: str
) -> HandIn:
    """Put a manche's result where it belongs; where that manche has a result too, the two are exchanged.

    The manche that it leaves is awaited again. Returns the answer of the manche that it came to. Raises NotFound,
    UserFault `same-manche`; Conflict `result-changed`, `manche-void`, `does-not-fit` with the reason, and what closing
    and reopening of parties raise.
    """
    why = asked_reason(reason)
    _table, manche, result = locked(manche_id, version)
    championship = manche.partie.championship
    goal = _goal(championship, partie_number, manche_number)
    if goal.pk == manche.pk:
        raise UserFault("same-manche", _("The result stands at this manche already."), field="partie_number")
    other = goal.current
    if other is None and result.scores.filter(penalty__gt=0).exists():
        message = _("A penalty stands with this result: lift it first, and rule it again where it belongs.")
        raise Conflict("penalty-stands", message)
    bodies = [bytes(one.document.body) if one else None for one in (result, other)]
    counted = [one is not None and one.state == ResultState.CONFIRMED for one in (result, other)]
    ended = [one.partie_id for one in (manche, goal) if one.partie.status == PartieStatus.CLOSED]
    for one in (result, other):
        if one is not None:
            _take_back(actor, championship, one, why)
    come = list(zip((goal, manche), bodies, counted, (other, result), strict=True))
    answers = {
        to.pk: _put(actor, to, body, why, counted=did_count, before=before)
        for to, body, did_count, before in sorted(come, key=lambda one: one[0].number)  # in one partie, in their order
        if body is not None
    }
    _require_seats(championship, ended)
    exchange_names(manche, goal)
    return answers[goal.pk]


def _require_seats(championship: Championship, ended: list[int]) -> None:
    """Raise Conflict `at-another-table` where a partie that was over goes on, but its entries sit elsewhere."""
    for partie_id in ended:
        table = load_table(championship, partie_id)
        if table.partie.status == PartieStatus.OPEN:
            check_seats_free(table.partie, table.sitting)


def _goal(championship: Championship, partie_number: int, manche_number: int) -> Manche:
    rows = Manche.objects.select_related("partie", "current_result__document")
    goal = rows.filter(partie__championship=championship, partie__number=partie_number, number=manche_number).first()
    if goal is None:
        message = _("There is no such manche: it is made when the one before it counts.")
        raise UserFault("unknown-manche", message, field="manche_number")
    goal.partie.championship = championship
    _require_not_void(goal)
    return goal


def _require_not_void(manche: Manche) -> None:
    if manche.status == MancheStatus.VOID:
        raise Conflict("manche-void", _("This manche was annulled: reinstate it first."))


def _take_back(actor: Actor, championship: Championship, result: Result, reason: str) -> None:
    """Let a manche be without result again: the result stays as a version that was replaced.

    What was contested about it is settled by that: it was another table's.
    """
    before = audit.state(result, _STATE)
    was_counted = result.state == ResultState.CONFIRMED
    Result.objects.filter(pk=result.pk).update(state=ResultState.SUPERSEDED, current_of=None)
    result.refresh_from_db()
    partie: Partie = result.manche.partie
    close_dispute_of(actor, result.manche, reason)
    _drop_empty_after(partie, result.manche)
    table: Table = load_table(championship, partie.pk)
    lines = advance(table, for_now=True)
    if was_counted:
        line = journal.Line(What.RESULT_TAKEN_BACK, partie, result.manche, result, reason=reason)
        lines = [line, *lines]
    journal.write(championship, *lines)
    audit.record(
        actor=actor,
        action="take_back_result",
        on=result,
        championship=championship,
        before=before,
        after=audit.state(result, _STATE),
        reason=reason,
    )


def _drop_empty_after(partie: Partie, manche: Manche) -> None:
    """Manches that were only awaited after this one are not: it comes first again."""
    later = Manche.objects.filter(partie=partie, number__gt=manche.number, voided_at=None)
    if not later.filter(results__isnull=False).exists():
        later.delete()


def _put(actor: Actor, manche: Manche, body: bytes, reason: str, *, counted: bool, before: Result | None) -> HandIn:
    """Let a manche have this document; penalties that stood at `before` are the referee's, and stay with the manche."""
    answered = _taken(
        hand_in(actor=actor, partie_id=manche.partie_id, number=manche.number, body=body, may_count=counted)
    )
    assert answered.result is not None  # what was taken has one
    Result.objects.filter(pk=answered.result).update(reason=reason)
    for score in before.scores.filter(penalty__gt=0) if before is not None else ():
        kept = ResultScore.objects.filter(result=answered.result, seat=score.seat_id)
        kept.update(penalty=score.penalty, penalty_reason=score.penalty_reason)
    return _counting(actor, answered, manche, reason, counted=counted)


def _taken(answered: HandIn) -> HandIn:
    """The answer of a hand-in that was taken. Raises Conflict `does-not-fit`, which undoes the whole act."""
    if answered.refused:
        message = _("It does not fit there: %(reason)s") % {"reason": refusal_in_words(answered.verdict)}
        raise Conflict("does-not-fit", message, extra={"verdict": answered.verdict})
    return answered


def _counting(actor: Actor, answered: HandIn, manche: Manche, reason: str, *, counted: bool) -> HandIn:
    """What counted before counts where it is now: it was confirmed, or its claim settled, once."""
    if counted and answered.version is not None:
        if answered.state == ResultState.PENDING:
            confirm(actor=actor, manche_id=manche.pk, version=answered.version)
        elif answered.state == ResultState.DIFFERS:
            how = SettledHow.REFEREE
            settle_claim(actor=actor, manche_id=manche.pk, version=answered.version, how=how, reason=reason)
    return answered
