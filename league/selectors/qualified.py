"""Who comes into a stage: everybody into the first, and the best of the stage before into a later one (STANDINGS 5)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.models import Championship, Format, Stage, StageEntry
from league.selectors.bracket import knockout_places
from league.selectors.pairing_field import PairingField, standing_for_pairing
from league.selectors.stages import last_round_number

BY_NUMBER: Final = "number"
BY_LOT: Final = "lot"


@dataclass(frozen=True, slots=True)
class Level:
    """Entries level at the limit, of whom only so many go on. `pool` None: without pools."""

    pool: int | None
    places: int
    numbers: Sequence[int]


@dataclass(frozen=True, slots=True)
class Coming:
    """Who comes in, by entry number: `certain`, best first, and those `level` at the limit, who must be told apart.

    `ranks`: the place of each in its pool, or in the stage; empty for a first stage.
    """

    certain: Sequence[int]
    level: Sequence[Level]
    ranks: dict[int, int]
    names: dict[int, str]
    field: PairingField


def coming(*, championship: Championship, stage: Stage) -> Coming:
    """Who comes into a stage that was not started. Ten queries at most."""
    before = Stage.objects.filter(championship=championship, number__lt=stage.number).order_by("-number").first()
    field = standing_for_pairing(championship=championship, stage=before, round=last_round_number(championship) + 1)
    names = dict(field.names)
    if before is None:
        return Coming(sorted(field.contenders), [], {}, names, field)
    if before.format == Format.KNOCKOUT:
        ranks = _of_knockout(championship, before, field)
        pools: dict[int, int | None] = dict.fromkeys(ranks)
    else:
        ranks = {number: one.place for number, one in field.contenders.items()}
        pools = {number: field.pools[number] for number in ranks}
    certain, level = _through(ranks, pools, stage.qualify)
    return Coming(_across_pools(certain, ranks, field), level, ranks, names, field)


def _of_knockout(championship: Championship, before: Stage, field: PairingField) -> dict[int, int]:
    ranks = knockout_places(championship=championship, stage=before)
    return {number: rank for number, rank in ranks.items() if number in field.contenders}


def _through(ranks: dict[int, int], pools: dict[int, int | None], most: int | None) -> tuple[list[int], list[Level]]:
    """The first so many of each pool, and those who share the last place that counts."""
    certain: list[int] = []
    level: list[Level] = []
    by_pool: dict[int | None, list[int]] = defaultdict(list)
    for number in sorted(ranks, key=lambda number: (ranks[number], number)):
        by_pool[pools[number]].append(number)
    for pool, numbers in by_pool.items():
        if most is None or len(numbers) <= most:
            certain += numbers
            continue
        limit = ranks[numbers[most - 1]]
        above = [number for number in numbers if ranks[number] < limit]
        at_limit = [number for number in numbers if ranks[number] == limit]
        if len(above) + len(at_limit) <= most:
            certain += above + at_limit
        else:
            certain += above
            level.append(Level(pool, most - len(above), at_limit))
    return certain, level


def _across_pools(numbers: Sequence[int], ranks: dict[int, int], field: PairingField) -> list[int]:
    """Better places first; of the same place by match points, then as they were seeded."""

    def standing(number: int) -> tuple[int, object, int]:
        return ranks[number], -field.contenders[number].match_points, field.seeds[number]

    return sorted(numbers, key=standing)


def in_order(*, coming_in: Coming, numbers: Sequence[int]) -> list[int]:
    """Entries that come in, some of them chosen among the level, as they are seeded."""
    return _across_pools(numbers, coming_in.ranks, coming_in.field) if coming_in.ranks else sorted(numbers)


def members_of(*, stage: Stage) -> list[tuple[int, str, int | None, int]]:
    """Who is in a stage, as (entry number, team, pool, seed), by pool and seed. One query."""
    rows = StageEntry.objects.filter(stage=stage).order_by("pool", "seed")
    return list(rows.values_list("entry__number", "entry__team__name", "pool", "seed"))
