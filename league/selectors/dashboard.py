"""What waits for an organiser: their own championships, and the results that nobody else will decide."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, IntegerField, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.models import (
    Championship,
    ChampionshipStatus,
    Entry,
    Membership,
    Partie,
    PartieStatus,
    Registration,
    Result,
    ResultState,
    Seat,
)
from league.policy import Action, Actor, roles_that_may
from league.selectors.paging import SIZE, Page, paged
from league.selectors.registrations import UNDECIDED
from league.selectors.side_names import NAME, called

OVERDUE = timedelta(minutes=2)
"""A ranking that waits longer than this for its renewal is told to its organisers."""


@dataclass(frozen=True, slots=True)
class OwnChampionship:
    """A championship that the actor runs, with what waits in it. `overdue`: its ranking lags behind its results."""

    slug: str
    name: str
    role: str
    rulebook: str
    visibility: str
    status: str
    entries: int
    open_parties: int
    differs: int
    contested: int
    pending: int
    overdue: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """A result that waits for the actor: `state` is `contested`, `differs` or `pending`."""

    slug: str
    championship: str
    partie: int
    table: int | None
    manche: int
    teams: Sequence[str]
    state: str
    at: datetime


def own_championships(*, actor: Actor, number: int = 1, size: int = SIZE) -> Page[OwnChampionship]:
    """The championships that the actor runs, newest first. Two queries."""
    results = _in_play().filter(current_of__partie__championship=OuterRef("championship"))
    of_it = {"championship": OuterRef("championship")}
    rows = (
        Membership.objects.filter(user=actor.user)
        .select_related("championship")
        .annotate(
            entries=_count(Entry.objects.filter(**of_it, withdrawn_at__isnull=True), "championship"),
            open_parties=_count(Partie.objects.filter(**of_it, status=PartieStatus.OPEN), "championship"),
            differs=_count(results.filter(state=ResultState.DIFFERS), "current_of__partie__championship"),
            contested=_count(results.filter(state=ResultState.CONTESTED), "current_of__partie__championship"),
            pending=_count(results.filter(state=ResultState.PENDING), "current_of__partie__championship"),
        )
        .order_by("-championship__created_at", "-championship_id")
    )
    return paged(rows, number, size, lambda found: [_own(row) for row in found])


def _in_play() -> QuerySet[Result]:
    """The results that stand in manches and parties that were not annulled."""
    return Result.objects.filter(current_of__voided_at__isnull=True).exclude(
        current_of__partie__status=PartieStatus.VOID
    )


def _count(rows: QuerySet[Any], by: str) -> Coalesce:
    grouped = rows.order_by().values(by).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(grouped, output_field=IntegerField()), 0)


def _own(row: Any) -> OwnChampionship:
    championship: Championship = row.championship
    due = championship.ranking_due_since
    return OwnChampionship(
        slug=championship.slug,
        name=championship.name,
        role=row.role,
        rulebook=championship.rulebook,
        visibility=championship.visibility,
        status=championship.status,
        entries=row.entries,
        open_parties=row.open_parties,
        differs=row.differs,
        contested=row.contested,
        pending=row.pending,
        overdue=due is not None and timezone.now() - due > OVERDUE,
    )


def waiting_registrations(*, actor: Actor) -> list[tuple[str, str, int]]:
    """The championships that the actor runs with registrations that nobody decided yet: slug, name, how many.

    One query, the longest waiting first.
    """
    rows = Registration.objects.filter(
        state__in=UNDECIDED,
        championship__memberships__user=actor.user,
        championship__memberships__role__in=roles_that_may(Action.RUN),
    ).exclude(championship__status=ChampionshipStatus.FINISHED)
    counted = (
        rows.order_by().values("championship__slug", "championship__name").annotate(n=Count("pk"), first=Min("pk"))
    )
    return list(counted.order_by("first").values_list("championship__slug", "championship__name", "n"))


def decisions(*, actor: Actor, championship: Championship | None = None, limit: int = 50) -> list[Decision]:
    """The results that wait for a decision in the actor's championships, or in the one given, oldest first.

    Those that are contested come first, then those whose claim differs. Two queries.
    """
    rows = _in_play().filter(state__in=[ResultState.CONTESTED, ResultState.DIFFERS, ResultState.PENDING])
    if championship is None:
        rows = rows.filter(
            current_of__partie__championship__memberships__user=actor.user,
            current_of__partie__championship__memberships__role__in=roles_that_may(Action.SETTLE),
        )
    else:
        rows = rows.filter(current_of__partie__championship=championship)
    found = list(
        rows.select_related("manche__partie__championship")
        .defer("verdict")  # `contested` sorts before `differs`, and that before `pending`
        .order_by("state", "at", "id")[:limit]
    )
    teams = _teams({result.manche.partie_id for result in found})
    return [
        Decision(
            slug=result.manche.partie.championship.slug,
            championship=result.manche.partie.championship.name,
            partie=result.manche.partie.number,
            table=result.manche.partie.table_number,
            manche=result.manche.number,
            teams=teams.get(result.manche.partie_id, ()),
            state=result.state,
            at=result.at,
        )
        for result in found
    ]


def _teams(partie_ids: Iterable[int]) -> dict[int, list[str]]:
    teams: dict[int, list[str]] = {}
    rows = Seat.objects.filter(partie__in=list(partie_ids)).order_by("partie", "label")
    for partie_id, *names in rows.values_list("partie_id", *NAME):
        teams.setdefault(partie_id, []).append(called(*names))
    return teams
