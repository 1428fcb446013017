"""The lists of the API: the values of the pages, in windows (league.selectors.windows). One query and its prefetches.

Nothing of a draft is listed, nor a player who is in drafts only; a licence number is nobody's business but the club's.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from league.errors import NotFound
from league.models import (
    Championship,
    Entry,
    ExternalKind,
    Partie,
    Player,
    ResultEvent,
    Seat,
    ShownAs,
    Team,
    TeamMember,
    Visibility,
)
from league.names import fold
from league.policy import ANYBODY, Actor
from league.selectors.championships import ChampionshipLine, line_of, with_counts
from league.selectors.external_ids import external_ids, ids_called
from league.selectors.items import (
    ClubItem,
    EntryItem,
    PlayerItem,
    TeamItem,
    club_item,
    clubs_counted,
    entry_item,
    player_item,
    players_of,
    team_item,
    with_entry,
    with_team,
)
from league.selectors.journal import JournalLine
from league.selectors.parties import PartieView, as_view, sat_in, with_all
from league.selectors.player_rights import readable_players
from league.selectors.windows import Asked, Window, window

M = TypeVar("M", bound=Model)

_BY_NAME: Final = (("name_folded", str), ("id", int))
_BY_ID: Final = (("id", int),)
"""Who goes through a list by ids misses nothing that is given another name meanwhile."""


Item = TypeVar("Item", ClubItem, PlayerItem, EntryItem, TeamItem)


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


def clubs(
    *, asked: Asked, text: str = "", actor: Actor = ANYBODY, external_id: str | None = None, by_id: bool = False
) -> Window[ClubItem]:
    """Clubs by name or by id: how many of their players are to be seen, and what the actor's programs call them."""
    rows = clubs_counted().filter(name_folded__contains=fold(text)) if text else clubs_counted()
    rows = _called(rows, ExternalKind.CLUB, external_id, actor=actor)
    found = window(rows, asked, _BY_ID if by_id else _BY_NAME, club_item)
    return replace(found, items=_with_ids(found.items, ExternalKind.CLUB, actor=actor))


def club(*, actor: Actor = ANYBODY, **where: int | str) -> ClubItem:
    """One club, by `pk` or `slug`. At most two queries. Raises NotFound."""
    found = clubs_counted().filter(**where).first()
    if found is None:
        raise NotFound
    return _with_ids([club_item(found)], ExternalKind.CLUB, actor=actor)[0]


def _called(
    rows: QuerySet[M], kind: str, external_id: str | None, *, actor: Actor = ANYBODY, slug: str | None = None
) -> QuerySet[M]:
    """The rows that have an external id, where one is asked for."""
    if external_id is None:
        return rows
    return rows.filter(pk__in=ids_called(actor=actor, kind=kind, external_id=external_id, slug=slug))


def _with_ids(items: Sequence[Item], kind: str, *, actor: Actor = ANYBODY, slug: str | None = None) -> list[Item]:
    """Items with their external ids. One query, none for nobody's."""
    names = external_ids(actor=actor, kind=kind, object_ids=[item.id for item in items], slug=slug)
    return [replace(item, external_id=names[item.id]) if item.id in names else item for item in items]


def players(
    *,
    asked: Asked,
    text: str = "",
    club: str | None = None,
    actor: Actor = ANYBODY,
    external_id: str | None = None,
    by_id: bool = False,
) -> Window[PlayerItem]:
    """Players of public championships by name or by id; `text` is looked for in names, accents and case aside.

    Only those who show their whole name: where a list is sorted by names, a place in it tells one. With `external_id`
    whom it stands for, if their address is answered to the actor: a player who was made is found before they play.
    """
    if external_id is None:
        rows = players_of(Visibility.PUBLIC).filter(shown_as=ShownAs.NAME)
    else:
        rows = _players_at_addresses(actor, by_name=bool(text))
    if text:
        rows = rows.filter(name_folded__contains=fold(text))
    if club is not None:
        rows = rows.filter(club__slug=club, shows_club=True)
    rows = _called(rows, ExternalKind.PLAYER, external_id, actor=actor)
    found = window(rows, asked, _BY_ID if by_id else _BY_NAME, player_item)
    return replace(found, items=_with_ids(found.items, ExternalKind.PLAYER, actor=actor))


def _players_at_addresses(actor: Actor, *, by_name: bool) -> QuerySet[Player]:
    """The players whose addresses are answered to an actor; `by_name`: without those whose names they may not know."""
    open_to_all = players_of(Visibility.PUBLIC, Visibility.UNLISTED).exclude(shown_as=ShownAs.HIDDEN)
    if by_name:
        open_to_all = open_to_all.filter(shown_as=ShownAs.NAME)
    readable = readable_players(actor=actor)
    rows = Player.objects.filter(Q(pk__in=readable.values("pk")) | Q(pk__in=open_to_all.values("pk")))
    return rows.select_related("club").defer("email", "licence")


