"""Circuits: who may see them, what they count, and their published rankings (STANDINGS 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery

from league.errors import NotFound
from league.models import Championship, Circuit, CircuitLeg, PublishedCircuit, PublishedRanking, Visibility
from league.policy import Action, Actor, may_look_in_circuit, roles_that_may
from league.selectors.paging import SIZE, Page, bounds, paged
from league.selectors.windows import Asked, Window, window

_MOST_OFFERED = 200


@dataclass(frozen=True, slots=True)
class CircuitLine:
    """A circuit in a list. `version` and `at`: of its last published ranking, None without one."""

    slug: str
    name: str
    by: str
    visibility: str
    championships: int
    version: int | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class LegLine:
    """A championship of a circuit. `version`, `label`: of its last published ranking, which is what counts; None, empty
    without one. `is_seen`: whether it counts: a draft does not.
    """

    id: int
    position: int
    slug: str
    name: str
    status: str
    is_seen: bool
    version: int | None
    label: str


@dataclass(frozen=True, slots=True)
class Counted:
    """A championship that a version counts; `number` is what its rows call it, `version` that of its ranking."""

    number: int
    slug: str
    name: str
    version: int
    label: str


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A published ranking in a list."""

    number: int
    label: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CircuitVersion:
    """A published ranking of a circuit. `points`, `best_n`, `by`: the terms under which it was made."""

    number: int
    label: str
    at: datetime
    by: str
    points: Sequence[float]
    best_n: int | None
    counts: Sequence[Counted]


@dataclass(frozen=True, slots=True)
class CircuitCause:
    """Why something moved: a championship was `added` or `removed`, counts another `version` of its ranking (`before`:
    the one that it counted), or the `terms` changed.
    """

    what: str
    counted: Counted | None
    before: Counted | None


@dataclass(frozen=True, slots=True)
class CircuitMove:
    """Whose rank is not that of the version before; None: not there."""

    name: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class VersionPage:
    """A page of a published ranking: its rows as they were kept; `following`: who stands after them, or empty."""

    version: CircuitVersion
    page: Page[Mapping[str, Any]]
    following: str
    moves: Sequence[CircuitMove]
    causes: Sequence[CircuitCause]


def circuits_of(*, championship: Championship) -> list[tuple[str, str]]:
    """The public circuits in which a championship is counted: slug and name, by name. One query."""
    rows = Circuit.objects.filter(visibility=Visibility.PUBLIC, legs__championship=championship)
    return list(rows.order_by("name", "slug").values_list("slug", "name").distinct())


def circuit_at(actor: Actor, slug: str) -> Circuit:
    """The circuit at an address. One query. Raises NotFound, also for a draft of somebody else; staff see all."""
    circuit = Circuit.objects.filter(slug=slug).first()
    if circuit is None or (circuit.visibility == Visibility.DRAFT and not may_look_in_circuit(actor, circuit)):
        raise NotFound
    return circuit


def public_circuits(*, number: int = 1, size: int = SIZE) -> Page[CircuitLine]:
    """The public circuits, newest first. Two queries."""
    return paged(_counted(Circuit.objects.filter(visibility=Visibility.PUBLIC)), number, size, _lines)


def own_circuits(*, actor: Actor, number: int = 1, size: int = SIZE) -> Page[CircuitLine]:
    """The actor's circuits, newest first. Two queries."""
    return paged(_counted(Circuit.objects.filter(owner=actor.user)), number, size, _lines)


def listed_circuits(*, actor: Actor, asked: Asked, own: bool = False) -> Window[CircuitLine]:
    """The public circuits, or the actor's `own`, newest first. One query."""
    rows = Circuit.objects.filter(owner=actor.user) if own else Circuit.objects.filter(visibility=Visibility.PUBLIC)
    return window(_counted(rows), asked, [("-id", int)], lambda row: _lines([row])[0])


def _counted(rows: QuerySet[Circuit]) -> QuerySet[Circuit]:
    last = PublishedCircuit.objects.filter(circuit=OuterRef("pk")).order_by("-number")
    return rows.annotate(
        leg_count=Count("legs"),
        last_number=Subquery(last.values("number")[:1]),
        last_at=Subquery(last.values("at")[:1]),
    ).order_by("-created_at", "-id")


def _lines(found: Sequence[Any]) -> list[CircuitLine]:
    return [
        CircuitLine(row.slug, row.name, row.by, row.visibility, row.leg_count, row.last_number, row.last_at)
        for row in found
    ]


