"""Rounds: listed, drawn, published, locked, reopened, and the last step taken back (STANDINGS 2)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Literal

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages
from league.api.named import OwnId
from league.api.openapi import problems
from league.api.round_shapes import RoundDetailSerializer, RoundSerializer, names_given, shown_round
from league.api.running import check_state, running
from league.api.views import ApiView
from league.api.writing import Body, Data, Nothing, Reason, Written, body_as, made_once, require_match, write
from league.api.writing_schema import describe_write
from league.models import Championship, ExternalKind, Round, Scope
from league.policy import Action
from league.selectors.addresses import championship_at
from league.selectors.rounds import round_at, round_lines, round_of
from league.selectors.windows import window_of
from league.services.drafts import discard_draft
from league.services.draws import draw_round
from league.services.rounds import lock_round, publish_round, reopen_round, undo_step


class NewRound(Body):
    """How the next round is drawn."""

    unchecked: Literal["play", "absent"] = "play"
    anyway: bool = False
    one_more: bool = False
    external_id: OwnId | None = None


class Publication(Body):
    """A reason, where tables of earlier rounds that still play are postponed for it."""

    postpone_open: str = ""


class RoundsView(ApiView):
    """Rounds."""

    stamped: ClassVar = True
    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_rounds",
        tags=["rounds"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(RoundSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The rounds of a championship, first to last; one that is being drawn is not among them."""
        championship = championship_at(self.actor, slug)
        window = window_of(round_lines(championship=championship), pages.asked(request), lambda found: (found.number,))
        named = names_given(self.actor, championship, [one.id for one in window.items if one.id is not None])
        items = [replace(one, external_id=named.get(one.id or 0)) for one in window.items]
        return pages.listing(request, RoundSerializer, replace(window, items=items))

    @describe_write(
        operation_id="draw_round", tags=["rounds"], body=NewRound, answers=RoundDetailSerializer, makes=True
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Draw the next round into a draft; the first stage starts by itself, in the order of lots.

        `unchecked`: what those do who neither checked in nor played yet. `anyway`: draw while tables of earlier rounds
        are open, which count as level. `one_more`: a round beyond the plan of its stage.
        """
        asked = body_as(request, NewRound)

        def do() -> Written:
            championship = running(self, slug)

            def make() -> int:
                return draw_round(
                    actor=self.actor,
                    championship_id=championship.pk,
                    unchecked=asked.unchecked,
                    anyway=asked.anyway,
                    one_more=asked.one_more,
                ).pk

            def show(round_id: int) -> tuple[Data, str]:
                number = round_of(round_id=round_id)
                return shown_round(self.actor, championship, number), reverse("api-round", args=[slug, number])

            return made_once(
                self,
                request,
                kind=ExternalKind.ROUND,
                external_id=asked.external_id,
                make=make,
                show=show,
                championship_id=championship.pk,
            )

        return write(request, do)


class RoundView(ApiView):
    """A round."""

    writes: ClassVar = {"DELETE": Scope.MANAGE}
    rates: ClassVar = {"DELETE": "writes"}

    @extend_schema(operation_id="get_round", tags=["rounds"], responses={200: RoundDetailSerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A round with its tables; one that is being drawn only for who runs the championship."""
        return Response(shown_round(self.actor, championship_at(self.actor, slug), number))

    @describe_write(operation_id="discard_draft", tags=["rounds"], match=True)
    def delete(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Throw a draft away: the round can be drawn again."""

        def do() -> Written:
            championship = running(self, slug)
            round_ = round_at(championship=championship, number=number)
            require_match(request, shown_round(self.actor, championship, number))
            discard_draft(actor=self.actor, round_id=round_.pk, version=None)
            return Written(None)

        return write(request, do)


class RoundActionView(ApiView):
    """The base of what is done with a round that was drawn: answered with the round as it is then."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    def act(
        self,
        request: Request,
        slug: str,
        number: int,
        deed: Callable[[Championship, Round], Any],
        action: Action = Action.RUN,
    ) -> HttpResponse:
        """Do it, in one transaction, on the state that If-Match names; 204 if `deed` leaves nothing (False)."""

        def do() -> Written:
            championship = running(self, slug, action)
            round_ = round_at(championship=championship, number=number)
            check_state(request, lambda: shown_round(self.actor, championship, number))
            if deed(championship, round_) is False:
                return Written(None)
            return Written(shown_round(self.actor, championship, number))

        return write(request, do)


class PublishRoundView(RoundActionView):
    """Publishing a round."""

    @describe_write(
        operation_id="publish_round",
        tags=["rounds"],
        body=Publication,
        answers=RoundDetailSerializer,
        may_match=True,
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Make a draft a round that everybody sees, with its parties and byes; the round before is locked."""
        asked = body_as(request, Publication)
        return self.act(
            request,
            slug,
            number,
            lambda _championship, round_: publish_round(
                actor=self.actor, round_id=round_.pk, version=None, postpone_open=asked.postpone_open
            ),
        )


class LockRoundView(RoundActionView):
    """Locking a round."""

    @describe_write(operation_id="lock_round", tags=["rounds"], answers=RoundDetailSerializer, may_match=True)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Lock a published round: it is not reopened any more. Results still come in."""
        body_as(request, Nothing)
        return self.act(
            request,
            slug,
            number,
            lambda _championship, round_: lock_round(actor=self.actor, round_id=round_.pk, version=None),
        )


class ReopenRoundView(RoundActionView):
    """Reopening a round."""

    @describe_write(
        operation_id="reopen_round", tags=["rounds"], body=Reason, answers=RoundDetailSerializer, may_match=True
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Take the last round back into a draft: tables with a result stay, the others can be drawn again."""
        asked = body_as(request, Reason)
        return self.act(
            request,
            slug,
            number,
            lambda _championship, round_: reopen_round(
                actor=self.actor, round_id=round_.pk, version=None, reason=asked.reason
            ),
        )


class UndoRoundView(RoundActionView):
    """The last step of a round, taken back."""

    @describe_write(operation_id="undo_step", tags=["rounds"], answers=RoundDetailSerializer, gone=True, may_match=True)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Take the last step of the last round back: locked, published, draft, not drawn (204)."""
        body_as(request, Nothing)

        def deed(_championship: Championship, round_: Round) -> bool:
            return undo_step(actor=self.actor, round_id=round_.pk, version=None) is not None

        return self.act(request, slug, number, deed)
