"""Pairing a round of 500 entries, beside the least that any pairing must do: look once at every two of them."""

import random
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial

from bench.found import Found, Held, interleaved
from scoring.pairing import Contender, Pairing, meetings, swiss

NAME = "pairing"
WHAT = "pair round 6 of 500 entries at tables of two, three and four, against one look at every pair of entries"

ENTRIES, ROUND = 500, 6
TABLES = {2: "two", 3: "three", 4: "four"}
TIMES = 3
LIMIT, AIM = 5.0, 2.5


def run() -> Found:
    """Play five rounds at each size of table, then pair the sixth; in seconds of the processor."""
    runs: dict[str, list[Callable[[], object]]] = {}
    for table, name in TABLES.items():
        contenders, met = played(table)
        runs[name] = [partial(swiss, contenders, met, table=table, seed=f"round {ROUND}")]
        runs[f"yardstick of {name}"] = [partial(yardstick, contenders, met)]
    medians = interleaved(TIMES, clock=time.process_time, **runs)
    figures = {f"{name} / yardstick": medians[name] / medians[f"yardstick of {name}"] for name in TABLES.values()}
    held = {f"seconds, tables of {name}": Held(medians[name], LIMIT, AIM) for name in TABLES.values()}
    return Found(medians, held, figures)


def yardstick(contenders: list[Contender], met: dict[frozenset[int], int]) -> int:
    """Ask of every two whether they met and how far apart they are, and add it up: no pairing can know less."""
    points = [(one.number, int(one.match_points)) for one in contenders]
    total = 0
    for place, (one, own) in enumerate(points):
        for other, its in points[:place]:
            total += (own - its) ** 2 + met.get(frozenset((one, other)), 0)
    return total


def played(table: int) -> tuple[list[Contender], dict[frozenset[int], int]]:
    """Who is to be paired in round 6 and who met whom: the stronger win more often, drawn as the program draws."""
    chance = random.Random(table)
    strength = {number: chance.gauss(0, 1) for number in range(1, ENTRIES + 1)}
    points = dict.fromkeys(strength, 0)
    byes = dict.fromkeys(strength, 0)
    seats = {number: [0] * table for number in strength}
    met: dict[frozenset[int], int] = {}
    for turn in range(1, ROUND):
        drawn: Pairing = swiss(_field(points, byes, seats), met, table=table, seed=f"round {turn}")
        for members in drawn.tables:
            for label, number in enumerate(members):
                seats[number][label] += 1
            by_result = sorted(members, key=lambda number: strength[number] + chance.gauss(0, 1))
            for below, number in enumerate(by_result):
                points[number] += 2 * below
        for pair, times in meetings(drawn.tables).items():
            met[pair] = met.get(pair, 0) + times
        for number in drawn.byes:
            byes[number] += 1
            points[number] += 2 * (table - 1)
    return _field(points, byes, seats), met


def _field(points: dict[int, int], byes: dict[int, int], seats: dict[int, list[int]]) -> list[Contender]:
    standing = sorted(points, key=lambda number: (-points[number], number))
    return [
        Contender(number, Fraction(points[number]), place, byes=byes[number], seats=tuple(seats[number]))
        for place, number in enumerate(standing, 1)
    ]
