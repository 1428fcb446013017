"""What is decided about a manche: confirmed, settled, penalised, annulled, moved, turned; each can be tried first.

Whoever decides says what they have seen: `version` of the result, or If-Match with the ETag of manche or result.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from league.api.foreseen import DRY_RUN, TriedFirst, foreseen_answer, is_dry_run, or_foreseen
from league.api.manche_seen import check_seen, is_matched
from league.api.manches import MancheSerializer, manche_shown
from league.api.named import Number, Ref, number_named
from league.api.problems import RequestFault
from league.api.writing import Body, Written, body_as, write
from league.api.writing_schema import F, describe_write
from league.errors import NotFound, UserFault
from league.models import ExternalKind, Manche, Partie, Scope
from league.policy import Action, require
from league.selectors.addresses import manche_at, partie_at
from league.selectors.external_ids import object_named
from league.services.locks import lock_championship
from league.services.moving import move_result, turn_result
from league.services.rulings import confirm, penalise, reinstate_manche, settle_claim, void_manche

TAGS = ["rulings"]
At = tuple[str, int, int]
"""Slug, number of the partie, number of the manche."""


class SeenResultVersion(Body):
    """What was seen: the version of the result. It may be left out with If-Match."""

    version: Number | None = None


class MancheRuling(SeenResultVersion, kw_only=True):
    """A decision with its reason, which everybody may read."""

    reason: str


class ClaimSettlement(MancheRuling, kw_only=True):
    """How a claim that differs is settled (RULES 10)."""

    how: Literal["computed", "another_sheet", "referee"]


class ManchePenalty(MancheRuling, kw_only=True):
    """Points off the total of the side at a seat label, 0 to lift it (STANDINGS 2)."""

    label: str
    points: int


class ResultMove(MancheRuling, kw_only=True):
    """Where a result belongs. `partie` may be left out where `manche` is an external id."""

    manche: Ref
    partie: Ref | None = None


class ResultTurn(MancheRuling, kw_only=True):
    """By label: whose column each side gets."""

    sides: dict[str, str]


class MancheDeed(TriedFirst):
    """Something that is decided about a manche."""

    writes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.MANAGE}
    rates: ClassVar[Mapping[str, str]] = {"POST": "writes"}
    action: ClassVar[Action] = Action.SETTLE

    def do(
        self,
        request: Request,
        at: At,
        said: SeenResultVersion,
        deed: Callable[..., Any],
        *,
        besides: Sequence[Partie] = (),
        goal: At | None = None,
    ) -> HttpResponse:
        """Do a deed, a service that is told `manche_id` and `version`, and answer with the manche as it is then.

        `besides`: other parties that it may change. `goal`: the manche to answer with, if it is another one.
        """
        row = manche_at(self.actor, *at)
        championship = row.partie.championship
        require(self.actor, self.action, championship, row.partie)
        if is_dry_run(request):
            version = self._version(request, row, said)
            parties = {partie.pk: partie for partie in (row.partie, *besides)}.values()
            tried = partial(deed, actor=self.actor, manche_id=row.pk, version=version)
            return foreseen_answer(championship, list(parties), tried)

        def done() -> Written:
            lock_championship(pk=championship.pk)
            now = manche_at(self.actor, *at)
            deed(actor=self.actor, manche_id=now.pk, version=self._version(request, now, said))
            shown = manche_shown(self.actor, manche_at(self.actor, *(goal or at)))
            return Written(shown, location=reverse("api-manche", args=goal) if goal else "")

        return write(request, done)

    def _version(self, request: Request, row: Manche, said: SeenResultVersion) -> int:
        check_seen(request, self.actor, row)
        if said.version is not None:
            return said.version
        if not is_matched(request):
            message = _("Say what you have seen: `version` of the result, or If-Match with an ETag.")
            raise RequestFault("precondition-required", message, status=428, field="version")
        current = row.current
        return current.version if current is not None else 0  # the service says that there is none


def describe(operation_id: str, body: type[Body], *parameters: OpenApiParameter) -> Callable[[F], F]:
    """The description of a deed."""
    return describe_write(
        operation_id=operation_id,
        tags=TAGS,
        body=body,
        answers=or_foreseen(MancheSerializer),
        may_match=True,
        parameters=[DRY_RUN, *parameters],
        also=[428],
    )


class ConfirmView(MancheDeed):
    """A result confirmed."""

    @describe("confirm_result", SeenResultVersion)
    def post(self, request: Request, slug: str, number: int, manche: int) -> HttpResponse:
        """Let a result count that waits. Confirming it again changes nothing."""
        said = body_as(request, SeenResultVersion)
        return self.do(request, (slug, number, manche), said, confirm)


class SettleView(MancheDeed):
    """A claim settled."""

    @describe("settle_claim", ClaimSettlement)
    def post(self, request: Request, slug: str, number: int, manche: int) -> HttpResponse:
        """Settle a claim that differs from the computed score (RULES 10).

        `computed` and `referee` let the result count; `another_sheet` lets the table hand in another one.
        """
        said = body_as(request, ClaimSettlement)

        def deed(**about: Any) -> None:
            settle_claim(**about, how=said.how, reason=said.reason)

        return self.do(request, (slug, number, manche), said, deed)


class PenaliseView(MancheDeed):
    """Points taken off."""

    @describe("penalise", ManchePenalty)
    def post(self, request: Request, slug: str, number: int, manche: int) -> HttpResponse:
        """Set what is taken off the total of one side in a manche; 0 lifts it (STANDINGS 2)."""
        said = body_as(request, ManchePenalty)

        def deed(**about: Any) -> None:
            penalise(**about, label=said.label, points=said.points, reason=said.reason)

        return self.do(request, (slug, number, manche), said, deed)


class VoidView(MancheDeed):
    """A manche annulled."""

    @describe("void_manche", MancheRuling)
    def post(self, request: Request, slug: str, number: int, manche: int) -> HttpResponse:
        """Annul a manche that has a result: it counts for nothing."""
        said = body_as(request, MancheRuling)

        def deed(**about: Any) -> None:
            void_manche(**about, reason=said.reason)

        return self.do(request, (slug, number, manche), said, deed)


class ReinstateView(MancheDeed):
    """An annulment taken back."""

    @describe("reinstate_manche", MancheRuling)
    def post(self, request: Request, slug: str, number: int, manche: int) -> HttpResponse:
        """Take an annulment back: the manche counts again."""
        said = body_as(request, MancheRuling)

        def deed(**about: Any) -> None:
            reinstate_manche(**about, reason=said.reason)

        return self.do(request, (slug, number, manche), said, deed)


class MoveView(MancheDeed):
    """A result put where it belongs."""

    writes: ClassVar = {"POST": Scope.HAND_IN}
    action = Action.CORRECT

    @describe("move_result", ResultMove, OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[200]))
    def post(self, request: Request, slug: str, number: int, manche: int) -> HttpResponse:
        """Put a result where it belongs; where that manche has one too, the two are exchanged.

        The answer is the manche that it came to, `Location` its address. External ids go with the results.
        """
        said = body_as(request, ResultMove)
        partie_number, manche_number = self._goal(said)
        try:
            besides = [partie_at(self.actor, slug, partie_number)]
        except NotFound:
            besides = []  # which the service says

        def deed(**about: Any) -> None:
            move_result(**about, partie_number=partie_number, manche_number=manche_number, reason=said.reason)

        goal = (slug, partie_number, manche_number)
        return self.do(request, (slug, number, manche), said, deed, besides=besides, goal=goal)

    def _goal(self, said: ResultMove) -> tuple[int, int]:
        if isinstance(said.manche, int):
            if said.partie is None:
                raise UserFault("required", _("Say for which partie."), field="partie")
            return number_named(self, kind=ExternalKind.PARTIE, said=said.partie, field="partie"), said.manche
        found = object_named(
            actor=self.actor,
            slug=self.kwargs["slug"],
            kind=ExternalKind.MANCHE,
            external_id=said.manche[1:],
        )
        if found is None or found.partie is None:
            message = _("Nothing here has the external id “%(id)s”.") % {"id": said.manche[1:]}
            raise UserFault("unknown-reference", message, field="manche")
        return found.partie, found.number


class TurnView(MancheDeed):
    """The columns of a sheet under other sides."""

    writes: ClassVar = {"POST": Scope.HAND_IN}
    action = Action.CORRECT

    @describe("turn_result", ResultTurn)
    def post(self, request: Request, slug: str, number: int, manche: int) -> HttpResponse:
        """Give each side of a manche's sheet the column of another: a correction, as a new version."""
        said = body_as(request, ResultTurn)

        def deed(**about: Any) -> None:
            turn_result(**about, sides=said.sides, reason=said.reason)

        return self.do(request, (slug, number, manche), said, deed)
