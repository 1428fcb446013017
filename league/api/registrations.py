"""Registrations: those who want to take part, for organisers: looked at, accepted, declined."""

from typing import Annotated, Any, ClassVar

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.forms import NEW_OR_NAMED
from league.api.named import Number
from league.api.openapi import problems
from league.api.players import player_said
from league.api.running import check_state, running
from league.api.views import ApiView, answer
from league.api.writing import Body, Data, Nothing, Written, body_as, write
from league.api.writing_schema import describe_write
from league.models import Championship, RegistrationState, Scope
from league.policy import Action, require
from league.selectors.registration_items import registration_item, registration_items
from league.services.registrations import accept_clear, accept_registration, decline_registration


class RegisteredSerializer(serializers.Serializer[Any]):
    """Somebody who registered, as typed, and whom they may be."""

    name = serializers.CharField()
    club = serializers.CharField()
    licence = serializers.CharField()
    email = serializers.CharField()
    is_minor = serializers.BooleanField()
    known = serializers.ListField(
        child=serializers.IntegerField(), help_text="Players of this or nearly this name, by id."
    )
    likely = serializers.IntegerField(allow_null=True, help_text="The player whom it may well be.")
    player = serializers.IntegerField(allow_null=True, help_text="The player who it surely is.")
    is_new = serializers.BooleanField(help_text="It is surely nobody who is known.")


class RegistrationSerializer(serializers.Serializer[Any]):
    """A registration: under its number they have a place, or wait for one."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(RegistrationState.values)
    team_name = serializers.CharField()
    note = serializers.CharField()
    people = RegisteredSerializer(many=True)
    settled = serializers.BooleanField(
        allow_null=True, help_text="It can be accepted without a question; null once it is decided."
    )
    faults = serializers.ListField(child=serializers.CharField(), help_text="Codes of what keeps it from that.")
    reason = serializers.CharField()
    entry = serializers.IntegerField(allow_null=True, help_text="The number of the entry that it became.")
    at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)


_Who = Number | Annotated[str, msgspec.Meta(pattern=NEW_OR_NAMED)]


class Acceptance(Body):
    """Who those who registered are, in their order: a player, `new`, or null for what is sure."""

    people: Annotated[list[_Who | None], msgspec.Meta(max_length=2)] = msgspec.field(default_factory=list)


class Declining(Body):
    """Why: whoever registered reads it."""

    reason: str


class AcceptedRegistrationsSerializer(serializers.Serializer[Any]):
    """The registrations that were accepted, by number."""

    accepted = serializers.ListField(child=serializers.IntegerField())


class RegistrationsView(ApiView):
    """Registrations."""

    @extend_schema(
        operation_id="list_registrations",
        tags=["people"],
        parameters=[*pages.PARAMETERS, OpenApiParameter("state", str, enum=RegistrationState.values)],
        responses={200: pages.page_of(RegistrationSerializer), **problems(400, 403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The registrations of a championship in their order, for who may look inside of it."""
        championship = self.championship
        require(self.actor, Action.LOOK_INSIDE, championship)
        found = registration_items(
            championship=championship,
            asked=pages.asked(request),
            state=parameters.choice(request, "state", RegistrationState.values),
        )
        return pages.listing(request, RegistrationSerializer, found)


class RegistrationView(ApiView):
    """A registration."""

    @extend_schema(
        operation_id="get_registration",
        tags=["people"],
        responses={200: RegistrationSerializer, **problems(403, 404)},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A registration by its number, for who may look inside of the championship."""
        championship = self.championship
        require(self.actor, Action.LOOK_INSIDE, championship)
        return answer(RegistrationSerializer, registration_item(championship=championship, number=number))


def _shown(championship: Championship, number: int) -> Data:
    data: Data = RegistrationSerializer(registration_item(championship=championship, number=number)).data
    return data


class AcceptView(ApiView):
    """A registration that is accepted."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="accept_registration",
        tags=["people"],
        body=Acceptance,
        answers=RegistrationSerializer,
        may_match=True,
        s409="`registration-unsettled`: `people` must say who somebody is; `registration-decided`.",
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Enter those who registered: each as a new player, or as the known one that `people` names."""
        asked, actor = body_as(request, Acceptance), self.actor

        def do() -> Written:
            championship = running(self, slug)
            found = registration_item(championship=championship, number=number)
            check_state(request, lambda: _shown(championship, number))
            answers = {
                f"{number}.{place}": who if who == "new" else str(self._player(who, place - 1))
                for place, who in enumerate(asked.people, 1)
                if who is not None
            }
            accept_registration(actor=actor, registration_id=found.id, version=None, answers=answers)
            return Written(_shown(championship, number))

        return write(request, do)

    def _player(self, who: int | str, place: int) -> int:
        return player_said(self, who, field=f"people[{place}]")


class DeclineView(ApiView):
    """A registration that is declined."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="decline_registration",
        tags=["people"],
        body=Declining,
        answers=RegistrationSerializer,
        may_match=True,
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Decline a registration; its sender is told why, and who waits moves up."""
        asked, actor = body_as(request, Declining), self.actor

        def do() -> Written:
            championship = running(self, slug)
            found = registration_item(championship=championship, number=number)
            check_state(request, lambda: _shown(championship, number))
            decline_registration(actor=actor, registration_id=found.id, version=None, reason=asked.reason)
            return Written(_shown(championship, number))

        return write(request, do)


class AcceptClearView(ApiView):
    """All about whom there is nothing to ask."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="accept_clear_registrations", tags=["people"], answers=AcceptedRegistrationsSerializer)
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Accept all with a place about whom there is nothing to ask: plainly new, or surely known."""
        body_as(request, Nothing)
        actor = self.actor

        def do() -> Written:
            championship = running(self, slug)
            made = accept_clear(actor=actor, championship_id=championship.pk)
            return Written({"accepted": [one.position for one in made]}, etag=False)

        return write(request, do)
