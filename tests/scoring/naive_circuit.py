"""A second ranking of circuits, written from STANDINGS 5 alone, to hold the first one against."""

import unicodedata
from fractions import Fraction
from itertools import zip_longest
from typing import Any

Document = dict[str, Any]


def worth(of: Document, results: list[Document], rank: int | None) -> Fraction:
    """The points of a rank: what the places that it takes up have in the table, shared out."""
    if rank is None:
        return Fraction(0)
    level = sum(result["rank"] == rank for result in results)
    taken = range(rank, rank + level)
    return sum((Fraction(str(of["points"][p - 1])) for p in taken if p <= len(of["points"])), Fraction(0)) / level


def legs(of: Document, number: int) -> list[tuple[int, Fraction]]:
    found = []
    for championship in of["championships"]:
        results = championship["results"]
        own = [worth(of, results, r["rank"]) for r in results for entry in r["entries"] if entry == number]
        if own:
            best = sorted(own)[::-1][: of.get("best_of_club", len(own))]
            found.append((championship["number"], sum(best, Fraction(0))))
    return found


def circuit(of: Document) -> list[Document]:
    """Rank, entry, points and above_next_by of everybody."""
    total, times = {}, {}
    for entry in of["entries"]:
        number = entry["number"]
        points = sorted([points for _, points in legs(of, number)], reverse=True)
        total[number] = sum(points[: of.get("best_n", len(points))], Fraction(0))
        ranks = [r["rank"] for c in of["championships"] for r in c["results"] for e in r["entries"] if e == number]
        times[number] = [ranks.count(place) for place in range(1, 100)]
    listed = sorted(of["entries"], key=lambda entry: (folded(entry["name"]), entry["number"]))
    order = sorted([entry["number"] for entry in listed], key=lambda n: (total[n], times[n]), reverse=True)
    # `reverse` keeps the order of equals, so that those level stay listed by name
    rows: list[Document] = []
    for number, after in zip_longest(order, order[1:]):
        above = rows[-1] if rows else None
        rank = above["rank"] if above and above["above_next_by"] == "level" else len(rows) + 1
        by = None
        if after is not None:
            by = "level" if times[number] == times[after] else "places"
            by = by if total[number] == total[after] else "circuit_points"
        rows.append({"rank": rank, "entry": number, "points": str(total[number]), "above_next_by": by})
    return rows


def folded(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name)
    return "".join(sign for sign in letters if unicodedata.category(sign)[0] != "M").casefold()
