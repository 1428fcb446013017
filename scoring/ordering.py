"""Splitting the field key by key until it stands in order, and keeping what each key said (STANDINGS 3).

A group is a set of entries level in every key so far, listed by name and number. A key cuts it into parts, each cut
with its why, or passes it over with a reason; the next key takes each part by itself.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from scoring.parties import encounter
from scoring.records import Field, Record
from scoring.tiebreaks import Value, lot
from scoring.why import Level, NeverMet, Passed, Why


@dataclass(frozen=True, slots=True)
class Group:
    """Entries level so far, by number, in the order in which they are listed; the keys that did not separate them."""

    members: tuple[int, ...]
    passed: tuple[Passed, ...] = ()


@dataclass(frozen=True, slots=True)
class Order:
    """Groups from first to last, and the why of each cut between one and the next."""

    groups: tuple[Group, ...]
    cuts: tuple[Why, ...] = ()


Values = Mapping[int, Value]
Splitter = Callable[[Group], Order]


def order(group: Group, splitters: Iterable[Splitter]) -> Order:
    """Split a group by one key after the other; each gets the parts that the keys before it left."""
    so_far = Order((group,))
    for split in splitters:
        so_far = _split_all(so_far, split)
    return so_far


def _split_all(so_far: Order, split: Splitter) -> Order:
    groups: list[Group] = []
    cuts: list[Why] = []
    for place, group in enumerate(so_far.groups):
        if place:
            cuts.append(so_far.cuts[place - 1])
        parts = split(group) if len(group.members) > 1 else Order((group,))
        groups.extend(parts.groups)
        cuts.extend(parts.cuts)
    return Order(tuple(groups), tuple(cuts))


def by_value(key: str, values: Values, *, lowest_first: bool = False) -> Splitter:
    """A key that gives every entry a value: highest first, or lowest first where it is a place; null last."""

    def split(group: Group) -> Order:
        return _cut(group, key, {number: values[number] for number in group.members}, lowest_first=lowest_first)

    return split


def sort_key(value: Value) -> tuple[bool, Fraction | int]:
    """For `sorted`: highest first, null last."""
    return (True, 0) if value is None else (False, -value)


def place_key(value: Value) -> tuple[bool, Fraction | int]:
    """For `sorted`: lowest first, null last."""
    return (True, 0) if value is None else (False, value)


def written(value: Value) -> str | None:
    """A value in the answer: a whole number or a lowest fraction, as text, or None."""
    return None if value is None else str(value)


def _cut(
    group: Group, key: str, values: Values, among: tuple[int, ...] | None = None, *, lowest_first: bool = False
) -> Order:
    parts: dict[Value, list[int]] = {}
    for number in group.members:
        parts.setdefault(values[number], []).append(number)
    ranked = sorted(parts, key=place_key if lowest_first else sort_key)
    groups = tuple(
        Group(tuple(parts[value]), (*group.passed, Level(key, written(value), among)) if len(parts[value]) > 1 else ())
        for value in ranked
    )
    cuts = tuple(Why(key, written(upper), written(lower), group.passed, among) for upper, lower in pairwise(ranked))
    return Order(groups, cuts)


def by_lot(secret: str) -> Splitter:
    """`draw`: every entry has a lot of its own, lowest first."""

    def split(group: Group) -> Order:
        lots = sorted((lot(secret, number), number) for number in group.members)
        cuts = tuple(Why("draw", upper, lower, group.passed) for (upper, _), (lower, _) in pairwise(lots))
        return Order(tuple(Group((number,)) for _, number in lots), cuts)

    return split


def by_encounters(field: Field) -> Splitter:
    """`direct_encounter`: used where all of a group met; a part that it makes is treated with it again."""

    def split(group: Group) -> Order:
        meetings = _meetings(field, group.members)
        if isinstance(meetings, NeverMet):
            return Order((Group(group.members, (*group.passed, meetings)),))
        return _split_by_meetings(group, meetings)

    return split


Meetings = dict[int, dict[int, tuple[int, int]]]
"""For each entry and opponent: how many times they met, and the sum of its 2 / 1 / 0."""


def _meetings(field: Field, members: tuple[int, ...]) -> Meetings | NeverMet:
    meetings: Meetings = {}
    among = frozenset(members)
    for number in members:
        meetings[number] = met = _met(field.records[number], among)
        if len(met) < len(members) - 1:
            missing = next(other for other in members if other != number and other not in met)
            pair = (number, missing)
            return NeverMet("direct_encounter", pair, among=len(members) if len(members) > len(pair) else None)
    return meetings


def _met(record: Record, among: frozenset[int]) -> dict[int, tuple[int, int]]:
    met: dict[int, tuple[int, int]] = {}
    for partie, own in record.played:
        if own.forfeited:
            continue
        for other in partie.seats:
            if other is own or other.forfeited:
                continue
            for number in other.team:  # an entry, or in a mêlée all partners of the other side
                if number in among:
                    times, score = met.get(number, (0, 0))
                    met[number] = times + 1, score + encounter(own, other)
    return met


def _split_by_meetings(group: Group, meetings: Meetings) -> Order:
    """Parts still to be treated wait on a stack: a recursion could be as deep as the group is large."""
    groups: list[Group] = []
    cuts: list[Why] = []
    waiting: list[tuple[tuple[int, ...], Why | None]] = [(group.members, None)]
    while waiting:
        members, above = waiting.pop()
        values = {number: _encounter_sum(meetings[number], members) for number in members}
        parts = _cut(Group(members, group.passed), "direct_encounter", values, among=members)
        if parts.cuts:
            below = zip([part.members for part in parts.groups], [above, *parts.cuts], strict=True)
            waiting.extend(reversed(list(below)))
            continue
        groups.extend(parts.groups)
        if above:
            cuts.append(above)
    return Order(tuple(groups), tuple(cuts))


def _encounter_sum(met: dict[int, tuple[int, int]], members: Iterable[int]) -> Fraction:
    """Sum of the averages over the opponents among `members`, one fraction for all those met as many times."""
    scores: dict[int, int] = defaultdict(int)
    for other in members:
        if other in met:
            times, score = met[other]
            scores[times] += score
    return sum((Fraction(score, times) for times, score in scores.items()), Fraction(0))
