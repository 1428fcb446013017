"""Players and entries, as everybody may see them: never an e-mail address."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Case, Prefetch, Q, Value, When
from django.db.models.functions import Abs, Length

from league.errors import NotFound
from league.models import Championship, Entry, Membership, Player, TeamMember, Visibility
from league.names import NEAR, fold, likeness
from league.policy import Actor
from league.selectors.paging import SIZE, Page, paged

_CANDIDATES = 500


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player in a list. `club` is a name, empty without one."""

    id: int
    name: str
    club: str
    licence: str


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
        .filter(hits__gt=0, apart__lte=len(folded) * (1 - NEAR) * 2 / NEAR)
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
class PlayerView:
    """A player's page. A licence number is nobody's business but the club's."""

    id: int
    name: str
    club: str
    version: int
    participations: Sequence[Participation]


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
    """A player with the championships that the actor may see, newest first. Two queries.

    Raises NotFound, also for who plays in none of them.
    """
    player = Player.objects.select_related("club").defer("email", "licence").filter(pk=player_id).first()
    if player is None:
        raise NotFound
    visible = Q(championship__visibility=Visibility.PUBLIC)
    if actor.user is not None:
        visible |= Q(championship__in=Membership.objects.filter(user=actor.user).values("championship"))
    entries = (
        Entry.objects.filter(visible, team__members__player=player)
        .select_related("championship", "team", "live_row")
        .order_by("-championship__created_at", "-championship_id")
    )
    participations = [_participation(entry) for entry in entries]
    if not participations:
        raise NotFound
    return PlayerView(
        id=player.pk,
        name=player.name,
        club=player.club.name if player.club else "",
        version=player.version,
        participations=participations,
    )


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


def entries(*, championship: Championship, number: int = 1, size: int = SIZE) -> Page[EntryLine]:
    """The entries of a championship by number, in four queries."""
    members = TeamMember.objects.select_related("player__club").defer("player__email").order_by("position")
    rows = (
        Entry.objects.filter(championship=championship)
        .select_related("team")
        .prefetch_related(Prefetch("team__members", members))
        .order_by("number")
    )
    return paged(rows, number, size, lambda found: [entry_line(entry) for entry in found])


def entry_line(entry: Entry) -> EntryLine:
    """An entry as it is listed."""
    return EntryLine(
        id=entry.pk,
        number=entry.number,
        team_id=entry.team_id,
        team=entry.team.name,
        team_version=entry.team.version,
        players=[_player_line(member.player) for member in entry.team.members.all()],
        withdrawn=entry.withdrawn_at is not None,
        penalty=entry.penalty,
        penalty_reason=entry.penalty_reason,
    )


def _player_line(player: Player) -> PlayerLine:
    return PlayerLine(player.pk, player.name, player.club.name if player.club else "", player.licence)
