"""The projector: a page for a screen in the hall that turns by itself, tables of the round and standings in turn.

Each turn is a request: what it shows is what stands then. With JavaScript htmx exchanges the inside, without it the
page is loaded again. It stands still while it is held.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from league.models import Championship
from league.selectors.clock import round_clock
from league.selectors.parties import rounds
from league.selectors.printed import byes_printed, printed_tables
from league.selectors.ranking import live_ranking
from league.web.ranking_words import sections
from league.web.seen import championship_page, for_anybody, number_in

TABLES, ROWS = 12, 14
"""Tables and rows of the ranking that a screen shows at once."""
SECONDS = 12
"""How long a turn lasts."""


@never_cache
@for_anybody
def projector(request: HttpRequest, slug: str) -> HttpResponse:
    """A turn of the projector (`?turn=`); `?hold` keeps it."""
    found, context = championship_page(request, slug, "projector")
    context |= _turn(found, number_in(request, "turn", 0))
    context |= {"hold": "hold" in request.GET, "seconds": SECONDS, "clock": round_clock(championship=found)}
    inside = getattr(request, "htmx", False)
    return render(request, "printed/projector_inside.html" if inside else "printed/projector.html", context)


def _turn(found: Championship, turn: int) -> dict[str, Any]:
    """What a turn shows, and which comes next: first the tables of the last round, then the ranking."""
    played = rounds(championship=found)
    number = played[-1].number if played else 0
    tables = printed_tables(championship=found, round_number=number) if number else []
    table_turns = -(-len(tables) // TABLES)
    asked = max(turn - table_turns, 0) + 1
    live = live_ranking(championship=found, number=asked, size=ROWS)
    turns = max(table_turns + (live.page.pages if live.page.total else 0), 1)
    turn %= turns
    shown: dict[str, Any] = {"turn": turn, "turns": turns, "next": (turn + 1) % turns, "number": number}
    if turn < table_turns:
        first = turn * TABLES
        byes = byes_printed(championship=found, round_number=number) if turn == table_turns - 1 else []
        return shown | {"tables": tables[first : first + TABLES], "byes": byes}
    if (wanted := turn - table_turns + 1) != asked:  # an address beyond the last turn begins anew
        live = live_ranking(championship=found, number=wanted, size=ROWS)
    return shown | {"live": live, "sections": sections(live.page.items, live.names, live.keys)}
