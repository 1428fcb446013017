"""Results that were put at the wrong table: where each could go, and where it went."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from league.models import Manche, Partie, PartieStatus, Result, ResultState, Seat
from league.selectors.side_names import NAME, called


@dataclass(frozen=True, slots=True)
class Place:
    """A partie to which a result can be moved; `table_number` is None where tables have no numbers."""

    partie: int
    table_number: int | None
    round: int
    teams: Sequence[str]


@dataclass(frozen=True, slots=True)
class Gone:
    """Where a version went that was moved away, and why."""

    partie: int
    table_number: int | None
    manche: int
    reason: str


def places_for(*, partie: Partie) -> list[Place]:
    """The parties of a championship, those of the round of this one first, by table. Two queries."""
    rows = Partie.objects.filter(championship=partie.championship_id).exclude(status=PartieStatus.VOID)
    found = list(rows.values_list("pk", "number", "table_number", "round"))
    teams: dict[int, list[str]] = defaultdict(list)
    seats = Seat.objects.filter(partie__championship=partie.championship_id).order_by("partie", "label")
    for pk, *names in seats.values_list("partie_id", *NAME):
        teams[pk].append(called(*names))
    places = [Place(number, table, in_round, teams[pk]) for pk, number, table, in_round in found]
    return sorted(
        places, key=lambda one: (one.round != partie.round, -one.round, one.table_number or one.partie, one.partie)
    )


def moved_away(*, manche: Manche) -> dict[int, Gone]:
    """By version, where results of a manche went that no later version of it replaced. Two queries, one without any.

    What is moved keeps its bytes, so it is found by them.
    """
    taken = Result.objects.filter(manche=manche, state=ResultState.SUPERSEDED, superseded_by__isnull=True)
    versions = list(taken.values_list("pk", "version", "document__sha256"))
    if not versions:
        return {}
    same = Result.objects.filter(
        manche__partie__championship=manche.partie.championship_id,
        document__sha256__in=[sha256 for _pk, _version, sha256 in versions],
    ).exclude(manche=manche)
    columns = "pk", "document__sha256", "manche__partie__number", "manche__partie__table_number", "manche__number"
    came = list(same.order_by("pk").values_list(*columns, "reason"))
    gone = {}
    for pk, version, sha256 in versions:
        places = [place for at, bytes_of, *place in came if bytes_of == sha256 and at > pk]
        if places:
            gone[version] = Gone(*places[0])
    return gone