def player(*, player_id: int) -> PlayerItem:
    """A player of a championship that is no draft. One query. Raises NotFound, also for who shows no name.

    A profile that was merged into another one is answered with that one.
    """
    asked = Q(pk=player_id) | Q(pk__in=Player.objects.filter(pk=player_id).values("merged_into"))
    rows = players_of(Visibility.PUBLIC, Visibility.UNLISTED).exclude(shown_as=ShownAs.HIDDEN)
    found = rows.filter(asked).first()
    if found is None:
        raise NotFound
    return player_item(found)


def entries(
    *,
    championship: Championship,
    asked: Asked,
    withdrawn: bool | None = None,
    player: int | None = None,
    club: str | None = None,
    inside: bool = False,
    external_id: str | None = None,
) -> Window[EntryItem]:
    """The entries of a championship by number: with a player, or one whose club is shown and has this address (slug).

    `inside`: as those who may look inside see them.
    """
    rows = Entry.objects.filter(championship=championship)
    if withdrawn is not None:
        rows = rows.filter(withdrawn_at__isnull=not withdrawn)
    if player is not None:
        rows = rows.filter(Exists(_in_team(OuterRef("team")).filter(player=player)))
    if club is not None:
        of_club = _in_team(OuterRef("team")).filter(player__club__slug=club, player__shows_club=True)
        rows = rows.filter(Exists(of_club))
    if external_id is not None:
        rows = _called(rows, ExternalKind.ENTRY, external_id, slug=championship.slug) if inside else rows.none()
    found = window(with_team(rows), asked, [("number", int)], lambda row: entry_item(row, inside=inside))
    if not inside:
        return found
    return replace(found, items=_with_ids(found.items, ExternalKind.ENTRY, slug=championship.slug))


def _in_team(team: OuterRef) -> QuerySet[TeamMember]:
    return TeamMember.objects.filter(team=team)


def entry(*, championship: Championship, inside: bool = False, **where: int) -> EntryItem:
    """One entry, by `number` or `pk`. At most three queries. Raises NotFound."""
    row = with_team(Entry.objects.filter(championship=championship, **where)).first()
    if row is None:
        raise NotFound
    found = entry_item(row, inside=inside)
    return _with_ids([found], ExternalKind.ENTRY, slug=championship.slug)[0] if inside else found


def teams(
    *,
    championship: Championship,
    asked: Asked,
    player: int | None = None,
    inside: bool = False,
    external_id: str | None = None,
    by_id: bool = False,
) -> Window[TeamItem]:
    """The teams of a championship by name or by id, those with a player.

    `inside`: as those who may look inside see them.
    """
    rows = Team.objects.filter(championship=championship)
    if player is not None:
        rows = rows.filter(Exists(_in_team(OuterRef("pk")).filter(player=player)))
    if external_id is not None:
        rows = _called(rows, ExternalKind.TEAM, external_id, slug=championship.slug) if inside else rows.none()
    found = window(with_entry(rows), asked, _BY_ID if by_id else _BY_NAME, team_item)
    if not inside:
        return found
    return replace(found, items=_with_ids(found.items, ExternalKind.TEAM, slug=championship.slug))


def team(*, championship: Championship, team_id: int, inside: bool = False) -> TeamItem:
    """One team. At most three queries. Raises NotFound."""
    row = with_entry(Team.objects.filter(championship=championship, pk=team_id)).first()
    if row is None:
        raise NotFound
    found = team_item(row)
    return _with_ids([found], ExternalKind.TEAM, slug=championship.slug)[0] if inside else found


def parties(
    *,
    championship: Championship,
    asked: Asked,
    round_number: int | None = None,
    status: str | None = None,
    entry_number: int | None = None,
    table_number: int | None = None,
    player_id: int | None = None,
) -> Window[PartieView]:
    """The parties of a championship by number: of a round, a status, an entry, a table, a player's team."""
    rows = Partie.objects.filter(championship=championship)
    if round_number is not None:
        rows = rows.filter(round=round_number)
    if status is not None:
        rows = rows.filter(status=status)
    if entry_number is not None:
        rows = rows.filter(sat_in(championship, entry_number))
    if table_number is not None:
        rows = rows.filter(table_number=table_number)
    if player_id is not None:
        rows = rows.filter(Exists(_seats_of(player_id).filter(partie=OuterRef("pk"))))
    return window(with_all(rows), asked, [("number", int)], lambda row: as_view(championship, row))


def _seats_of(player_id: int) -> QuerySet[Seat]:
    """The seats of the teams that a player is in, in a mêlée also as a partner."""
    own, partners = Q(entry__team__members__player=player_id), Q(partner__team__members__player=player_id)
    return Seat.objects.filter(own | partners)


def journal(
    *, championship: Championship, asked: Asked, after_position: int | None = None, what: str | None = None
) -> Window[JournalLine]:
    """The journal of a championship, in its order: after a position, of one kind."""
    rows = ResultEvent.objects.filter(championship=championship).select_related("partie", "manche", "result", "entry")
    if after_position is not None:
        rows = rows.filter(position__gt=after_position)
    if what is not None:
        rows = rows.filter(what=what)
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
