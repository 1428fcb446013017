"""Stages: how a championship is made up, each changed, and started with those who come into it (STANDINGS 5)."""

from dataclasses import asdict
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages
from league.api.named import OwnId, Ref, number_named, together
from league.api.openapi import problems
from league.api.running import check_state, running
from league.api.views import ApiView
from league.api.writing import Body, Changes, Data, Written, body_as, made_once, require_match, write
from league.api.writing_schema import describe_write
from league.errors import NotFound
from league.models import CarryOver, Championship, ExternalKind, Format, Scope
from league.policy import Action, Actor, may
from league.selectors.addresses import championship_at
from league.selectors.external_ids import external_ids
from league.selectors.rounds import published_rounds, stage_at
from league.selectors.stages import stages
from league.selectors.windows import window_of
from league.services.stage_starts import start_stage
from league.services.stages import FIELDS, MOST_STAGES, add_stage, change_stage, plan_stages, remove_stage

FormatName = Literal["free", "round_robin", "swiss", "knockout"]
CarryOverName = Literal["none", "qualified"]


class StageSerializer(serializers.Serializer[Any]):
    """A stage: a part of a championship with one format."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    format = serializers.ChoiceField(Format.values)
    rounds_planned = serializers.IntegerField(
        allow_null=True, help_text="Null: a round robin has one leg, others go on."
    )
    pools = serializers.IntegerField(help_text="1: all play together.")
    qualify = serializers.IntegerField(
        allow_null=True, help_text="How many of each pool of the stage before come in; null: everybody."
    )
    table_qualify = serializers.IntegerField(help_text="How many go on from a table of a knock-out.")
    place_match = serializers.BooleanField(help_text="A knock-out has a match for the third place.")
    apart_by_club = serializers.BooleanField(help_text="Entries of one club are kept apart while that is possible.")
    carry_over = serializers.ChoiceField(CarryOver.values)
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    entries = serializers.IntegerField(help_text="Who is in it; 0 before its start.")
    rounds = serializers.IntegerField(help_text="Rounds of it that were published.")
    external_id = serializers.CharField(allow_null=True)


class StageSettings(Body):
    """How a stage is set up."""

    format: FormatName
    name: str = ""
    rounds_planned: int | None = None
    pools: int = 1
    qualify: int | None = None
    table_qualify: int = 1
    place_match: bool = False
    apart_by_club: bool = False
    carry_over: CarryOverName = "none"

    def settings(self) -> dict[str, Any]:
        """What the services take."""
        return {name: getattr(self, name) for name in FIELDS}


class NewStage(StageSettings):
    """A stage to be added after the others."""

    external_id: OwnId | None = None


class StageChanges(Changes):
    """What is to be changed of a stage; after its start only its name, its rounds and what is kept apart can be."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    format: FormatName | msgspec.UnsetType = msgspec.UNSET
    rounds_planned: int | msgspec.UnsetType | None = msgspec.UNSET
    pools: int | msgspec.UnsetType = msgspec.UNSET
    qualify: int | msgspec.UnsetType | None = msgspec.UNSET
    table_qualify: int | msgspec.UnsetType = msgspec.UNSET
    place_match: bool | msgspec.UnsetType = msgspec.UNSET
    apart_by_club: bool | msgspec.UnsetType = msgspec.UNSET
    carry_over: CarryOverName | msgspec.UnsetType = msgspec.UNSET


class StagePlan(Body):
    """All stages of a championship, in their order."""

    stages: Annotated[list[StageSettings], msgspec.Meta(max_length=MOST_STAGES)]


class StageStart(Body):
    """How a stage is started."""

    order: Literal["lot", "number"] = "lot"
    chosen: tuple[Ref, ...] = ()
    by_lot: bool = False


class AllStagesSerializer(serializers.Serializer[Any]):
    """All stages of a championship."""

    stages = StageSerializer(many=True)


def shown_stages(actor: Actor, championship: Championship) -> list[Data]:
    """The stages as reads and writes show them, in their order. Three queries."""
    lines = stages(championship=championship)
    drawn = published_rounds(championship=championship)
    named: dict[int, str] = {}
    if may(actor, Action.LOOK_INSIDE, championship):
        ids = [line.id for line in lines]
        named = external_ids(actor=actor, kind=ExternalKind.STAGE, object_ids=ids, slug=championship.slug)
    found = [asdict(line) | {"rounds": drawn.get(line.id, 0), "external_id": named.get(line.id)} for line in lines]
    return list(StageSerializer(found, many=True).data)


