"""Manches under the ids of whoever hands in: read and handed in for without their numbers."""

from typing import Any, ClassVar, Final

from django.http import HttpResponse
from django.urls import register_converter
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import hand_in, manches, pages
from league.api.examples import DOCUMENTS, HAND_IN_ANSWERS, REQUESTS
from league.api.foreseen import TriedFirst, or_foreseen
from league.api.hand_in import PARAMETERS, SAME_BYTES, VERSION_PAGE, HandInSerializer
from league.api.manches import MancheSerializer, list_results
from league.api.openapi import problems
from league.api.references import External
from league.models import EXTERNAL_ID, ExternalKind, Scope
from league.selectors.addresses import manche_at


class OwnManche:
    """The converter of an address that names a manche without its partie: `~` and an external id."""

    regex = f"~{EXTERNAL_ID}"

    def to_python(self, value: str) -> External:
        """What is looked up before the method is called."""
        return External(ExternalKind.MANCHE, value[1:])

    def to_url(self, value: object) -> str:
        """As it stands, with its tilde."""
        return str(value)


def register() -> None:
    """Make the converter `own_manche`."""
    register_converter(OwnManche, "own_manche")


_NAMED: Final = OpenApiParameter("manche", str, OpenApiParameter.PATH, description="`~` and its external id.")
_ANSWERS: Final[dict[Any, Any]] = {
    201: HandInSerializer,
    200: OpenApiResponse(or_foreseen(HandInSerializer), description=SAME_BYTES),
    **problems(
        *(400, 401, 403, 404, 409, 411, 412, 413, 415, 422),
        s409="`present` is the version that stands.",
        s422="`verdict` says why the rules refuse it, `code` is its first; it is kept as `attempt`. Also:",
    ),
}


class OwnMancheView(manches.MancheView):
    """A manche by its external id."""

    @extend_schema(
        operation_id="get_own_manche",
        tags=["manches"],
        parameters=[_NAMED],
        responses={200: MancheSerializer, **problems(404)},
    )
    def get(self, request: Request, slug: str, number: int, manche: int) -> Response:
        """A manche by the id that a program gave it, as by its number."""
        return super().get(request, slug, number, manche)


class OwnResultsView(hand_in.ResultsView):
    """The results of a manche by its external id."""

    @extend_schema(
        operation_id="list_own_results",
        tags=["manches"],
        parameters=[_NAMED, *pages.PARAMETERS],
        responses={200: VERSION_PAGE, **problems(400, 404)},
    )
    def get(self, request: Request, slug: str, number: int, manche: int) -> Response:
        """The versions of a manche's result by the id that a program gave it."""
        return list_results(request, manche_at(self.actor, slug, number, manche))

    @extend_schema(
        operation_id="hand_in_own",
        tags=["hand-in"],
        parameters=[_NAMED, *PARAMETERS],
        request=REQUESTS,
        examples=[*DOCUMENTS, *HAND_IN_ANSWERS],
        responses=_ANSWERS,
    )
    def post(self, request: Request, slug: str, number: int, manche: int) -> HttpResponse:
        """Hand in for a manche by the id that it was given before: a correction, or a second entry."""
        return super().post(request, slug, number, manche)


class PartieResultsView(TriedFirst):
    """Documents for a partie whose manches the sender names."""

    writes: ClassVar = {"POST": Scope.HAND_IN}
    rates: ClassVar = {"POST": "hand-ins"}

    @extend_schema(
        operation_id="hand_in_next",
        tags=["hand-in"],
        parameters=PARAMETERS,
        request=REQUESTS,
        examples=[*DOCUMENTS, *HAND_IN_ANSWERS],
        responses=_ANSWERS,
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Hand in for the manche of `external_id`, else for the one that is awaited, which has that id from then on.

        Sent again after an answer that got lost it comes to the same manche: no number need be counted.
        """
        return hand_in.taken(request, self.actor, slug, number, None)
