"""The clock of a round: read, set, started, held, given more time, stopped."""

from typing import Any, Literal

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.openapi import problems
from league.api.round_shapes import RoundDetailSerializer
from league.api.rounds import RoundActionView
from league.api.views import ApiView
from league.api.writing import Body, Nothing, body_as
from league.api.writing_schema import describe_write
from league.errors import NotFound
from league.models import ClockEnd
from league.selectors.addresses import championship_at
from league.selectors.clock import round_clock
from league.services.clock import add_minutes, pause_clock, set_clock, start_clock, stop_clock


class LiveClockSerializer(serializers.Serializer[Any]):
    """The clock at `now`, by the clock of this site."""

    round = serializers.IntegerField()
    state = serializers.ChoiceField(["off", "ready", "running", "paused", "over"])
    seconds_left = serializers.IntegerField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    minutes = serializers.IntegerField(allow_null=True)
    at_end = serializers.ChoiceField(ClockEnd.values)
    now = serializers.DateTimeField()


class ClockSettings(Body):
    """How long a round lasts, and what becomes of the manche under way then."""

    minutes: int
    at_end: Literal["finish", "stop"]


class Minutes(Body):
    """More minutes."""

    minutes: int


class ClockView(ApiView):
    """The clock of a round."""

    @extend_schema(operation_id="get_clock", tags=["clock"], responses={200: LiveClockSerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The clock of a published round, now."""
        found = round_clock(championship=championship_at(self.actor, slug), round_number=number)
        if found is None:
            raise NotFound
        return Response(LiveClockSerializer(found).data, headers={"Cache-Control": "no-store"})


class SetClockView(RoundActionView):
    """Setting the clock."""

    @describe_write(
        operation_id="set_clock", tags=["clock"], body=ClockSettings, answers=RoundDetailSerializer, may_match=True
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Choose how long a round lasts and what becomes of the manche under way then; the clock starts anew."""
        asked = body_as(request, ClockSettings)
        return self.act(
            request,
            slug,
            number,
            lambda _championship, round_: set_clock(
                actor=self.actor, round_id=round_.pk, version=None, minutes=asked.minutes, at_end=asked.at_end
            ),
        )


class StartClockView(RoundActionView):
    """Starting the clock."""

    @describe_write(operation_id="start_clock", tags=["clock"], answers=RoundDetailSerializer, may_match=True)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Start the clock, or let it go on; a running one stays as it is."""
        body_as(request, Nothing)
        return self.act(
            request, slug, number, lambda _championship, round_: start_clock(actor=self.actor, round_id=round_.pk)
        )


class PauseClockView(RoundActionView):
    """Holding the clock."""

    @describe_write(operation_id="pause_clock", tags=["clock"], answers=RoundDetailSerializer, may_match=True)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Hold the clock; one that does not run stays as it is."""
        body_as(request, Nothing)
        return self.act(
            request, slug, number, lambda _championship, round_: pause_clock(actor=self.actor, round_id=round_.pk)
        )


class AddMinutesView(RoundActionView):
    """More time."""

    @describe_write(
        operation_id="add_minutes", tags=["clock"], body=Minutes, answers=RoundDetailSerializer, may_match=True
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Give a round more minutes."""
        asked = body_as(request, Minutes)
        return self.act(
            request,
            slug,
            number,
            lambda _championship, round_: add_minutes(
                actor=self.actor, round_id=round_.pk, version=None, minutes=asked.minutes
            ),
        )


class StopClockView(RoundActionView):
    """Stopping the clock."""

    @describe_write(operation_id="stop_clock", tags=["clock"], answers=RoundDetailSerializer, may_match=True)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Let the time be up at once."""
        body_as(request, Nothing)
        return self.act(
            request, slug, number, lambda _championship, round_: stop_clock(actor=self.actor, round_id=round_.pk)
        )
