"""What a circuit is ranked from: the document `circuit/1`, its values and its strict reader (STANDINGS 5).

    {"format": "circuit/1", "by": "player", "points": [25, 18, 15, 12.5], "best_n": 3,
     "entries": [{"number": 1, "name": "Ana"}, {"number": 2, "name": "Zoé"}],
     "championships": [
       {"number": 1, "name": "Bayonne", "results": [{"rank": 1, "entries": [1, 2]}, {"rank": null, "entries": [3]}]}]}

`entries` are those ranked, players or clubs (`by`). A result is a row of a championship's final ranking: its rank, null
for one without (under the minimum, withdrawn), and whose it is: `entries` has a number for each player of the row, of
the player or of the player's club. A club may stand in it as often as it has players there, and the list is empty where
nobody of the row is ranked by the circuit; the row then still takes up its place. `points` is the table of points, from
the first place; further places have none. Left out: `best_n` and `best_of_club` (all count).

Refusals are those of `classement/1`, `RankingError`: besides members of the wrong kind an unknown number, a player
twice in a championship, ranks that are not those of a ranking (1, 2, 2, 4), `best_of_club` where players are ranked.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, cast, get_args

from scoring.ranking_shapes import At, exact, fresh_number, items, members, one_of, refuse, text, whole

FORMAT = "circuit/1"

By = Literal["player", "club"]


@dataclass(frozen=True, slots=True)
class CircuitEntry:
    """Who is ranked: a player or a club, by a number that stands for it in this document."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Result:
    """A row of a championship's final ranking; `entries` has a number for each of its players who is ranked here."""

    rank: int | None
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CircuitChampionship:
    """A championship of a circuit."""

    number: int
    name: str
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class CircuitDocument:
    """A whole `circuit/1`; `best_n`: the championships that count, `best_of_club`: a club's players who count in each;
    None: all.
    """

    by: By
    points: tuple[Fraction, ...]
    best_n: int | None
    best_of_club: int | None
    entries: tuple[CircuitEntry, ...]
    championships: tuple[CircuitChampionship, ...]


def read_circuit(document: object) -> CircuitDocument:
    """Read a decoded document; `RankingError`, and nothing else, is raised for one that does not fit."""
    given = members(
        document,
        (),
        required=("format", "by", "points", "entries", "championships"),
        optional=("best_n", "best_of_club"),
    )
    if text(given["format"], ("format",)) != FORMAT:
        refuse(("format",), f'is not "{FORMAT}"')
    by = cast("By", one_of(given["by"], ("by",), get_args(By)))
    if by == "player" and "best_of_club" in given:
        refuse(("best_of_club",), "does not belong where players are ranked")
    points = tuple([exact(n, ("points", place)) for place, n in enumerate(items(given["points"], ("points",)))])
    entries = _entries(given["entries"])
    return CircuitDocument(
        by=by,
        points=points,
        best_n=whole(given["best_n"], ("best_n",), 1) if "best_n" in given else None,
        best_of_club=whole(given["best_of_club"], ("best_of_club",), 1) if "best_of_club" in given else None,
        entries=entries,
        championships=_championships(given["championships"], {entry.number for entry in entries}, by),
    )


def _entries(value: object) -> tuple[CircuitEntry, ...]:
    entries: dict[int, CircuitEntry] = {}
    for place, item in enumerate(items(value, ("entries",))):
        at = ("entries", place)
        given = members(item, at, required=("number", "name"))
        number = fresh_number(given["number"], (*at, "number"), entries)
        entries[number] = CircuitEntry(number, text(given["name"], (*at, "name")))
    return tuple(entries.values())


def _championships(value: object, known: set[int], by: By) -> tuple[CircuitChampionship, ...]:
    championships: dict[int, CircuitChampionship] = {}
    for place, item in enumerate(items(value, ("championships",))):
        at = ("championships", place)
        given = members(item, at, required=("number", "results"), optional=("name",))
        number = fresh_number(given["number"], (*at, "number"), championships)
        championships[number] = CircuitChampionship(
            number=number,
            name=text(given.get("name", ""), (*at, "name")),
            results=_results(given["results"], (*at, "results"), known, by),
        )
    return tuple(championships.values())


def _results(value: object, at: At, known: set[int], by: By) -> tuple[Result, ...]:
    results: list[Result] = []
    seen: set[int] = set()
    for place, item in enumerate(items(value, at)):
        here = (*at, place)
        given = members(item, here, required=("rank", "entries"))
        rank = None if given["rank"] is None else whole(given["rank"], (*here, "rank"), 1)
        results.append(Result(rank, _whose(given["entries"], (*here, "entries"), known)))
        if by == "player":
            _once(results[-1].entries, seen, (*here, "entries"))
    _held_together([result.rank for result in results], at)
    return tuple(results)


def _whose(value: object, at: At, known: set[int]) -> tuple[int, ...]:
    found = [whole(item, (*at, place)) for place, item in enumerate(items(value, at))]
    for place, number in enumerate(found):
        if number not in known:
            refuse((*at, place), f"is {number}, the number of no entry")
    return tuple(found)


def _once(entries: tuple[int, ...], seen: set[int], at: At) -> None:
    for place, number in enumerate(entries):
        if number in seen:
            refuse((*at, place), f"is {number} a second time in this championship")
        seen.add(number)


def _held_together(ranks: list[int | None], at: At) -> None:
    """Level rows share a rank and the next rank counts them all: 1, 2, 2, 4."""
    times = Counter(rank for rank in ranks if rank is not None)
    due = 1
    for rank in sorted(times):
        if rank != due:
            place = ranks.index(rank)
            refuse((*at, place, "rank"), f"is {rank} where {due - 1} are ranked above")
        due += times[rank]
