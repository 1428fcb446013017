"""Handing in: a log or a sheet as it is, for a manche; the verdict is in the answer (DESIGN 2)."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.bodies import read_document
from league.api.examples import DOCUMENTS, HAND_IN_ANSWERS, REQUESTS
from league.api.foreseen import DRY_RUN, TriedFirst, foreseen_answer, is_dry_run, or_foreseen
from league.api.manche_seen import check_seen, is_matched
from league.api.manches import VersionLineSerializer, list_results
from league.api.openapi import problems
from league.api.problems import RequestFault, problem
from league.api.shapes import shape
from league.api.writing import idempotency_key
from league.models import Partie, PartieStatus, ResultState, Scope
from league.policy import Action, Actor, require
from league.selectors.addresses import manche_at, partie_at, partie_to_hand_in
from league.services.checking import warnings_of
from league.services.hand_in_answers import HandIn
from league.services.results import hand_in
from league.wording import verdict_in_words

PARAMETERS = [
    OpenApiParameter("reason", str, description="Why a result is corrected: everybody may read it."),
    OpenApiParameter("replaces", int, description="The version that the sender has seen, and corrects."),
    OpenApiParameter(
        "external_id", str, description="What the sender calls the manche: `~` and this names it from then on."
    ),
    OpenApiParameter(
        "acknowledged",
        str,
        description="Names of warnings of a sheet (`…/check`), with commas: somebody looked again, and it is so.",
    ),
    DRY_RUN,
    OpenApiParameter(
        "If-Match", str, OpenApiParameter.HEADER, description="The ETag of the manche or the result that was read."
    ),
    OpenApiParameter(
        "Idempotency-Key",
        str,
        OpenApiParameter.HEADER,
        description="1 to 100 visible characters of ASCII, quoted or bare; of the token's user, kept for two days.",
    ),
    OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[200, 201]),
    OpenApiParameter("Idempotency-Replayed", bool, OpenApiParameter.HEADER, response=[200, 201, 400, 422]),
]

VERSION_PAGE: Final = pages.page_of(VersionLineSerializer)
SAME_BYTES: Final = "The very bytes of the result that stands; with `dry_run` what would move."
_MALFORMED = frozenset({"malformed-log", "malformed-sheet"})


class HandInSerializer(serializers.Serializer[Any]):
    """What became of a document. `next_manche` is null when the partie is over or waits for a ruling.

    `second`: another person's entry of a manche whose result waits for one, without `replaces`. `state` is `confirmed`
    where both agree, else `contested`; `version` and `url` are those of the first entry.
    """

    outcome = serializers.ChoiceField(["recorded", "second", "repeated"])
    championship = serializers.SlugField()
    partie = serializers.IntegerField()
    manche = serializers.IntegerField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(ResultState.values)
    url = serializers.CharField()
    sha256 = serializers.CharField()
    verdict = shape("Verdict")
    partie_status = serializers.ChoiceField(PartieStatus.values)
    next_manche = serializers.IntegerField(allow_null=True)


class ResultsView(TriedFirst):
    """Documents in, results out. Nothing between the body's bytes and the service, which keeps them as they came."""

    stamped: ClassVar = True
    writes: ClassVar = {"POST": Scope.HAND_IN}
    rates: ClassVar = {"POST": "hand-ins"}

    @extend_schema(
        operation_id="list_results",
        tags=["manches"],
        parameters=pages.PARAMETERS,
        responses={200: VERSION_PAGE, **problems(400, 404)},
    )
    def get(self, request: Request, slug: str, number: int, manche: int) -> Response:
        """The versions of a manche's result, first to last."""
        return list_results(request, manche_at(self.actor, slug, number, manche))

    @extend_schema(
        operation_id="hand_in",
        tags=["hand-in"],
        parameters=PARAMETERS,
        request=REQUESTS,
        examples=[*DOCUMENTS, *HAND_IN_ANSWERS],
        responses={
            201: HandInSerializer,
            200: OpenApiResponse(or_foreseen(HandInSerializer), description=SAME_BYTES),
            **problems(
                *(400, 401, 403, 404, 409, 411, 412, 413, 415, 422),
                s400="Not a log or a sheet: `line` and `column` say where it stops being one. Kept as `attempt`. Also:",
                s409="`present` is the version that stands.",
                s422="`verdict` says why the rules refuse it, `code` is its first; it is kept as `attempt`. Also:",
            ),
        },
    )
    def post(self, request: Request, slug: str, number: int, manche: int) -> HttpResponse:
        """Hand in a log or a sheet for a manche, as it is: the body is kept byte for byte.

        A manche that has a result takes another document only as a correction, with `reason` and `replaces`, and with
        If-Match only in the state that it names. Send an `Idempotency-Key`; the same request with the same key is
        answered as the first time (`Idempotency-Replayed`).
        """
        return taken(request, self.actor, slug, number, manche)


