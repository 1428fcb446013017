"""Parties: opened, closed, annulled, opened again; forfeits and byes (STANDINGS 1 and 2)."""

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault
from league.models import (
    LABELS,
    Bye,
    Championship,
    ClosedHow,
    Entry,
    Manche,
    Partie,
    PartieStatus,
    Ranks,
    Seat,
    What,
)
from league.policy import Actor
from league.services import audit, journal
from league.services.championships import require_running
from league.services.locks import check_version, lock_championship
from league.services.progress import Table, advance, check_seats_free, load_table, save_status
from league.services.settings_of_play import laid_rulebook
from league.services.texts import asked_reason

_STATUS = ("status", "closed_how", "reason")
_MOST_ROUNDS = 999
_MOST_TABLES = 9999


@transaction.atomic
def open_partie(
    *,
    actor: Actor,
    championship_id: int,
    entry_ids: Sequence[int],
    round: int,  # noqa: A002 — what it is called everywhere
    table_number: int | None = None,
) -> Partie:
    """Seat entries at a partie, in the order given (labels A to D), and make its first manche.

    Raises Conflict `finished`, `table-taken`, `has-bye`, `at-another-table`; UserFault `bad-table`, `entry-twice`,
    `unknown-entry`, `withdrawn`, `bad-round`, `bad-table-number`, `teams-are-drawn`.
    """
    championship = lock_championship(pk=championship_id)
    require_running(championship)
    if championship.ranks == Ranks.PLAYERS:
        message = _("Teams are made by the draw: draw the round, then change it by hand.")
        raise UserFault("teams-are-drawn", message, field="entries")
    check_round(round)
    entries = _entries(championship, entry_ids)
    last = Partie.objects.filter(championship=championship).aggregate(last=Max("number"))["last"] or 0
    partie = Partie(championship=championship, number=last + 1, round=round, table_number=table_number)
    _check_free(partie, [entry.pk for entry in entries])
    _check_table_free(partie)
    partie.save(force_insert=True)
    Seat.objects.bulk_create(
        Seat(partie=partie, entry=entry, label=label) for label, entry in zip(LABELS, entries, strict=False)
    )
    Manche.objects.create(partie=partie, number=1)
    audit.record(
        actor=actor,
        action="open_partie",
        on=partie,
        championship=championship,
        after={
            "number": partie.number,
            "round": round,
            "table_number": table_number,
            "entries": [entry.number for entry in entries],
        },
    )
    return partie


def check_round(round_: int) -> None:
    """Raise UserFault `bad-round` for what cannot be the number of a round."""
    if not 1 <= round_ <= _MOST_ROUNDS:
        message = _("Rounds are counted from 1 to %(most)s.") % {"most": _MOST_ROUNDS}
        raise UserFault("bad-round", message, field="round")


def _check_table_free(partie: Partie) -> None:
    table = partie.table_number
    if table is None:
        return
    if not 1 <= table <= _MOST_TABLES:
        message = _("Tables are counted from 1 to %(most)s.") % {"most": _MOST_TABLES}
        raise UserFault("bad-table-number", message, field="table_number")
    others = Partie.objects.filter(championship=partie.championship, round=partie.round, table_number=table)
    if others.exclude(pk=partie.pk).exclude(status=PartieStatus.VOID).exists():
        message = _("Table %(table)s has a partie in this round already.") % {"table": table}
        raise Conflict("table-taken", message, field="table_number")


def _entries(championship: Championship, entry_ids: Sequence[int]) -> list[Entry]:
    size = championship.table_entries
    allowed = {size, size - 1} if championship.allow_short_tables else {size}
    if (
        len(entry_ids) not in allowed
        or laid_rulebook(championship).table(len(entry_ids), championship.players_per_team) is None
    ):
        message = _("A partie of this championship seats %(size)s entries.") % {"size": size}
        raise UserFault("bad-table", message, field="entries")
    if len(set(entry_ids)) != len(entry_ids):
        raise UserFault("entry-twice", _("The same entry stands twice at the table."), field="entries")
    found = Entry.objects.select_related("team").filter(championship=championship).in_bulk(entry_ids)
    if len(found) != len(entry_ids):
        raise UserFault("unknown-entry", _("There is no such entry in this championship."), field="entries")
    for entry in found.values():
        if entry.withdrawn_at is not None:
            message = _("%(team)s has withdrawn.") % {"team": entry.team.name}
            raise UserFault("withdrawn", message, field="entries")
    return [found[entry_id] for entry_id in entry_ids]


