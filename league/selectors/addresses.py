"""What an address names: the rows that doors hand to policy and services, each found in one query.

The actor's role comes along in that query, so that asking policy afterwards costs none. All raise NotFound, also for a
championship that the actor may not see. These rows are for doors; what is shown is made by the other selectors.
"""

from typing import Any, TypeVar

from django.db.models import CharField, F, FilteredRelation, Model, Q, QuerySet, Value

from league.errors import NotFound
from league.models import Championship, Entry, Manche, Partie
from league.policy import Action, Actor, require

M = TypeVar("M", bound=Model)

Held = tuple[str | None, Any]
"""A role, and the tables that it is for."""


def championship_at(actor: Actor, slug: str) -> Championship:
    """The championship at an address, with its club."""
    rows = Championship.objects.select_related("club").filter(slug=slug)
    championship, held = _only(_with_role(actor, rows, ""))
    _require_seen(actor, championship, held)
    return championship


def partie_at(actor: Actor, slug: str, number: int) -> Partie:
    """A partie by its number, with its championship."""
    rows = Partie.objects.select_related("championship").filter(championship__slug=slug, number=number)
    partie, held = _only(_with_role(actor, rows, "championship__"))
    _require_seen(actor, partie.championship, held)
    return partie


def partie_to_hand_in(actor: Actor, slug: str, number: int) -> Partie:
    """As `partie_at`, with no more of partie and championship than policy asks for: a program waits for it."""
    rows = Partie.objects.select_related("championship").filter(championship__slug=slug, number=number)
    only = rows.only("championship__visibility", "table_number")
    partie, held = _only(_with_role(actor, only, "championship__"))
    _require_seen(actor, partie.championship, held)
    return partie


def manche_at(actor: Actor, slug: str, number: int, manche: int) -> Manche:
    """A manche by its partie's number and its own, with partie and championship."""
    rows = Manche.objects.select_related("partie__championship").filter(
        partie__championship__slug=slug, partie__number=number, number=manche
    )
    found, held = _only(_with_role(actor, rows, "partie__championship__"))
    _require_seen(actor, found.partie.championship, held)
    return found


def entry_at(actor: Actor, slug: str, number: int) -> Entry:
    """An entry by its number, with its team and championship."""
    rows = Entry.objects.select_related("championship", "team").filter(championship__slug=slug, number=number)
    entry, held = _only(_with_role(actor, rows, "championship__"))
    _require_seen(actor, entry.championship, held)
    return entry


def _with_role(actor: Actor, rows: QuerySet[M], championship: str) -> QuerySet[M]:
    """With the actor's role; `championship` is the way to it, with the underscores that go on from there."""
    nobody = Value(None, output_field=CharField(null=True))
    joined: dict[str, Any] = {"role_of_actor": nobody, "tables_of_actor": nobody}
    if actor.user is not None:
        memberships = f"{championship}memberships"
        own = FilteredRelation(memberships, condition=Q(**{f"{memberships}__user": actor.user}))
        joined = {"own": own, "role_of_actor": F("own__role"), "tables_of_actor": F("own__tables")}
    with_role: QuerySet[M] = rows.annotate(**joined)
    return with_role


def _only(rows: QuerySet[M]) -> tuple[M, Held]:
    found = list(rows.order_by())  # there is one at most
    if not found:
        raise NotFound
    return found[0], (vars(found[0])["role_of_actor"], vars(found[0])["tables_of_actor"])


def _require_seen(actor: Actor, championship: Championship, held: Held) -> None:
    if actor.user is not None:
        actor.learn_role(championship.pk, *held)
    require(actor, Action.SEE, championship)
