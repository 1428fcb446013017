"""The lists of the API: the values of the pages, in windows (league.selectors.windows). One query and its prefetches.

Nothing of a draft is listed, nor a player who is in drafts only; a licence number is nobody's business but the club's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from league.errors import NotFound
from league.models import (
    Championship,
    Club,
    Entry,
    Partie,
    Player,
    ResultEvent,
    ShownAs,
    Team,
    TeamMember,
    Visibility,
)
from league.names import fold
from league.selectors.championships import ChampionshipLine, line_of, with_counts
from league.selectors.journal import JournalLine
from league.selectors.parties import PartieView, as_view, sat_in, with_all
from league.selectors.windows import Asked, Window, window
from league.shown_names import public_club, public_name


@dataclass(frozen=True, slots=True)
class ClubItem:
    """A club. `players` is how many of public championships belong to it."""

    slug: str
    name: str
    players: int


@dataclass(frozen=True, slots=True)
class PlayerItem:
    """What everybody may know of a player. `club` is a name, empty without one."""

    id: int
    name: str
    club: str


@dataclass(frozen=True, slots=True)
class EntryItem:
    """An entry: its number, and who it is. `players` in the order of their seats."""

    number: int
    team: str
    players: Sequence[PlayerItem]
    withdrawn: bool
    penalty: int
    penalty_reason: str


@dataclass(frozen=True, slots=True)
class TeamItem:
    """A team; `entry` is the number under which it is entered, None if it is not."""

    id: int
    name: str
    players: Sequence[PlayerItem]
    entry: int | None


def championships(
    *, asked: Asked, text: str = "", club: str | None = None, rulebook: str | None = None, status: str | None = None
) -> Window[ChampionshipLine]:
    """The public championships, newest first. `text` is looked for in their names, `club` is an address (slug)."""
    rows = Championship.objects.filter(visibility=Visibility.PUBLIC).select_related("club")
    if text:
        rows = rows.filter(name__icontains=text)
    for column, value in (("club__slug", club), ("rulebook", rulebook), ("status", status)):
        if value is not None:
            rows = rows.filter(**{column: value})
    return window(with_counts(rows), asked, [("-id", int)], line_of)


def clubs(*, asked: Asked) -> Window[ClubItem]:
    """Clubs by name, with how many of their players are to be seen."""
    return window(_clubs(), asked, [("name_folded", str), ("id", int)], _club)


def club(*, club_id: int) -> ClubItem:
    """One club. Raises NotFound."""
    found = _clubs().filter(pk=club_id).first()
    if found is None:
        raise NotFound
    return _club(found)


def _clubs() -> QuerySet[Club]:
    public = Q(
        players__memberships__team__championship__visibility=Visibility.PUBLIC,
        players__shows_club=True,
        players__shown_as=ShownAs.NAME,
    )
    return Club.objects.annotate(count=Count("players", filter=public, distinct=True))


def _club(row: Club) -> ClubItem:
    return ClubItem(row.slug, row.name, vars(row)["count"])


def players(*, asked: Asked, text: str = "", club: str | None = None) -> Window[PlayerItem]:
    """Players of public championships by name; `text` is looked for in names, accents and case aside.

    Only those who show their whole name: where a list is sorted by names, a place in it tells one.
    """
    rows = _players_of(Visibility.PUBLIC).filter(shown_as=ShownAs.NAME)
    if text:
        rows = rows.filter(name_folded__contains=fold(text))
    if club is not None:
        rows = rows.filter(club__slug=club, shows_club=True)
    return window(rows, asked, [("name_folded", str), ("id", int)], _player)


def player(*, player_id: int) -> PlayerItem:
    """A player of a championship that is no draft. One query. Raises NotFound, also for who shows no name.

    A profile that was merged into another one is answered with that one.
    """
    asked = Q(pk=player_id) | Q(pk__in=Player.objects.filter(pk=player_id).values("merged_into"))
    rows = _players_of(Visibility.PUBLIC, Visibility.UNLISTED).exclude(shown_as=ShownAs.HIDDEN)
    found = rows.filter(asked).first()
    if found is None:
        raise NotFound
    return _player(found)


def _players_of(*visibilities: str) -> QuerySet[Player]:
    seen = TeamMember.objects.filter(player=OuterRef("pk"), team__championship__visibility__in=visibilities)
    return Player.objects.filter(Exists(seen)).select_related("club").defer("email", "licence")


def _player(row: Player) -> PlayerItem:
    return PlayerItem(row.pk, public_name(row), public_club(row))


def _members(path: str) -> "Prefetch[Any]":
    return Prefetch(
        path,
        TeamMember.objects.select_related("player__club")
        .defer("player__email", "player__licence")
        .order_by("position"),
    )


def entries(*, championship: Championship, asked: Asked, withdrawn: bool | None = None) -> Window[EntryItem]:
    """The entries of a championship by number."""
    rows = Entry.objects.filter(championship=championship)
    if withdrawn is not None:
        rows = rows.filter(withdrawn_at__isnull=not withdrawn)
    return window(_with_team(rows), asked, [("number", int)], _entry)


def entry(*, championship: Championship, number: int) -> EntryItem:
    """One entry. Two queries. Raises NotFound."""
    found = _with_team(Entry.objects.filter(championship=championship, number=number)).first()
    if found is None:
        raise NotFound
    return _entry(found)


def _with_team(rows: QuerySet[Entry]) -> QuerySet[Entry]:
    return rows.select_related("team").prefetch_related(_members("team__members"))


def _entry(row: Entry) -> EntryItem:
    return EntryItem(
        number=row.number,
        team=row.team.name,
        players=[_player(member.player) for member in row.team.members.all()],
        withdrawn=row.withdrawn_at is not None,
        penalty=row.penalty,
        penalty_reason=row.penalty_reason,
    )


def teams(*, championship: Championship, asked: Asked) -> Window[TeamItem]:
    """The teams of a championship by name."""
    rows = Team.objects.filter(championship=championship)
    return window(_with_entry(rows), asked, [("name_folded", str), ("id", int)], _team)


def team(*, championship: Championship, team_id: int) -> TeamItem:
    """One team. Two queries. Raises NotFound."""
    found = _with_entry(Team.objects.filter(championship=championship, pk=team_id)).first()
    if found is None:
        raise NotFound
    return _team(found)


def _with_entry(rows: QuerySet[Team]) -> QuerySet[Team]:
    return rows.select_related("entry").prefetch_related(_members("members"))


def _team(row: Team) -> TeamItem:
    entered = getattr(row, "entry", None)
    return TeamItem(
        id=row.pk,
        name=row.name,
        players=[_player(member.player) for member in row.members.all()],
        entry=entered.number if entered else None,
    )


def parties(
    *,
    championship: Championship,
    asked: Asked,
    round_number: int | None = None,
    status: str | None = None,
    entry_number: int | None = None,
) -> Window[PartieView]:
    """The parties of a championship by number: of one round, of one status, of one entry."""
    rows = Partie.objects.filter(championship=championship)
    if round_number is not None:
        rows = rows.filter(round=round_number)
    if status is not None:
        rows = rows.filter(status=status)
    if entry_number is not None:
        rows = rows.filter(sat_in(championship, entry_number))
    return window(with_all(rows), asked, [("number", int)], lambda row: as_view(championship, row))


def journal(*, championship: Championship, asked: Asked) -> Window[JournalLine]:
    """The journal of a championship, in its order."""
    rows = ResultEvent.objects.filter(championship=championship).select_related("partie", "manche", "result", "entry")
    rows = rows.defer("result__verdict")
    return window(rows, asked, [("position", int)], _journal_line)


def _journal_line(row: ResultEvent) -> JournalLine:
    return JournalLine(
        position=row.position,
        what=row.what,
        partie=row.partie.number if row.partie else None,
        manche=row.manche.number if row.manche else None,
        version=row.result.version if row.result else None,
        entry=row.entry.number if row.entry else None,
        reason=row.reason,
        at=row.at,
    )
