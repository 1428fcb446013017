"""The pages that an organiser prints: pairings by table and by name, slips, blank sheets, standings, badges.

Each is a page of its own for A4, without the site around it, and the same as PDF (`?pdf`) where the extra is installed.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from league.errors import NotFound
from league.models import Championship, Confirmation, PartieEnd
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.parties import rounds
from league.selectors.printed import badges, byes_printed, places_by_name, printed_tables
from league.selectors.ranking import whole_live_ranking
from league.services.settings_of_play import laid_rulebook
from league.table_codes import table_address
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.shown import show
from league.web.printed.pdf import as_pdf, has_pdf
from league.web.printed.qr import qr_svg
from league.web.printed.sheets import blank_sheet
from league.web.ranking_words import keys_in_words, sections
from league.web.rulebook_words import TITLES
from league.web.seen import number_in

USUAL_LINES, MOST_LINES = 6, 10
"""Manches that a slip has room for."""

Page = Callable[[Asked, Championship, int], dict[str, Any]]


@for_organisers
def overview(request: Asked, slug: str) -> HttpResponse:
    """What can be printed, for the round that is asked for or the last one."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    played = [round_.number for round_ in rounds(championship=found)]
    context = {
        "rounds": played,
        "number": _round(request, played),
        "has_pdf": has_pdf(),
        "only_here": request.get_host().partition(":")[0] in ("127.0.0.1", "localhost", "[", "0.0.0.0"),  # noqa: S104
        "host": request.get_host(),
    }
    return show(request, "printed.html", found, "print", context)


def _round(request: Asked, played: list[int]) -> int:
    return number_in(request, "round", played[-1] if played else 1)


@for_organisers
def printed(request: Asked, slug: str, what: str) -> HttpResponse:
    """One of the printed pages."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    if what not in PAGES:
        raise NotFound
    needs_round = what in OF_A_ROUND
    played = [round_.number for round_ in rounds(championship=found)] if needs_round else []
    number = _round(request, played) if needs_round else 0
    if needs_round and number not in played:
        raise NotFound("no-such-round", _("Nothing has been drawn for this round yet."))
    context = {
        "championship": found,
        "number": number,
        "back": reverse("organise-print", args=[slug]),
        "has_pdf": has_pdf(),
        "what": what,
        **PAGES[what](request, found, number),
    }
    template = f"printed/{what}.html"
    if "pdf" in request.GET:
        if not has_pdf():
            raise NotFound("no-pdf", _("PDF is not installed on this machine: print the page from the browser."))
        return as_pdf(template, context, name=f"{slug}-{what}{f'-{number}' if number else ''}")
    return render(request, template, context)


def _tables(request: Asked, found: Championship, number: int) -> dict[str, Any]:
    return {
        "tables": printed_tables(championship=found, round_number=number),
        "byes": byes_printed(championship=found, round_number=number),
    }


def _names(request: Asked, found: Championship, number: int) -> dict[str, Any]:
    return {"places": places_by_name(championship=found, round_number=number)}


def _slips(request: Asked, found: Championship, number: int) -> dict[str, Any]:
    tables = printed_tables(championship=found, round_number=number)
    slips = []
    for table in tables:
        address = request.build_absolute_uri(table_address(table.partie))
        title = _("Address of table %(table)s") % {"table": table.shown}
        slips.append((table, address, qr_svg(address, title=title)))
    return {
        "slips": slips,
        "lines": range(1, _manches_of(found) + 1),
        "sides_enter": found.confirmation != Confirmation.AT_ONCE,
    }


def _manches_of(found: Championship) -> int:
    """How many lines a slip has: those of a fixed number of manches, the most that a number of wins takes, else six."""
    value = found.partie_end_value or 0
    if found.partie_end == PartieEnd.MANCHES:
        return min(value, MOST_LINES)
    if found.partie_end == PartieEnd.WINS:
        return min((value - 1) * found.table_entries + 1, MOST_LINES)
    return USUAL_LINES


def _blank(request: Asked, found: Championship, number: int) -> dict[str, Any]:
    rulebook = laid_rulebook(found)
    sizes = [found.table_entries, *([found.table_entries - 1] if found.allow_short_tables else [])]
    sheets = [blank_sheet(rulebook, size, found.players_per_team) for size in sizes]
    return {"sheets": [sheet for sheet in sheets if sheet is not None], "title": TITLES[rulebook.id]}


def _standings(request: Asked, found: Championship, number: int) -> dict[str, Any]:
    live = whole_live_ranking(championship=found)
    return {
        "live": live,
        "sections": sections(live.page.items, live.names, live.keys),
        "keys": keys_in_words(live.keys),
    }


def _badges(request: Asked, found: Championship, number: int) -> dict[str, Any]:
    return {"badges": badges(championship=found)}


PAGES: dict[str, Page] = {
    "tables": _tables,
    "names": _names,
    "slips": _slips,
    "sheets": _blank,
    "standings": _standings,
    "badges": _badges,
}
OF_A_ROUND = frozenset({"tables", "names", "slips"})
