"""A manche: its score line by line, its versions, its moves step by step, and its documents to take away."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.text import slugify

from league.errors import NotFound
from league.models import Manche, Media
from league.selectors.addresses import manche_at
from league.selectors.manches import MancheView, ResultView, document_of, manche_view, moves_of, rewritten
from league.web.game import replay
from league.web.organiser.asked import actor_of
from league.web.result_table import result_table
from league.web.seen import for_anybody, head_of, number_in

ENDINGS: Final = {
    "json": (Media.JSON, "application/json"),
    "bornes": (Media.TEXT, "text/plain; charset=utf-8"),
}
"""Endings of files: the writing, and the media type that it is sent as."""


@for_anybody
def manche_page(request: HttpRequest, slug: str, number: int, manche: int) -> HttpResponse:
    """The result that stands, or the version that the query string names (`version`), line by line."""
    row = manche_at(actor_of(request), slug, number, manche)
    view = manche_view(manche=row)
    result = _asked_version(request, view)
    context = _context(row, view) | {"result": result}
    if result is not None:
        context["table"] = result_table(result, row.partie.championship)
        context["differences"] = result.verdict.get("claim_differences", ())
    return render(request, "championship/manche.html", context)


@for_anybody
def moves_page(request: HttpRequest, slug: str, number: int, manche: int) -> HttpResponse:
    """The table after a number of moves (`step` in the query string, from 0) of a version that came as a log.

    Asked by htmx, only the part that changes.
    """
    row = manche_at(actor_of(request), slug, number, manche)
    view = manche_view(manche=row)
    result = _asked_version(request, view)
    if result is None:
        raise NotFound
    names = {label: name for label, (_number, name) in view.teams.items()}
    team_of = {seat: seat[0].upper() for seat in view.seats}
    found = list(moves_of(manche=row, version=result.version))
    shown = replay(found, number_in(request, "step", 0), names, team_of)
    kept = f"version={result.version}&" if "version" in request.GET else ""
    context = _context(row, view) | {"result": result, "replay": shown, "kept": kept}
    part = getattr(request, "htmx", False)
    response = render(request, "championship/step.html" if part else "championship/moves.html", context)
    patch_vary_headers(response, ["HX-Request"])  # one address, two answers
    return response


@for_anybody
def document(
    request: HttpRequest, slug: str, number: int, manche: int, version: int, kind: str, ending: str
) -> HttpResponse:
    """A version's document: the bytes as they came in the writing that they came in, else converted (RULES 9)."""
    row = manche_at(actor_of(request), slug, number, manche)
    result = _version(manche_view(manche=row), version)
    if kind != result.kind or ending not in ENDINGS:
        raise NotFound
    writing, media_type = ENDINGS[ending]
    body: bytes | None = document_of(manche=row, version=version)[0]
    if body is not None and result.media != writing:
        body = rewritten(body, writing)
    if body is None:  # a sheet has no text writing
        raise NotFound
    name = f"{slugify(slug)}-{number}-{manche}-v{version}.{ending}"
    return HttpResponse(
        body,
        content_type=media_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"', "X-Robots-Tag": "noindex"},
    )


def _context(row: Manche, view: MancheView) -> dict[str, Any]:
    return head_of(row.partie.championship, "parties") | {"partie": row.partie, "manche": view}


def _asked_version(request: HttpRequest, view: MancheView) -> ResultView | None:
    return _version(view, number_in(request, "version", 0)) if "version" in request.GET else view.current


def _version(view: MancheView, number: int) -> ResultView:
    found = next((version for version in view.versions if version.version == number), None)
    if found is None:
        raise NotFound
    return found
