"""Circuits: championships added up; their published rankings, and the document behind each (STANDINGS 5)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.openapi import problems
from league.api.shapes import ExactField, shape
from league.api.views import ApiView
from league.errors import NotFound, NotPermitted
from league.models import ChampionshipStatus, Circuit, CircuitBy, Visibility
from league.policy import Actor, may_look_in_circuit
from league.selectors.circuit_document import published_document
from league.selectors.circuits import (
    circuit_at,
    legs_of,
    listed_circuits,
    published_circuit,
    version_page,
    versions,
)
from league.selectors.windows import window_of


class CircuitListItemSerializer(serializers.Serializer[Any]):
    """A circuit. `version` and `at`: of its last published ranking, null without one."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    by = serializers.ChoiceField(CircuitBy.values, help_text="Whom it ranks.")
    visibility = serializers.ChoiceField(Visibility.values)
    championships = serializers.IntegerField()
    version = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


class LegSerializer(serializers.Serializer[Any]):
    """A championship of a circuit. `version`, `label`: of its last published ranking, which is what counts."""

    position = serializers.IntegerField()
    slug = serializers.SlugField()
    name = serializers.CharField()
    status = serializers.ChoiceField(ChampionshipStatus.values)
    counts = serializers.BooleanField(source="is_seen", help_text="A championship in draft does not count.")
    version = serializers.IntegerField(allow_null=True)
    label = serializers.CharField()  # type: ignore[assignment]  # DRF takes it off the class


class CircuitSerializer(serializers.Serializer[Any]):
    """A circuit. `legs` is null to who may not look inside: what counts stands in each published ranking."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    points = serializers.ListField(child=serializers.FloatField(), help_text="From the first place on.")
    best_n = serializers.IntegerField(allow_null=True, help_text="How many championships count; null: all.")
    by = serializers.ChoiceField(CircuitBy.values)
    visibility = serializers.ChoiceField(Visibility.values)
    legs = LegSerializer(many=True, allow_null=True)


class CountedSerializer(serializers.Serializer[Any]):
    """A championship that a version counts; `number` is what rows call it, `version` that of its ranking."""

    number = serializers.IntegerField()
    slug = serializers.SlugField()
    name = serializers.CharField()
    version = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF takes it off the class


class CircuitVersionItemSerializer(serializers.Serializer[Any]):
    """A published ranking in a list."""

    number = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF takes it off the class
    at = serializers.DateTimeField()


class CircuitVersionSerializer(CircuitVersionItemSerializer):
    """A published ranking with the terms under which it was made."""

    by = serializers.ChoiceField(CircuitBy.values)
    points = serializers.ListField(child=serializers.FloatField())
    best_n = serializers.IntegerField(allow_null=True)
    counts = CountedSerializer(many=True)


class CircuitLegSerializer(serializers.Serializer[Any]):
    """What somebody has from one championship."""

    championship = serializers.IntegerField(help_text="Its number in `version.counts`.")
    points = ExactField()
    ranks = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    counts = serializers.BooleanField(help_text="Whether it is one of the best that count.")


class CircuitRowSerializer(serializers.Serializer[Any]):
    """A row: `entry` is the id of a player, or the number of a club."""

    rank = serializers.IntegerField()
    entry = serializers.IntegerField()
    name = serializers.CharField()
    values = shape("Values")
    legs = CircuitLegSerializer(many=True)
    above_next_by = serializers.CharField(allow_null=True)
    why = shape("Why", allow_null=True)


def shown_circuit(actor: Actor, circuit: Circuit) -> Mapping[str, Any]:
    """A circuit as its GET and every write of it show it. Two queries at most."""
    shown = {name: getattr(circuit, name) for name in ("slug", "name", "points", "best_n", "by", "visibility")}
    shown["legs"] = legs_of(circuit=circuit) if may_look_in_circuit(actor, circuit) else None
    data: Mapping[str, Any] = CircuitSerializer(shown).data
    return data


class CircuitsReadView(ApiView):
    """Circuits."""

    @extend_schema(
        operation_id="list_circuits",
        tags=["circuits"],
        parameters=[
            *pages.PARAMETERS,
            OpenApiParameter("own", bool, description="Those of your account, drafts too; needs who is signed in."),
        ],
        responses={200: pages.page_of(CircuitListItemSerializer), **problems(400, 403)},
    )
    def get(self, request: Request) -> Response:
        """The public circuits, newest first."""
        own = parameters.truth(request, "own") or False
        token = self.actor.token
        if own and (self.actor.user is None or (token is not None and token.championship_id is not None)):
            raise NotPermitted
        found = listed_circuits(actor=self.actor, asked=pages.asked(request), own=own)
        return pages.listing(request, CircuitListItemSerializer, found)


class CircuitReadView(ApiView):
    """A circuit."""

    @extend_schema(operation_id="get_circuit", tags=["circuits"], responses={200: CircuitSerializer, **problems(404)})
    def get(self, request: Request, circuit: str) -> Response:
        """A circuit: how it adds up, and for who may look inside its championships in their order."""
        return Response(shown_circuit(self.actor, circuit_at(self.actor, circuit)))


class CircuitRankingsReadView(ApiView):
    """Published rankings of a circuit."""

    @extend_schema(
        operation_id="list_circuit_rankings",
        tags=["circuits"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(CircuitVersionItemSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, circuit: str) -> Response:
        """The published rankings of a circuit, first to last."""
        found = list(reversed(versions(circuit=circuit_at(self.actor, circuit))))
        window = window_of(found, pages.asked(request), lambda version: (version.number,))
        return pages.listing(request, CircuitVersionItemSerializer, window)


class CircuitRankingView(ApiView):
    """A published ranking of a circuit."""

    @extend_schema(
        operation_id="get_circuit_ranking",
        tags=["circuits"],
        parameters=pages.PARAMETERS,
        responses={
            200: pages.page_of(CircuitRowSerializer, name="CircuitRow", version=CircuitVersionSerializer()),
            **problems(400, 404),
        },
    )
    def get(self, request: Request, circuit: str, version: int) -> Response:
        """A published ranking of a circuit with its rows, frozen as they were."""
        asked = pages.asked(request)
        at = circuit_at(self.actor, circuit)
        found = version_page(circuit=at, version=version, number=pages.page_number(asked), size=asked.size)
        if found is None:
            raise NotFound
        response = pages.listing(request, CircuitRowSerializer, pages.window_of_page(found.page))
        response.data |= {"version": CircuitVersionSerializer(found.version).data}
        return response


class CircuitDocumentView(ApiView):
    """The document of a published ranking."""

    rates: ClassVar = {"GET": "costly"}

    @extend_schema(
        operation_id="get_circuit_document", tags=["circuits"], responses={200: {"type": "object"}, **problems(404)}
    )
    def get(self, request: Request, circuit: str, version: int) -> Response:
        """The document `circuit/1` of a published ranking, for anybody to recompute it."""
        at = circuit_at(self.actor, circuit)
        return Response(published_document(published_circuit(circuit=at, number=version)))
