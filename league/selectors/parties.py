"""Rounds and parties, as everybody may see them: who sits where, and what it came to."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery

from engine.rulebooks import RULEBOOKS
from league.errors import NotFound
from league.models import (
    Bye,
    Championship,
    Manche,
    MancheStatus,
    Partie,
    PartieStatus,
    Ranks,
    ResultScore,
    Seat,
    StageEntry,
    TeamMember,
)
from league.selectors.blind import hides_figures
from league.selectors.paging import SIZE, Page, paged
from league.selectors.side_names import side_name
from league.shown_names import public_name
from scoring.parties import Seat as ScoredSeat
from scoring.parties import result as score_partie
from scoring.ranking_document import DecidedBy
from scoring.ranking_document import Manche as ScoredManche
from scoring.ranking_document import Partie as ScoredPartie
from scoring.ranking_shapes import exact


@dataclass(frozen=True, slots=True)
class SeatLine:
    """An entry at a partie: its label, who plays at a1 or a2, and what it has so far.

    `points` are after penalties, None where the rulebook has none. `place` from 1, shared when level; `match_points`
    as text; both None until a manche counts or a forfeit was ruled, `match_points` until the partie is closed.
    `partner`: in a mêlée the number of the second entry of the team that was made for the partie.
    """

    label: str
    number: int
    partner: int | None
    team: str
    players: Sequence[str]
    points: int | None
    km: int
    manches_won: int
    coups_fourres: int
    penalty: int
    forfeited: bool
    forfeit_reason: str
    place: int | None
    match_points: str | None


@dataclass(frozen=True, slots=True)
class MancheLine:
    """A manche in its partie. `points` (after penalties) and `km` by seat label, empty while it has no result.

    While a second entry is awaited that must not see the first, it is as if it had none, its status aside.
    `is_corrected`: it was entered otherwise before; what follows a result that was moved away corrects nothing.
    """

    number: int
    status: str
    end: str
    kind: str
    version: int
    is_corrected: bool
    winner: str | None
    points: dict[str, int | None]
    km: dict[str, int]
    id: int = 0
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class PartieView:
    """A partie with its seats and manches. `awaited`: the number of the manche that is to be played next, or None.

    `pool`: that of its stage, None without pools; `is_postponed`: it is open, and not played now. `external_id`, here
    and of its manches, is None but where league.selectors.own_ids has looked it up.
    """

    number: int
    round: int
    table_number: int | None
    status: str
    closed_how: str
    reason: str
    version: int
    opened_at: datetime
    closed_at: datetime | None
    seats: Sequence[SeatLine]
    manches: Sequence[MancheLine]
    awaited: int | None
    pool: int | None
    is_postponed: bool
    id: int = 0
    external_id: str | None = None

    @property
    def has_begun(self) -> bool:
        """Whether anything of it has come in, or it is over."""
        is_open = self.status == PartieStatus.OPEN
        return not is_open or any(manche.status != MancheStatus.AWAITING for manche in self.manches)

    @property
    def manches_played(self) -> Sequence[MancheLine]:
        """The manches without that which was awaited when the partie ended."""
        is_open = self.status == PartieStatus.OPEN
        return [manche for manche in self.manches if is_open or manche.status != MancheStatus.AWAITING]


def called(view: PartieView, order: Sequence[str]) -> list[tuple[str, str]]:
    """Seats in order of play, each with who sits there: the player where a side has several, else the side."""
    names: dict[str, str] = {}
    for seat in view.seats:
        sitting = seat.players if len(seat.players) > 1 else [seat.team]
        names |= {f"{seat.label.lower()}{place}": name for place, name in enumerate(sitting, 1)}
    return [(label, names.get(label, "")) for label in order]


@dataclass(frozen=True, slots=True)
class Round:
    """A round: how many parties it has, and how many of them are open; its byes, as (entry number, team)."""

    number: int
    parties: int
    open: int
    byes: Sequence[tuple[int, str]]


def rounds(*, championship: Championship) -> list[Round]:
    """The rounds of a championship, first to last. Two queries."""
    byes: dict[int, list[tuple[int, str]]] = defaultdict(list)
    given = Bye.objects.filter(championship=championship).order_by("round", "entry__number")
    for number, entry, team in given.values_list("round", "entry__number", "entry__team__name"):
        byes[number].append((entry, team))
    counted = (
        Partie.objects.filter(championship=championship)
        .order_by("round")
        .values("round")
        .annotate(
            all=Count("pk", filter=~Q(status=PartieStatus.VOID)), open=Count("pk", filter=Q(status=PartieStatus.OPEN))
        )
    )
    counts = {row["round"]: (row["all"], row["open"]) for row in counted}
    return [Round(number, *counts.get(number, (0, 0)), byes[number]) for number in sorted({*counts, *byes})]


def parties(
    *, championship: Championship, round_number: int | None = None, number: int = 1, size: int = SIZE
) -> Page[PartieView]:
    """The parties of a round, or of all, by number; seven queries whatever the size."""
    rows = Partie.objects.filter(championship=championship).order_by("number")
    if round_number is not None:
        rows = rows.filter(round=round_number)
    return paged(with_all(rows), number, size, lambda found: [as_view(championship, partie) for partie in found])


def parties_of_entry(
    *, championship: Championship, entry_number: int, number: int = 1, size: int = SIZE
) -> Page[PartieView]:
    """The parties of one entry, by number; in a mêlée also those in which it was a partner."""
    rows = Partie.objects.filter(sat_in(championship, entry_number), championship=championship).order_by("number")
    return paged(with_all(rows), number, size, lambda found: [as_view(championship, partie) for partie in found])


def sat_in(championship: Championship, entry_number: int) -> Q:
    """The parties in which an entry sat, in a mêlée also as a partner; each comes once."""
    sat = Q(seats__entry__number=entry_number)
    return sat | Q(seats__partner__number=entry_number) if championship.ranks == Ranks.PLAYERS else sat


def rounds_after(*, championship: Championship, number: int) -> list[int]:
    """The rounds after this one in which there are parties already. One query."""
    later = Partie.objects.filter(championship=championship, round__gt=number).exclude(status=PartieStatus.VOID)
    return sorted(later.order_by().values_list("round", flat=True).distinct())


def partie_view(*, partie: Partie) -> PartieView:
    """One partie. Raises NotFound if it is gone."""
    found = with_all(Partie.objects.filter(pk=partie.pk)).first()
    if found is None:
        raise NotFound
    return as_view(partie.championship, found)


def with_all(rows: QuerySet[Partie]) -> QuerySet[Partie]:
    """With all that a view needs, in six queries more, in a mêlée seven."""
    members = TeamMember.objects.select_related("player").order_by("position")
    manches = Manche.objects.select_related("current_result").defer("current_result__verdict").order_by("number")
    return rows.annotate(pool=pool_of_partie()).prefetch_related(
        Prefetch("seats", Seat.objects.select_related("entry__team", "partner__team").order_by("label")),
        Prefetch("seats__entry__team__members", members),
        Prefetch("seats__partner__team__members", members),
        Prefetch("manches", manches),
        Prefetch("manches__current_result__scores", ResultScore.objects.defer("lines").order_by("seat_id")),
    )


def pool_of_partie() -> Subquery:
    """The pool of those who sit at a partie, in the stage of its round."""
    members = StageEntry.objects.filter(
        stage__rounds__championship=OuterRef("championship"),
        stage__rounds__number=OuterRef("round"),
        entry__seats__partie=OuterRef("pk"),
    )
    return Subquery(members.order_by("pk").values("pool")[:1])


def as_view(championship: Championship, partie: Partie) -> PartieView:
    seats = list(partie.seats.all())
    labels = {seat.pk: seat.label for seat in seats}
    manches = [_manche_line(championship, manche, labels) for manche in partie.manches.all()]
    awaited = [manche.number for manche in manches if manche.status == MancheStatus.AWAITING]
    return PartieView(
        number=partie.number,
        round=partie.round,
        table_number=partie.table_number,
        status=partie.status,
        closed_how=partie.closed_how,
        reason=partie.reason,
        version=partie.version,
        opened_at=partie.opened_at,
        closed_at=partie.closed_at,
        seats=_seat_lines(championship, partie, seats),
        manches=manches,
        awaited=awaited[0] if awaited and partie.status == PartieStatus.OPEN else None,
        pool=getattr(partie, "pool", None),
        is_postponed=partie.status == PartieStatus.OPEN and partie.postponed_at is not None,
        id=partie.pk,
    )


def _manche_line(championship: Championship, manche: Manche, labels: dict[int, str]) -> MancheLine:
    result = manche.current
    if result is not None and hides_figures(championship, result.state):
        result = None
    scores = {labels[score.seat_id]: score for score in result.scores.all()} if result else {}
    return MancheLine(
        number=manche.number,
        status=manche.status,
        end=result.end if result else "",
        kind=result.kind if result else "",
        version=result.version if result else 0,
        is_corrected=result is not None and result.version > 1 and result.reason != "",
        winner=next((label for label, score in scores.items() if score.won), None),
        points={label: scores[label].total for label in sorted(scores)},
        km={label: scores[label].km for label in sorted(scores)},
        id=manche.pk,
    )


def _seat_lines(championship: Championship, partie: Partie, seats: Sequence[Seat]) -> list[SeatLine]:
    counted = [manche.current for manche in partie.manches.all() if manche.status == MancheStatus.CONFIRMED]
    scores: dict[int, list[ResultScore]] = defaultdict(list)
    for result in counted:
        for score in result.scores.all() if result else ():
            scores[score.seat_id].append(score)
    scored = _scored(championship, partie, seats, scores)
    has_points = RULEBOOKS[championship.rulebook].has_points
    return [
        SeatLine(
            label=seat.label,
            number=seat.entry.number,
            partner=seat.partner.number if seat.partner else None,
            team=side_name(seat),
            players=_players(seat),
            points=sum(s.total or 0 for s in scores[seat.pk]) if has_points else None,
            km=sum(s.km for s in scores[seat.pk]),
            manches_won=sum(s.won for s in scores[seat.pk]),
            coups_fourres=sum(s.coups_fourres for s in scores[seat.pk]),
            penalty=sum(s.penalty for s in scores[seat.pk]),
            forfeited=seat.forfeited_at is not None,
            forfeit_reason=seat.forfeit_reason,
            place=scored[place].place if scored else None,
            match_points=str(scored[place].match_points) if scored and partie.status == PartieStatus.CLOSED else None,
        )
        for place, seat in enumerate(seats)
    ]


def _players(seat: Seat) -> list[str]:
    """Who plays for a side, in the order of the seats."""
    teams = [seat.entry.team] + ([seat.partner.team] if seat.partner else [])
    return [public_name(member.player) for team in teams for member in team.members.all()]


def _scored(
    championship: Championship, partie: Partie, seats: Sequence[Seat], scores: dict[int, list[ResultScore]]
) -> Sequence[ScoredSeat]:
    """Places and match points as the ranking has them (STANDINGS 1); empty where nothing counts yet."""
    columns = [scores[seat.pk] for seat in seats]
    manches = tuple(_scored_manche(seats, row) for row in zip(*columns, strict=True))
    forfeits = frozenset(seat.entry.number for seat in seats if seat.forfeited_at is not None)
    if partie.status == PartieStatus.VOID or not (manches or forfeits):
        return ()
    scale = tuple(exact(number, ()) for number in championship.scale) if championship.scale else None
    entries = tuple(seat.entry.number for seat in seats)
    whole = ScoredPartie(partie.number, partie.round, entries, manches, forfeits, "closed")
    decided_by: DecidedBy = "manches" if championship.decided_by == "manches" else "points"
    return score_partie(whole, championship.table_entries, decided_by, scale).seats


def _scored_manche(seats: Sequence[Seat], row: Sequence[ResultScore]) -> ScoredManche:
    points = tuple(score.total for score in row if score.total is not None)
    return ScoredManche(
        points=points if len(points) == len(row) else None,
        km=tuple(score.km for score in row),
        coups_fourres=tuple(score.coups_fourres for score in row),
        winner=next((seat.entry.number for seat, score in zip(seats, row, strict=True) if score.won), None),
    )
