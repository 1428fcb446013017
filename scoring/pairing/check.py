"""What is wrong with a pairing, or only worth a warning, when somebody changes it by hand."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from scoring.pairing.field import Contender, Meetings
from scoring.pairing.sizes import sizes

Code = Literal[
    "twice", "unknown", "missing", "table-size", "repeat", "second-bye", "clubmates", "short-table", "extra-bye"
]

FAULTS: Final = frozenset({"twice", "unknown", "missing", "table-size"})
"""With one of these a pairing cannot be played; the other codes are warnings."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a pairing.

    `code`: faults are `twice` (a number stands in it more than once), `unknown` (a number that nobody has who plays),
    `missing` (one who plays and stands nowhere), `table-size` (neither T nor T−1). Warnings are `repeat` (two who met
    `times` times before), `second-bye` (a bye for one who had `times`, while another who plays had fewer),
    `clubmates`, `short-table` (T−1 where short tables are not allowed), `extra-bye` (more sit out than must:
    `times` too many). `numbers`: the entries concerned; `table`: which one, from 0 as given, or None.
    """

    code: Code
    numbers: tuple[int, ...]
    table: int | None = None
    times: int = 0

    @property
    def is_fault(self) -> bool:
        """Whether it cannot be played like this."""
        return self.code in FAULTS


def check_pairing(
    tables: Sequence[Sequence[int]],
    byes: Sequence[int],
    contenders: Iterable[Contender],
    met: Meetings,
    *,
    table: int,
    short_tables: bool = False,
    apart_by_club: bool = False,
) -> tuple[Finding, ...]:
    """All findings on a round as it would stand: faults first, then warnings by table, then by bye."""
    known = {contender.number: contender for contender in contenders}
    found = [*_faults(tables, byes, known, table)]
    for place, numbers in enumerate(tables):
        present = [number for number in numbers if number in known]
        if len(numbers) == table - 1 >= 2 and not short_tables:
            found.append(Finding("short-table", tuple(numbers), place))
        for pair in combinations(present, 2):
            if times := met.get(frozenset(pair), 0):
                found.append(Finding("repeat", pair, place, times))
            if apart_by_club and known[pair[0]].club is not None and known[pair[0]].club == known[pair[1]].club:
                found.append(Finding("clubmates", pair, place))
    found += _about_byes(byes, known)
    if (extra := len(byes) - _least_byes(len(known), table, short_tables=short_tables)) > 0:
        found.append(Finding("extra-bye", tuple(byes), times=extra))
    return tuple(found)


def _faults(
    tables: Sequence[Sequence[int]], byes: Sequence[int], known: dict[int, Contender], size: int
) -> Iterator[Finding]:
    seen = Counter([number for numbers in tables for number in numbers] + list(byes))
    yield from (Finding("twice", (number,), times=times) for number, times in sorted(seen.items()) if times > 1)
    yield from (Finding("unknown", (number,)) for number in sorted(seen.keys() - known.keys()))
    yield from (Finding("missing", (number,)) for number in sorted(known.keys() - seen.keys()))
    for place, numbers in enumerate(tables):
        if len(numbers) != size and not len(numbers) == size - 1 >= 2:
            yield Finding("table-size", tuple(numbers), place)


def _about_byes(byes: Sequence[int], known: dict[int, Contender]) -> Iterator[Finding]:
    playing = [contender.byes for number, contender in known.items() if number not in set(byes)]
    least = min(playing, default=None)
    for number in byes:
        if number in known and least is not None and known[number].byes > least:
            yield Finding("second-bye", (number,), times=known[number].byes)


def _least_byes(entries: int, table: int, *, short_tables: bool) -> int:
    return sizes(entries, table=table, short_tables=short_tables).byes
