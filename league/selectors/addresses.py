"""What an address names: the rows that doors hand to policy and services, each found in one query.

The actor's role comes along in that query, so that asking policy afterwards costs none. All raise NotFound, also for a
championship that the actor may not see. These rows are for doors; what is shown is made by the other selectors.
"""

from typing import Any, TypeVar

from django.db.models import CharField, Model, OuterRef, QuerySet, Subquery, Value

from league.errors import NotFound
from league.models import Championship, Entry, Manche, Membership, Partie
from league.policy import Action, Actor, require

M = TypeVar("M", bound=Model)


def championship_at(actor: Actor, slug: str) -> Championship:
    """The championship at an address, with its club."""
    rows = Championship.objects.select_related("club").filter(slug=slug)
    championship, role = _only(_with_role(actor, rows, "pk"))
    _require_seen(actor, championship, role)
    return championship


def partie_at(actor: Actor, slug: str, number: int) -> Partie:
    """A partie by its number, with its championship."""
    rows = Partie.objects.select_related("championship").filter(championship__slug=slug, number=number)
    partie, role = _only(_with_role(actor, rows, "championship"))
    _require_seen(actor, partie.championship, role)
    return partie


def manche_at(actor: Actor, slug: str, number: int, manche: int) -> Manche:
    """A manche by its partie's number and its own, with partie and championship."""
    rows = Manche.objects.select_related("partie__championship").filter(
        partie__championship__slug=slug, partie__number=number, number=manche
    )
    found, role = _only(_with_role(actor, rows, "partie__championship"))
    _require_seen(actor, found.partie.championship, role)
    return found


def entry_at(actor: Actor, slug: str, number: int) -> Entry:
    """An entry by its number, with its team and championship."""
    rows = Entry.objects.select_related("championship", "team").filter(championship__slug=slug, number=number)
    entry, role = _only(_with_role(actor, rows, "championship"))
    _require_seen(actor, entry.championship, role)
    return entry


def _with_role(actor: Actor, rows: QuerySet[M], championship: str) -> QuerySet[M]:
    role: Any = Value(None, output_field=CharField(null=True))
    if actor.user is not None:
        memberships = Membership.objects.filter(user=actor.user, championship=OuterRef(championship)).order_by()
        role = Subquery(memberships.values("role")[:1])
    with_role: QuerySet[M] = rows.annotate(role_of_actor=role)  # type: ignore[assignment]
    return with_role


def _only(rows: QuerySet[M]) -> tuple[M, str | None]:
    found = rows.order_by("pk").first()
    if found is None:
        raise NotFound
    return found, vars(found)["role_of_actor"]


def _require_seen(actor: Actor, championship: Championship, role: str | None) -> None:
    if actor.user is not None:
        actor.learn_role(championship.pk, role)
    require(actor, Action.SEE, championship)
