"""A manche: its score line by line, the versions of its result, their documents, and its moves if it came as a log."""

from typing import Any, ClassVar, Final, cast

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.bodies import BORNES, JSON, TEXT
from league.api.openapi import problems
from league.api.problems import not_acceptable
from league.api.shapes import reference, verdict_shape
from league.api.views import ApiView, answer
from league.errors import NotFound
from league.models import Kind, Manche, MancheStatus, Media, ResultState, SettledHow
from league.policy import Actor
from league.selectors.addresses import manche_at
from league.selectors.manches import MancheView as Found
from league.selectors.manches import ResultView as FoundResult
from league.selectors.manches import document_of, manche_view, moves_of, rewritten
from league.selectors.own_ids import manche_with_id
from league.selectors.windows import window_of


class LineSerializer(serializers.Serializer[Any]):
    """A line of a score (RULES 8)."""

    code = serializers.CharField()
    points = serializers.IntegerField()

    def to_representation(self, instance: tuple[str, int]) -> dict[str, Any]:
        """From the pair that the selector gives."""
        return dict(zip(self.fields, instance, strict=True))


class EntryScoreSerializer(serializers.Serializer[Any]):
    """What an entry had from a manche. `total` is `points` after the penalty; both null without points."""

    label = serializers.CharField()  # type: ignore[assignment]  # DRF takes it off the class
    entry = serializers.IntegerField(source="number")
    team = serializers.CharField()
    lines = LineSerializer(many=True)
    points = serializers.IntegerField(allow_null=True)
    penalty = serializers.IntegerField()
    penalty_reason = serializers.CharField()
    total = serializers.IntegerField(allow_null=True)
    km = serializers.IntegerField()
    coups_fourres = serializers.IntegerField()
    won = serializers.BooleanField()


class VersionLineSerializer(serializers.Serializer[Any]):
    """A version of a result. `reason`: why it was corrected; `settled_how`: what became of a claim that differed."""

    version = serializers.IntegerField()
    state = serializers.ChoiceField(ResultState.values)
    kind = serializers.ChoiceField(Kind.values)
    writing = serializers.ChoiceField(Media.values, source="media")
    sha256 = serializers.CharField(help_text="Of the document as it came.")
    end = serializers.CharField()
    claim_ok = serializers.BooleanField(allow_null=True)
    reason = serializers.CharField()
    settled_how = serializers.ChoiceField(["", *SettledHow.values])
    settled_reason = serializers.CharField()
    at = serializers.DateTimeField()
    confirmed_at = serializers.DateTimeField(allow_null=True)


class ResultSerializer(VersionLineSerializer):
    """A version of a result with its scores and its verdict."""

    scores = EntryScoreSerializer(many=True)
    verdict = verdict_shape()


class MancheTeamSerializer(serializers.Serializer[Any]):
    """Who sits under a label."""

    entry = serializers.IntegerField()
    team = serializers.CharField()

    def to_representation(self, instance: tuple[int, str]) -> dict[str, Any]:
        """From the pair that the selector gives."""
        return dict(zip(self.fields, instance, strict=True))


class MancheSerializer(serializers.Serializer[Any]):
    """A manche. `seats`: labels in order of play (RULES 13); `current`: the result that stands, null while awaited."""

    partie = serializers.IntegerField()
    number = serializers.IntegerField()
    status = serializers.ChoiceField(MancheStatus.values)
    void_reason = serializers.CharField()
    seats = serializers.ListField(child=serializers.CharField())
    teams = serializers.DictField(child=MancheTeamSerializer())
    current = ResultSerializer(allow_null=True)
    versions = VersionLineSerializer(many=True)
    external_id = serializers.CharField(
        allow_null=True, help_text="What programs call it; null to who may not look inside."
    )


def cards() -> serializers.ListField:
    """A pile or a hand, as codes of cards; the last one lies on top."""
    return serializers.ListField(child=serializers.CharField())


class StepSerializer(serializers.Serializer[Any]):
    """The table after a move; `at` is its index, -1 before the first. `hands` are null in an open log."""

    at = serializers.IntegerField()
    move = serializers.CharField(allow_null=True)
    player = serializers.CharField(allow_null=True)
    state = serializers.DictField()
    teams = serializers.DictField(child=serializers.DictField(child=cards()), help_text="The piles of each team.")
    discard = cards()
    hands = serializers.DictField(child=cards(), allow_null=True)
    end = serializers.CharField(allow_null=True)


