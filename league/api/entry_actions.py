"""What is done to an entry: withdrawn and taken back, penalised, checked in and out."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

import msgspec
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from league.api.entries import EntrySerializer, shown_entry
from league.api.running import check_state, running
from league.api.views import ApiView
from league.api.writing import Nothing, Reason, Written, body_as, write
from league.api.writing_schema import describe_write
from league.errors import NotFound
from league.models import Scope
from league.selectors.organising import entry_id_of
from league.services.check_in import check_in, check_in_all, check_out
from league.services.entries import penalise_entry, reinstate, withdraw


class EntryPenalty(Reason):
    """What is taken off an entry's primary key in all, and why; 0 lifts it."""

    points: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class CheckedInSerializer(serializers.Serializer[Any]):
    """How many entries were not there before."""

    checked_in = serializers.IntegerField()


class _ActionView(ApiView):
    """Something done to an entry of a championship that the actor runs."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    def done(self, request: Request, slug: str, number: int, do: Callable[[int], Any]) -> HttpResponse:
        """Do it to the entry, by its id, in the state that was read where If-Match names one; answer the entry."""

        def act() -> Written:
            championship = running(self, slug)
            entry_id = entry_id_of(championship=championship, number=number)
            if entry_id is None:
                raise NotFound
            check_state(request, lambda: shown_entry(self, championship, number=number))
            do(entry_id)
            return Written(shown_entry(self, championship, number=number))

        return write(request, act)


class WithdrawView(_ActionView):
    """An entry's withdrawal."""

    @describe_write(
        operation_id="withdraw_entry",
        tags=["people"],
        body=Reason,
        answers=EntrySerializer,
        may_match=True,
        s409="`at-a-table`: `partie` is still open there.",
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Withdraw an entry: its results stay, it has no rank (STANDINGS 2). Withdrawn already, it stays so."""
        asked, actor = body_as(request, Reason), self.actor
        return self.done(request, slug, number, lambda id_: withdraw(actor=actor, entry_id=id_, reason=asked.reason))


class ReinstateView(_ActionView):
    """A withdrawal that is taken back."""

    @describe_write(
        operation_id="reinstate_entry", tags=["people"], body=Reason, answers=EntrySerializer, may_match=True
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Take a withdrawn entry back in."""
        asked, actor = body_as(request, Reason), self.actor
        return self.done(request, slug, number, lambda id_: reinstate(actor=actor, entry_id=id_, reason=asked.reason))


class PenaliseView(_ActionView):
    """A penalty on the championship."""

    @describe_write(
        operation_id="penalise_entry", tags=["people"], body=EntryPenalty, answers=EntrySerializer, may_match=True
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Set what is taken off an entry's primary key in all (STANDINGS 2); 0 lifts it."""
        asked, actor = body_as(request, EntryPenalty), self.actor

        def penalise(entry_id: int) -> None:
            penalise_entry(actor=actor, entry_id=entry_id, points=asked.points, reason=asked.reason)

        return self.done(request, slug, number, penalise)


class CheckInView(_ActionView):
    """An entry that is there."""

    @describe_write(
        operation_id="check_entry_in",
        tags=["people"],
        answers=EntrySerializer,
        may_match=True,
        s409="`withdrawn`: it is reinstated first.",
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Note that an entry is there. Checked in already, it stays so."""
        body_as(request, Nothing)
        actor = self.actor
        return self.done(request, slug, number, lambda id_: check_in(actor=actor, entry_id=id_))


class CheckOutView(_ActionView):
    """A check-in that is taken back."""

    @describe_write(operation_id="check_entry_out", tags=["people"], answers=EntrySerializer, may_match=True)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Take a check-in back."""
        body_as(request, Nothing)
        actor = self.actor
        return self.done(request, slug, number, lambda id_: check_out(actor=actor, entry_id=id_))


class CheckAllInView(ApiView):
    """Everybody who is there."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="check_all_in", tags=["people"], answers=CheckedInSerializer)
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Note that every entry that has not withdrawn is there."""
        body_as(request, Nothing)
        actor = self.actor

        def do() -> Written:
            championship = running(self, slug)
            count = check_in_all(actor=actor, championship_id=championship.pk)
            return Written({"checked_in": count}, etag=False)

        return write(request, do)
