"""Clubs, players, entries and teams as the API shows them, and the rows that they are made of.

One query and its prefetches, however many; licence numbers and private addresses stay in the database.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from league.models import Club, Entry, Player, ShownAs, Team, TeamMember, Visibility
from league.shown_names import public_club, public_name


@dataclass(frozen=True, slots=True)
class ClubItem:
    """A club. `players` is how many of public championships belong to it."""

    id: int
    slug: str
    name: str
    players: int
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class PlayerItem:
    """What everybody may know of a player. `club` is a name, empty without one."""

    id: int
    name: str
    club: str
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class EntryItem:
    """An entry: its number, and who it is. `players` in the order of their seats.

    `checked_in` and `external_id` are None for who may not look inside.
    """

    id: int
    number: int
    team_id: int
    team: str
    players: Sequence[PlayerItem]
    withdrawn: bool
    penalty: int
    penalty_reason: str
    checked_in: bool | None = None
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class TeamItem:
    """A team; `entry` is the number under which it is entered, None if it is not."""

    id: int
    name: str
    players: Sequence[PlayerItem]
    entry: int | None
    external_id: str | None = None


def clubs_counted() -> QuerySet[Club]:
    """Clubs, each with how many of public championships show that they belong to it (`count`)."""
    public = Q(
        players__memberships__team__championship__visibility=Visibility.PUBLIC,
        players__shows_club=True,
        players__shown_as=ShownAs.NAME,
    )
    return Club.objects.annotate(count=Count("players", filter=public, distinct=True))


def club_item(row: Club) -> ClubItem:
    """What everybody may know of a club, a row of `clubs_counted`."""
    return ClubItem(row.pk, row.slug, row.name, vars(row)["count"])


def players_of(*visibilities: str) -> QuerySet[Player]:
    """The players of championships of these visibilities, each once, their clubs with them."""
    seen = TeamMember.objects.filter(player=OuterRef("pk"), team__championship__visibility__in=visibilities)
    return Player.objects.filter(Exists(seen)).select_related("club").defer("email", "licence")


def player_item(row: Player) -> PlayerItem:
    """What everybody may know of a player, whose club comes along."""
    return PlayerItem(row.pk, public_name(row), public_club(row))


def _members(path: str) -> "Prefetch[Any]":
    return Prefetch(
        path,
        TeamMember.objects.select_related("player__club")
        .defer("player__email", "player__licence")
        .order_by("position"),
    )


def with_team(rows: QuerySet[Entry]) -> QuerySet[Entry]:
    """Entries with their teams and all members. One query and a prefetch."""
    return rows.select_related("team").prefetch_related(_members("team__members"))


def entry_item(row: Entry, *, inside: bool = False) -> EntryItem:
    """What everybody may know of an entry, a row of `with_team`; `inside`: as those who may look inside see it."""
    return EntryItem(
        id=row.pk,
        number=row.number,
        team_id=row.team_id,
        team=row.team.name,
        players=[player_item(member.player) for member in row.team.members.all()],
        withdrawn=row.withdrawn_at is not None,
        penalty=row.penalty,
        penalty_reason=row.penalty_reason,
        checked_in=row.checked_in_at is not None if inside else None,
    )


def with_entry(rows: QuerySet[Team]) -> QuerySet[Team]:
    """Teams with their entries and all members. One query and a prefetch."""
    return rows.select_related("entry").prefetch_related(_members("members"))


def team_item(row: Team) -> TeamItem:
    """What everybody may know of a team, a row of `with_entry`."""
    entered = getattr(row, "entry", None)
    return TeamItem(
        id=row.pk,
        name=row.name,
        players=[player_item(member.player) for member in row.members.all()],
        entry=entered.number if entered else None,
    )
