"""The ranking as of a round: what the present results of the rounds up to it come to (STANDINGS 4).

It is computed when it is asked for, at one moment, and kept in the cache under the position of the journal that it
counts, with the program that computed it: so it is never old, and computed once a state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db.models import Max
from django.utils import timezone

from league.models import Bye, Championship, Partie
from league.release import program
from league.selectors.etapes import ranking_document
from league.selectors.paging import LARGEST, SIZE, Page, bounds
from league.selectors.ranking import RankingPage, RankingRow, names_of, players_of, teams_of
from league.services.locks import one_moment
from scoring.kept_rows import Columns, computed

KEPT = 24 * 3600
"""Seconds that a computed ranking is kept."""


@dataclass(frozen=True, slots=True)
class _Computed:
    """All rows in order, each with its entry's number; the keys; what it counts, and when it was computed."""

    rows: Sequence[tuple[int, Columns]]
    keys: Mapping[str, Any]
    journal_position: int
    at: datetime


def ranking_at_round(
    *, championship: Championship, up_to_round: int, number: int = 1, size: int = SIZE, most: int = LARGEST
) -> RankingPage:
    """A page of it, as one of the live ranking. Four queries where it is kept, else those of its document besides.

    Not for a round after `last_round`: as of it there is nothing yet.
    """
    found = _kept_or_computed(championship, up_to_round)
    number, size = bounds(number, size, most)
    first = (number - 1) * size
    shown = found.rows[first : first + size]
    teams = teams_of(championship, [entry for entry, _columns in shown])
    players = players_of(championship, [entry for entry, _columns in shown])
    lines = [
        RankingRow(number=entry, team=teams[entry], players=players.get(entry, ()), **columns)
        for entry, columns in shown
        if entry in teams
    ]
    return RankingPage(
        page=Page(lines, number, size, len(found.rows)),
        keys=dict(found.keys),
        names=names_of(championship, lines),
        journal_position=found.journal_position,
        computed_at=found.at,
        is_due=False,
    )


def last_round(championship: Championship) -> int:
    """The last round that has parties or byes; 1 where there is none yet. Two queries."""
    parties = Partie.objects.filter(championship=championship).aggregate(last=Max("round"))
    byes = Bye.objects.filter(championship=championship).aggregate(last=Max("round"))
    return max(1, int(parties["last"] or 0), int(byes["last"] or 0))


def _kept_or_computed(championship: Championship, up_to_round: int) -> _Computed:
    kept: _Computed | None = cache.get(_key(championship, up_to_round))
    if kept is not None:
        return kept
    with one_moment():
        championship = Championship.objects.get(pk=championship.pk)
        whole = ranking_document(championship, up_to_round)
    ranking = computed(whole)
    rows = list(ranking.rows.items())
    made = _Computed(rows, ranking.keys(championship.ranking_keys), championship.journal_position, timezone.now())
    cache.set(_key(championship, up_to_round), made, KEPT)
    return made


def _key(championship: Championship, up_to_round: int) -> str:
    return f"ranking-at:{program()}:{championship.pk}:{championship.journal_position}:{up_to_round}"