class MancheView(ApiView):
    """A manche."""

    @extend_schema(operation_id="get_manche", tags=["manches"], responses={200: MancheSerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int, manche: int) -> Response:
        """A manche with its score line by line and the versions of its result."""
        return Response(manche_shown(self.actor, manche_at(self.actor, slug, number, manche)))


def manche_shown(actor: Actor, row: Manche) -> dict[str, Any]:
    """A manche as its GET shows it, and as a write answers with it; `row` with its partie and championship."""
    found = manche_with_id(actor, row.partie.championship, manche_view(manche=row))
    return MancheSerializer(found).data


class ResultView(ApiView):
    """A version of a result."""

    @extend_schema(operation_id="get_result", tags=["manches"], responses={200: ResultSerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int, manche: int, version: int) -> Response:
        """A version of a manche's result, with its scores and its verdict."""
        return answer(
            ResultSerializer, _version(manche_view(manche=manche_at(self.actor, slug, number, manche)), version)
        )


def _version(found: Found, version: int) -> FoundResult:
    for result in found.versions:
        if result.version == version:
            return result
    raise NotFound


def list_results(request: Request, manche: Manche) -> Response:
    """The versions of a manche's result, first to last."""
    found = sorted(manche_view(manche=manche).versions, key=lambda result: result.version)
    asked = pages.asked(request)
    return pages.listing(request, VersionLineSerializer, window_of(found, asked, lambda result: (result.version,)))


class AsIs(BaseRenderer):
    """Lets a media type be asked for; what is answered in it is bytes already."""

    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """Never called: such views answer with bytes."""
        raise NotImplementedError


def as_is(media: str) -> type[AsIs]:
    """A renderer that lets `media` be asked for."""
    return type("AsIs", (AsIs,), {"media_type": media, "format": media.rpartition("/")[2]})


class DocumentView(ApiView):
    """A document."""

    stamped: ClassVar = True
    same_for_all: ClassVar = True

    renderer_classes = (as_is(JSON), as_is(BORNES), as_is(TEXT))

    @extend_schema(
        operation_id="get_document",
        tags=["manches"],
        parameters=[
            OpenApiParameter("writing", str, enum=Media.values, description="Goes before the Accept header."),
        ],
        responses={
            (200, JSON): OpenApiResponse(reference("Document"), description="A log or a sheet."),
            (200, BORNES): OpenApiResponse(str, description="A log in the text writing (RULES 9)."),
            **problems(400, 404, 406),
        },
    )
    def get(self, request: Request, slug: str, number: int, manche: int, version: int) -> HttpResponse:
        """The document of a version: the bytes as they came, unless a log is asked for in its other writing."""
        body, came_as = document_of(manche=manche_at(self.actor, slug, number, manche), version=version)
        writing = parameters.choice(request, "writing", Media.values) or _accepted(request, came_as)
        asked_for = body if writing == came_as else rewritten(body, writing)
        if asked_for is None:
            raise not_acceptable([JSON])
        return HttpResponse(asked_for, content_type=_welcome(request, writing) or MEDIA_TYPES[Media(writing)][0])


MEDIA_TYPES: Final = {Media.JSON: (JSON,), Media.TEXT: (BORNES, TEXT)}
"""What each writing may be called; the first is its own name."""


def _accepted(request: Request, came_as: str) -> str:
    """The writing in which a document came, if that is welcome; else the other one."""
    return came_as if _welcome(request, came_as) else next(other for other in MEDIA_TYPES if other != came_as)


def _welcome(request: Request, writing: str) -> str | None:
    """The first name of a writing that the Accept header lets through."""
    accepts = cast(Any, request)._request.accepts  # noqa: SLF001 — DRF's own request does not have it
    return next((media for media in MEDIA_TYPES[Media(writing)] if accepts(media)), None)


class StepsView(ApiView):
    """The moves of a log."""

    stamped: ClassVar = True
    same_for_all: ClassVar = True

    @extend_schema(
        operation_id="list_steps",
        tags=["manches"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(StepSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str, number: int, manche: int, version: int) -> Response:
        """The table after each move of a version that came as a log, beginning with the deal. A sheet has none."""
        found = list(moves_of(manche=manche_at(self.actor, slug, number, manche), version=version))
        return pages.listing(request, StepSerializer, window_of(found, pages.asked(request), lambda step: (step.at,)))
