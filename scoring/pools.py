"""Pools of a stage: the order across them, who goes on, and results that are carried over (STANDINGS 5).

Each pool keeps its own order. Across pools an entry of a better rank in its pool stands first; those of the same rank
by mean match points, then by the list of tie-breaks without direct_encounter.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from scoring.names import folded
from scoring.ordering import Group, Splitter, by_lot, by_value, order, sort_key
from scoring.ranking_document import RankingDocument
from scoring.stage_rows import StageRow
from scoring.standings import Row, Standings, ranked
from scoring.tiebreaks import PRIMARY_KEYS, TIE_BREAKS, Value, mean_match_points

KEYS_OF_MATCH_POINTS = ("match_points", "mean_match_points")
"""Primary keys whose penalties are match points, so that they come off the mean across pools too."""


def pool_rows(pools: Sequence[Standings]) -> tuple[StageRow, ...]:
    """Everybody of a stage in order: the table itself where it has one pool, else across its pools.

    After those ranked come those under the minimum (most manches first), then the withdrawn (by mean match points).
    """
    if len(pools) == 1:
        return tuple([StageRow(r.rank, r.entry, r.standing, None, r.values, r.why) for r in pools[0].rows])
    listed = sorted(_members(pools), key=lambda member: (folded(member[1].entry.name), member[1].entry.number))
    rows = {row.entry.number: (pool, row) for pool, row in listed}
    values = _values(pools, rows)

    def stage_row(rank: int | None, number: int) -> StageRow:
        pool, row = rows[number]
        return StageRow(rank, row.entry, row.standing, pool, {key: of[number] for key, of in values.items()}, None)

    by_standing: dict[str, list[int]] = {"ranked": [], "under-minimum": [], "withdrawn": []}
    for number, (_, row) in rows.items():
        by_standing[row.standing].append(number)
    splitters = _splitters(pools[0].field.document, values)
    in_order = ranked(order(Group(tuple(by_standing["ranked"])), splitters))
    few = sorted(by_standing["under-minimum"], key=lambda number: -rows[number][1].manches)
    gone = sorted(by_standing["withdrawn"], key=lambda number: sort_key(values["mean_match_points"][number]))
    return (
        *[stage_row(rank, number).because(why) for rank, number, why in in_order],
        *[stage_row(None, number) for number in [*few, *gone]],
    )


def _members(pools: Sequence[Standings]) -> Iterator[tuple[int, Row]]:
    for pool, table in enumerate(pools, start=1):
        for row in table.rows:
            yield pool, row


def _values(pools: Sequence[Standings], rows: Mapping[int, tuple[int, Row]]) -> dict[str, dict[int, Value]]:
    document = pools[0].field.document
    primary = PRIMARY_KEYS["mean_match_points"]
    mean = primary.penalised if document.primary in KEYS_OF_MATCH_POINTS else mean_match_points
    fields = [pool.field for pool in pools]
    values: dict[str, dict[int, Value]] = {
        "pool_rank": {n: None if row.rank is None else Fraction(row.rank) for n, (_, row) in rows.items()},
        "mean_match_points": {n: mean(fields[pool - 1].records[n], fields[pool - 1]) for n, (pool, _) in rows.items()},
    }
    for name in document.tie_breaks:
        if TIE_BREAKS[name].value is not None:
            values[name] = {number: row.values[name] for number, (_, row) in rows.items()}
    return values


def _splitters(document: RankingDocument, values: Mapping[str, Mapping[int, Value]]) -> Iterator[Splitter]:
    yield by_value("pool_rank", values["pool_rank"], lowest_first=True)
    yield by_value("mean_match_points", values["mean_match_points"])
    for name in document.tie_breaks:
        if name == "draw":
            yield by_lot(document.secret or "")
        elif name in values:
            yield by_value(name, values[name])


@dataclass(frozen=True, slots=True)
class Tie:
    """Entries level at the limit: `places` of them go on, and no key says which. `pool` from 1, None across pools."""

    level: tuple[int, ...]
    places: int
    pool: int | None


@dataclass(frozen=True, slots=True)
class Qualified:
    """Who goes on to the next stage, in the order across pools, and what the organiser still has to decide.

    `through` has no member of a tie: with a tie in `ties`, that many more go on. `seeds` are ranks of this stage, to be
    the earlier ranks of a knock-out.
    """

    through: tuple[int, ...]
    ties: tuple[Tie, ...]
    seeds: Mapping[int, int | None]


def qualified(pools: Sequence[Standings], *, per_pool: int = 0, best_others: int = 0) -> Qualified:
    """The first `per_pool` of each pool, and the `best_others` of those left in the order across pools (STANDINGS 5).

    `qualified(pools, best_others=8)`: the eight best of all. Those without a rank never go on; where too few are
    ranked, fewer go on. While a pool has a tie at its limit nothing is known of the best others and they are not named.

    Raises:
        ValueError: no pool, or a negative number.
    """
    if not pools or per_pool < 0 or best_others < 0:
        raise ValueError("nobody can go on from no pool, and not fewer than nobody")
    through: list[int] = []
    ties: list[Tie] = []
    for pool, table in enumerate(pools, start=1):
        first, tie = _first([(row.rank, row.entry.number) for row in table.rows], per_pool)
        through += first
        if tie:
            ties.append(replace(tie, pool=pool if len(pools) > 1 else None))
    rows = pool_rows(pools)
    if best_others and not ties:
        left = [(row.rank, row.entry.number) for row in rows if row.entry.number not in through]
        others, tie = _first(left, best_others)
        through += others
        ties += [tie] if tie else []
    chosen = set(through)
    return Qualified(
        through=tuple([row.entry.number for row in rows if row.entry.number in chosen]),
        ties=tuple(ties),
        seeds={row.entry.number: row.rank for row in rows},
    )


def first_of(rows: Sequence[StageRow], count: int) -> Qualified:
    """The first `count` of a stage by its whole order, whatever the stage is: of a knock-out too."""
    through, tie = _first([(row.rank, row.entry.number) for row in rows], count)
    return Qualified(tuple(through), (tie,) if tie else (), {row.entry.number: row.rank for row in rows})


def _first(listed: Sequence[tuple[int | None, int]], count: int) -> tuple[list[int], Tie | None]:
    """The first so many of those ranked, without the group that the limit cuts; that group as a tie."""
    in_order = [(rank, number) for rank, number in listed if rank is not None]
    if len(in_order) <= count or not count:
        return ([number for _, number in in_order] if count else []), None
    inside, beyond = in_order[count - 1][0], in_order[count][0]
    if inside != beyond:
        return [number for _, number in in_order[:count]], None
    first = [number for rank, number in in_order if rank < beyond]
    return first, Tie(tuple([number for rank, number in in_order if rank == beyond]), count - len(first), None)


def carried_over(pool: RankingDocument, before: Sequence[RankingDocument]) -> RankingDocument:
    """The pool with the results of the stage before among its entries: every partie all of whose entries are in it.

    Parties keep their numbers and rounds. Byes and penalties of the stage before stay there. `before`: the pools of the
    stage before, with what was carried over into them.
    """
    inside = {entry.number for entry in pool.entries}
    among = [
        partie
        for other in before
        for partie in other.parties
        if partie.status == "closed" and inside.issuperset(partie.everybody)
    ]
    return replace(pool, parties=(*among, *pool.parties))
