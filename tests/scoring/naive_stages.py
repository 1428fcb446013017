"""A second ranking over stages, written from STANDINGS 5 alone, to hold the first one against.

Like `naive_ranking` it shares no code with `scoring`: every entry gets a list of keys, lower first, and two neighbours
are told apart by the first of theirs that differs.
"""

from fractions import Fraction
from itertools import zip_longest
from typing import Any

from tests.scoring.naive_ranking import Naive

Document = dict[str, Any]
Keys = list[tuple[str, Any]]
LAST = (1, 0)


def overall(of: Document) -> list[Document]:
    """Rank, entry, stage and above_next_by of everybody."""
    rows: list[Document] = []
    lists: list[list[Document]] = []
    pools: list[Document] = []
    for stage in of["stages"]:
        if stage["kind"] == "knockout":
            earlier = {row["entry"]: row["rank"] for row in lists[-1]} if lists else {}
            lists.append(of_keys(stage["entries"], Knockout(stage, earlier).keys))
            pools = []
            continue
        carried = pools if stage.get("carry_over", "none") == "qualified" else []
        pools = [with_carried(pool, carried) for pool in stage["pools"]]
        lists.append(of_table(pools[0]) if len(pools) == 1 else of_pools(pools))
    for number in range(len(lists), 0, -1):
        later = {row["entry"] for each in lists[number:] for row in each}
        stay = [row | {"stage": number} for row in lists[number - 1] if row["entry"] not in later]
        rows += stay
    ranked = [row for row in rows if row["rank"] is not None]
    for upper, lower in zip_longest(ranked, ranked[1:]):
        upper["above_next_by"] = lower and between(upper, lower, lists[upper["stage"] - 1])
    for place, row in enumerate(ranked):
        before = ranked[place - 1] if place else None
        shared = before and before["above_next_by"] == "level"
        row["overall"] = before["overall"] if before and shared else place + 1
    few = [row for row in rows if row["rank"] is None and not row["withdrawn"]]
    gone = [row for row in rows if row["rank"] is None and row["withdrawn"]]
    return [
        {
            "rank": row.get("overall"),
            "entry": row["entry"],
            "stage": row["stage"],
            "above_next_by": row.get("above_next_by") if row["rank"] is not None else None,
        }
        for row in [*ranked, *few, *gone]
    ]


def between(upper: Document, lower: Document, stage: list[Document]) -> str:
    if upper["stage"] != lower["stage"]:
        return "stage"
    if upper["rank"] == lower["rank"]:
        return "level"
    numbers = [row["entry"] for row in stage]
    if numbers.index(upper["entry"]) + 1 == numbers.index(lower["entry"]):
        return str(upper["by"])
    return "stage_rank"


def with_carried(pool: Document, before: list[Document]) -> Document:
    here = {entry["number"] for entry in pool["entries"]}
    carried = [
        partie
        for other in before
        for partie in other["parties"]
        if partie.get("status", "closed") == "closed"
        and all(number in here for side in Naive(pool).sides(partie) for number in side)
    ]
    return pool | {"parties": carried + pool["parties"]}


def of_table(pool: Document) -> list[Document]:
    gone = {entry["number"] for entry in pool["entries"] if entry.get("withdrawn")}
    return [
        {"rank": row["rank"], "entry": row["entry"], "by": row["above_next_by"], "withdrawn": row["entry"] in gone}
        for row in Naive(pool).rows()
    ]


def down(value: Fraction | None) -> tuple[int, Any]:
    return LAST if value is None else (0, -value)


def of_pools(pools: list[Document]) -> list[Document]:
    keys: dict[int, Keys] = {}
    few: list[tuple[int, tuple[str, int], int]] = []
    gone: list[tuple[Any, tuple[str, int], int]] = []
    for pool in pools:
        naive = Naive(pool)
        for row in naive.rows():
            number = row["entry"]
            counts = pool["primary"] in ("match_points", "mean_match_points")
            penalty = Fraction(naive.entries[number].get("penalty", 0)) if counts else Fraction(0)
            mean = down(naive.value("mean_match_points", number, penalty))
            if row["rank"] is None:
                if naive.entries[number].get("withdrawn"):
                    gone.append((mean, naive.listed(number), number))
                else:
                    few.append((-naive.manches(number), naive.listed(number), number))
                continue
            keys[number] = [("pool_rank", row["rank"]), ("mean_match_points", mean)]
            for key in pool["tie_breaks"]:
                if key == "draw":
                    keys[number].append((key, naive.lot(number)))
                elif key != "direct_encounter":
                    keys[number].append((key, down(naive.value(key, number))))
    rows = of_keys([entry for pool in pools for entry in pool["entries"]], keys)
    rows = [row for row in rows if row["rank"] is not None]
    rows += [{"rank": None, "entry": number, "by": None, "withdrawn": False} for *_, number in sorted(few)]
    return rows + [{"rank": None, "entry": number, "by": None, "withdrawn": True} for *_, number in sorted(gone)]


