"""From a document `classement/1` to its ranking (STANDINGS 3 and 7).

`rank` takes a decoded document and gives the answer of STANDINGS 7; `explain` gives the same rows with names and the
full why of each. Pages that hold a document already read call `standings` and use its values.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from scoring.names import folded
from scoring.ordering import Group, Order, Splitter, by_encounters, by_lot, by_value, order, sort_key, written
from scoring.ranking_document import Entry, RankingDocument
from scoring.ranking_reader import read
from scoring.records import Field, field
from scoring.tiebreaks import PRIMARY_KEYS, TIE_BREAKS, Value
from scoring.why import Explained, Why

Standing = Literal["ranked", "under-minimum", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Row(Explained):
    """One entry's row. `rank` is None unless `standing` is "ranked".

    `values` has the primary key, penalty taken off, and every tie-break that is a value of an entry, in the order
    chosen. `why` says what separates it from the next ranked row: None for the last ranked one and for the unranked.
    `manches` is how many it played, which the minimum is held against.
    """

    rank: int | None
    entry: Entry
    standing: Standing
    manches: int
    values: Mapping[str, Value]
    why: Why | None

    def as_answer(self) -> dict[str, object]:
        """The row as STANDINGS 7 gives it."""
        return {
            "rank": self.rank,
            "entry": self.entry.number,
            "values": {key: written(value) for key, value in self.values.items()},
            "above_next_by": self.above_next_by,
        }

    def as_explanation(self) -> dict[str, object]:
        """The row with what a page needs besides: `name`, `standing`, `manches`, and `why` as data or None."""
        return self.as_answer() | {
            "name": self.entry.name,
            "standing": self.standing,
            "manches": self.manches,
            "why": self.why.as_data() if self.why else None,
        }


@dataclass(frozen=True, slots=True)
class Standings:
    """The rows: those ranked, those under the minimum, the withdrawn; and the field that they were made from."""

    rows: tuple[Row, ...]
    field: Field

    def as_answer(self) -> dict[str, object]:
        """`{"rows": [...]}` of STANDINGS 7."""
        return {"rows": [row.as_answer() for row in self.rows]}


def rank(document: object) -> dict[str, object]:
    """The ranking of a decoded document as STANDINGS 7 answers it; raises `RankingError` where it does not fit.

    >>> rank({"format": "classement/1", "table": 2, "decided_by": "points", "primary": "match_points", "tie_breaks": [],
    ...       "entries": [{"number": 1, "name": "Ana"}], "parties": []})
    {'rows': [{'rank': 1, 'entry': 1, 'values': {'match_points': '0'}, 'above_next_by': None}]}
    """
    return standings(read(document)).as_answer()


def explain(document: object) -> dict[str, object]:
    """As `rank`, each row with `name`, `standing`, `manches` and its full `why` (see `scoring.why`)."""
    return {"rows": [row.as_explanation() for row in standings(read(document)).rows]}


def standings(document: RankingDocument) -> Standings:
    """Rank the entries of a document that was read."""
    everybody = field(document)
    values = _values(everybody)
    listed = sorted(document.entries, key=lambda entry: (folded(entry.name), entry.number))
    standing = {entry.number: _standing(entry, everybody) for entry in listed}
    by_primary = sorted(listed, key=lambda entry: sort_key(values[document.primary][entry.number]))
    by_manches = sorted(listed, key=lambda entry: -everybody.records[entry.number].manches)

    in_order = order(
        Group(tuple(e.number for e in listed if standing[e.number] == "ranked")), _splitters(everybody, values)
    )
    places: list[tuple[int | None, int, Why | None]] = list(ranked(in_order))
    places += [(None, e.number, None) for e in by_manches if standing[e.number] == "under-minimum"]
    places += [(None, e.number, None) for e in by_primary if standing[e.number] == "withdrawn"]

    rows = tuple(
        Row(
            rank=place,
            entry=everybody.records[number].entry,
            standing=standing[number],
            manches=everybody.records[number].manches,
            values={key: of_entry[number] for key, of_entry in values.items()},
            why=why,
        )
        for place, number, why in places
    )
    return Standings(rows, everybody)


def _standing(entry: Entry, everybody: Field) -> Standing:
    document = everybody.document
    if entry.withdrawn:
        return "withdrawn"
    if document.primary == "mean_points" and everybody.records[entry.number].manches < (document.minimum or 0):
        return "under-minimum"
    return "ranked"


def _values(everybody: Field) -> dict[str, dict[int, Value]]:
    """By key, then by entry: the primary key and the tie-breaks that are a value of an entry."""
    primary = PRIMARY_KEYS[everybody.document.primary]
    records = everybody.records
    values = {primary.name: {number: primary.penalised(record, everybody) for number, record in records.items()}}
    for name in everybody.document.tie_breaks:
        value_of = TIE_BREAKS[name].value
        if value_of is not None:
            values[name] = {number: value_of(record, everybody) for number, record in records.items()}
    return values


def _splitters(everybody: Field, values: Mapping[str, dict[int, Value]]) -> Iterable[Splitter]:
    yield by_value(everybody.document.primary, values[everybody.document.primary])
    for name in everybody.document.tie_breaks:
        if name == "direct_encounter":
            yield by_encounters(everybody)
        elif name == "draw":
            yield by_lot(everybody.document.secret or "")
        else:
            yield by_value(name, values[name])


def ranked(in_order: Order) -> Iterable[tuple[int, int, Why | None]]:
    """Rank, entry and why of each: the members of a last group share a rank, and the next rank counts them all."""
    place = 1
    cuts: tuple[Why | None, ...] = (*in_order.cuts, None)
    for group, cut in zip(in_order.groups, cuts, strict=True):
        level = Why(None, None, None, group.passed)
        for number in group.members:
            yield place, number, cut if number == group.members[-1] else level
        place += len(group.members)
