"""Circuits made and changed by who owns them: their terms, their championships, their published rankings."""

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.circuits import (
    CircuitRankingsReadView,
    CircuitReadView,
    CircuitSerializer,
    CircuitsReadView,
    CircuitVersionSerializer,
    LegSerializer,
    shown_circuit,
)
from league.api.openapi import problems
from league.api.views import ApiView
from league.api.writing import Body, Changes, Data, Written, body_as, check_match, require_match, write
from league.api.writing_schema import describe_write
from league.errors import NotFound
from league.models import Circuit, Scope
from league.policy import Action, require, require_circuit
from league.selectors.addresses import championship_at
from league.selectors.circuits import LegLine, circuit_at, legs_of, version_page
from league.services.circuits import (
    add_leg,
    change_circuit,
    create_circuit,
    lock_circuit,
    move_leg,
    publish_circuit,
    remove_leg,
)

VisibilityName = Literal["draft", "unlisted", "public"]
ByName = Literal["player", "club"]


class NewCircuit(Body):
    """A circuit to be made. Without `slug` its address follows its name."""

    name: str
    points: tuple[float, ...]
    slug: str = ""
    best_n: int | None = None
    by: ByName = "player"
    visibility: VisibilityName = "draft"


class CircuitChanges(Changes):
    """What is to be changed of a circuit; what was published stays as it is."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    points: tuple[float, ...] | msgspec.UnsetType = msgspec.UNSET
    best_n: int | msgspec.UnsetType | None = msgspec.UNSET
    by: ByName | msgspec.UnsetType = msgspec.UNSET
    visibility: VisibilityName | msgspec.UnsetType = msgspec.UNSET


class NewLeg(Body):
    """A championship to be counted, by its slug: one whose inside you may see."""

    championship: str


class LegMove(Body):
    """Which way a championship goes in the order."""

    to: Literal["up", "down"]


class CircuitPublication(Body):
    """What the next version is called."""

    label: str


def _settings(said: dict[str, Any]) -> dict[str, Any]:
    """What the services take: whole numbers as such."""
    if "points" in said:
        points = [int(one) if one.is_integer() else one for one in map(float, said["points"])]
        said = said | {"points": points}
    return said


class CircuitsView(CircuitsReadView):
    """Circuits."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="create_circuit", tags=["circuits"], body=NewCircuit, answers=CircuitSerializer, makes=True
    )
    def post(self, request: Request) -> HttpResponse:
        """Make a circuit that belongs to you."""
        asked = body_as(request, NewCircuit)

        def do() -> Written:
            require(self.actor, Action.CREATE)
            settings = {name: getattr(asked, name) for name in ("points", "best_n", "by", "visibility")}
            made = create_circuit(actor=self.actor, name=asked.name, slug=asked.slug, settings=_settings(settings))
            return Written(shown_circuit(self.actor, made), 201, reverse("api-circuit", args=[made.slug]))

        return write(request, do)


class _OwnView(ApiView):
    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    def own(self, slug: str) -> Circuit:
        """The circuit, locked, of which the actor is the owner. Raises NotFound, NotPermitted."""
        circuit = lock_circuit(circuit_id=circuit_at(self.actor, slug).pk)
        require_circuit(self.actor, circuit)
        return circuit

    def on_leg(
        self, request: Request, slug: str, championship: str, deed: Callable[[Circuit, LegLine], Any]
    ) -> HttpResponse:
        """Do something with a championship of a circuit; answered with the circuit."""

        def do() -> Written:
            circuit = self.own(slug)
            leg = leg_at(circuit, championship)
            if "HTTP_IF_MATCH" in request.META:
                check_match(request, shown_leg(leg))
            deed(circuit, leg)
            return Written(shown_circuit(self.actor, circuit))

        return write(request, do)


def leg_at(circuit: Circuit, championship: str) -> LegLine:
    """A championship of a circuit, by its slug. Raises NotFound."""
    for leg in legs_of(circuit=circuit):
        if leg.slug == championship:
            return leg
    raise NotFound


def shown_leg(leg: LegLine) -> Data:
    """A championship of a circuit as its GET shows it."""
    data: Data = LegSerializer(leg).data
    return data


