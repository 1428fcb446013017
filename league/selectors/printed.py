"""What is printed for the hall: tables of a round, who sits where by name, badges. All at once, in few queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from league.models import Bye, Championship, Entry, Partie, PartieStatus, Seat, TeamMember
from league.shown_names import BETWEEN, public_name


@dataclass(frozen=True, slots=True)
class PrintedSeat:
    """A side at a table: its label, number and name, and what its players are called in public."""

    label: str
    number: int
    team: str
    players: Sequence[str]
    partner: int | None = None


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of a round."""

    partie: Partie
    seats: Sequence[PrintedSeat]

    @property
    def shown(self) -> int:
        """What people look for: the number of the table, that of the partie where it has none."""
        return self.partie.table_number or self.partie.number


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody plays: `table` None for a bye."""

    name: str
    number: int
    table: int | None
    label: str
    with_whom: str
    against: Sequence[str]


@dataclass(frozen=True, slots=True)
class Badge:
    """An entry's badge: the names as its organiser knows them."""

    number: int
    team: str
    players: Sequence[tuple[str, str]]


def printed_tables(*, championship: Championship, round_number: int) -> list[PrintedTable]:
    """The tables of a round that are not void, by table. Three queries."""
    parties = list(
        Partie.objects.filter(championship=championship, round=round_number)
        .exclude(status=PartieStatus.VOID)
        .select_related("link")
        .order_by("table_number", "number")
    )
    seats = list(
        Seat.objects.filter(partie__in=parties)
        .select_related("entry__team", "partner__team")
        .order_by("partie_id", "label")
    )
    players = _players([team for seat in seats for team in (seat.entry.team_id, _partner_team(seat)) if team])
    by_partie: dict[int, list[PrintedSeat]] = {}
    for seat in seats:
        partner = seat.partner
        names = [seat.entry.team.name, *([partner.team.name] if partner else [])]
        by_partie.setdefault(seat.partie_id, []).append(
            PrintedSeat(
                label=seat.label,
                number=seat.entry.number,
                team=BETWEEN.join(names),
                players=[*players.get(seat.entry.team_id, ()), *players.get(_partner_team(seat) or 0, ())],
                partner=partner.number if partner else None,
            )
        )
    for partie in parties:
        partie.championship = championship
    return [PrintedTable(partie, by_partie.get(partie.pk, ())) for partie in parties]


def _partner_team(seat: Seat) -> int | None:
    return seat.partner.team_id if seat.partner else None


def _players(team_ids: Sequence[int]) -> Mapping[int, list[str]]:
    found: dict[int, list[str]] = {}
    for member in TeamMember.objects.filter(team__in=team_ids).select_related("player").order_by("team", "position"):
        found.setdefault(member.team_id, []).append(public_name(member.player))
    return found


def byes_printed(*, championship: Championship, round_number: int) -> list[tuple[int, str]]:
    """Who has a bye in a round: number and team. One query."""
    rows = Bye.objects.filter(championship=championship, round=round_number).order_by("entry__number")
    return list(rows.values_list("entry__number", "entry__team__name"))


def places_by_name(*, championship: Championship, round_number: int) -> list[Place]:
    """Where everybody plays, by name, accents and case aside. Five queries."""
    named: list[tuple[str, Place]] = []
    tables = printed_tables(championship=championship, round_number=round_number)
    entries = {
        number: (name, folded)
        for number, name, folded in Entry.objects.filter(championship=championship).values_list(
            "number", "team__name", "team__name_folded"
        )
    }
    for table in tables:
        for seat in table.seats:
            against = [other.team for other in table.seats if other.label != seat.label]
            both = [number for number in (seat.number, seat.partner) if number is not None]
            for number in both:
                name, folded = entries[number]
                partner = BETWEEN.join(entries[other][0] for other in both if other != number)
                named.append((folded, Place(name, number, table.shown, seat.label, partner, against)))
    for number, team in byes_printed(championship=championship, round_number=round_number):
        named.append((entries[number][1], Place(team, number, None, "", "", ())))
    return [place for _folded, place in sorted(named, key=lambda one: (one[0], one[1].number))]


def badges(*, championship: Championship) -> list[Badge]:
    """A badge for every entry that takes part, by number, with the players' names and clubs. Two queries."""
    rows = Entry.objects.filter(championship=championship, withdrawn_at__isnull=True).order_by("number")
    entries = list(rows.select_related("team"))
    players: dict[int, list[tuple[str, str]]] = {}
    members = TeamMember.objects.filter(team__entry__in=entries).order_by("team", "position")
    for team_id, name, club in members.values_list("team_id", "player__name", "player__club__name"):
        players.setdefault(team_id, []).append((name, club or ""))
    return [Badge(entry.number, entry.team.name, players.get(entry.team_id, ())) for entry in entries]
