"""Small documents `classement/1` for the tests of rankings.

A manche is written as the points of its entries, `{1: 900, 2: 300}`; the most points win it unless said otherwise, and
the km are the points too where those are not negative.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.standings import rank

Document = dict[str, Any]


def manche(points: Mapping[int, int], **said: Any) -> Document:
    """One manche; `winner`, `km` and `coups_fourres` (a figure an entry) may be said."""
    most = [entry for entry, figure in points.items() if figure == max(points.values())]
    km = said.get("km", {entry: max(0, figure) for entry, figure in points.items()})
    coups_fourres = said.get("coups_fourres", dict.fromkeys(points, 0))
    return {
        "points": {str(entry): figure for entry, figure in points.items()},
        "km": {str(entry): figure for entry, figure in km.items()},
        "winner": said.get("winner", most[0] if len(most) == 1 else None),
        "coups_fourres": {str(entry): figure for entry, figure in coups_fourres.items()},
    }


def partie(*manches: Mapping[int, int] | Document, entries: Sequence[int] = (), **said: Any) -> Document:
    """A partie of the entries of its first manche, or of `entries`; `forfeits`, `status` and `round` may be said."""
    written = [each if "points" in each else manche(each) for each in manches]
    seats = list(entries) or [int(entry) for entry in written[0]["points"]]
    return {"entries": seats, "manches": written, **said}


def document(entries: int | Sequence[Document], *parties: Document, **said: Any) -> Document:
    """A document of numbered parties, one a round; `entries` are their objects, or how many there are: E1, E2, …"""
    if isinstance(entries, int):
        entries = [{"number": number, "name": f"E{number}"} for number in range(1, entries + 1)]
    return {
        "format": "classement/1",
        "table": 2,
        "decided_by": "points",
        "primary": "match_points",
        "tie_breaks": [],
        "entries": list(entries),
        "parties": [{"number": n, "round": n, **each} for n, each in enumerate(parties, start=1)],
        **said,
    }


def bye(entry: int, round: int = 99) -> Document:  # noqa: A002 (the member's name)
    """A bye in a round in which nobody plays unless said otherwise."""
    return {"round": round, "entry": entry}


def values(of: Document, key: str) -> dict[int, str | None]:
    """By entry, what the answer says of one key."""
    return {row["entry"]: row["values"][key] for row in rows(of)}


def ranks(of: Document) -> list[tuple[int | None, int]]:
    """Rank and entry of every row, in order."""
    return [(row["rank"], row["entry"]) for row in rows(of)]


def rows(of: Document) -> list[Document]:
    """The rows of the answer."""
    answer: Any = rank(of)
    return list(answer["rows"])
