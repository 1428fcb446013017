"""Circuits: made, changed, their championships chosen, their ranking published (STANDINGS 5).

A circuit belongs to no championship: its own row is the lock. Doors ask policy before (`require_circuit`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault, all_of
from league.models import Championship, Circuit, CircuitBy, CircuitLeg, PublishedCircuit, Visibility
from league.names import fold
from league.policy import Actor
from league.selectors.circuit_document import circuit_document, terms_of
from league.services import audit
from league.services.locks import check_version, lock_player_rows
from league.services.texts import asked_name
from scoring.circuit_document import read_circuit
from scoring.circuits import CircuitRow, circuit_standings

FIELDS = ("name", "points", "best_n", "by", "visibility")
RESERVED = frozenset({"mine", "new"})
"""Addresses that other pages have."""

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MOST_PLACES = 500
_MOST_POINTS = 1_000_000
_DECIMALS = 6


@transaction.atomic
def create_circuit(*, actor: Actor, name: str, settings: Mapping[str, Any], slug: str = "") -> Circuit:
    """Make a circuit that belongs to the actor, in draft unless `settings` says otherwise.

    `settings`: any of `points` (numbers, from the first place), `best_n`, `by`, `visibility`. Without `slug` its
    address follows the name. Raises Faults with a fault a field; Conflict `slug-taken`.
    """
    if actor.user is None:
        raise ValueError("a circuit needs an owner")
    circuit = Circuit(owner=actor.user, name=name, slug=slug or slugify(fold(name))[:60].strip("-") or "circuit")
    _lay(circuit, settings)
    if not _SLUG.fullmatch(circuit.slug) or len(circuit.slug) > 60 or circuit.slug in RESERVED:
        message = _("An address has small letters, digits and single hyphens, and is none of the site's own.")
        raise UserFault("bad-slug", message, field="slug")
    try:
        with transaction.atomic():
            circuit.save(force_insert=True)
    except IntegrityError as error:
        if "slug" not in str(error):
            raise
        raise Conflict("slug-taken", _("This address is taken: choose another one."), field="slug") from error
    audit.record(actor=actor, action="create_circuit", on=circuit, after=audit.state(circuit, ("slug", *FIELDS)))
    return circuit


@transaction.atomic
def change_circuit(
    *, actor: Actor, circuit_id: int, version: int | None, name: str, settings: Mapping[str, Any]
) -> Circuit:
    """Change a circuit; what was published stays as it is. Raises NotFound, Stale, Faults."""
    circuit = lock_circuit(circuit_id=circuit_id)
    check_version(circuit, version)
    before = audit.state(circuit, FIELDS)
    circuit.name = name
    _lay(circuit, settings)
    old, new = audit.changes(before, audit.state(circuit, FIELDS))
    if not new:
        return circuit
    circuit.version += 1
    circuit.save()
    audit.record(actor=actor, action="change_circuit", on=circuit, before=old, after=new)
    return circuit


@transaction.atomic
def add_leg(*, actor: Actor, circuit_id: int, championship_id: int) -> CircuitLeg:
    """Put a championship at the end of a circuit. One that is in it stays where it is. Raises NotFound."""
    circuit = lock_circuit(circuit_id=circuit_id)
    present = CircuitLeg.objects.filter(circuit=circuit, championship=championship_id).first()
    if present is not None:
        return present
    championship = Championship.objects.filter(pk=championship_id).first()
    if championship is None:
        raise NotFound
    last = CircuitLeg.objects.filter(circuit=circuit).aggregate(last=Max("position"))["last"] or 0
    leg = CircuitLeg.objects.create(circuit=circuit, championship=championship, position=last + 1)
    audit.record(actor=actor, action="add_leg", on=circuit, after={"championship": championship.slug})
    return leg


@transaction.atomic
def remove_leg(*, actor: Actor, circuit_id: int, leg_id: int) -> None:
    """Take a championship out of a circuit. One that is out already is no fault. Raises NotFound."""
    circuit = lock_circuit(circuit_id=circuit_id)
    leg = CircuitLeg.objects.filter(circuit=circuit, pk=leg_id).select_related("championship").first()
    if leg is None:
        return
    leg.delete()
    audit.record(actor=actor, action="remove_leg", on=circuit, before={"championship": leg.championship.slug})


@transaction.atomic
def move_leg(*, actor: Actor, circuit_id: int, leg_id: int, down: bool) -> None:
    """Change places with the next championship, or the one before. At an end it stays. Raises NotFound."""
    circuit = lock_circuit(circuit_id=circuit_id)
    legs = list(CircuitLeg.objects.filter(circuit=circuit).select_related("championship").order_by("position"))
    at = next((place for place, leg in enumerate(legs) if leg.pk == leg_id), None)
    if at is None:
        raise NotFound
    other = at + (1 if down else -1)
    if not 0 <= other < len(legs):
        return
    one, two = legs[at], legs[other]
    free = legs[-1].position + 1  # a position is taken once, also between two updates
    for leg, position in ((one, free), (two, one.position), (one, two.position)):
        CircuitLeg.objects.filter(pk=leg.pk).update(position=position)
    audit.record(
        actor=actor, action="move_leg", on=circuit, after={"championship": one.championship.slug, "down": down}
    )


@transaction.atomic
def publish_circuit(*, actor: Actor, circuit_id: int, label: str) -> PublishedCircuit:
    """Freeze the ranking of a circuit as its next numbered version (STANDINGS 4, 5).

    Raises NotFound, UserFault; Conflict `nothing-to-publish` while no championship of it has published a ranking,
    `nothing-new` when the last version counts the same and says the same.
    """
    shown = asked_name(label, field="label")
    circuit = lock_circuit(circuit_id=circuit_id)
    document, counts = circuit_document(circuit)
    if circuit.by == CircuitBy.PLAYER:
        # names are read again once nobody can hide one meanwhile: what is frozen is renewed by who hides it
        lock_player_rows(entry["number"] for entry in document["entries"])
        document, counts = circuit_document(circuit)
    if not document["entries"]:
        message = _("No championship of the circuit has published a ranking with players of it yet.")
        raise Conflict("nothing-to-publish", message)
    rows, terms = ranked_rows(document), terms_of(circuit)
    last = PublishedCircuit.objects.filter(circuit=circuit).order_by("-number").first()
    if last is not None and (last.rows, last.counts, last.terms) == (rows, counts, terms):
        message = _("Version %(number)s counts all that there is: nothing has changed since.") % {"number": last.number}
        raise Conflict("nothing-new", message, extra={"number": last.number})
    published = PublishedCircuit.objects.create(
        circuit=circuit,
        number=last.number + 1 if last else 1,
        label=shown,
        counts=counts,
        terms=terms,
        rows=rows,
        by=actor.user,
    )
    audit.record(
        actor=actor,
        action="publish_circuit",
        on=published,
        after={"circuit": circuit.slug, "number": published.number, "label": shown},
    )
    return published


def ranked_rows(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a document `circuit/1` as they are kept: those of scoring, with the ranks behind each leg."""
    return [_row(row) for row in circuit_standings(read_circuit(document)).rows]