class CircuitView(CircuitReadView, _OwnView):
    """A circuit."""

    writes: ClassVar = {"PATCH": Scope.MANAGE}
    rates: ClassVar = {"PATCH": "writes"}

    @describe_write(
        operation_id="change_circuit", tags=["circuits"], body=CircuitChanges, answers=CircuitSerializer, match=True
    )
    def patch(self, request: Request, circuit: str) -> HttpResponse:
        """Change a circuit."""
        asked = body_as(request, CircuitChanges)

        def do() -> Written:
            found = self.own(circuit)
            require_match(request, shown_circuit(self.actor, found))
            said = _settings(asked.said())
            name = said.pop("name", found.name)
            changed = change_circuit(actor=self.actor, circuit_id=found.pk, version=None, name=name, settings=said)
            return Written(shown_circuit(self.actor, changed))

        return write(request, do)


class CircuitLegsView(_OwnView):
    """The championships of a circuit."""

    @describe_write(operation_id="add_leg", tags=["circuits"], body=NewLeg, answers=CircuitSerializer, may_match=True)
    def post(self, request: Request, circuit: str) -> HttpResponse:
        """Put a championship at the end of a circuit; one that is in it stays where it is."""
        asked = body_as(request, NewLeg)

        def do() -> Written:
            found = self.own(circuit)
            if "HTTP_IF_MATCH" in request.META:
                check_match(request, shown_circuit(self.actor, found))
            championship = championship_at(self.actor, asked.championship)
            require(self.actor, Action.LOOK_INSIDE, championship)
            add_leg(actor=self.actor, circuit_id=found.pk, championship_id=championship.pk)
            return Written(shown_circuit(self.actor, found))

        return write(request, do)


class CircuitLegView(_OwnView):
    """A championship of a circuit."""

    writes: ClassVar = {"DELETE": Scope.MANAGE}
    rates: ClassVar = {"DELETE": "writes"}

    @extend_schema(operation_id="get_leg", tags=["circuits"], responses={200: LegSerializer, **problems(403, 404)})
    def get(self, request: Request, circuit: str, championship: str) -> Response:
        """A championship of a circuit, for who may look inside."""
        found = circuit_at(self.actor, circuit)
        require_circuit(self.actor, found, to_look=True)
        return Response(shown_leg(leg_at(found, championship)))

    @describe_write(operation_id="remove_leg", tags=["circuits"], match=True)
    def delete(self, request: Request, circuit: str, championship: str) -> HttpResponse:
        """Take a championship out of a circuit."""

        def do() -> Written:
            found = self.own(circuit)
            leg = leg_at(found, championship)
            require_match(request, shown_leg(leg))
            remove_leg(actor=self.actor, circuit_id=found.pk, leg_id=leg.id)
            return Written(None)

        return write(request, do)


class MoveLegView(_OwnView):
    """The order of the championships."""

    @describe_write(operation_id="move_leg", tags=["circuits"], body=LegMove, answers=CircuitSerializer, may_match=True)
    def post(self, request: Request, circuit: str, championship: str) -> HttpResponse:
        """Let a championship change places with the next one, or the one before."""
        asked = body_as(request, LegMove)

        def deed(found: Circuit, leg: LegLine) -> None:
            move_leg(actor=self.actor, circuit_id=found.pk, leg_id=leg.id, down=asked.to == "down")

        return self.on_leg(request, circuit, championship, deed)


class CircuitRankingsView(CircuitRankingsReadView, _OwnView):
    """Published rankings of a circuit."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="publish_circuit",
        tags=["circuits"],
        body=CircuitPublication,
        answers=CircuitVersionSerializer,
        makes=True,
    )
    def post(self, request: Request, circuit: str) -> HttpResponse:
        """Freeze the ranking of a circuit as its next numbered version."""
        asked = body_as(request, CircuitPublication)

        def do() -> Written:
            found = self.own(circuit)
            made = publish_circuit(actor=self.actor, circuit_id=found.pk, label=asked.label)
            page = version_page(circuit=found, version=made.number, size=1)
            if page is None:
                raise NotFound
            address = reverse("api-circuit-ranking", args=[circuit, made.number])
            return Written(CircuitVersionSerializer(page.version).data, 201, address, etag=False)

        return write(request, do)
