"""Which table is to be entered next, for whoever types one sheet after the other."""

from dataclasses import dataclass

from django.db.models import Case, F, Value, When
from django.db.models.functions import Coalesce

from league.models import Manche, Partie, PartieStatus, Seat
from league.selectors.side_names import NAME, called


@dataclass(frozen=True, slots=True)
class NextTable:
    """A partie that awaits the sheet of a manche; `table_number` is None where tables have no numbers."""

    partie: int
    table_number: int | None
    manche: int
    teams: list[str]


def next_table(*, after: Partie, manche: int) -> NextTable | None:
    """The next table of the round whose sheet of manche `manche`, or of one before, is still awaited; after the last
    table the first. None when no other is, in two queries.
    """
    here = after.table_number or after.number
    place = Coalesce("partie__table_number", "partie__number")
    found = (
        Manche.objects.filter(
            partie__championship=after.championship_id,
            partie__round=after.round,
            partie__status=PartieStatus.OPEN,
            partie__postponed_at__isnull=True,
            voided_at__isnull=True,
            current_result__isnull=True,
            number__lte=manche,
        )
        .exclude(partie=after.pk)
        .annotate(place=place, again=Case(When(place__gt=here, then=Value(0)), default=Value(1)))
        .order_by("again", "place", F("partie__number"), "number")
        .values_list("partie_id", "partie__number", "partie__table_number", "number")
        .first()
    )
    if found is None:
        return None
    partie_id, partie, table_number, number = found
    teams = Seat.objects.filter(partie=partie_id).order_by("label").values_list(*NAME)
    return NextTable(partie, table_number, number, [called(*names) for names in teams])