def _check_free(partie: Partie, entry_ids: Sequence[int]) -> None:
    check_seats_free(partie, entry_ids)
    check_no_bye(partie.round, entry_ids)


def check_no_bye(round_: int, entry_ids: Collection[int]) -> None:
    """Raise Conflict `has-bye` if one of these entries has a bye in a round: nobody has a partie besides."""
    bye = Bye.objects.select_related("entry__team").filter(entry__in=entry_ids, round=round_).first()
    if bye is not None:
        message = _("%(team)s has a bye in this round.") % {"team": bye.entry.team.name}
        raise Conflict("has-bye", message, field="entries", extra={"entry": bye.entry.number})


@transaction.atomic
def add_bye(*, actor: Actor, entry_id: int, round: int) -> Bye:  # noqa: A002 — what it is called everywhere
    """Give an entry a bye in a round; giving it again returns it. Raises Conflict `plays-this-round`, UserFault."""
    championship = lock_championship(entries=entry_id)
    require_running(championship)
    check_round(round)
    entry = Entry.objects.get(pk=entry_id)
    if entry.withdrawn_at is not None:
        raise UserFault("withdrawn", _("This entry has withdrawn."), field="entry")
    sitting = Seat.objects.filter(Q(entry=entry) | Q(partner=entry), partie__round=round)
    if sitting.exclude(partie__status=PartieStatus.VOID).exists():
        raise Conflict("plays-this-round", _("This entry has a partie in this round."), field="entry")
    bye, made = Bye.objects.get_or_create(
        championship=championship, round=round, entry=entry, defaults={"by": actor.user}
    )
    if made:
        journal.write(championship, journal.Line(What.BYE, entry=entry))
        after = {"round": round, "entry": entry.number}
        audit.record(actor=actor, action="add_bye", on=bye, championship=championship, after=after)
    return bye


@transaction.atomic
def remove_bye(*, actor: Actor, bye_id: int, reason: str) -> None:
    """Take a bye away. Raises NotFound."""
    championship = lock_championship(byes=bye_id)
    require_running(championship)
    why = asked_reason(reason)
    bye = Bye.objects.select_related("entry").filter(pk=bye_id).first()
    if bye is None:
        raise NotFound
    journal.write(championship, journal.Line(What.BYE_REMOVED, entry=bye.entry, reason=why))
    before = {"round": bye.round, "entry": bye.entry.number}
    audit.record(actor=actor, action="remove_bye", on=bye, championship=championship, before=before, reason=why)
    bye.delete()


@transaction.atomic
def close_partie(*, actor: Actor, partie_id: int, version: int | None, reason: str) -> Partie:
    """The referee stops a partie: its finished manches count; without any it is void (STANDINGS 1).

    Raises Conflict `not-open`, `unsettled` while a result waits for a decision; Stale.
    """
    table, why = _locked(partie_id, version), asked_reason(reason)
    _require_open(table.partie)
    if table.unsettled:
        numbers = [manche.number for manche in table.unsettled]
        message = _("Settle, confirm or annul the result of manche %(numbers)s first.") % {
            "numbers": ", ".join(map(str, numbers))
        }
        raise Conflict("unsettled", message, extra={"manches": numbers})
    status = PartieStatus.CLOSED if table.counted else PartieStatus.VOID
    what = What.PARTIE_CLOSED if table.counted else What.PARTIE_VOIDED
    return _rule(actor, table, "close_partie", what, status, ClosedHow.REFEREE, why)


