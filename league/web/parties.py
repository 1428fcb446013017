"""Rounds, parties and entries of a championship, and players."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from engine.rulebooks import RULEBOOKS
from league.errors import NotFound
from league.models import Championship, RoundStatus
from league.selectors.addresses import entry_at, partie_at
from league.selectors.bracket import bracket_of_round
from league.selectors.entry_rounds import rounds_of_entry
from league.selectors.hall import round_state
from league.selectors.parties import Round, partie_view, parties, rounds
from league.selectors.people import entries, entry_line, kept_player_id, player_view
from league.selectors.ranking import live_neighbours
from league.selectors.substitutes import shown_stand_ins
from league.selectors.where_i_play import entries_called, parties_with
from league.web.organiser.asked import actor_of
from league.web.ranking_words import standing_of
from league.web.seen import championship_page, for_anybody, head_of, number_in, page_number


@for_anybody
def rounds_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The parties of a round, the last one unless the query string names another (`round`)."""
    championship, context = championship_page(request, slug, "parties")
    played = rounds(championship=championship)
    asked = number_in(request, "round", played[-1].number if played else 0)
    shown = next((one for one in played if one.number == asked), None)
    if played and shown is None:
        raise NotFound
    context |= {"rounds": played, "round": shown}
    if shown is not None:
        context |= _tables(request, championship, shown)
        state = round_state(championship=championship, round_number=asked)
        context["is_reopened"] = state is not None and state.status == RoundStatus.DRAFT
        if state is not None and state.status != RoundStatus.DRAFT:
            context |= {"state": state, "bracket": bracket_of_round(championship=championship, round_number=asked)}
    return render(request, "championship/parties.html", context)


def _tables(request: HttpRequest, championship: Championship, shown: Round) -> dict[str, Any]:
    """The tables of a round, or those at which whoever is looked for sits (`q`), with their byes."""
    text, page = request.GET.get("q", "")[:100].replace("\0", "").strip(), page_number(request)
    kept = urlencode({"round": shown.number} | ({"q": text} if text else {})) + "&"
    if not text:
        found = parties(championship=championship, round_number=shown.number, number=page)
        return {"page": found, "kept": kept}
    numbers = entries_called(championship=championship, text=text)
    return {
        "page": parties_with(championship=championship, round_number=shown.number, entries=numbers, number=page),
        "byes_found": [bye for bye in shown.byes if bye[0] in numbers],
        "kept": kept,
        "q": text,
    }


@for_anybody
def partie_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A partie: who sits where, the manches, places and match points."""
    row = partie_at(actor_of(request), slug, number)
    context = head_of(row.championship, "parties") | {
        "partie": partie_view(partie=row),
        "stand_ins": shown_stand_ins(championship=row.championship, partie=row),
    }
    return render(request, "championship/partie.html", context)


@for_anybody
def entries_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The entries by number."""
    championship, context = championship_page(request, slug, "entries")
    context["page"] = entries(championship=championship, number=page_number(request))
    return render(request, "championship/entries.html", context)


@for_anybody
def entry_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """An entry: where it stands and why there, and its parties."""
    row = entry_at(actor_of(request), slug, number)
    neighbours = live_neighbours(entry=row)
    context = head_of(row.championship, "entries") | {
        "standing": standing_of(neighbours) if neighbours else None,
        "entry": entry_line(row),
        "entry_rounds": rounds_of_entry(championship=row.championship, entry=row),
        "has_points": RULEBOOKS[row.championship.rulebook].has_points,
    }
    return render(request, "championship/entry.html", context)


@for_anybody
def player_page(request: HttpRequest, player_id: int) -> HttpResponse:
    """A player with the championships that the visitor may see; nobody who plays in none of them."""
    try:
        player = player_view(actor=actor_of(request), player_id=player_id)
    except NotFound:
        kept = kept_player_id(player_id=player_id)
        if kept is None:
            raise
        return redirect("player", kept)
    return render(request, "player.html", {"player": player})
