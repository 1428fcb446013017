"""Knock-out: who goes on from a table, and the ranking of a whole knock-out stage (STANDINGS 5).

Sides are named by their first number, as in a partie. "Level" is level by the place at the table: points, or (manches
won, km) where manches decide; those who forfeited are last and never go on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from scoring.names import folded
from scoring.ordering import Group, by_value, order
from scoring.parties import PartieResult, Seat, places, result
from scoring.ranking_document import DecidedBy
from scoring.stage_document import ExtraManche, KnockoutPartie, KnockoutStage
from scoring.stage_rows import StageRow
from scoring.standings import Standing, ranked
from scoring.tiebreaks import Value

Ranks = Mapping[int, int | None]
"""Ranks of the stage before by number, None or missing for those without one."""


@dataclass(frozen=True, slots=True)
class Advance:
    """Who goes on from a knock-out table; every tuple holds sides by their first number, best first.

    `level`: those between whom nothing decides yet, at the limit: `places` of them go on besides `through`. Empty where
    all is decided. `needs` says what decides next: "extra_manche", one more manche among them, or "ruling" where that
    was played (or cannot be) and the stage before does not tell them apart. `by`: what decided at the limit, "places"
    at the table, "extra_manche" or "earlier_rank"; None while it is open.
    """

    through: tuple[int, ...]
    out: tuple[int, ...]
    level: tuple[int, ...]
    places: int
    needs: Literal["extra_manche", "ruling"] | None
    by: Literal["places", "extra_manche", "earlier_rank"] | None


def advance(
    table: PartieResult,
    first: int,
    *,
    decided_by: DecidedBy = "points",
    extra: ExtraManche | None = None,
    earlier: Ranks | None = None,
    more_manches: bool = True,
) -> Advance:
    """Who goes on from a closed table: its `first` sides (STANDINGS 5).

    Level at the limit: the `extra` manche among them, then the better rank of the stage before (`earlier`). An extra
    manche that not all of those level played decides nothing. `more_manches` False: none can be played any more, and
    the stage before decides at once. Where fewer than `first` stayed, fewer go on.
    """
    groups = _by_place(table)
    by: Literal["places", "extra_manche", "earlier_rank"] = "places"
    last_word = not more_manches
    limit = _at_the_limit(groups, first)
    if limit is not None and _played_by_all(extra, groups[limit]):
        last_word, by = True, "extra_manche"
        groups[limit : limit + 1] = _by_extra_manche(groups[limit], extra, decided_by)
        limit = _at_the_limit(groups, first)
    if limit is not None and last_word:
        by = "earlier_rank"
        groups[limit : limit + 1] = _by_earlier_rank(groups[limit], earlier or {})
        limit = _at_the_limit(groups, first)
    cut = _first_below(groups, first) if limit is None else limit
    through, rest = groups[:cut], groups[cut:]
    level = rest.pop(0) if limit is not None else []
    return Advance(
        through=_entries(through),
        out=_entries(rest) + tuple([seat.entry for seat in table.seats if seat.forfeited]),
        level=_entries([level]),
        places=first - sum(map(len, through)) if level else 0,
        needs=("ruling" if last_word else "extra_manche") if level else None,
        by=None if level else by,
    )


def _entries(groups: Sequence[Sequence[Seat]]) -> tuple[int, ...]:
    return tuple([seat.entry for group in groups for seat in group])


def _by_place(table: PartieResult) -> list[list[Seat]]:
    """Those who stayed, in groups of those level, each by number."""
    groups: dict[int, list[Seat]] = {}
    for seat in sorted(table.seats, key=lambda seat: (seat.place, seat.entry)):
        if not seat.forfeited:
            groups.setdefault(seat.place, []).append(seat)
    return list(groups.values())


def _at_the_limit(groups: Sequence[Sequence[Seat]], first: int) -> int | None:
    """Which group has some members within the limit and some beyond, None where the limit falls between two groups."""
    counted = 0
    for place, group in enumerate(groups):
        if counted < first < counted + len(group):
            return place
        counted += len(group)
    return None


def _first_below(groups: Sequence[Sequence[Seat]], first: int) -> int:
    counted = 0
    for place, group in enumerate(groups):
        if counted >= first:
            return place
        counted += len(group)
    return len(groups)


def _played_by_all(extra: ExtraManche | None, group: Sequence[Seat]) -> bool:
    return extra is not None and {seat.entry for seat in group} <= set(extra.entries)


def _by_extra_manche(group: Sequence[Seat], extra: ExtraManche | None, decided_by: DecidedBy) -> list[list[Seat]]:
    assert extra is not None
    manche = extra.manche
    if decided_by == "points":
        figures = [(points, 0) for points in manche.points or ()]
    else:
        figures = [(int(manche.winner == e), km) for e, km in zip(extra.entries, manche.km, strict=True)]
    placed = dict(zip(extra.entries, places(figures, [False] * len(figures)), strict=True))
    return _split(group, {seat.entry: (placed[seat.entry],) for seat in group})


def _by_earlier_rank(group: Sequence[Seat], earlier: Ranks) -> list[list[Seat]]:
    """By the ranks of the stage before; a team made of several by its best partner's, then the next one's."""
    unranked = 1 + max((rank for rank in earlier.values() if rank is not None), default=0)

    def ranks(seat: Seat) -> tuple[int, ...]:
        of_partners = [earlier.get(number) for number in seat.team]
        return tuple(sorted(unranked if rank is None else rank for rank in of_partners))

    return _split(group, {seat.entry: ranks(seat) for seat in group})


def _split(group: Sequence[Seat], keys: Mapping[int, tuple[int, ...]]) -> list[list[Seat]]:
    parts: dict[tuple[int, ...], list[Seat]] = {}
    for seat in group:
        parts.setdefault(keys[seat.entry], []).append(seat)
    return [parts[key] for key in sorted(parts)]


def knockout_rows(stage: KnockoutStage, earlier: Ranks | None = None) -> tuple[StageRow, ...]:
    """Everybody of a knock-out stage in order: by the round reached, then by what was played for a place (STANDINGS 5).

    An entry has reached a round by sitting in it, or by going on from the one before, with or without a bye; whoever
    sits in a round has reached it, whatever the tables before say. Everybody has reached the first. Open parties place
    nobody. The withdrawn are listed last, without a rank.
    """
    reached = _rounds_reached(stage, earlier or {})
    played_for = _places_played_for(stage, earlier or {})
    listed = sorted(stage.entries, key=lambda entry: (folded(entry.name), entry.number))
    values: dict[str, dict[int, Value]] = {
        "round_reached": {number: Fraction(round_) for number, round_ in reached.items()},
        "place_match": {number: played_for.get(number) for number in reached},
    }
    in_order = order(
        Group(tuple([entry.number for entry in listed if not entry.withdrawn])),
        [
            by_value("round_reached", values["round_reached"]),
            by_value("place_match", values["place_match"], lowest_first=True),
        ],
    )
    entries = {entry.number: entry for entry in listed}

    def row(rank: int | None, number: int) -> StageRow:
        standing: Standing = "ranked" if rank is not None else "withdrawn"
        return StageRow(rank, entries[number], standing, None, {key: of[number] for key, of in values.items()}, None)

    rows = [row(rank, number).because(why) for rank, number, why in ranked(in_order)]
    gone = [entry.number for entry in listed if entry.withdrawn]
    return tuple(rows + [row(None, number) for number in sorted(gone, key=lambda number: -reached[number])])


def _rounds_reached(stage: KnockoutStage, earlier: Ranks) -> dict[int, int]:
    reached = {entry.number: 1 for entry in stage.entries}

    def reach(numbers: Sequence[int], round_: int) -> None:
        for number in numbers:
            reached[number] = max(reached[number], round_)

    for bye in stage.byes:
        reach([bye.entry], bye.round + 1)
    for table in stage.parties:
        partie = table.partie
        if (table.place or 1) > 1 or not (partie.counts or partie.status == "open"):
            continue
        reach(partie.everybody, partie.round)
        if partie.counts and table.place is None:
            teams = dict(zip(partie.entries, partie.sides, strict=True))
            gone_on = _decided(table, stage, earlier).through
            reach([number for side in gone_on for number in teams[side]], partie.round + 1)
    return reached


def _decided(table: KnockoutPartie, stage: KnockoutStage, earlier: Ranks) -> Advance:
    seats = result(table.partie, stage.table, stage.decided_by)
    return advance(seats, stage.advance, decided_by=stage.decided_by, extra=table.extra, earlier=earlier)


def _places_played_for(stage: KnockoutStage, earlier: Ranks) -> dict[int, Fraction]:
    """By number, the place of the last closed partie that was played for one; those level at it share their place.

    The last is of the latest round, and within a round of the highest number.
    """
    found: dict[int, int] = {}
    for table in sorted(stage.parties, key=lambda table: (table.partie.round, table.partie.number)):
        partie = table.partie
        if table.place is None or not partie.counts:
            continue
        place = table.place
        for group in _groups_of_places(table, stage, earlier):
            for seat in group:
                found |= dict.fromkeys(seat.team, place)
            place += len(group)
    return {number: Fraction(place) for number, place in found.items()}


def _groups_of_places(table: KnockoutPartie, stage: KnockoutStage, earlier: Ranks) -> list[list[Seat]]:
    """Everybody of a table, those who forfeited last, in groups of those who share a place."""
    seats = result(table.partie, stage.table, stage.decided_by)
    groups: list[list[Seat]] = []
    for group in _by_place(seats):
        if len(group) > 1 and _played_by_all(table.extra, group):
            for part in _by_extra_manche(group, table.extra, stage.decided_by):
                groups += _by_earlier_rank(part, earlier)
        else:
            groups.append(group)
    left = [seat for seat in seats.seats if seat.forfeited]
    return [*groups, left] if left else groups
