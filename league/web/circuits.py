"""Circuits as everybody sees them: the list, the published rankings with their why, and the document behind each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from league.models import Circuit, CircuitBy, Visibility
from league.policy import may_look_in_circuit
from league.selectors.circuit_document import published_document
from league.selectors.circuits import (
    CircuitVersion,
    VersionPage,
    circuit_at,
    public_circuits,
    published_circuit,
    version_page,
    versions,
)
from league.shown_names import neutral_name
from league.web.organiser.asked import actor_of
from league.web.ranking_words import WhyInWords, why_in_words
from league.web.seen import for_anybody, page_number
from league.wording import value


@dataclass(frozen=True, slots=True)
class LegShown:
    """What somebody has from one championship: points, the places behind them, and whether it is one of the best."""

    name: str
    points: str
    places: str
    counts: bool


@dataclass(frozen=True, slots=True)
class CircuitRowShown:
    """A row: its rank, who it is (`player`: the id of their page, None without one), points, legs in the circuit's
    order (None: not there), and why it stands above the next.
    """

    rank: int
    name: str
    player: int | None
    points: str
    legs: Sequence[LegShown | None]
    why: WhyInWords | None


def circuit_list(request: HttpRequest) -> HttpResponse:
    """The public circuits, newest first."""
    return render(request, "circuits/list.html", {"page": public_circuits(number=page_number(request))})


@for_anybody
def circuit_page(request: HttpRequest, slug: str, version: int | None = None) -> HttpResponse:
    """A circuit: its last published ranking, or the one at `version`."""
    actor = actor_of(request)
    circuit = circuit_at(actor, slug)
    found = version_page(circuit=circuit, version=version, number=page_number(request))
    context = head_of(circuit) | {
        "found": found,
        "versions": versions(circuit=circuit),
        "looks_in": may_look_in_circuit(actor, circuit),
        "is_last": version is None,
    }
    if found is not None:
        context |= shown_version(found)
    return render(request, "circuits/circuit.html", context)


@for_anybody
def circuit_document(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The document `circuit/1` of a published ranking, for anybody to recompute it."""
    circuit = circuit_at(actor_of(request), slug)
    published = published_circuit(circuit=circuit, number=version)
    return JsonResponse(published_document(published), json_dumps_params={"ensure_ascii": False})


def head_of(circuit: Circuit) -> dict[str, Any]:
    """What the head of a circuit's pages shows."""
    return {"circuit": circuit, "hidden": circuit.visibility != Visibility.PUBLIC}


def shown_version(found: VersionPage) -> dict[str, Any]:
    """A page of a published ranking in words."""
    return {
        "version": found.version,
        "page": found.page,
        "rows": shown_circuit_rows(found.page.items, found.version, found.following),
        "points": [value(str(number)) for number in found.version.points],
    }


def shown_circuit_rows(
    rows: Sequence[Mapping[str, Any]], version: CircuitVersion, following: str = ""
) -> list[CircuitRowShown]:
    """Rows as they were kept, in words; `following`: who stands after them."""
    return [_row(row, after["name"] if after else following, version) for row, after in zip_longest(rows, rows[1:])]


def _row(row: Mapping[str, Any], above: str, version: CircuitVersion) -> CircuitRowShown:
    legs = {leg["championship"]: leg for leg in row["legs"]}
    has_page = version.by == CircuitBy.PLAYER and row["name"] != neutral_name(row["entry"])
    return CircuitRowShown(
        rank=row["rank"],
        name=row["name"],
        player=row["entry"] if has_page else None,
        points=value(row["values"]["circuit_points"]),
        legs=[_leg(legs.get(one.number), one.name) for one in version.counts],
        why=why_in_words(row["why"], above, {}) if row["why"] else None,
    )


def _leg(leg: Mapping[str, Any] | None, name: str) -> LegShown | None:
    if leg is None:
        return None
    places = ", ".join(_("no rank") if rank is None else str(rank) for rank in leg["ranks"])
    return LegShown(name, value(leg["points"]), places, leg["counts"])