@transaction.atomic
def void_partie(*, actor: Actor, partie_id: int, version: int | None, reason: str) -> Partie:
    """Annul a partie: it is as if never drawn (STANDINGS 2). Raises Stale."""
    table, why = _locked(partie_id, version), asked_reason(reason)
    if table.partie.status == PartieStatus.VOID:
        return table.partie
    return _rule(actor, table, "void_partie", What.PARTIE_VOIDED, PartieStatus.VOID, "", why)


@transaction.atomic
def rule_forfeit(*, actor: Actor, partie_id: int, entry_id: int, version: int | None, reason: str) -> Partie:
    """Rule that an entry is absent or left (STANDINGS 2): the partie is closed, the manches finished before count.

    May be ruled for several entries of one partie. Raises NotFound, Conflict `not-open`, Stale.
    """
    table, why = _locked(partie_id, version), asked_reason(reason)
    seat = Seat.objects.select_related("entry").filter(partie=table.partie, entry=entry_id).first()
    if seat is None:
        raise NotFound
    if seat.forfeited_at is not None:
        return table.partie
    if table.partie.status == PartieStatus.VOID:
        raise Conflict("not-open", _("This partie was annulled."))
    seat.forfeited_at, seat.forfeit_reason = timezone.now(), why
    seat.save(update_fields=["forfeited_at", "forfeit_reason"])
    return _rule(
        actor, table, "rule_forfeit", What.FORFEIT, PartieStatus.CLOSED, ClosedHow.FORFEIT, why, entry=seat.entry
    )


@transaction.atomic
def reopen_partie(*, actor: Actor, partie_id: int, version: int | None, reason: str) -> Partie:
    """Take back a referee's stop, a forfeit or an annulment: the partie goes on, or closes at its end if it has one.

    Raises Conflict `ended` where the partie closed at its own end, `at-another-table`, `table-taken`; Stale.
    """
    table, why = _locked(partie_id, version), asked_reason(reason)
    partie = table.partie
    if partie.status == PartieStatus.OPEN:
        return partie
    if partie.closed_how == ClosedHow.END:
        message = _("This partie closed at its end: correct or annul a manche, and it opens by itself.")
        raise Conflict("ended", message)
    _check_free(partie, table.sitting)
    _check_table_free(partie)
    before = audit.state(partie, _STATUS)
    Seat.objects.filter(partie=partie).update(forfeited_at=None, forfeit_reason="")
    partie.status, partie.closed_how, partie.closed_at, partie.reason = PartieStatus.OPEN, "", None, ""
    save_status(partie)
    line = journal.Line(What.PARTIE_REOPENED, partie, reason=why)
    journal.write(table.championship, line, *advance(table))
    audit.record(
        actor=actor,
        action="reopen_partie",
        on=partie,
        championship=table.championship,
        before=before,
        after=audit.state(partie, _STATUS),
        reason=why,
    )
    return partie


def _locked(partie_id: int, version: int | None) -> Table:
    championship = lock_championship(parties=partie_id)
    require_running(championship)
    table = load_table(championship, partie_id)
    check_version(table.partie, version)
    return table


def _require_open(partie: Partie) -> None:
    if partie.status != PartieStatus.OPEN:
        raise Conflict("not-open", _("This partie is closed already."))


def _rule(
    actor: Actor,
    table: Table,
    action: str,
    what: What,
    status: PartieStatus,
    closed_how: str,
    reason: str,
    entry: Entry | None = None,
) -> Partie:
    partie = table.partie
    before = audit.state(partie, _STATUS)
    partie.status, partie.closed_how, partie.reason = status, closed_how, reason
    partie.closed_at = partie.closed_at or timezone.now()
    save_status(partie)
    journal.write(table.championship, journal.Line(what, partie, entry=entry, reason=reason))
    after = audit.state(partie, _STATUS) | ({"forfeited": entry.number} if entry else {})
    audit.record(
        actor=actor,
        action=action,
        on=partie,
        championship=table.championship,
        before=before,
        after=after,
        reason=reason,
    )
    return partie