def of_keys(entries: list[Document], keys: dict[int, Keys]) -> list[Document]:
    """Everybody by keys, those withdrawn at the end."""
    naive = Naive({"table": 2, "entries": entries, "parties": []})
    known = [number for number in naive.entries if number in keys]
    inside = [number for number in known if not naive.entries[number].get("withdrawn")]
    gone = [number for number in known if naive.entries[number].get("withdrawn")]

    def found(number: int) -> list[Any]:
        return [value for _, value in keys[number]]

    inside.sort(key=lambda number: (found(number), naive.listed(number)))
    rows: list[Document] = []
    for place, number in enumerate(inside):
        shared = place > 0 and found(inside[place - 1]) == found(number)
        by = None
        if place + 1 < len(inside):
            pairs = zip(keys[number], keys[inside[place + 1]], strict=True)
            by = next((name for (name, mine), (_, theirs) in pairs if mine != theirs), "level")
        rank = rows[-1]["rank"] if shared else place + 1
        rows.append({"rank": rank, "entry": number, "by": by, "withdrawn": False})
    gone.sort(key=lambda number: (found(number)[0], naive.listed(number)))
    return rows + [{"rank": None, "entry": number, "by": None, "withdrawn": True} for number in gone]


class Knockout:
    """What `round_reached` and `place_match` are, by asking of any two sides of a table who beats whom."""

    def __init__(self, stage: Document, earlier: dict[int, int | None]) -> None:
        self.stage = stage
        self.earlier = earlier
        self.naive = Naive(stage)
        self.keys: dict[int, Keys] = {
            entry["number"]: [("round_reached", -self.reached(entry["number"])), ("place_match", LAST)]
            for entry in stage["entries"]
        }
        for partie in sorted(self.naive.parties, key=lambda each: (each["round"], each["number"])):
            for side in self.naive.sides(partie) if "place" in partie else []:
                above = sum(self.beats(partie, other, side) for other in self.naive.sides(partie))
                for number in side:
                    self.keys[number][1] = ("place_match", (0, partie["place"] + above))

    def reached(self, number: int) -> int:
        rounds = [1, *(bye["round"] + 1 for bye in self.stage.get("byes", []) if bye["entry"] == number)]
        for partie in self.stage["parties"]:
            if partie.get("place", 1) > 1 or not self.naive.sits(partie, number):
                continue
            if partie in self.naive.parties:
                on = "place" not in partie and self.goes_on(partie, self.naive.side(partie, number))
                rounds.append(partie["round"] + on)
            elif partie.get("status") == "open":
                rounds.append(partie["round"])
        return max(rounds)

    def goes_on(self, partie: Document, side: list[int]) -> bool:
        others = [other for other in self.naive.sides(partie) if other != side]
        not_beaten = sum(not self.beats(partie, side, other) for other in others)
        return not self.naive.left(partie, side[0]) and not_beaten < self.stage.get("advance", 1)

    def beats(self, partie: Document, one: list[int], other: list[int]) -> bool:
        mine, theirs = self.naive.standing(partie, one[0]), self.naive.standing(partie, other[0])
        if mine != theirs or self.naive.left(partie, one[0]):
            return mine > theirs
        level = [side for side in self.naive.sides(partie) if self.naive.standing(partie, side[0]) == mine]
        extra = partie.get("extra")
        if not extra or not all(side[0] in extra["entries"] for side in level):
            return False
        if self.in_extra(extra, one) != self.in_extra(extra, other):
            return self.in_extra(extra, one) > self.in_extra(extra, other)
        return self.before(one) < self.before(other)

    def in_extra(self, extra: Document, side: list[int]) -> tuple[int, ...]:
        first = str(side[0])
        if self.stage["decided_by"] == "points":
            return (extra["points"][first],)
        return (extra["winner"] == side[0], extra["km"][first])

    def before(self, side: list[int]) -> list[float]:
        ranks = [self.earlier.get(number) for number in side]
        return sorted(float("inf") if rank is None else rank for rank in ranks)
