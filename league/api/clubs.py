"""Clubs."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages
from league.api.openapi import problems
from league.api.views import ApiView
from league.api.writing import Body, Data, Written, body_as, made_once, write
from league.api.writing_schema import describe_write
from league.models import ExternalKind, Scope
from league.policy import Action, require
from league.selectors import lists
from league.services.people import add_club


class ClubSerializer(serializers.Serializer[Any]):
    """A club. `players` counts those of public championships."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    players = serializers.IntegerField()


class NewClub(Body):
    """A club to be made."""

    name: str
    external_id: str | None = None


class ClubsView(ApiView):
    """Clubs."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_clubs",
        tags=["people"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(ClubSerializer), **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """Clubs by name."""
        return pages.listing(request, ClubSerializer, lists.clubs(asked=pages.asked(request)))

    @describe_write(operation_id="add_club", tags=["people"], body=NewClub, answers=ClubSerializer, makes=True)
    def post(self, request: Request) -> HttpResponse:
        """Make a club. A name that another one has, accents and case aside, is refused: `club-exists`."""
        asked = body_as(request, NewClub)

        def make() -> int:
            require(self.actor, Action.CREATE)
            return add_club(actor=self.actor, name=asked.name).pk

        def do() -> Written:
            kind, external_id = ExternalKind.CLUB, asked.external_id
            return made_once(self, request, kind=kind, external_id=external_id, make=make, show=_shown_club)

        return write(self, request, do)


def _shown_club(club_id: int) -> tuple[Data, str]:
    found = lists.club(club_id=club_id)
    return ClubSerializer(found).data, reverse("api-clubs")
