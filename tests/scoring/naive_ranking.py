"""A second ranking, written from STANDINGS alone and as slow as it likes, to hold the first one against.

It shares no code with `scoring`, works on the document as it came, takes every sum as a sum of fractions, and orders
by comparing two entries at a time where the rules allow it.
"""

import hashlib
import unicodedata
from fractions import Fraction
from typing import Any

Document = dict[str, Any]


class Naive:
    def __init__(self, of: Document) -> None:
        self.of = of
        self.table = of["table"]
        self.entries = {entry["number"]: entry for entry in of["entries"]}
        self.byes = [(bye["entry"], Fraction(str(bye.get("share", 1)))) for bye in of.get("byes", [])]
        self.parties = [
            each
            for each in of["parties"]
            if each.get("status", "closed") == "closed" and (each["manches"] or each.get("forfeits"))
        ]

    # one partie

    def sides(self, each: Document) -> list[list[int]]:
        return each["teams"] if "teams" in each else [[entry] for entry in each["entries"]]

    def side(self, each: Document, entry: int) -> list[int]:
        return next(side for side in self.sides(each) if entry in side)

    def opponents(self, each: Document, entry: int) -> list[list[int]]:
        return [side for side in self.sides(each) if entry not in side]

    def sits(self, each: Document, entry: int) -> bool:
        return any(entry in side for side in self.sides(each))

    def own(self, entry: int) -> list[Document]:
        return [each for each in self.parties if self.sits(each, entry)]

    def left(self, each: Document, entry: int) -> bool:
        return self.side(each, entry)[0] in each.get("forfeits", [])

    def total(self, each: Document, entry: int, figure: str) -> int:
        first = self.side(each, entry)[0]
        if figure == "manches_won":
            return sum(manche["winner"] == first for manche in each["manches"])
        return sum(manche[figure][str(first)] for manche in each["manches"])

    def standing(self, each: Document, entry: int) -> tuple[int, ...]:
        """Higher is better; a leaver is below everybody."""
        if self.left(each, entry):
            return (0,)
        if self.of["decided_by"] == "points":
            return (1, self.total(each, entry, "points"))
        return (1, self.total(each, entry, "manches_won"), self.total(each, entry, "km"))

    def two_one_nought(self, each: Document, entry: int, other: int) -> int:
        mine, theirs = self.standing(each, entry), self.standing(each, other)
        return 2 if mine > theirs else 1 if mine == theirs else 0

    def weight(self, each: Document) -> Fraction:
        return Fraction(self.table - 1, len(self.sides(each)) - 1)

    def award(self, each: Document, entry: int) -> Fraction:
        others = [side[0] for side in self.opponents(each, entry)]
        if self.left(each, entry):
            return Fraction(0)
        if "scale" not in self.of:
            return sum(self.two_one_nought(each, entry, other) for other in others) * self.weight(each)
        above = sum(self.two_one_nought(each, entry, other) == 0 for other in others)
        level = sum(self.two_one_nought(each, entry, other) == 1 for other in others)
        taken = [self.on_scale(above + step, each) for step in range(level + 1)]
        return sum(taken, Fraction(0)) / len(taken)

    def on_scale(self, place: int, each: Document) -> Fraction:
        at = place * self.weight(each)
        low = int(at)
        if at == low:
            return Fraction(self.of["scale"][low])
        return self.of["scale"][low] * (low + 1 - at) + self.of["scale"][low + 1] * (at - low)

    # sums

    def bye(self) -> Fraction:
        return Fraction(self.of["scale"][0]) if "scale" in self.of else Fraction(2 * (self.table - 1))

    def points(self, entry: int) -> Fraction:
        """Match points, penalties aside."""
        won = sum((self.award(each, entry) for each in self.own(entry)), Fraction(0))
        return won + self.byes_of(entry) * self.bye()

    def byes_of(self, entry: int) -> Fraction:
        return sum((share for of, share in self.byes if of == entry), Fraction(0))

    def played(self, entry: int) -> list[Document]:
        return [each for each in self.own(entry) if each["manches"]]

    def manches(self, entry: int) -> int:
        return sum(len(each["manches"]) for each in self.played(entry))

    def summed(self, entry: int, figure: str) -> Fraction:
        totals = [Fraction(self.total(each, entry, figure)) for each in self.played(entry)]
        unplayed = [each for each in self.own(entry) if not each["manches"] and not self.left(each, entry)]
        mean = sum(totals, Fraction(0)) / len(totals) if totals else Fraction(0)
        return sum(totals, Fraction(0)) + mean * (len(unplayed) + self.byes_of(entry))

    def lead(self, entry: int, figure: str) -> Fraction | None:
        leads = []
        for each in self.played(entry):
            for manche in each["manches"]:
                own = str(self.side(each, entry)[0])
                others = [value for other, value in manche[figure].items() if other != own]
                leads.append(manche[figure][own] - Fraction(sum(others), len(others)))
        return sum(leads, Fraction(0)) / len(leads) if leads else None

    def over_opponents(self, entry: int, *, by_result: bool) -> Fraction:
        total = self.byes_of(entry) * (self.table - 1) * self.points(entry) * (Fraction(1, 2) if by_result else 1)
        for each in self.own(entry):
            if self.left(each, entry):
                continue
            for other, *partners in self.opponents(each, entry):
                if self.left(each, other):
                    total += self.weight(each) * self.points(entry) * (Fraction(1, 2) if by_result else 1)
                elif each["manches"]:
                    share = Fraction(self.two_one_nought(each, entry, other), 2) if by_result else 1
                    points = [self.points(one) for one in (other, *partners)]
                    total += self.weight(each) * sum(points) / len(points) * share
        return total

    def value(self, key: str, entry: int, penalty: Fraction = Fraction(0)) -> Fraction | None:
        manches, closed = self.manches(entry), len(self.own(entry))
        played = [Fraction(self.total(each, entry, "points")) for each in self.played(entry)]
        match key:
            case "match_points":
                return self.points(entry) - penalty
            case "mean_match_points":
                won = sum((self.award(each, entry) for each in self.own(entry)), Fraction(0))
                return (won - penalty) / closed if closed else None
            case "best_n":
                return sum(sorted(played)[::-1][: self.of["best_n"]], Fraction(0)) - penalty
            case "mean_points":
                return (sum(played, Fraction(0)) - penalty) / manches if manches else None
            case "manche_share":
                won = sum(self.total(each, entry, "manches_won") for each in self.played(entry))
                return Fraction(won, manches) if manches else None
            case "total_points":
                return self.summed(entry, "points") - penalty
            case "manches_won" | "km" | "coups_fourres":
                return self.summed(entry, key) - penalty
            case "mean_difference":
                return self.lead(entry, "points")
            case "mean_km_difference":
                return self.lead(entry, "km")
            case "buchholz":
                return self.over_opponents(entry, by_result=False)
            case "sonneborn_berger":
                return self.over_opponents(entry, by_result=True)
        raise AssertionError(key)

    # order

    def penalised(self, entry: int) -> Fraction | None:
        return self.value(self.of["primary"], entry, Fraction(self.entries[entry].get("penalty", 0)))

    def meetings(self, one: int, other: int) -> list[int]:
        return [
            self.two_one_nought(each, one, other)
            for each in self.played(one)
            if self.sits(each, other) and other not in self.side(each, one)
            if not self.left(each, one) and not self.left(each, other)
        ]

    def encounters(self, group: list[int]) -> list[tuple[list[int], str]]:
        pairs = [(one, other) for one in group for other in group if one != other]
        if not all(self.meetings(*pair) for pair in pairs):
            return [(group, "direct_encounter")]
        sums = {one: Fraction(0) for one in group}
        for one, other in pairs:
            sums[one] += Fraction(sum(self.meetings(one, other)), len(self.meetings(one, other)))
        parts = [[one for one in group if sums[one] == each] for each in sorted(set(sums.values()), reverse=True)]
        if len(parts) == 1:
            return [(group, "direct_encounter")]
        return [smaller for part in parts for smaller in self.encounters(part)]

    def split(self, group: list[int], key: str) -> list[list[int]]:
        if key == "direct_encounter":
            return [part for part, _ in self.encounters(group)]
        if key == "draw":
            return [[one] for one in sorted(group, key=self.lot)]
        found = {one: self.penalised(one) if key == self.of["primary"] else self.value(key, one) for one in group}
        numbers = sorted({value for value in found.values() if value is not None}, reverse=True)
        return [[one for one in group if found[one] == value] for value in [*numbers, None] if value in found.values()]

    def lot(self, entry: int) -> str:
        return hashlib.sha256(f"{self.of['secret']}:{entry}".encode()).hexdigest()

    def listed(self, entry: int) -> tuple[str, int]:
        letters = unicodedata.normalize("NFKD", self.entries[entry]["name"])
        return "".join(sign for sign in letters if unicodedata.category(sign)[0] != "M").casefold(), entry

    def rows(self) -> list[Document]:
        under = self.of["minimum"] if self.of["primary"] == "mean_points" else 0
        names = sorted(self.entries, key=self.listed)
        inside = [one for one in names if not self.entries[one].get("withdrawn")]
        groups: list[tuple[list[int], str | None]] = [([one for one in inside if self.manches(one) >= under], None)]
        for key in [self.of["primary"], *self.of["tie_breaks"]]:
            groups = [
                (part, key if place < len(parts) - 1 else below)
                for group, below in groups
                for parts in [self.split(group, key)]
                for place, part in enumerate(parts)
            ]
        rows: list[Document] = []
        for group, below in groups:
            first = len(rows) + 1
            rows += [self.row(one, first, "level" if one != group[-1] else below) for one in group]
        few = sorted([one for one in inside if self.manches(one) < under], key=lambda one: -self.manches(one))
        gone = self.split([one for one in names if self.entries[one].get("withdrawn")], self.of["primary"])
        return rows + [self.row(one, None, None) for one in [*few, *(one for part in gone for one in part)]]

    def row(self, entry: int, rank: int | None, below: str | None) -> Document:
        values = {self.of["primary"]: self.penalised(entry)} | {
            key: self.value(key, entry) for key in self.of["tie_breaks"] if key not in ("direct_encounter", "draw")
        }
        shown = {key: None if value is None else str(value) for key, value in values.items()}
        return {"rank": rank, "entry": entry, "values": shown, "above_next_by": below}
