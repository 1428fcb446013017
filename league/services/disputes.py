"""Disputes: what both sides and the referees say in their thread, and the decision that closes one.

A correction closes it too (`league.services.results`), and so does annulling the manche (`league.services.rulings`).
"""

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, UserFault
from league.models import Dispute, DisputeMessage, Manche, Result, ResultState, SecondEntry, SettledHow
from league.names import tidy
from league.policy import Actor
from league.services import audit
from league.services.championships import require_running
from league.services.dispute_rows import close
from league.services.documents import read_document
from league.services.locks import check_version, lock_championship
from league.services.progress import Table, load_table
from league.services.rulings import let_count
from league.services.sides import check_side, require_side_open, side_of
from league.services.texts import asked_reason, fitting
from league.services.versions import Origin, add_version, settle_into_partie

LONGEST_MESSAGE = 1000

MOST_MESSAGES = 100
"""Of the sides in one dispute: after so many words it is for the referee to come."""

STANDS, SECOND, ANOTHER_SHEET = "stands", "second", "another_sheet"
DECISIONS = (STANDS, SECOND, ANOTHER_SHEET)
"""The result counts as it is; the second entry counts instead; the table hands in another sheet."""


def asked_text(text: str) -> str:
    """What somebody says in a dispute, its line breaks kept. Raises UserFault `required` or `too-long`."""
    said = "\n".join(tidy(line) for line in text.splitlines()).strip()
    if not said:
        raise UserFault("required", _("Say what is not right."), field="text")
    return fitting(said, field="text", limit=LONGEST_MESSAGE)


@transaction.atomic
def say(*, actor: Actor, dispute_id: int, text: str) -> DisputeMessage:
    """Say something in an open dispute, as a side of its table or as somebody who runs the championship.

    The same words again straight after are one message. Raises NotFound, UserFault `required`, `too-long`,
    `side-required`, Conflict `finished`, `partie-over`, `dispute-closed`, `enough-said`.
    """
    said = asked_text(text)
    dispute, table = _locked(dispute_id)
    check_side(actor, table)
    require_side_open(actor, table)
    _require_open(dispute)
    return add_message(actor, dispute, said)


def add_message(actor: Actor, dispute: Dispute, text: str) -> DisputeMessage:
    """Add a message to an open dispute of a locked championship, unless it is the same one again.

    Raises Conflict `enough-said`.
    """
    last = DisputeMessage.objects.filter(dispute=dispute).order_by("pk").last()
    by_id = actor.user.pk if actor.user else None
    if last is not None and (last.text, last.by_id, last.side) == (text, by_id, side_of(actor)):
        return last
    if actor.at is not None and dispute.messages.exclude(side="").count() >= MOST_MESSAGES:
        raise Conflict("enough-said", _("Enough was written here: a referee comes and decides."))
    message = DisputeMessage.objects.create(dispute=dispute, text=text, by=actor.user, side=side_of(actor))
    audit.record(
        actor=actor,
        action="say_in_dispute",
        on=dispute,
        championship=dispute.manche.partie.championship,
        after={"text": text[:300]},
    )
    return message


@transaction.atomic
def decide(*, actor: Actor, dispute_id: int, version: int, how: str, reason: str) -> Dispute:
    """Decide a dispute, which closes it: `how` is one of DECISIONS; everybody may read the reason.

    Asked again as it was decided it changes nothing. Raises NotFound, UserFault `unknown-choice`, `reason-required`,
    Stale, Conflict `finished`, `dispute-closed`, `no-second-entry`, `later-manches`.
    """
    why = asked_reason(reason)
    if how not in DECISIONS:
        raise UserFault("unknown-choice", _("Choose one of the list."), field="how")
    dispute, table = _locked(dispute_id)
    check_version(dispute, version)
    _require_open(dispute)
    manche = next(manche for manche in table.manches if manche.pk == dispute.manche_id)
    result = manche.current
    if result is None or result.state != ResultState.CONTESTED or manche.voided_at is not None:
        raise Conflict("dispute-closed", _("This manche is not contested any more."))
    close(actor, dispute, why)
    if how == SECOND:
        _let_second_count(actor, table, manche, result, why)
        return dispute
    before = audit.state(result, ("version", "state", "settled_how", "settled_reason"))
    result.settled_how = SettledHow.REFEREE if how == STANDS else SettledHow.ANOTHER_SHEET
    result.settled_reason = why
    if how == STANDS:
        let_count(actor, table, manche, result, "decide_dispute", why, before)
        return dispute
    result.save(update_fields=["settled_how", "settled_reason"])
    audit.record(
        actor=actor,
        action="decide_dispute",
        on=result,
        championship=table.championship,
        before=before,
        after=audit.state(result, tuple(before)),
        reason=why,
    )
    return dispute


def _let_second_count(actor: Actor, table: Table, manche: Manche, result: Result, why: str) -> None:
    second = (
        SecondEntry.objects.filter(result=result, agrees=False).select_related("document", "by").order_by("pk").last()
    )
    if second is None:
        raise Conflict("no-second-entry", _("Nobody else has entered this manche."))
    origin = Origin(second.document, second.by, second.by_side)
    reading = read_document(bytes(second.document.body))
    taken = add_version(actor, table, manche, reading, why, ruled=why, origin=origin)
    settle_into_partie(actor, table, taken, result, "decide_dispute")


def _locked(dispute_id: int) -> tuple[Dispute, Table]:
    championship = lock_championship(parties__manches__disputes=dispute_id)
    require_running(championship)
    dispute = Dispute.objects.select_related("manche").get(pk=dispute_id)
    table = load_table(championship, dispute.manche.partie_id)
    dispute.manche.partie = table.partie
    return dispute, table


def _require_open(dispute: Dispute) -> None:
    if dispute.closed_at is not None:
        raise Conflict("dispute-closed", _("This dispute was decided: %(why)s") % {"why": dispute.decision})