def taken(request: Request, actor: Actor, slug: str, number: int, manche: int | None) -> HttpResponse:
    """What became of the document that a request brings for a manche, None: for that of its `external_id`."""
    partie = partie_to_hand_in(actor, slug, number)  # which also says the actor's role
    require(actor, Action.HAND_IN, partie.championship, partie)
    external_id = parameters.text(request, "external_id") or ""
    if manche is None and not external_id:
        raise RequestFault("bad-parameter", _("Say what you call the manche."), field="external_id")
    body = read_document(request)

    def check(meant: int) -> None:
        check_seen(request, actor, manche_at(actor, slug, number, meant))

    do = partial(
        hand_in,
        actor=actor,
        partie_id=partie.pk,
        number=manche,
        body=body,
        reason=parameters.text(request, "reason") or "",
        replaces=parameters.integer(request, "replaces"),
        acknowledged=_acknowledged(request, body),
        external_id=external_id,
        check=check if is_matched(request) else None,
    )
    if is_dry_run(request):
        return _tried(partie_at(actor, slug, number), do)
    answered = do(idempotency_key=idempotency_key(request), waits=False)
    return refused(request, answered) if answered.refused else recorded(slug, answered)


def _tried(partie: Partie, do: Callable[[], HandIn]) -> HttpResponse:
    """What a document would move. Raises what the rules refuse it for: it is not kept as an attempt."""

    def taken_or_refused() -> None:
        fault = do().fault()
        if fault is None:
            return
        verdict = fault.extra["verdict"]
        fault.extra |= {"verdict": verdict_in_words(verdict), "attempt": None}
        if fault.code in _MALFORMED:
            raise RequestFault(fault.code, str(fault.message), extra=fault.extra | _place(verdict))
        raise fault

    return foreseen_answer(partie.championship, [partie], taken_or_refused)


def _acknowledged(request: Request, body: bytes) -> list[str]:
    """The warnings of a sheet of which the sender says that it is so. Raises RequestFault for what is none of them."""
    said = parameters.text(request, "acknowledged")
    if not said:
        return []
    names, known = said.split(","), [warning.name for warning in warnings_of(body=body)]
    if not set(names) <= set(known):
        message = _("Only warnings of this sheet can be acknowledged: %(known)s.") % {"known": ", ".join(known) or "—"}
        raise RequestFault("bad-parameter", message, field="acknowledged")
    return names


def recorded(slug: str, answered: HandIn) -> HttpResponse:
    """201 for what is new, 200 for bytes that were there already."""
    address = reverse("api-result", args=(slug, answered.partie, answered.manche, answered.version))
    body = {
        "outcome": answered.outcome,
        "championship": slug,
        "partie": answered.partie,
        "manche": answered.manche,
        "version": answered.version,
        "state": answered.state,
        "url": address,
        "sha256": answered.sha256,
        "verdict": verdict_in_words(answered.verdict),
        "partie_status": answered.partie_status,
        "next_manche": answered.next_manche,
    }
    response = HttpResponse(
        msgspec.json.encode(body),
        status=200 if answered.outcome == "repeated" else 201,
        content_type="application/json",
        headers={"Location": address, "Cache-Control": "no-store"},
    )
    return _marked(response, answered)


def refused(request: Any, answered: HandIn) -> HttpResponse:
    """422 with the verdict inside; 400 with line and column for what is not of its format. The attempt is kept."""
    fault = answered.fault()
    assert fault is not None
    fault.extra["verdict"] = verdict_in_words(answered.verdict)
    status = None
    if fault.code in _MALFORMED:
        status = 400
        fault.extra |= _place(answered.verdict)
    return _marked(problem(request, fault, status=status), answered)


def _place(verdict: dict[str, Any]) -> dict[str, int | None]:
    why = verdict["why"]
    first = why[0] if isinstance(why, list) else why
    return {"line": first.get("line"), "column": first.get("column")}


def _marked(response: HttpResponse, answered: HandIn) -> HttpResponse:
    if answered.replayed:
        response["Idempotency-Replayed"] = "true"
    return response
