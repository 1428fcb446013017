"""A draft is changed by hand: swapped, moved, turned, numbered; or discarded. Nobody else sees it yet."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, UserFault
from league.models import ExternalKind, Round
from league.policy import Actor
from league.selectors.stages import pools_of
from league.services import audit
from league.services.championships import require_running
from league.services.drawn import table_of
from league.services.draws import locked_draft, summary
from league.services.external_ids import forget_things
from league.services.locks import lock_championship
from league.services.stage_starts import take_back_start

BYES: Final = "byes"
ABSENT: Final = "absent"
NEW: Final = "new"
"""Where an entry can be moved besides to a table: among the byes, among the absent, to a new table."""

MOST_TABLES: Final = 9999

Pairing = dict[str, Any]


@transaction.atomic
def swap(*, actor: Actor, round_id: int, version: int | None, one: int, other: int) -> Round:
    """Let two entries (by number) change places, wherever each stands: at a table, among the byes or the absent.

    Raises Conflict `finished`, `no-draft`; Stale; UserFault `not-in-draft`, `kept-table`, `entry-twice`, `other-pool`
    (no partie across pools counts in either).
    """

    def change(pairing: Pairing) -> None:
        if one == other:
            raise UserFault("entry-twice", _("Choose two different entries."), field="other")
        first, second = _place_of(pairing, one), _place_of(pairing, other)
        first[0][first[1]], second[0][second[1]] = other, one

    return _change(actor, round_id, version, "swap_in_draft", change)


@transaction.atomic
def move(*, actor: Actor, round_id: int, version: int | None, entry: int, to: str | int) -> Round:
    """Take an entry (by number) out of its place and put it to a table (its number), a new one, the byes or the absent.

    A table that nobody is left at goes. Raises what `swap` raises; UserFault `unknown-table`, `table-full`,
    `teams-of-two` in a mêlée, where players can only be swapped, or moved between byes and absent.
    """

    def change(pairing: Pairing) -> None:
        where, place = _place_of(pairing, entry)
        at_table = where is not pairing.get(BYES) and where is not pairing.get(ABSENT)
        if _has_teams(pairing) and (at_table or to not in (BYES, ABSENT)):
            message = _("Teams of two are drawn: swap this player with another one.")
            raise UserFault("teams-of-two", message, field="to")
        target = _target(pairing, to)
        del where[place]
        if isinstance(target, list):
            target.append(entry)
            target.sort()
        else:
            _sit_down(target, entry)
        _clear(pairing)

    return _change(actor, round_id, version, "move_in_draft", change)


@transaction.atomic
def turn(*, actor: Actor, round_id: int, version: int | None, table: int) -> Round:
    """Let everybody at a table move up one seat: who sat at A now sits last. Raises what `swap` raises."""

    def change(pairing: Pairing) -> None:
        found = _table(pairing, table)
        found["sides"] = [*found["sides"][1:], found["sides"][0]]

    return _change(actor, round_id, version, "turn_in_draft", change)


@transaction.atomic
def number_table(*, actor: Actor, round_id: int, version: int | None, table: int, to: int) -> Round:
    """Give a table another number; the one that has it takes the old one. Raises as `swap`, and `bad-table-number`."""

    def change(pairing: Pairing) -> None:
        if not 1 <= to <= MOST_TABLES:
            message = _("Tables are counted from 1 to %(most)s.") % {"most": MOST_TABLES}
            raise UserFault("bad-table-number", message, field="number")
        found = _table(pairing, table)
        other = next((one for one in pairing["tables"] if one["number"] == to and one is not found), None)
        if other is not None:
            _refuse_kept(other)
            other["number"] = table
        found["number"] = to

    return _change(actor, round_id, version, "number_in_draft", change)


@transaction.atomic
def discard_draft(*, actor: Actor, round_id: int, version: int | None) -> None:
    """Throw a draft away; the round can be drawn again. A stage that began with this draw has not begun any more.

    Raises Conflict `finished`, `no-draft`, `kept-table`; Stale.
    """
    championship = lock_championship(rounds=round_id)
    require_running(championship)
    round_ = locked_draft(round_id, version)
    for table in round_.pairing.get("tables", []):
        _refuse_kept(table)
    before = {"round": round_.number, **summary(round_.pairing)}
    audit.record(actor=actor, action="discard_draft", on=round_, championship=championship, before=before)
    stage, began = round_.stage, round_.pairing.get("began")
    forget_things(kind=ExternalKind.ROUND, object_ids=[round_.pk])
    round_.delete()
    if stage is not None and began:
        take_back_start(championship, stage)


def _change(actor: Actor, round_id: int, version: int | None, action: str, change: Callable[[Pairing], None]) -> Round:
    championship = lock_championship(rounds=round_id)
    require_running(championship)
    round_ = locked_draft(round_id, version)
    before = summary(round_.pairing)
    pools = pools_of(stage=round_.stage)
    mixed = _mixed(round_.pairing, pools)
    change(round_.pairing)
    _refuse_mixed(_mixed(round_.pairing, pools) - mixed)
    _name_pools(round_.pairing, pools)
    round_.pairing["tables"].sort(key=lambda table: table["number"])
    after = summary(round_.pairing)
    if before == after:
        return round_
    round_.version += 1
    round_.save(update_fields=["pairing", "version"])
    was, now = audit.changes(before, after)
    audit.record(actor=actor, action=action, on=round_, championship=championship, before=was, after=now)
    return round_


def _mixed(pairing: Pairing, pools: Mapping[int, int | None]) -> set[tuple[int, ...]]:
    """Who sits at each table at which entries of several pools sit."""
    found = (tuple(sorted(number for side in table["sides"] for number in side)) for table in pairing["tables"])
    return {numbers for numbers in found if len({pools.get(number) for number in numbers}) > 1}


def _refuse_mixed(mixed: set[tuple[int, ...]]) -> None:
    if mixed:
        names = ", ".join(map(str, min(mixed)))
        message = _("Entries %(names)s are of different pools: their partie would count in neither.")
        raise UserFault("other-pool", message % {"names": names}, field="to")


def _name_pools(pairing: Pairing, pools: Mapping[int, int | None]) -> None:
    """A table is of the pool of those who sit there, also a new one."""
    for table in pairing["tables"]:
        there = {pools.get(number) for side in table["sides"] for number in side}
        if len(there) == 1 and not table.get("kept"):
            table["pool"] = next(iter(there))


def _place_of(pairing: Pairing, number: int) -> tuple[list[int], int]:
    """The list in which an entry stands, and where in it. Raises UserFault `not-in-draft`, Conflict `kept-table`."""
    for table in pairing["tables"]:
        for side in table["sides"]:
            if number in side:
                _refuse_kept(table)
                return side, side.index(number)
    for name in (BYES, ABSENT):
        if number in (listed := pairing.setdefault(name, [])):
            return listed, listed.index(number)
    raise UserFault("not-in-draft", _("Entry %(number)s is not in this draft.") % {"number": number}, field="one")


def _table(pairing: Pairing, number: int) -> dict[str, Any]:
    for table in pairing["tables"]:
        if table["number"] == number:
            _refuse_kept(table)
            found: dict[str, Any] = table
            return found
    raise UserFault("unknown-table", _("There is no table %(number)s.") % {"number": number}, field="to")


def _refuse_kept(table: dict[str, Any]) -> None:
    if table.get("kept"):
        message = _("Table %(number)s was played already: it stays as it is.") % {"number": table["number"]}
        raise Conflict("kept-table", message, field="to")


def _target(pairing: Pairing, to: str | int) -> Any:
    if to in (BYES, ABSENT):
        return pairing[str(to)]
    if to == NEW:
        made = table_of([])
        made["number"] = max((table["number"] for table in pairing["tables"]), default=0) + 1
        pairing["tables"].append(made)
        return made
    return _table(pairing, int(to))


def _sit_down(table: dict[str, Any], entry: int) -> None:
    if len(table["sides"]) >= len("ABCD"):
        raise UserFault("table-full", _("This table is full: swap two entries instead."), field="to")
    table["sides"].append([entry])


def _clear(pairing: Pairing) -> None:
    """Without empty sides, and without tables at which nobody sits."""
    for table in pairing["tables"]:
        table["sides"] = [side for side in table["sides"] if side]
    pairing["tables"] = [table for table in pairing["tables"] if table["sides"]]


def _has_teams(pairing: Pairing) -> bool:
    return any(len(side) > 1 for table in pairing["tables"] for side in table["sides"])
