"""The parties of a drawn round: checked, made all at once, and taken apart again while nobody has touched them."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, UserFault, all_of
from league.models import (
    LABELS,
    Attempt,
    Bye,
    Championship,
    ClosedHow,
    Dispute,
    Entry,
    ExternalKind,
    Manche,
    Partie,
    PartieStatus,
    Result,
    ResultEvent,
    Round,
    Seat,
    StandIn,
    What,
)
from league.policy import Actor
from league.services import audit, journal
from league.services.external_ids import forget_things
from league.services.parties import check_no_bye
from league.services.settings_of_play import laid_rulebook
from league.services.texts import asked_reason

Table = Mapping[str, Any]


def seat_round(actor: Actor, championship: Championship, round_: Round, postpone_open: str = "") -> list[int]:
    """Make the parties and byes of a draft of a locked championship; the numbers of the parties made.

    The numbers of the parties are written into the round's pairing. Raises Faults, Conflict (see `publish_round`).
    """
    pairing = round_.pairing
    entries = {entry.number: entry for entry in Entry.objects.filter(championship=championship).select_related("team")}
    tables = [table for table in pairing["tables"] if not table.get("kept")]
    all_of([*_faults(championship, pairing, entries)])
    sitting = [entries[number].pk for table in tables for side in table["sides"] for number in side]
    _postpone(actor, championship, round_, sitting, postpone_open)
    _refuse_taken(championship, round_, tables, [*sitting, *(entries[number].pk for number in pairing["byes"])])
    check_no_bye(round_.number, sitting)
    parties = _make(championship, round_, tables, entries)
    _forfeit_of_those_gone(championship, zip(tables, parties, strict=True), entries)
    _give_byes(actor, championship, round_, [entries[number] for number in pairing["byes"]])
    return [partie.number for partie in parties]


def _faults(
    championship: Championship, pairing: Mapping[str, Any], entries: Mapping[int, Entry]
) -> Iterator[UserFault]:
    rulebook = laid_rulebook(championship)
    size = championship.table_entries
    drawn = [table for table in pairing["tables"] if not table.get("extra_of")]
    everybody = [n for table in drawn for side in table["sides"] for n in side] + list(pairing["byes"])
    for number, times in Counter(everybody).items():
        if times > 1:
            yield UserFault("entry-twice", _("Entry %(number)s stands twice in this round.") % {"number": number})
        gone = entries.get(number) is None or entries[number].withdrawn_at is not None
        if gone and not any(number in table.get("forfeit", ()) or table.get("kept") for table in _at(pairing, number)):
            name = entries[number].team.name if number in entries else str(number)
            message = _("%(team)s has withdrawn: draw again, or take it out of the round.") % {"team": name}
            yield UserFault("withdrawn", message)
    for table in pairing["tables"]:
        sides = len(table["sides"])
        if not max(2, size - 1) <= sides <= size or rulebook.table(sides, championship.players_per_team) is None:
            message = _("Table %(number)s seats %(sides)s: a partie of this championship seats %(size)s.") % {
                "number": table["number"],
                "sides": sides,
                "size": size,
            }
            yield UserFault("bad-table", message, extra={"table": table["number"]})


def _at(pairing: Mapping[str, Any], number: int) -> list[Table]:
    return [table for table in pairing["tables"] if any(number in side for side in table["sides"])]


def _postpone(actor: Actor, championship: Championship, round_: Round, sitting: list[int], reason: str) -> None:
    """Postpone the tables of earlier rounds at which somebody of this one still plays, if a reason is given."""
    of_them = Q(seats__entry__in=sitting) | Q(seats__partner__in=sitting)
    still_open = Q(championship=championship, status=PartieStatus.OPEN, postponed_at=None, round__lt=round_.number)
    waiting = list(Partie.objects.filter(of_them, still_open).distinct().order_by("number"))
    if not waiting:
        return
    if not reason.strip():
        places = ", ".join(str(partie.table_number or partie.number) for partie in waiting)
        message = _("Still playing: table %(tables)s. Wait for them, or postpone these tables.") % {"tables": places}
        raise Conflict("at-another-table", message, extra={"parties": [partie.number for partie in waiting]})
    why = asked_reason(reason)
    for partie in waiting:
        postpone(actor, championship, partie, why)


def postpone(actor: Actor, championship: Championship, partie: Partie, why: str) -> None:
    """Mark an open partie of a locked championship as postponed."""
    partie.postponed_at, partie.postponed_reason, partie.version = timezone.now(), why, partie.version + 1
    partie.save(update_fields=["postponed_at", "postponed_reason", "version"])
    after = {"number": partie.number, "postponed": True}
    audit.record(actor=actor, action="postpone", on=partie, championship=championship, after=after, reason=why)


def _refuse_taken(championship: Championship, round_: Round, tables: list[Table], entry_ids: list[int]) -> None:
    """Parties of this round that were opened by hand, or kept: nobody sits twice, no table is taken twice."""
    present = Partie.objects.filter(championship=championship, round=round_.number).exclude(status=PartieStatus.VOID)
    seat = (
        Seat.objects.filter(Q(entry__in=entry_ids) | Q(partner__in=entry_ids), partie__in=present)
        .select_related("entry__team", "partie")
        .first()
    )
    if seat is not None:
        message = _("%(team)s sits at partie %(number)s of this round already.") % {
            "team": seat.entry.team.name,
            "number": seat.partie.number,
        }
        raise Conflict("plays-this-round", message, extra={"partie": seat.partie.number})
    numbers = {table["number"] for table in tables}
    taken = present.filter(table_number__in=numbers).values_list("table_number", flat=True).first()
    if taken is not None or len(numbers) < len(tables):
        message = _("Table %(table)s has a partie in this round already.") % {"table": taken or "?"}
        raise Conflict("table-taken", message)


def _make(championship: Championship, round_: Round, tables: list[Any], entries: Mapping[int, Entry]) -> list[Partie]:
    last = Partie.objects.filter(championship=championship).aggregate(last=Max("number"))["last"] or 0
    parties = Partie.objects.bulk_create(
        Partie(championship=championship, number=number, round=round_.number, table_number=table["number"])
        for number, table in enumerate(tables, last + 1)
    )
    Seat.objects.bulk_create(
        Seat(
            partie=partie,
            label=label,
            entry=entries[side[0]],
            partner=entries[side[1]] if len(side) > 1 else None,
        )
        for partie, table in zip(parties, tables, strict=True)
        for label, side in zip(LABELS, table["sides"], strict=False)
    )
    Manche.objects.bulk_create(Manche(partie=partie, number=1) for partie in parties)
    for partie, table in zip(parties, tables, strict=True):
        table["partie"] = partie.number
    return parties


def _forfeit_of_those_gone(championship: Championship, made: Any, entries: Mapping[int, Entry]) -> None:
    """A partie against an entry that withdrew from a round robin late is its forfeit from the start (STANDINGS 2)."""
    why = _("Withdrawn")
    for table, partie in made:
        for number in table.get("forfeit", ()):
            seats = Seat.objects.filter(partie=partie, entry__number=number)
            if seats.update(forfeited_at=timezone.now(), forfeit_reason=why):
                partie.status, partie.closed_how, partie.reason = PartieStatus.CLOSED, ClosedHow.FORFEIT, why
                partie.closed_at = timezone.now()
                partie.save(update_fields=["status", "closed_how", "reason", "closed_at"])
                line = journal.Line(What.FORFEIT, partie, entry=entries[number], reason=why)
                journal.write(championship, line)


def _give_byes(actor: Actor, championship: Championship, round_: Round, entries: list[Entry]) -> None:
    present = set(Bye.objects.filter(championship=championship, round=round_.number).values_list("entry_id", flat=True))
    fresh = [entry for entry in entries if entry.pk not in present]
    Bye.objects.bulk_create(
        Bye(championship=championship, round=round_.number, entry=entry, by=actor.user) for entry in fresh
    )
    journal.write(championship, *[journal.Line(What.BYE, entry=entry) for entry in fresh])


def untouched(partie_ids: Collection[int]) -> set[int]:
    """Of these parties those that are open and in which nothing was handed in, disputed, postponed or ruled."""
    ids = set(partie_ids)
    open_ones = Partie.objects.filter(pk__in=ids, status=PartieStatus.OPEN, postponed_at__isnull=True)
    touched: set[int] = set()
    for rows, name in (
        (Result.objects.filter(manche__partie__in=ids), "manche__partie"),
        (Attempt.objects.filter(partie__in=ids), "partie"),
        (Dispute.objects.filter(manche__partie__in=ids), "manche__partie"),
        (ResultEvent.objects.filter(partie__in=ids), "partie"),
        (StandIn.objects.filter(seat__partie__in=ids), "seat__partie"),
    ):
        touched |= set(rows.values_list(name, flat=True))
    return set(open_ones.values_list("pk", flat=True)) - touched


def take_apart(partie_ids: Collection[int]) -> None:
    """Delete parties that are untouched, with their seats, manches and links."""
    manches = Manche.objects.filter(partie__in=partie_ids)
    forget_things(kind=ExternalKind.MANCHE, object_ids=list(manches.values_list("id", flat=True)))
    forget_things(kind=ExternalKind.PARTIE, object_ids=partie_ids)
    manches.delete()
    Seat.objects.filter(partie__in=partie_ids).delete()
    Partie.objects.filter(pk__in=partie_ids).delete()
