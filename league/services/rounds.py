"""A draft becomes a round: published, locked, reopened for a reason, and the last step taken back (STANDINGS 2)."""

from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound
from league.models import Bye, Championship, Partie, PartieStatus, Round, RoundStatus, Stage, What
from league.policy import Actor
from league.selectors.clock import seconds_left
from league.services import audit, journal
from league.services.championships import require_running
from league.services.draws import locked_draft, summary
from league.services.locks import check_version, lock_championship
from league.services.seating import seat_round, take_apart, untouched
from league.services.texts import asked_reason

MOST_REOPENED: Final = 3
"""How many times a round is opened again at most: players must be able to rely on what hangs on the wall."""


@transaction.atomic
def publish_round(*, actor: Actor, round_id: int, version: int | None, postpone_open: str = "") -> Round:
    """Make a draft a round that everybody sees: parties, seats, first manches, byes; the round before is locked.

    `postpone_open`: a reason; tables of earlier rounds at which entries of this one still play are postponed for it.
    Publishing it again returns it. Raises NotFound, Stale; Conflict `finished`, `at-another-table`, `plays-this-round`,
    `table-taken`; Faults of tables that cannot be played.
    """
    championship = lock_championship(rounds=round_id)
    require_running(championship)
    found = Round.objects.filter(pk=round_id).first()
    if found is None:
        raise NotFound
    if found.status != RoundStatus.DRAFT:
        return found
    round_ = locked_draft(round_id, version)
    made = seat_round(actor, championship, round_, postpone_open)
    now = timezone.now()
    earlier = Round.objects.filter(
        championship=championship, number__lt=round_.number, status=RoundStatus.PUBLISHED
    ).order_by("number")
    for before in earlier:
        _lock(before)
    round_.status, round_.published_at, round_.version = RoundStatus.PUBLISHED, now, round_.version + 1
    round_.save(update_fields=["status", "published_at", "pairing", "version"])
    audit.record(
        actor=actor,
        action="publish_round",
        on=round_,
        championship=championship,
        after={"round": round_.number, "parties": made, **summary(round_.pairing)},
    )
    return round_


@transaction.atomic
def lock_round(*, actor: Actor, round_id: int, version: int | None) -> Round:
    """Lock a published round: it is not opened again. Results still come in. Locking it again changes nothing."""
    championship, round_ = _locked(round_id)
    if round_.status == RoundStatus.LOCKED:
        return round_
    check_version(round_, version)
    if round_.status != RoundStatus.PUBLISHED:
        raise Conflict("not-published", _("This round is still a draft."))
    _lock(round_)
    _record(actor, championship, round_, "lock_round")
    return round_


@transaction.atomic
def reopen_round(*, actor: Actor, round_id: int, version: int | None, reason: str) -> Round:
    """Take a published round back into a draft: tables with a result stay, the others can be drawn again or changed.

    Only the last round, while it is not locked, and at most MOST_REOPENED times. Raises Conflict `finished`,
    `not-published`, `round-locked`, `not-the-last`, `reopened-too-often`; Stale; UserFault `reason-required`.
    """
    championship, round_ = _locked(round_id)
    why = asked_reason(reason)
    check_version(round_, version)
    if round_.status == RoundStatus.DRAFT:
        raise Conflict("not-published", _("This round is still a draft."))
    if round_.status == RoundStatus.LOCKED:
        raise Conflict("round-locked", _("This round is locked: it stays as it is."))
    _require_last(championship, round_)
    if round_.reopened >= MOST_REOPENED:
        message = _("A round can be reopened %(most)s times at most.") % {"most": MOST_REOPENED}
        raise Conflict("reopened-too-often", message)
    round_.reopened += 1
    _unpublish(actor, championship, round_, "reopen_round", why)
    return round_


@transaction.atomic
def undo_step(*, actor: Actor, round_id: int, version: int | None) -> Round | None:
    """Take the last step of the last round back: locked → published → draft → not drawn (None).

    A round in which something was handed in is not taken back into a draft: that is a reopening, with its reason.
    Raises Conflict `finished`, `not-the-last`, `results-in`, `kept-table`; Stale.
    """
    from league.services.drafts import discard_draft  # it asks draws for the draft, as this room does

    championship, round_ = _locked(round_id)
    check_version(round_, version)
    _require_last(championship, round_)
    if round_.status == RoundStatus.DRAFT:
        discard_draft(actor=actor, round_id=round_id, version=version)
        return None
    if round_.status == RoundStatus.LOCKED:
        round_.status, round_.locked_at, round_.version = RoundStatus.PUBLISHED, None, round_.version + 1
        round_.save(update_fields=["status", "locked_at", "version"])
        _record(actor, championship, round_, "unlock_round")
        return round_
    ids = {partie.pk for partie in _drawn_parties(championship, round_)}
    if untouched(ids) != ids:
        message = _("Something was handed in or ruled in this round: reopen it with a reason instead.")
        raise Conflict("results-in", message)
    _unpublish(actor, championship, round_, "unpublish_round", _("Publishing was taken back."))
    return round_


