"""The page that comes before a correction or a ruling is saved: what it would move, and the button that does it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.http import HttpResponse

from engine.rulebooks import RULEBOOKS
from league.models import Championship, Manche, ResultState
from league.selectors.parties import rounds_after
from league.selectors.ranking import counted_in
from league.services.foreseen import Foreseen, foresee
from league.services.hand_in_answers import HandIn
from league.web.organiser.asked import Asked
from league.web.organiser.shown import show

_NOT_AGAIN = frozenset({"csrfmiddlewaretoken", "foreseen"})
MOST_SHOWN = 60
"""Ranks that are listed; more are counted."""


def is_to_be_seen(request: Asked, manche: Manche, replaces: int | None) -> bool:
    """Whether a hand-in corrects something that counts, and nobody has seen yet what it would move."""
    current = manche.current
    counts = current is not None and current.state == ResultState.CONFIRMED
    return replaces is not None and counts and "foreseen" not in request.POST


def correction_foreseen(manche: Manche, hand_in: Callable[[], HandIn]) -> Foreseen:
    """What a correction would move. Raises what `hand_in` does, and Refused where the document is refused."""

    def taken() -> None:
        if fault := hand_in().fault():
            raise fault

    return foresee(championship=manche.partie.championship, parties=[manche.partie], do=taken)


def foreseen_page(
    request: Asked, championship: Championship, seen: Foreseen, said: Any, *, instead: Mapping[str, str] | None = None
) -> HttpResponse:
    """What would move, and a form that holds all that was sent (`said`; `instead` lies over it)."""
    numbers = [before.number for before, _after in seen.parties]
    drawn = rounds_after(championship=championship, number=min((a.round for a, _b in seen.parties), default=0))
    context = {
        "seen": seen,
        "published": None if seen.changes_nothing else counted_in(championship=championship, parties=numbers),
        "drawn": [] if seen.changes_nothing else drawn,
        "parties": [(a, b, list(zip(a.seats, b.seats, strict=True))) for a, b in seen.parties],
        "moved": sorted(seen.moved, key=lambda one: (one.rank_after is None, one.rank_after))[:MOST_SHOWN],
        "more": max(len(seen.moved) - MOST_SHOWN, 0),
        "fields": [*_fields(said, instead or {})],
        "has_points": RULEBOOKS[championship.rulebook].has_points,
    }
    return show(request, "foreseen.html", championship, "parties", context)


def _fields(said: Any, instead: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    lists = getattr(said, "getlist", lambda name: [said[name]])
    for name in said:
        if name not in _NOT_AGAIN and name not in instead:
            yield from ((name, value) for value in lists(name))
    yield from instead.items()