def shown_stage(actor: Actor, championship: Championship, number: int) -> Data:
    """A stage by its number. Raises NotFound."""
    for stage in shown_stages(actor, championship):
        if stage["number"] == number:
            return stage
    raise NotFound


class StagesView(ApiView):
    """Stages."""

    stamped: ClassVar = True
    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_stages",
        tags=["stages"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(StageSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The stages of a championship in their order. Without stages it has free tables."""
        found = shown_stages(self.actor, championship_at(self.actor, slug))
        return pages.listing(request, StageSerializer, window_of(found, pages.asked(request), _number))

    @describe_write(operation_id="add_stage", tags=["stages"], body=NewStage, answers=StageSerializer, makes=True)
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Add a stage after the others."""
        asked = body_as(request, NewStage)

        def do() -> Written:
            championship = running(self, slug, Action.CHANGE)

            def make() -> int:
                return add_stage(actor=self.actor, championship_id=championship.pk, settings=asked.settings()).pk

            def show(stage_id: int) -> tuple[Data, str]:
                number = next(line.number for line in stages(championship=championship) if line.id == stage_id)
                address = reverse("api-stage", args=[slug, number])
                return shown_stage(self.actor, championship, number), address

            return made_once(
                self,
                request,
                kind=ExternalKind.STAGE,
                external_id=asked.external_id,
                make=make,
                show=show,
                championship_id=championship.pk,
            )

        return write(request, do)


def _number(stage: Data) -> tuple[int]:
    return (stage["number"],)


class StagePlanView(ApiView):
    """The plan of all stages."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="plan_stages", tags=["stages"], body=StagePlan, answers=AllStagesSerializer)
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Set up all stages at once, instead of those that there are. None of them may have been started."""
        asked = body_as(request, StagePlan)

        def do() -> Written:
            championship = running(self, slug, Action.CHANGE)
            plan = [stage.settings() for stage in asked.stages]
            plan_stages(actor=self.actor, championship_id=championship.pk, plan=plan)
            return Written({"stages": shown_stages(self.actor, championship)}, etag=False)

        return write(request, do)


class StageView(ApiView):
    """A stage."""

    writes: ClassVar = {"PATCH": Scope.MANAGE, "DELETE": Scope.MANAGE}
    rates: ClassVar = {"PATCH": "writes", "DELETE": "writes"}

    @extend_schema(operation_id="get_stage", tags=["stages"], responses={200: StageSerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A stage by its number."""
        return Response(shown_stage(self.actor, championship_at(self.actor, slug), number))

    @describe_write(
        operation_id="change_stage", tags=["stages"], body=StageChanges, answers=StageSerializer, match=True
    )
    def patch(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Change a stage."""
        asked = body_as(request, StageChanges)

        def do() -> Written:
            championship = running(self, slug, Action.CHANGE)
            stage = stage_at(championship=championship, number=number)
            require_match(request, shown_stage(self.actor, championship, number))
            change_stage(actor=self.actor, stage_id=stage.pk, version=None, settings=asked.said())
            return Written(shown_stage(self.actor, championship, number))

        return write(request, do)

    @describe_write(operation_id="remove_stage", tags=["stages"], match=True)
    def delete(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Take away a stage that was not started. Those after it move up by one number."""

        def do() -> Written:
            championship = running(self, slug, Action.CHANGE)
            stage = stage_at(championship=championship, number=number)
            require_match(request, shown_stage(self.actor, championship, number))
            remove_stage(actor=self.actor, stage_id=stage.pk, version=None)
            return Written(None)

        return write(request, do)


class StageStartView(ApiView):
    """The start of a stage."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="start_stage",
        tags=["stages"],
        body=StageStart,
        answers=StageSerializer,
        may_match=True,
        s422="`level` and `places` say who is level at the limit: name them in `chosen`, or say `by_lot`.",
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Start a stage with those who come into it. A first stage that is not started starts with its first draw.

        `order` of a first stage: by lot, or by the numbers of the entries; a later one is seeded from the stage before.
        """
        asked = body_as(request, StageStart)

        def do() -> Written:
            championship = running(self, slug)
            stage = stage_at(championship=championship, number=number)
            check_state(request, lambda: shown_stage(self.actor, championship, number))
            kind = ExternalKind.ENTRY
            start_stage(
                actor=self.actor,
                stage_id=stage.pk,
                version=None,
                order=asked.order,
                chosen=together(
                    partial(number_named, self, kind=kind, said=one, field=f"chosen[{place}]")
                    for place, one in enumerate(asked.chosen)
                ),
                by_lot=asked.by_lot,
            )
            return Written(shown_stage(self.actor, championship, number))

        return write(request, do)