def _row(row: CircuitRow) -> dict[str, Any]:
    said = row.as_explanation()
    legs = [
        {"championship": leg.championship, "points": str(leg.points), "ranks": list(leg.ranks), "counts": leg.counts}
        for leg in row.legs
    ]
    return said | {"legs": legs}


def lock_circuit(*, circuit_id: int) -> Circuit:
    """Lock a circuit for the rest of the transaction. Raises NotFound."""
    try:
        return Circuit.objects.select_for_update().get(pk=circuit_id)
    except Circuit.DoesNotExist:
        raise NotFound from None


def _lay(circuit: Circuit, settings: Mapping[str, Any]) -> None:
    circuit.name = asked_name(circuit.name, limit=120)
    for name in ("points", "best_n", "by", "visibility"):
        if name in settings:
            setattr(circuit, name, settings[name])
    all_of(list(_faults(circuit)))


def _faults(circuit: Circuit) -> Iterator[UserFault]:
    wrong = _wrong_points(circuit.points)
    if wrong:
        yield UserFault("bad-points", wrong, field="points")
    if circuit.best_n is not None and not 1 <= circuit.best_n <= _MOST_PLACES:
        yield UserFault("bad-best-n", _("At least one championship must count."), field="best_n")
    if circuit.by not in CircuitBy.values:
        yield UserFault("bad-choice", _("Choose one of them."), field="by")
    if circuit.visibility not in Visibility.values:
        yield UserFault("bad-choice", _("Choose one of them."), field="visibility")


def _wrong_points(points: Sequence[float]) -> str:
    if not points:
        return _("Give the points of the first place at least.")
    if len(points) > _MOST_PLACES:
        return _("At most %(most)s places, please.") % {"most": _MOST_PLACES}
    if not all(0 <= number <= _MOST_POINTS and round(number, _DECIMALS) == number for number in points):
        return _("Points are numbers from 0 to %(most)s.") % {"most": _MOST_POINTS}
    if any(lower > upper for upper, lower in pairwise(points)):
        return _("A place cannot have more points than the one before it.")
    return ""