def legs_of(*, circuit: Circuit) -> list[LegLine]:
    """The championships of a circuit in order, with the ranking of each that counts. Two queries."""
    legs = list(CircuitLeg.objects.filter(circuit=circuit).select_related("championship").order_by("position"))
    labels = last_rankings([leg.championship_id for leg in legs])
    return [
        LegLine(
            id=leg.pk,
            position=leg.position,
            slug=leg.championship.slug,
            name=leg.championship.name,
            status=leg.championship.status,
            is_seen=leg.championship.visibility != Visibility.DRAFT,
            version=labels[leg.championship_id][1] if leg.championship_id in labels else None,
            label=labels[leg.championship_id][2] if leg.championship_id in labels else "",
        )
        for leg in legs
    ]


def last_rankings(championship_ids: Sequence[int]) -> dict[int, tuple[int, int, str]]:
    """The last published ranking of each championship that has one: its id, number and label. One query."""
    rows = PublishedRanking.objects.filter(championship__in=championship_ids).order_by("championship", "number")
    return {
        championship_id: (id_, number, label)
        for championship_id, id_, number, label in rows.values_list("championship_id", "id", "number", "label")
    }


def addable(*, actor: Actor, circuit: Circuit) -> list[tuple[str, str]]:
    """Championships that the actor may look inside of and that are not in the circuit: slug and name. One query."""
    rows = Championship.objects.exclude(legs__circuit=circuit)
    if actor.user is None or not actor.user.is_staff:
        rows = rows.filter(memberships__user=actor.user, memberships__role__in=roles_that_may(Action.LOOK_INSIDE))
    return list(rows.order_by("-created_at", "-id").values_list("slug", "name")[:_MOST_OFFERED])


def versions(*, circuit: Circuit) -> list[VersionLine]:
    """The published rankings, newest first. One query."""
    rows = PublishedCircuit.objects.filter(circuit=circuit).order_by("-number")
    return [VersionLine(*row) for row in rows.values_list("number", "label", "at")]


def published_circuit(*, circuit: Circuit, number: int) -> PublishedCircuit:
    """A published ranking. One query. Raises NotFound."""
    found = PublishedCircuit.objects.filter(circuit=circuit, number=number).first()
    if found is None:
        raise NotFound
    return found


def version_page(*, circuit: Circuit, version: int | None, number: int = 1, size: int = SIZE) -> VersionPage | None:
    """A page of a published ranking with what moved, `version` None: of the last one. Two queries.

    None as long as nothing was published. Raises NotFound for a version that there is not.
    """
    number, size = bounds(number, size)
    up_to = PublishedCircuit.objects.filter(circuit=circuit).order_by("-number")
    if version is not None:
        up_to = up_to.filter(number__lte=version)
    found = list(up_to[:2])
    if version is not None and (not found or found[0].number != version):
        raise NotFound
    if not found:
        return None
    this, before = found[0], found[1] if len(found) > 1 else None
    first, last = (number - 1) * size, number * size
    return VersionPage(
        version=_version(this),
        page=Page(this.rows[first:last], number, size, len(this.rows)),
        following=this.rows[last]["name"] if last < len(this.rows) else "",
        moves=_moves(before.rows, this.rows) if before else (),
        causes=_causes(_version(before), _version(this)) if before else (),
    )


def preview_of(circuit: Circuit, counts: Sequence[Mapping[str, Any]], terms: Mapping[str, Any]) -> CircuitVersion:
    """What would be published now (`circuit_document`), as a version without a number. Costs no query."""
    return _version(PublishedCircuit(circuit=circuit, number=0, label="", counts=counts, terms=terms))


def _version(row: PublishedCircuit) -> CircuitVersion:
    return CircuitVersion(
        number=row.number,
        label=row.label,
        at=row.at,
        by=row.terms["by"],
        points=row.terms["points"],
        best_n=row.terms["best_n"],
        counts=[Counted(one["number"], one["slug"], one["name"], one["version"], one["label"]) for one in row.counts],
    )


def _moves(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> list[CircuitMove]:
    ranks = {row["entry"]: row["rank"] for row in before}
    moves = [
        CircuitMove(row["name"], ranks.get(row["entry"]), row["rank"])
        for row in after
        if ranks.get(row["entry"]) != row["rank"]
    ]
    present = {row["entry"] for row in after}
    return moves + [CircuitMove(row["name"], row["rank"], None) for row in before if row["entry"] not in present]


def _causes(before: CircuitVersion, after: CircuitVersion) -> list[CircuitCause]:
    """Championships that came, went or count another version of their ranking; and whether the terms changed."""
    counted = {one.slug: one for one in before.counts}
    causes = [
        CircuitCause("version" if one.slug in counted else "added", one, counted.get(one.slug))
        for one in after.counts
        if one.slug not in counted or counted[one.slug].version != one.version
    ]
    present = {one.slug for one in after.counts}
    causes += [CircuitCause("removed", one, one) for one in before.counts if one.slug not in present]
    if (before.by, before.points, before.best_n) != (after.by, after.points, after.best_n):
        causes.append(CircuitCause("terms", None, None))
    return causes