def _locked(round_id: int) -> tuple[Championship, Round]:
    championship = lock_championship(rounds=round_id)
    require_running(championship)
    round_ = Round.objects.select_related("stage").filter(pk=round_id).first()
    if round_ is None:
        raise NotFound
    return championship, round_


def _lock(round_: Round) -> None:
    """Lock it, and hold its clock, which goes on from there if the lock is taken back."""
    now = timezone.now()
    if round_.clock_started_at is not None:
        round_.clock_left, round_.clock_started_at = seconds_left(round_, now), None
    round_.status, round_.locked_at, round_.version = RoundStatus.LOCKED, now, round_.version + 1
    round_.save(update_fields=["status", "locked_at", "version", "clock_left", "clock_started_at"])


def _require_last(championship: Championship, round_: Round) -> None:
    later = Q(number__gt=round_.number)
    if (
        Round.objects.filter(later, championship=championship).exists()
        or Partie.objects.filter(championship=championship, round__gt=round_.number).exists()
    ):
        raise Conflict("not-the-last", _("Only the last round can be taken back."))
    begun = Stage.objects.filter(championship=championship, started_at__isnull=False)
    if round_.stage is not None and begun.filter(number__gt=round_.stage.number).exists():
        message = _("The next stage was started from the results of this round: it stays as it is.")
        raise Conflict("not-the-last", message)


def _drawn_parties(championship: Championship, round_: Round) -> list[Partie]:
    """The parties of a round that its draw has made; others were opened by hand, and stay."""
    numbers = [table.get("partie") for table in round_.pairing.get("tables", [])]
    return list(Partie.objects.filter(championship=championship, number__in=[n for n in numbers if n is not None]))


def _unpublish(actor: Actor, championship: Championship, round_: Round, action: str, why: str) -> None:
    """Back into a draft: what nobody touched is taken apart, what was played stays as it is."""
    parties = _drawn_parties(championship, round_)
    free = untouched({partie.pk for partie in parties})
    going = {partie.number for partie in parties if partie.pk in free}
    voided = {partie.number for partie in parties if partie.status == PartieStatus.VOID}
    tables: list[dict[str, Any]] = []
    for table in round_.pairing.get("tables", []):
        number = table.get("partie")
        if number in voided:
            continue  # annulled: its entries can be drawn again
        table["kept"] = number is not None and number not in going
        if not table["kept"]:
            if table.get("extra_of"):
                continue  # one more manche that was not played: it can be opened again
            table.pop("partie", None)
        tables.append(table)
    drawn = round_.pairing.get("byes", [])
    byes = Bye.objects.filter(championship=championship, round=round_.number, entry__number__in=drawn)
    _give_back_those_of_void_tables(round_.pairing, tables)
    round_.pairing["tables"] = tables
    journal.write(
        championship,
        *[
            journal.Line(What.BYE_REMOVED, entry=bye.entry, reason=why)
            for bye in byes.select_related("entry").order_by("entry")
        ],
    )
    byes.delete()
    take_apart(free)
    round_.status, round_.published_at, round_.version = RoundStatus.DRAFT, None, round_.version + 1
    round_.clock_started_at = round_.clock_left = None
    round_.save()
    audit.record(
        actor=actor,
        action=action,
        on=round_,
        championship=championship,
        after={"round": round_.number, "kept": [t["number"] for t in tables if t["kept"]]},
        reason=why,
    )


def _give_back_those_of_void_tables(pairing: dict[str, Any], staying: list[dict[str, Any]]) -> None:
    """Whoever sat at an annulled table stands among the byes of the draft, until it is drawn again or moved."""
    sitting = {number for table in staying for side in table["sides"] for number in side}
    listed = {*pairing.get("byes", []), *pairing.get("absent", [])}
    everybody = {number for table in pairing["tables"] for side in table["sides"] for number in side}
    pairing["byes"] = sorted({*pairing.get("byes", []), *(everybody - sitting - listed)})


def _record(actor: Actor, championship: Championship, round_: Round, action: str) -> None:
    after = {"round": round_.number}
    audit.record(actor=actor, action=action, on=round_, championship=championship, after=after)
