"""The document `circuit/1` of a circuit: what its ranking is computed from, or was when published (STANDINGS 5).

Each championship counts with its last published ranking; one without, or one in draft, does not count yet. Rows are
those frozen; whose they are is asked of the teams as they are now, so that who was merged since is one person.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from league.models import (
    Circuit,
    CircuitBy,
    CircuitLeg,
    PublishedCircuit,
    PublishedRow,
    TeamMember,
    Visibility,
)
from league.selectors.circuits import last_rankings
from league.shown_names import shown_name
from scoring.circuit_document import FORMAT


def terms_of(circuit: Circuit) -> dict[str, Any]:
    """How the ranking of a circuit is made."""
    return {"by": str(circuit.by), "points": circuit.points, "best_n": circuit.best_n}


def circuit_document(circuit: Circuit) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The document of a circuit as it stands, and what it counts (`PublishedCircuit.counts`). Four queries.

    What it counts has the results too, by the numbers of players or clubs, so that a version can be recomputed.
    """
    legs = CircuitLeg.objects.filter(circuit=circuit).exclude(championship__visibility=Visibility.DRAFT)
    listed = list(legs.order_by("position").values_list("championship_id", "championship__slug", "championship__name"))
    rankings = last_rankings([championship_id for championship_id, _, _ in listed])
    rows = _rows([id_ for id_, _, _ in rankings.values()])
    whose, names = _whose(circuit.by, {team for of_ranking in rows.values() for _, team in of_ranking})
    counts: list[dict[str, Any]] = []
    for championship_id, slug, name in listed:
        if championship_id in rankings:
            id_, version, label = rankings[championship_id]
            counts.append(
                {
                    "number": len(counts) + 1,
                    "slug": slug,
                    "name": name,
                    "version": version,
                    "label": label,
                    "results": _results(circuit.by, rows[id_], whose),
                }
            )
    return _document(terms_of(circuit), counts, names), counts


def published_document(published: PublishedCircuit) -> dict[str, Any]:
    """The document that a published ranking was computed from. Costs no query."""
    return _document(published.terms, published.counts, {row["entry"]: row["name"] for row in published.rows})


def _document(terms: dict[str, Any], counts: list[dict[str, Any]], names: dict[int, str]) -> dict[str, Any]:
    numbers = sorted({number for one in counts for result in one["results"] for number in result["entries"]})
    document: dict[str, Any] = {"format": FORMAT, "by": terms["by"], "points": terms["points"]}
    if terms["best_n"] is not None:
        document["best_n"] = terms["best_n"]
    document["entries"] = [{"number": number, "name": names[number]} for number in numbers]
    document["championships"] = [
        {"number": one["number"], "name": one["name"], "results": one["results"]} for one in counts
    ]
    return document


def _rows(ranking_ids: Iterable[int]) -> dict[int, list[tuple[int | None, int]]]:
    """Rank and team of every row of the rankings, in order. One query."""
    rows: dict[int, list[tuple[int | None, int]]] = defaultdict(list)
    for ranking_id, rank, team_id in (
        PublishedRow.objects.filter(ranking__in=list(ranking_ids))
        .order_by("ranking", "position")
        .values_list("ranking_id", "rank", "entry__team_id")
    ):
        rows[ranking_id].append((rank, team_id))
    return rows


def _whose(by: str, team_ids: set[int]) -> tuple[dict[int, list[int]], dict[int, str]]:
    """By team the players, or their clubs, in the order of the seats; and what each is called. One query."""
    whose: dict[int, list[int]] = defaultdict(list)
    names: dict[int, str] = {}
    members = TeamMember.objects.filter(team__in=team_ids).order_by("team", "position")
    for team_id, player_id, name, shown_as, club_id, club in members.values_list(
        "team_id", "player_id", "player__name", "player__shown_as", "player__club_id", "player__club__name"
    ):
        if by == CircuitBy.PLAYER:
            whose[team_id].append(player_id)
            names[player_id] = shown_name(player_id, name, shown_as)
        elif club_id is not None:
            whose[team_id].append(club_id)
            names[club_id] = club
    return whose, names


def _results(by: str, rows: list[tuple[int | None, int]], whose: dict[int, list[int]]) -> list[dict[str, Any]]:
    """The results of a championship; somebody who has two rows in it (profiles merged since) has the better one."""
    seen: set[int] = set()
    results = []
    for rank, team_id in rows:
        entries = [number for number in whose.get(team_id, ()) if by == CircuitBy.CLUB or number not in seen]
        seen.update(entries)
        results.append({"rank": rank, "entries": entries})
    return results
