"""Players and entries, as everybody may see them: never an e-mail address, nor a name that is not shown.

Near-duplicates are told to those who enter people, with their whole names: one person shall be there once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Case, Prefetch, Q, Value, When
from django.db.models.functions import Abs, Length

from league.errors import NotFound
from league.models import Championship, Entry, Membership, Player, ShownAs, StandIn, TeamMember, Visibility
from league.names import NEAR, fold, likeness
from league.policy import Actor
from league.selectors.paging import SIZE, Page, paged
from league.shown_names import public_club, public_name

_CANDIDATES = 500


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player in a list. `club` is a name, empty without one; `has_page` says whether everybody may read of them."""

    id: int
    name: str
    club: str
    licence: str
    has_page: bool = True


def similar_players(*, name: str, limit: int = 5) -> list[PlayerLine]:
    """Players whose names are near to this one, accents, case and the order of words aside; nearest first."""
    folded = fold(name)
    beginnings = {word[:3] for word in folded.replace("-", " ").split()}
    if not beginnings:
        return []
    found = [Q(name_folded__contains=beginning) for beginning in sorted(beginnings)]
    hits = sum((Case(When(one, then=1), default=0) for one in found), start=Value(0))
    # two names that are near are of nearly one length: what cannot be near leaves room for what can
    apart = Abs(Length("name_folded") - len(folded))
    candidates = (
        Player.objects.annotate(hits=hits, apart=apart)
        .filter(hits__gt=0, merged_into=None, anonymised_at=None, apart__lte=len(folded) * (1 - NEAR) * 2 / NEAR)
        .order_by("-hits", "apart", "name_folded", "id")
        .values_list("name_folded", "id", "name", "club__name", "licence")[:_CANDIDATES]
    )
    scored = [(likeness(folded, row[0]), PlayerLine(row[1], row[2], row[3] or "", row[4])) for row in candidates]
    near = [(score, line) for score, line in scored if score >= NEAR]
    return [line for score, line in sorted(near, key=lambda pair: (-pair[0], pair[1].id))][:limit]


@dataclass(frozen=True, slots=True)
class Participation:
    """A championship in which a player is entered. `rank` is the live one, None without."""

    slug: str
    championship: str
    number: int
    team: str
    rank: int | None
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class StoodIn:
    """A partie at which a player sat in somebody's place."""

    slug: str
    championship: str
    partie: int
    team: str


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's page. A licence number is nobody's business but the club's. `stood_in`: parties played for others."""

    id: int
    name: str
    club: str
    version: int
    participations: Sequence[Participation]
    stood_in: Sequence[StoodIn]


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry of a championship. `players` in the order of their seats."""

    id: int
    number: int
    team_id: int
    team: str
    team_version: int
    players: Sequence[PlayerLine]
    withdrawn: bool
    penalty: int
    penalty_reason: str


def player_view(*, actor: Actor, player_id: int) -> PlayerView:
    """A player with the championships that the actor may see, newest first. Three queries.

    Raises NotFound, also for who plays in none of them, and for who shows no name.
    """
    player = Player.objects.select_related("club").defer("email", "licence").filter(pk=player_id).first()
    if player is None or player.shown_as == ShownAs.HIDDEN:
        raise NotFound
    entries = (
        Entry.objects.filter(_visible(actor, "championship"), team__members__player=player)
        .select_related("championship", "team", "live_row")
        .order_by("-championship__created_at", "-championship_id")
    )
    participations = [_participation(entry) for entry in entries]
    stood_in = _stood_in(actor, player)
    if not participations and not stood_in:
        raise NotFound
    return PlayerView(
        id=player.pk,
        name=public_name(player),
        club=public_club(player),
        version=player.version,
        participations=participations,
        stood_in=stood_in,
    )


def _visible(actor: Actor, path: str) -> Q:
    """The championships whose pages the actor may see, but those that are seen by their address only."""
    visible = Q(**{f"{path}__visibility": Visibility.PUBLIC})
    if actor.user is not None:
        visible |= Q(**{f"{path}__in": Membership.objects.filter(user=actor.user).values("championship")})
    return visible


def _stood_in(actor: Actor, player: Player) -> list[StoodIn]:
    rows = StandIn.objects.filter(_visible(actor, "seat__partie__championship"), player=player)
    columns = rows.order_by("-seat__partie__championship_id", "-seat__partie__number").values_list(
        "seat__partie__championship__slug",
        "seat__partie__championship__name",
        "seat__partie__number",
        "seat__entry__team__name",
    )
    return [StoodIn(*row) for row in columns]


def kept_player_id(*, player_id: int) -> int | None:
    """The profile into which one was merged, None if it was not. One query."""
    return Player.objects.filter(pk=player_id).values_list("merged_into", flat=True).first()


def _participation(entry: Entry) -> Participation:
    row = getattr(entry, "live_row", None)
    return Participation(
        slug=entry.championship.slug,
        championship=entry.championship.name,
        number=entry.number,
        team=entry.team.name,
        rank=row.rank if row else None,
        withdrawn=entry.withdrawn_at is not None,
    )


def entries(*, championship: Championship, number: int = 1, size: int = SIZE, inside: bool = False) -> Page[EntryLine]:
    """The entries of a championship by number, in four queries. `inside`: players as their organisers know them."""
    members = TeamMember.objects.select_related("player__club").defer("player__email").order_by("position")
    rows = (
        Entry.objects.filter(championship=championship)
        .select_related("team")
        .prefetch_related(Prefetch("team__members", members))
        .order_by("number")
    )
    return paged(rows, number, size, lambda found: [entry_line(entry, inside=inside) for entry in found])


def entry_line(entry: Entry, *, inside: bool = False) -> EntryLine:
    """An entry as it is listed; `inside`: with the names and licence numbers of its players, whatever they show."""
    of_player = _known_line if inside else _player_line
    return EntryLine(
        id=entry.pk,
        number=entry.number,
        team_id=entry.team_id,
        team=entry.team.name,
        team_version=entry.team.version,
        players=[of_player(member.player) for member in entry.team.members.all()],
        withdrawn=entry.withdrawn_at is not None,
        penalty=entry.penalty,
        penalty_reason=entry.penalty_reason,
    )


def _player_line(player: Player) -> PlayerLine:
    return PlayerLine(player.pk, public_name(player), public_club(player), "", player.shown_as != ShownAs.HIDDEN)


def _known_line(player: Player) -> PlayerLine:
    club = player.club.name if player.club else ""
    return PlayerLine(player.pk, player.name, club, player.licence, player.shown_as != ShownAs.HIDDEN)
