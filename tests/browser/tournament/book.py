"""What is known of a tournament apart from the site: who sat where, read from public pages, and the sheets typed.

It reckons points and match points by itself (RULES 8, STANDINGS 1), and has the ranking computed by
`python -m scoring rank` from a document of its own.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LABELS = "ABC"
EXPOSED, COUP_FOURRE = "exposed", "coup-fourre"


@dataclass(frozen=True)
class Side:
    """What the paper of a table says of one side. `bottes`: by code, exposed or coup fourré."""

    km: int
    n200: int | None = None
    bottes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sheet:
    """The paper of a manche, by seat label; the draw pile was not empty at its end."""

    sides: Mapping[str, Side]

    @property
    def winner(self) -> str:
        """The side that arrived."""
        return next(label for label, side in self.sides.items() if side.km == 1000)

    def points(self, label: str) -> int:
        """The total of a side in classique: km, 100 a botte, 300 a coup fourré, 400 for arriving, 300 without a 200."""
        side = self.sides[label]
        total = side.km + 100 * len(side.bottes) + 300 * self.coups_fourres(label)
        if label == self.winner:
            total += 400 + (300 if side.n200 == 0 else 0)
        return total

    def coups_fourres(self, label: str) -> int:
        """How many coups fourrés a side had."""
        return [*self.sides[label].bottes.values()].count(COUP_FOURRE)


@dataclass
class Table:
    """A partie as the public pages showed it when its round was published: entry numbers in the order of seats."""

    round: int
    partie: int
    table: int
    entries: list[int]
    sheet: Sheet | None = None

    def match_points(self) -> dict[int, int]:
        """2 for everybody placed below, 1 for everybody level; level all while it is open."""
        points = [self.sheet.points(label) if self.sheet else 0 for label in LABELS]
        return {
            entry: sum(2 if mine > other else mine == other for other in points) - 1
            for entry, mine in zip(self.entries, points, strict=True)
        }


@dataclass
class Book:
    """The tournament as its test knows it."""

    names: dict[int, str] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    byes: list[tuple[int, int]] = field(default_factory=list)
    withdrawn: set[int] = field(default_factory=set)

    def number(self, name: str) -> int:
        """The number of an entry by its name."""
        return next(number for number, one in self.names.items() if one == name)

    def of_round(self, round_number: int) -> list[Table]:
        """The tables of a round."""
        return [table for table in self.tables if table.round == round_number]

    def met(self, one: int, other: int) -> list[Table]:
        """The tables at which two sat together."""
        return [table for table in self.tables if {one, other} <= set(table.entries)]

    def match_points(self) -> dict[int, int]:
        """The sum of each entry; a bye counts as beating a whole table. Tables without a sheet count for nothing."""
        sums = dict.fromkeys(self.names, 0)
        for table in self.tables:
            if table.sheet is not None:
                for entry, points in table.match_points().items():
                    sums[entry] += points
        for _round, entry in self.byes:
            sums[entry] += 4
        return sums

    def manches(self, entry: int) -> tuple[int, int]:
        """How many manches an entry won, and how many it played."""
        played = [table for table in self.tables if entry in table.entries and table.sheet]
        won = [table for table in played if table.entries[LABELS.index(table.sheet.winner)] == entry]  # type: ignore[union-attr]
        return len(won), len(played)

    def document(self) -> dict[str, Any]:
        """All of it as `classement/1` (STANDINGS 7)."""
        entries: list[dict[str, Any]] = []
        for number, name in sorted(self.names.items()):
            entries.append({"number": number, "name": name} | ({"withdrawn": True} if number in self.withdrawn else {}))
        return {
            "format": "classement/1",
            "table": 3,
            "decided_by": "points",
            "primary": "match_points",
            "tie_breaks": ["direct_encounter", "manche_share", "mean_difference", "total_points", "coups_fourres"],
            "entries": entries,
            "parties": [_partie(table) for table in self.tables if table.sheet is not None],
            "byes": [{"round": round_, "entry": entry} for round_, entry in self.byes],
        }

    def ranking(self) -> list[dict[str, Any]]:
        """The rows that `python -m scoring rank` answers: rank, entry, values, above_next_by."""
        answer = subprocess.run(
            [sys.executable, "-m", "scoring", "rank", "-"],
            input=json.dumps(self.document()),
            capture_output=True,
            text=True,
            check=True,
        )
        rows: list[dict[str, Any]] = json.loads(answer.stdout)["rows"]
        return rows


def _partie(table: Table) -> dict[str, Any]:
    sheet = table.sheet
    assert sheet is not None
    seats = dict(zip(LABELS, table.entries, strict=True))
    manche = {
        "points": {str(entry): sheet.points(label) for label, entry in seats.items()},
        "km": {str(entry): sheet.sides[label].km for label, entry in seats.items()},
        "winner": seats[sheet.winner],
        "coups_fourres": {str(entry): sheet.coups_fourres(label) for label, entry in seats.items()},
    }
    return {"number": table.partie, "round": table.round, "entries": table.entries, "manches": [manche]}
