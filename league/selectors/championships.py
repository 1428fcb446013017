"""Championships, as everybody may see them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from league.models import Championship, Entry, Membership, Partie, PartieStatus, Visibility
from league.names import fold, tidy
from league.policy import Actor
from league.selectors.paging import SIZE, Page, paged


@dataclass(frozen=True, slots=True)
class ChampionshipLine:
    """A championship in a list. `club` is a name, empty without one; `entries` and `parties` are counts."""

    slug: str
    name: str
    club: str
    rulebook: str
    visibility: str
    status: str
    entries: int
    parties: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ChampionshipView:
    """A championship's page: how it is played and ranked. `secret` is None until it is finished (STANDINGS 3)."""

    slug: str
    name: str
    club: str
    rulebook: str
    house: dict[str, Any]
    table_entries: int
    players_per_team: int
    target: int | None
    allow_short_tables: bool
    decided_by: str
    partie_end: str
    partie_end_value: int | None
    confirmation: str
    keys: dict[str, Any]
    secret_sha256: str
    secret: str | None
    time_zone: str
    visibility: str
    status: str
    version: int
    entries: int
    parties: int
    open_parties: int
    rounds: int
    club_slug: str | None
    ranks: str
    confirm_minutes: int | None
    substitution: str
    substitution_limit: int | None
    registration_opens_at: datetime | None
    registration_closes_at: datetime | None
    max_entries: int | None
    waiting_list: bool
    clock_minutes: int | None
    clock_at_end: str


def championships(
    *,
    actor: Actor,
    text: str = "",
    status: str = "",
    rulebook: str = "",
    number: int = 1,
    size: int = SIZE,
    own: bool = False,
) -> Page[ChampionshipLine]:
    """The public championships and the actor's own, newest first; `own`: only those that the actor runs.

    `text` is looked for in the names of championships and clubs; `status` and `rulebook` leave out what is not of them.
    Two queries.
    """
    visible = Q() if own else Q(visibility=Visibility.PUBLIC)
    if actor.user is not None:
        visible |= Q(pk__in=Membership.objects.filter(user=actor.user).values("championship"))
    elif own:
        visible = Q(pk__in=[])
    rows = Championship.objects.filter(visible).select_related("club").order_by("-created_at", "-id")
    text, status, rulebook = map(tidy, (text, status, rulebook))
    if text:
        rows = rows.filter(Q(name__icontains=text) | Q(club__name_folded__contains=fold(text)))
    if status:
        rows = rows.filter(status=status)
    if rulebook:
        rows = rows.filter(rulebook=rulebook)
    return paged(with_counts(rows), number, size, lambda found: [line_of(championship) for championship in found])


def with_counts(rows: QuerySet[Championship]) -> QuerySet[Any]:
    """Championships with what a line says of them, in the same query."""
    return rows.annotate(
        entry_count=_count(Entry.objects.filter(championship=OuterRef("pk"), withdrawn_at__isnull=True)),
        partie_count=_count(Partie.objects.filter(championship=OuterRef("pk")).exclude(status=PartieStatus.VOID)),
    )


def _count(rows: QuerySet[Any]) -> Coalesce:
    grouped = rows.order_by().values("championship").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(grouped, output_field=IntegerField()), 0)


def line_of(row: Any) -> ChampionshipLine:
    """A row of `with_counts` as it is listed."""
    return ChampionshipLine(
        slug=row.slug,
        name=row.name,
        club=row.club.name if row.club else "",
        rulebook=row.rulebook,
        visibility=row.visibility,
        status=row.status,
        entries=row.entry_count,
        parties=row.partie_count,
        created_at=row.created_at,
    )


def championship_view(championship: Championship) -> ChampionshipView:
    """What everybody may read of a championship that policy has let them see. Two queries."""
    counts = Partie.objects.filter(championship=championship).aggregate(
        parties=Count("pk", filter=~Q(status=PartieStatus.VOID)),
        open_parties=Count("pk", filter=Q(status=PartieStatus.OPEN)),
        rounds=Count("round", distinct=True),
    )
    entries = Entry.objects.filter(championship=championship, withdrawn_at__isnull=True).count()
    copied = (
        "slug name rulebook house table_entries players_per_team target allow_short_tables decided_by partie_end "
        "partie_end_value confirmation secret_sha256 time_zone visibility status version ranks confirm_minutes "
        "substitution substitution_limit registration_opens_at registration_closes_at max_entries waiting_list "
        "clock_minutes clock_at_end"
    )
    return ChampionshipView(
        **{name: getattr(championship, name) for name in copied.split()},
        club=championship.club.name if championship.club else "",
        club_slug=championship.club.slug if championship.club else None,
        keys=championship.ranking_keys,
        secret=championship.shown_secret,
        entries=entries,
        **counts,
    )
