"""Substitutes of a team, and who plays at a partie.

`shown_stand_ins` is for everybody; for the others doors ask `policy.require(actor, Action.LOOK_INSIDE, championship)`.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from league.errors import NotFound
from league.models import (
    Championship,
    Partie,
    PartieStatus,
    Player,
    Seat,
    StandIn,
    Substitute,
    Substitution,
    Team,
    TeamMember,
)
from league.seating import players_of
from league.selectors.items import PlayerItem, player_item
from league.selectors.windows import Asked, Window, window
from league.shown_names import public_name


@dataclass(frozen=True, slots=True)
class SubstituteLine:
    """A substitute of a team; `played`: parties of this championship at which they stood in."""

    id: int
    player_id: int
    name: str
    club: str
    played: int


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """A place at a partie: whose it is, and who sits there instead, if somebody does."""

    label: str
    position: int
    place: str
    team_id: int
    team: str
    player: str
    stand_in_id: int | None
    stand_in: str
    reason: str


@dataclass(frozen=True, slots=True)
class ShownStandIn:
    """Who sat at a partie in whose place, as everybody may read it."""

    place: str
    name: str
    instead_of: str
    reason: str


def shown_stand_ins(*, championship: Championship, partie: Partie) -> list[ShownStandIn]:
    """Who stood in at a partie, in the order of the seats. Two queries, none where nobody ever may."""
    if championship.substitution == Substitution.NONE:
        return []
    rows = list(
        StandIn.objects.filter(seat__partie=partie)
        .select_related("player", "seat__entry")
        .order_by("seat__label", "position")
    )
    members = TeamMember.objects.filter(team__in=[row.seat.entry.team_id for row in rows]).select_related("player")
    whose = {(member.team_id, member.position): public_name(member.player) for member in members}
    return [
        ShownStandIn(
            place=players_of(row.seat.label, row.position)[-1],
            name=public_name(row.player),
            instead_of=whose[row.seat.entry.team_id, row.position],
            reason=row.reason,
        )
        for row in rows
    ]


def substitutes_of(*, team: Team) -> list[SubstituteLine]:
    """The substitutes of a team, in the order in which they were named. Two queries."""
    rows = list(Substitute.objects.filter(team=team).select_related("player__club").order_by("id"))
    played: dict[int, set[int]] = defaultdict(set)
    stood = StandIn.objects.filter(
        player__in=[row.player_id for row in rows], seat__partie__championship=team.championship_id
    ).exclude(seat__partie__status=PartieStatus.VOID)
    for player_id, partie_id in stood.values_list("player_id", "seat__partie_id"):
        played[player_id].add(partie_id)
    return [
        SubstituteLine(
            id=row.pk,
            player_id=row.player_id,
            name=row.player.name,
            club=row.player.club.name if row.player.club else "",
            played=len(played[row.player_id]),
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class SubstituteItem:
    """A substitute of a team, for programs."""

    id: int
    player: PlayerItem


def substitute_items(*, championship: Championship, team_id: int, asked: Asked) -> Window[SubstituteItem]:
    """The substitutes of a team, in the order in which they were named. Two queries. Raises NotFound."""
    team = Team.objects.filter(championship=championship, pk=team_id).first()
    if team is None:
        raise NotFound
    rows = Substitute.objects.filter(team=team).select_related("player__club")
    return window(rows, asked, [("id", int)], _item)


def substitute_item(*, championship: Championship, team_id: int, substitute_id: int) -> SubstituteItem:
    """One substitute of a team. One query. Raises NotFound."""
    rows = Substitute.objects.filter(team__championship=championship, team=team_id, pk=substitute_id)
    found = rows.select_related("player__club").first()
    if found is None:
        raise NotFound
    return _item(found)


def _item(row: Substitute) -> SubstituteItem:
    return SubstituteItem(row.pk, player_item(row.player))


def substitute_of(*, team_id: int, player_id: int) -> int | None:
    """The id under which a player is named as a team's substitute, None if they are not. One query."""
    return Substitute.objects.filter(team=team_id, player=player_id).values_list("pk", flat=True).first()


def places(*, partie: Partie) -> list[SeatPlace]:
    """Every place at a partie of teams, in the order of the seats. Three queries."""
    seats = list(Seat.objects.filter(partie=partie).select_related("entry__team").order_by("label"))
    members: dict[int, list[TeamMember]] = defaultdict(list)
    teams = [seat.entry.team_id for seat in seats]
    for member in TeamMember.objects.filter(team__in=teams).select_related("player").order_by("position"):
        members[member.team_id].append(member)
    sitting = {
        (row.seat_id, row.position): row for row in StandIn.objects.filter(seat__in=seats).select_related("player")
    }
    return [
        _place(seat, member, sitting.get((seat.pk, member.position)))
        for seat in seats
        for member in members[seat.entry.team_id]
    ]


def _place(seat: Seat, member: TeamMember, sits: StandIn | None) -> SeatPlace:
    return SeatPlace(
        label=seat.label,
        position=member.position,
        place=players_of(seat.label, member.position)[-1],
        team_id=seat.entry.team_id,
        team=seat.entry.team.name,
        player=member.player.name,
        stand_in_id=sits.player_id if sits else None,
        stand_in=sits.player.name if sits else "",
        reason=sits.reason if sits else "",
    )


def who_may_sit(*, championship: Championship, teams: Sequence[int]) -> dict[int, list[tuple[int, str]]]:
    """By team, the players who may sit in for one of it, as the championship's rule says. One query."""
    found: dict[int, list[tuple[int, str]]] = {team: [] for team in teams}
    if championship.substitution == Substitution.NAMED:
        rows = Substitute.objects.filter(team__in=teams).order_by("player__name_folded", "player_id")
        for team, player_id, name in rows.values_list("team_id", "player_id", "player__name"):
            found[team].append((player_id, name))
    elif championship.substitution == Substitution.FREE:
        # whoever was named as somebody's substitute: others are named on the entry's page first
        named = Player.objects.filter(substitute_of__team__championship=championship).distinct()
        free = list(named.order_by("name_folded", "id").values_list("id", "name"))
        found = {team: list(free) for team in teams}
    return found
