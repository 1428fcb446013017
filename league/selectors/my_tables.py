"""What a table scorer sees: the open parties at the tables given, and the manche that is to be entered."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from league.models import Championship, Manche, MancheStatus, Partie, PartieStatus, Role, Seat
from league.policy import Actor
from league.selectors.side_names import NAME, called
from league.services.second_entries import is_second


@dataclass(frozen=True, slots=True)
class OwnTable:
    """An open partie at a table of one's; `teams`: label, number, name and partner's number (mêlée).

    `awaited`: the manche to enter; `waits`: one that others settle; `second`:
    one that somebody else has entered, and that counts when the actor enters the same. Or None.
    """

    number: int
    round: int
    table_number: int | None
    teams: Sequence[tuple[str, int, str, int | None]]
    awaited: int | None
    waits: int | None
    second: int | None


def own_tables(*, actor: Actor, championship: Championship) -> list[OwnTable]:
    """The open parties at the actor's tables, by table; every one of them for who is no table scorer. Three queries."""
    rows = Partie.objects.filter(championship=championship, status=PartieStatus.OPEN)
    if actor.role_in(championship.pk) == Role.SCORER:
        rows = rows.filter(table_number__in=actor.tables_in(championship.pk))
    parties = list(rows.order_by("table_number", "number"))
    teams: dict[int, list[tuple[str, int, str, int | None]]] = defaultdict(list)
    seats = Seat.objects.filter(partie__in=parties).order_by("label")
    columns = ("partie_id", "label", "entry__number", "partner__number", *NAME)
    for partie_id, label, number, partner, *names in seats.values_list(*columns):
        teams[partie_id].append((label, number, called(*names), partner))
    awaited: dict[int, int] = {}
    waits: dict[int, int] = {}
    second: dict[int, int] = {}
    for manche in Manche.objects.filter(partie__in=parties).select_related("current_result").order_by("number"):
        if manche.status == MancheStatus.AWAITING:
            awaited[manche.partie_id] = manche.number
        elif is_second(actor, championship, manche.current, None):
            second[manche.partie_id] = manche.number
        elif manche.status not in (MancheStatus.CONFIRMED, MancheStatus.VOID):
            waits.setdefault(manche.partie_id, manche.number)
    return [
        OwnTable(
            number=partie.number,
            round=partie.round,
            table_number=partie.table_number,
            teams=teams[partie.pk],
            awaited=awaited.get(partie.pk),
            waits=waits.get(partie.pk),
            second=second.get(partie.pk),
        )
        for partie in parties
    ]
