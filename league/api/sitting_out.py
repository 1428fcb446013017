"""Who does not play a round: absences, announced before it is drawn, and byes (STANDINGS 2).

A round need not be drawn yet, nor at all: its number is enough.
"""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages
from league.api.named import Ref
from league.api.openapi import problems
from league.api.running import entry_in, entry_named, for_who_draws, running
from league.api.views import ApiView, answer
from league.api.writing import Body, Data, Reason, Written, body_as, require_match, write
from league.api.writing_schema import describe_write
from league.errors import NotFound
from league.models import Championship, Scope
from league.selectors.addresses import championship_at
from league.selectors.organising import ByeLine, byes_of_round
from league.selectors.rounds import AbsenceLine, absences
from league.selectors.windows import window_of
from league.services.absences import announce_absence, take_absence_back
from league.services.parties import add_bye, remove_bye


class AbsenceSerializer(serializers.Serializer[Any]):
    """An entry that announced not to play a round."""

    round = serializers.IntegerField()
    entry = serializers.IntegerField()
    team = serializers.CharField()
    rounds = serializers.ListField(
        child=serializers.IntegerField(), help_text="All rounds that it announced not to play."
    )


class NewAbsence(Body):
    """An entry that does not play the round of the address, nor those after it up to `last`."""

    entry: Ref
    last: int | None = None


class AbsencesView(ApiView):
    """Absences."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_absences",
        tags=["rounds"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(AbsenceSerializer), **problems(400, 403, 404)},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Who announced not to play a round, by entry, for who runs the championship."""
        found = absences(championship=for_who_draws(self, slug), round_number=number)
        return pages.listing(request, AbsenceSerializer, window_of(found, pages.asked(request), _entry))

    @describe_write(
        operation_id="announce_absence", tags=["rounds"], body=NewAbsence, answers=AbsenceSerializer, makes=True
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Note that an entry does not play a round, or several; a draft that seats it must be drawn again."""
        asked = body_as(request, NewAbsence)

        def do() -> Written:
            championship = running(self, slug)
            entry_number, entry_id = entry_named(self, championship, asked.entry)
            noted = announce_absence(actor=self.actor, entry_id=entry_id, first=number, last=asked.last)
            shown = _absence(championship, number, entry=entry_number)
            address = reverse("api-absence", args=[slug, number, entry_number])
            return Written(shown, 201 if noted else 200, address)

        return write(request, do)


def _entry(found: AbsenceLine) -> tuple[int]:
    return (found.entry,)


def _absence(championship: Championship, number: int, **which: int) -> Data:
    found = absences(championship=championship, round_number=number, **which)
    if not found:
        raise NotFound
    data: Data = AbsenceSerializer(found[0]).data
    return data


class AbsenceView(ApiView):
    """An absence."""

    writes: ClassVar = {"DELETE": Scope.MANAGE}
    rates: ClassVar = {"DELETE": "writes"}

    @extend_schema(
        operation_id="get_absence", tags=["rounds"], responses={200: AbsenceSerializer, **problems(403, 404)}
    )
    def get(self, request: Request, slug: str, number: int, entry: int) -> Response:
        """Whether an entry announced not to play a round; 404 if not."""
        return Response(_absence(for_who_draws(self, slug), number, entry=entry))

    @describe_write(operation_id="take_absence_back", tags=["rounds"], match=True)
    def delete(self, request: Request, slug: str, number: int, entry: int) -> HttpResponse:
        """Let an entry play a round after all."""

        def do() -> Written:
            championship = running(self, slug)
            require_match(request, _absence(championship, number, entry=entry))
            entry_id = entry_in(championship, entry)
            take_absence_back(actor=self.actor, entry_id=entry_id, round_number=number)
            return Written(None)

        return write(request, do)


class ByeLineSerializer(serializers.Serializer[Any]):
    """A bye of a round."""

    entry = serializers.IntegerField(source="number")
    team = serializers.CharField()


class NewBye(Body):
    """An entry that has a bye in the round of the address."""

    entry: Ref


class ByesView(ApiView):
    """Byes."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_byes",
        tags=["rounds"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(ByeLineSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The byes of a round, by entry."""
        found = byes_of_round(championship=championship_at(self.actor, slug), round_number=number)
        return pages.listing(request, ByeLineSerializer, window_of(found, pages.asked(request), _number))

    @describe_write(operation_id="add_bye", tags=["rounds"], body=NewBye, answers=ByeLineSerializer, makes=True)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Give an entry a bye in a round in which it does not play."""
        asked = body_as(request, NewBye)

        def do() -> Written:
            championship = running(self, slug)
            entry, entry_id = entry_named(self, championship, asked.entry)
            before = {bye.number for bye in byes_of_round(championship=championship, round_number=number)}
            add_bye(actor=self.actor, entry_id=entry_id, round=number)
            shown = ByeLineSerializer(_bye(championship, number, entry)).data
            return Written(shown, 200 if entry in before else 201, reverse("api-bye", args=[slug, number, entry]))

        return write(request, do)


def _number(found: ByeLine) -> tuple[int]:
    return (found.number,)


def _bye(championship: Championship, number: int, entry: int) -> ByeLine:
    for bye in byes_of_round(championship=championship, round_number=number):
        if bye.number == entry:
            return bye
    raise NotFound


class ByeView(ApiView):
    """A bye."""

    @extend_schema(operation_id="get_bye", tags=["rounds"], responses={200: ByeLineSerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int, entry: int) -> Response:
        """Whether an entry has a bye in a round; 404 if not."""
        return answer(ByeLineSerializer, _bye(championship_at(self.actor, slug), number, entry))


class RemoveByeView(ApiView):
    """Taking a bye away."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="remove_bye", tags=["rounds"], body=Reason)
    def post(self, request: Request, slug: str, number: int, entry: int) -> HttpResponse:
        """Take a bye away, for a reason that everybody may read."""
        asked = body_as(request, Reason)

        def do() -> Written:
            championship = running(self, slug)
            remove_bye(actor=self.actor, bye_id=_bye(championship, number, entry).id, reason=asked.reason)
            return Written(None)

        return write(request, do)
