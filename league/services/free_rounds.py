"""A whole round seated by hand: every table at once, and byes for whoever is left over (STANDINGS 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Faults, UserFault
from league.models import Partie
from league.policy import Actor
from league.selectors.organising import seatable
from league.services.locks import lock_championship
from league.services.parties import add_bye, check_round, open_partie


@dataclass(frozen=True, slots=True)
class TableByHand:
    """Who sits at a table, by the ids of entries in the order of their seats; `number` None: it has none."""

    entries: Sequence[int]
    number: int | None = None


@transaction.atomic
def open_round(
    *,
    actor: Actor,
    championship_id: int,
    round: int,  # noqa: A002 — what it is called everywhere
    tables: Sequence[TableByHand],
    byes: bool = False,
) -> tuple[list[Partie], list[int]]:
    """Open a partie at every table, all or none; `byes`: whoever could play and sits nowhere has a bye.

    The parties, and the ids of the entries with a new bye. Raises Conflict `finished`; UserFault `bad-round`, `nobody`;
    Faults with what `open_partie` raises of each table, at `tables[0].entries` or `tables[0].number`.
    """
    championship = lock_championship(pk=championship_id)
    check_round(round)
    if not tables:
        raise UserFault("nobody", _("Seat somebody."), field="tables")
    waiting = [entry.id for entry in seatable(championship=championship, round_number=round) if not entry.met]
    faults: list[UserFault] = []
    opened: list[Partie] = []
    for place, table in enumerate(tables):
        try:
            opened.append(
                open_partie(
                    actor=actor,
                    championship_id=championship_id,
                    entry_ids=table.entries,
                    round=round,
                    table_number=table.number,
                )
            )
        except UserFault as fault:
            member = "number" if fault.field == "table_number" else "entries"
            faults.append(UserFault(fault.code, fault.message, field=f"tables[{place}].{member}"))
    if faults:
        raise Faults(faults)
    sitting = {entry for table in tables for entry in table.entries}
    left = [entry for entry in waiting if entry not in sitting] if byes else []
    for entry in left:
        add_bye(actor=actor, entry_id=entry, round=round)
    return opened, left
