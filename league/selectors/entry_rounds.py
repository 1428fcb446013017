"""What an entry had from each round, the newest first, so that anybody can add it up (STANDINGS 1 and 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.models import Absence, Bye, Championship, Entry, Partie, PartieStatus, Round, RoundStatus
from league.selectors.parties import PartieView, SeatLine, as_view, sat_in, with_all
from scoring.parties import bye_award
from scoring.ranking_shapes import exact


@dataclass(frozen=True, slots=True)
class EntryRound:
    """One thing that an entry had from a round. `kind`: `partie`, `bye` or `absent`.

    `partie` with the entry's own `seat` and the names of the others (`against`), for a partie alone. `place` from 1 or
    None; `match_points` as exact text, None while the partie is open, and where it counts for nothing.
    """

    round: int
    kind: str
    match_points: str | None
    partie: PartieView | None = None
    seat: SeatLine | None = None
    against: Sequence[str] = ()

    @property
    def place(self) -> int | None:
        """The place at the table: not before the partie is closed."""
        return self.seat.place if self.seat and self.match_points is not None else None


@dataclass(frozen=True, slots=True)
class EntryRounds:
    """All rounds of an entry: the parties being played (`open`), then whatever is over, the newest first.

    `match_points` is the sum of what is over, less the penalty on the championship where that is taken off them.
    """

    open: Sequence[EntryRound]
    over: Sequence[EntryRound]
    penalty: int
    match_points: str


def rounds_of_entry(*, championship: Championship, entry: Entry) -> EntryRounds:
    """Parties, byes and announced absences of one entry; ten queries whatever their number.

    An absence of a round that is not drawn yet is not told: it may still be taken back.
    """
    rows = with_all(Partie.objects.filter(sat_in(championship, entry.number), championship=championship))
    found = [_of_partie(as_view(championship, partie), entry.number) for partie in rows.order_by("number")]
    scale = tuple(exact(number, ()) for number in championship.scale) if championship.scale else None
    award = str(bye_award(championship.table_entries, scale))
    byes = Bye.objects.filter(championship=championship, entry=entry).values_list("round", flat=True)
    found += [EntryRound(number, "bye", award) for number in byes]
    drawn = set(
        Round.objects.filter(championship=championship)
        .exclude(status=RoundStatus.DRAFT)
        .values_list("number", flat=True)
    )
    absences = Absence.objects.filter(championship=championship, entry=entry).values_list("round", flat=True)
    found += [EntryRound(number, "absent", "0") for number in absences if number in drawn]
    found.sort(key=lambda one: (one.round, one.partie.number if one.partie else 0), reverse=True)
    is_open = [one.partie is not None and one.partie.status == PartieStatus.OPEN for one in found]
    penalty = entry.penalty if championship.primary == "match_points" else 0
    total = sum((Fraction(one.match_points or 0) for one in found), Fraction(-penalty))
    return EntryRounds(
        open=[one for one, still in zip(found, is_open, strict=True) if still],
        over=[one for one, still in zip(found, is_open, strict=True) if not still],
        penalty=penalty,
        match_points=str(total),
    )


def _of_partie(partie: PartieView, number: int) -> EntryRound:
    own = next(seat for seat in partie.seats if number in (seat.number, seat.partner))
    against = [seat.team for seat in partie.seats if seat is not own]
    return EntryRound(partie.round, "partie", own.match_points, partie, own, against)
