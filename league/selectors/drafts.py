"""A draft as its organisers see it: tables with names, what is worth a warning, and what was changed by hand."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from league.models import Absence, Championship, Format, Ranks, Round
from league.selectors.pairing_field import PairingField, standing_for_pairing
from scoring.pairing import check_pairing


@dataclass(frozen=True, slots=True)
class Seated:
    """An entry in a draft: its number, name, and match points before this round."""

    number: int
    name: str
    points: str


@dataclass(frozen=True, slots=True)
class Warned:
    """Something worth looking at.

    `code`: of `scoring.pairing.Finding`, or `partners`, `absent`, `withdrawn`, `other-pool`. `times`: how often before.
    `numbers`: of the entries that it is about, who are called `names`.
    """

    code: str
    names: Sequence[str]
    times: int = 0
    numbers: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class DraftTable:
    """A table of a draft. `kept`: it was played already; `changed`: not as it was drawn; `place` as in the pairing."""

    number: int
    sides: Sequence[Sequence[Seated]]
    pool: int | None
    place: int | None
    extra_of: int | None
    partie: int | None
    kept: bool
    changed: bool
    forfeit: bool
    warnings: Sequence[Warned]


@dataclass(frozen=True, slots=True)
class DraftView:
    """A draft. `warnings` are those of no table. `missing`: who could play and stands nowhere."""

    id: int
    number: int
    version: int
    seed: str
    stage: str
    format: str
    tables: Sequence[DraftTable]
    byes: Sequence[Seated]
    absent: Sequence[Seated]
    idle: Sequence[Seated]
    missing: Sequence[Seated]
    warnings: Sequence[Warned]
    is_changed: bool
    is_melee: bool
    reopened: int

    @property
    def count(self) -> int:
        """How many warnings there are in all."""
        return len(self.warnings) + sum(len(table.warnings) for table in self.tables)


def draft_view(*, championship: Championship, round_: Round) -> DraftView:
    """A draft with its warnings. Ten queries at most."""
    field = standing_for_pairing(championship=championship, stage=round_.stage, round=round_.number)
    pairing = round_.pairing
    melee = championship.ranks == Ranks.PLAYERS
    away = set(
        Absence.objects.filter(championship=championship, round=round_.number).values_list("entry__number", flat=True)
    )
    by_table, others = _warnings(championship, round_, field, melee=melee)
    drawn = {_key(sides) for sides in pairing.get("drawn", {}).get("tables", [])}
    tables = []
    for place, table in enumerate(pairing.get("tables", [])):
        numbers = [number for side in table["sides"] for number in side]
        said = [*by_table[place], *_about_those(numbers, away, field, table)]
        tables.append(_table(table, field, said, changed=_key(table["sides"]) not in drawn and not table.get("kept")))
    listed = {number for table in pairing.get("tables", []) for side in table["sides"] for number in side}
    listed |= {*pairing.get("byes", []), *pairing.get("absent", []), *pairing.get("idle", [])}
    byes_changed = sorted(pairing.get("byes", [])) != sorted(pairing.get("drawn", {}).get("byes", []))
    return DraftView(
        id=round_.pk,
        number=round_.number,
        version=round_.version,
        seed=round_.seed,
        stage=round_.stage.name if round_.stage else "",
        format=round_.stage.format if round_.stage else "",
        tables=tables,
        byes=_named(pairing.get("byes", []), field),
        absent=_named(pairing.get("absent", []), field),
        idle=_named(pairing.get("idle", []), field),
        missing=_named(sorted(set(field.contenders) - listed), field) if _takes_more(round_) else [],
        warnings=others,
        is_changed=byes_changed or any(table.changed for table in tables),
        is_melee=melee,
        reopened=round_.reopened,
    )


def _takes_more(round_: Round) -> bool:
    """Whether who stands nowhere could play: not in a knock-out, where most are out."""
    return round_.stage is None or round_.stage.format != Format.KNOCKOUT


def _key(sides: Iterable[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(side) for side in sides)


def _named(numbers: Iterable[int], field: PairingField) -> list[Seated]:
    return [_seated(number, field) for number in numbers]


def _seated(number: int, field: PairingField) -> Seated:
    one = field.contenders.get(number)
    return Seated(number, field.names.get(number, f"{number}"), str(one.match_points) if one else "")


def _table(table: Mapping[str, Any], field: PairingField, said: Sequence[Warned], *, changed: bool) -> DraftTable:
    return DraftTable(
        number=table["number"],
        sides=[_named(side, field) for side in table["sides"]],
        pool=table.get("pool"),
        place=table.get("place"),
        extra_of=table.get("extra_of"),
        partie=table.get("partie"),
        kept=bool(table.get("kept")),
        changed=changed,
        forfeit=bool(table.get("forfeit")),
        warnings=said,
    )


def _about_those(numbers: Sequence[int], away: set[int], field: PairingField, table: Mapping[str, Any]) -> list[Warned]:
    found = [_warned("absent", [number], field) for number in numbers if number in away]
    gone = [number for number in numbers if number not in field.contenders and number not in table.get("forfeit", ())]
    if len({field.pools[number] for number in numbers if number in field.pools}) > 1:
        found.append(_warned("other-pool", numbers, field))
    return found + [Warned("withdrawn", [str(number)], numbers=[number]) for number in gone]


def _warned(code: str, numbers: Sequence[int], field: PairingField, times: int = 0) -> Warned:
    return Warned(code, [_seated(number, field).name for number in numbers], times, list(numbers))


def _warnings(
    championship: Championship, round_: Round, field: PairingField, *, melee: bool
) -> tuple[dict[int, list[Warned]], list[Warned]]:
    """What is worth a warning: by place of the table, and what is of no table."""
    pairing, stage = round_.pairing, round_.stage
    tables = pairing.get("tables", [])
    if melee:
        return _of_melee(tables, field), _of_byes(pairing.get("byes", []), field)
    by_table: dict[int, list[Warned]] = defaultdict(list)
    others: list[Warned] = []
    repeats = stage is None or stage.format in (Format.SWISS, Format.FREE)
    drawn = [table for table in tables if not table.get("extra_of")]
    place_of = [place for place, table in enumerate(tables) if not table.get("extra_of")]
    playing = {n for table in drawn for side in table["sides"] for n in side} | set(pairing.get("byes", []))
    for finding in check_pairing(
        [[side[0] for side in table["sides"]] for table in drawn],
        pairing.get("byes", []),
        [one for number, one in field.contenders.items() if number in playing],
        field.met,
        table=championship.table_entries,
        short_tables=championship.allow_short_tables,
        apart_by_club=stage is not None and stage.apart_by_club,
    ):
        if finding.code == "unknown" or (not repeats and finding.code not in ("twice", "table-size")):
            continue
        warned = _warned(finding.code, finding.numbers, field, finding.times)
        if finding.table is None:
            others.append(warned)
        elif not drawn[finding.table].get("kept"):
            by_table[place_of[finding.table]].append(warned)
    return by_table, others


def _of_melee(tables: Sequence[Mapping[str, Any]], field: PairingField) -> dict[int, list[Warned]]:
    found: dict[int, list[Warned]] = defaultdict(list)
    for place, table in enumerate(tables):
        for side in table["sides"]:
            for pair in combinations(side, 2):
                if times := field.partners.get(frozenset(pair), 0):
                    found[place].append(_warned("partners", pair, field, times))
        for one, other in combinations(table["sides"], 2):
            for pair in product(one, other):
                if times := field.met.get(frozenset(pair), 0):
                    found[place].append(_warned("repeat", pair, field, times))
    return found


def _of_byes(byes: Sequence[int], field: PairingField) -> list[Warned]:
    least = min((one.byes for number, one in field.contenders.items() if number not in byes), default=0)
    had = [(number, field.contenders[number].byes) for number in byes if number in field.contenders]
    return [_warned("second-bye", [number], field, times) for number, times in had if times > least]
