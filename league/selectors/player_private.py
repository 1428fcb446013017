"""What is kept about a player, for the player and for those who may change them. Never for everybody.

Doors ask `player_rights` first, or give the actor's own profile only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from league.errors import NotFound
from league.models import Entry, Player, PlayerMerge, PlayerNumber, StandIn, Substitute, Visibility
from league.names import fold, tidy
from league.policy import Actor
from league.selectors.people import PlayerLine, similar_players
from league.selectors.player_rights import changeable_players
from league.shown_names import public_name


@dataclass(frozen=True, slots=True)
class NumberLine:
    """A number that another system gave."""

    id: int
    system: str
    number: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A championship in which somebody takes part: `as_what` is `player`, `substitute` or `stand-in`.

    `is_seen`: whether its pages are there for a player: not while it is a draft.
    """

    slug: str
    championship: str
    team: str
    number: int | None
    as_what: str
    is_seen: bool = True


@dataclass(frozen=True, slots=True)
class Kept:
    """All that is kept about a player. `code_until`: when a code to take the profile over ends, if one waits."""

    id: int
    name: str
    public_name: str
    club: str
    licence: str
    email: str
    is_minor: bool
    shown_as: str
    shows_club: bool
    is_claimed: bool
    since: datetime
    numbers: Sequence[NumberLine]
    takes_part: Sequence[Taken]
    code_until: datetime | None


def own_player(*, actor: Actor) -> Player:
    """The profile that the actor took over. One query. Raises NotFound."""
    found = Player.objects.select_related("club").filter(user=actor.user).first() if actor.user else None
    if found is None:
        raise NotFound
    return found


def all_kept(*, player: Player) -> Kept:
    """All that is kept about a player. Five queries."""
    numbers = PlayerNumber.objects.filter(player=player).order_by("system", "number")
    waiting = player.claims.filter(is_code=True, used_at=None, expires_at__gt=timezone.now())
    return Kept(
        id=player.pk,
        name=player.name,
        public_name=public_name(player),
        club=player.club.name if player.club else "",
        licence=player.licence,
        email=player.email,
        is_minor=player.is_minor,
        shown_as=player.shown_as,
        shows_club=player.shows_club,
        is_claimed=player.user_id is not None,
        since=player.created_at,
        numbers=[NumberLine(*row) for row in numbers.values_list("id", "system", "number")],
        takes_part=_takes_part(player),
        code_until=waiting.values_list("expires_at", flat=True).first(),
    )


def _takes_part(player: Player) -> list[Taken]:
    """Entries, teams that may call on somebody, parties played for others: newest championships first."""
    entries = Entry.objects.filter(team__members__player=player).order_by("-championship_id")
    found = [
        Taken(slug, name, team, number, "player", seen != Visibility.DRAFT)
        for slug, name, team, number, seen in entries.values_list(
            "championship__slug", "championship__name", "team__name", "number", "championship__visibility"
        )
    ]
    named = Substitute.objects.filter(player=player).order_by("-team__championship_id")
    found += [
        Taken(slug, name, team, number, "substitute", seen != Visibility.DRAFT)
        for slug, name, team, number, seen in named.values_list(
            "team__championship__slug",
            "team__championship__name",
            "team__name",
            "team__entry__number",
            "team__championship__visibility",
        )
    ]
    sat = StandIn.objects.filter(player=player).order_by("-seat__partie__championship_id", "seat__partie__number")
    return found + [
        Taken(slug, name, team, number, "stand-in", seen != Visibility.DRAFT)
        for slug, name, team, number, seen in sat.values_list(
            "seat__partie__championship__slug",
            "seat__partie__championship__name",
            "seat__entry__team__name",
            "seat__entry__number",
            "seat__partie__championship__visibility",
        )
    ]


@dataclass(frozen=True, slots=True)
class MergeLine:
    """Two profiles that became one. `merged` is the name that the other one had."""

    id: int
    merged: str
    by: str
    at: datetime
    reason: str


def merges_into(*, player: Player) -> list[MergeLine]:
    """The merges into a profile that can be undone, newest first. One query."""
    rows = PlayerMerge.objects.filter(kept=player, undone_at=None, merged__anonymised_at=None).order_by("-at", "-id")
    columns = rows.values_list("id", "merged__name", "by__display_name", "at", "reason")
    return [MergeLine(id_, merged, by or "", at, reason) for id_, merged, by, at, reason in columns]


def who_may_be_the_same(*, actor: Actor, player: Player, text: str = "", limit: int = 20) -> list[PlayerLine]:
    """Players whom the actor may change too: of nearly this player's name, or those who are found by `text`.

    A text is looked for in names, licence numbers and external numbers. At most two queries.
    """
    rows = changeable_players(actor=actor).filter(merged_into=None, anonymised_at=None).exclude(pk=player.pk)
    if tidy(text):
        numbered = PlayerNumber.objects.filter(player=OuterRef("pk"), number__iexact=tidy(text))
        whole = "".join(tidy(text).split()).upper()
        rows = rows.filter(Q(name_folded__contains=fold(text)) | Q(licence=whole) | Exists(numbered))
        columns = rows.order_by("name_folded", "id").values_list("id", "name", "club__name", "licence")[:limit]
        return [PlayerLine(id_, name, club or "", licence) for id_, name, club, licence in columns]
    near = [line for line in similar_players(name=player.name, limit=limit) if line.id != player.pk]
    may = set(rows.filter(pk__in=[line.id for line in near]).values_list("pk", flat=True))
    return [line for line in near if line.id in may]
