"""A partie that is played later, and taken up again: it holds up nobody meanwhile."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpResponse
from rest_framework.request import Request

from league.api.parties import PartieSerializer, partie_shown
from league.api.running import check_state, running
from league.api.views import ApiView
from league.api.writing import Nothing, Reason, Written, body_as, write
from league.api.writing_schema import describe_write
from league.models import Partie, Scope
from league.policy import Action
from league.selectors.addresses import partie_at
from league.services.postponing import postpone_partie, resume_partie


class _PostponingView(ApiView):
    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    def act(self, request: Request, slug: str, number: int, deed: Callable[[Partie], Any]) -> HttpResponse:
        """Do it, in one transaction, on the state that If-Match names."""

        def do() -> Written:
            running(self, slug, Action.SETTLE)
            check_state(request, lambda: partie_shown(self.actor, partie_at(self.actor, slug, number)))
            deed(partie_at(self.actor, slug, number))
            return Written(partie_shown(self.actor, partie_at(self.actor, slug, number)))

        return write(request, do)


class PostponeView(_PostponingView):
    """Postponing."""

    @describe_write(
        operation_id="postpone_partie", tags=["parties"], body=Reason, answers=PartieSerializer, may_match=True
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Postpone an open partie: it counts as level in a draw, and its result is taken in whenever it comes."""
        asked = body_as(request, Reason)

        def deed(partie: Partie) -> None:
            postpone_partie(actor=self.actor, partie_id=partie.pk, version=None, reason=asked.reason)

        return self.act(request, slug, number, deed)


class ResumeView(_PostponingView):
    """Taking up."""

    @describe_write(operation_id="resume_partie", tags=["parties"], answers=PartieSerializer, may_match=True)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Let a postponed partie be played now: its entries sit at it again."""
        body_as(request, Nothing)

        def deed(partie: Partie) -> None:
            resume_partie(actor=self.actor, partie_id=partie.pk, version=None)

        return self.act(request, slug, number, deed)
