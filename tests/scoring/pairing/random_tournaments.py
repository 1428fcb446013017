"""Tournaments that nobody planned: people late, leaving, away for a round; clubs, short tables, all sizes of table."""

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from scoring.pairing import Contender, Pairing, swiss
from tests.scoring.pairing.naive_pairing import Situation

Played = Iterator[tuple[Situation, Pairing]]


class Entry:
    """What one entry has so far."""

    def __init__(self, number: int, club: str | None) -> None:
        self.number, self.club = number, club
        self.points = Fraction(0)
        self.byes = self.short_tables = 0
        self.seats = [0, 0, 0, 0]


def tournament(seed: int, *, least: int = 2, most: int = 9, rounds: int = 5, table: int | None = None) -> Played:
    """The rounds of a tournament, each with what was known before it: the same for the same arguments."""
    chance = random.Random(f"tournament {seed}")
    table = table or chance.choice([2, 3, 4])
    short_tables, clubs = chance.random() < 0.5, chance.choice([0, 0, 2, 4])
    results = chance.choice([_as_drawn, _by_chance, _by_chance])
    entries = [_entry(number, clubs, chance) for number in range(1, chance.randint(least, most) + 1)]
    met: dict[frozenset[int], int] = {}
    for round_number in range(1, rounds + 1):
        if round_number > 1:
            _come_and_go(entries, least, most, clubs, chance)
        present = [entry for entry in entries if chance.random() < 0.95] or entries
        of = Situation(
            contenders=[_contender(entry, place, table) for place, entry in enumerate(_standing(present, chance), 1)],
            met=dict(met),
            table=table,
            short_tables=short_tables,
            apart_by_club=clubs > 0,
            seed=f"{seed}/{round_number}",
        )
        pairing = swiss(
            of.contenders,
            of.met,
            table=of.table,
            short_tables=of.short_tables,
            apart_by_club=of.apart_by_club,
            seed=of.seed,
        )
        yield of, pairing
        _play({entry.number: entry for entry in present}, pairing, table, met, results, chance)


def _entry(number: int, clubs: int, chance: random.Random) -> Entry:
    return Entry(number, chance.choice([*"ABCD"[:clubs], None]) if clubs else None)


def _come_and_go(entries: list[Entry], least: int, most: int, clubs: int, chance: random.Random) -> None:
    if chance.random() < 0.25 and len(entries) < most:
        entries.append(_entry(max(entry.number for entry in entries) + chance.randint(1, 3), clubs, chance))
    if chance.random() < 0.25 and len(entries) > least:
        entries.remove(chance.choice(entries))


def _standing(present: Sequence[Entry], chance: random.Random) -> list[Entry]:
    lots = {entry.number: chance.random() for entry in present}
    return sorted(present, key=lambda entry: (-entry.points, lots[entry.number]))


def _contender(entry: Entry, place: int, table: int) -> Contender:
    return Contender(
        number=entry.number,
        match_points=entry.points,
        place=place,
        club=entry.club,
        byes=entry.byes,
        seats=tuple(entry.seats[:table]),
        short_tables=entry.short_tables,
    )


def _as_drawn(table: Sequence[int], chance: random.Random) -> list[int]:
    return list(range(len(table)))


def _by_chance(table: Sequence[int], chance: random.Random) -> list[int]:
    return [chance.randrange(len(table)) for _ in table]


def _play(
    present: dict[int, Entry],
    pairing: Pairing,
    table: int,
    met: dict[frozenset[int], int],
    results: Callable[[Sequence[int], random.Random], list[int]],
    chance: random.Random,
) -> None:
    """Two match points for each opponent placed below, one for each level; stretched at a short table."""
    for seats in pairing.tables:
        places = results(seats, chance)
        for label, number in enumerate(seats):
            entry = present[number]
            below = sum(2 * (places[label] < other) + (places[label] == other) for other in places) - 1
            entry.points += Fraction(below * (table - 1), len(seats) - 1)
            entry.seats[label] += 1
            entry.short_tables += len(seats) < table
        for pair in combinations(seats, 2):
            met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
    for number in pairing.byes:
        present[number].byes += 1
        present[number].points += 2 * (table - 1)
