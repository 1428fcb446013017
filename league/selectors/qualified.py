"""Who comes into a stage: everybody into the first, and the best of the stage before into a later one (STANDINGS 5)."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from league.models import Championship, Stage, StageEntry
from league.selectors.etapes import both_documents
from league.selectors.pairing_field import PairingField, standing_for_pairing
from league.selectors.stages import last_round_number
from scoring.stage_reader import read_stages
from scoring.stage_rows import StageRow
from scoring.stages import stages_standings

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

    `ranks`: the place of each in its pool, or in the stage; empty for a first stage. `order`: everybody who could come
    in, best first.
    """

    certain: Sequence[int]
    level: Sequence[Level]
    ranks: dict[int, int]
    names: dict[int, str]
    field: PairingField
    order: Sequence[int]


def coming(*, championship: Championship, stage: Stage) -> Coming:
    """Who comes into a stage that was not started; a later one by the ranking of the stage before."""
    before = Stage.objects.filter(championship=championship, number__lt=stage.number).order_by("-number").first()
    field = standing_for_pairing(championship=championship, stage=before, round=last_round_number(championship) + 1)
    names = dict(field.names)
    if before is None or before.started_at is None:
        return Coming(sorted(field.contenders), [], {}, names, field, sorted(field.contenders))
    ranks: dict[int, int] = {}
    pools: dict[int, int | None] = {}
    order: list[int] = []
    for row in _ranking_of(championship, before):
        number = row.entry.number
        rank = row.values["pool_rank"] if row.pool is not None else row.rank
        if row.standing == "ranked" and rank is not None and number in field.contenders:
            ranks[number], pools[number] = int(rank), row.pool
            order.append(number)
    certain, level = _through(ranks, pools, stage.qualify)
    return Coming([number for number in order if number in certain], level, ranks, names, field, order)


def _ranking_of(championship: Championship, stage: Stage) -> Sequence[StageRow]:
    """The rows of a stage that has begun, across its pools, best first."""
    document = both_documents(championship, with_stage=stage.number)[1]
    begun = Stage.objects.filter(championship=championship, started_at__isnull=False, number__lt=stage.number).count()
    return stages_standings(read_stages(document)).stages[begun].rows


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


def in_order(*, coming_in: Coming, numbers: Collection[int]) -> list[int]:
    """Entries that come in, some of them chosen among the level, as they are seeded."""
    return [number for number in coming_in.order if number in numbers]


def members_of(*, stage: Stage) -> list[tuple[int, str, int | None, int]]:
    """Who is in a stage, as (entry number, team, pool, seed), by pool and seed. One query."""
    rows = StageEntry.objects.filter(stage=stage).order_by("pool", "seed")
    return list(rows.values_list("entry__number", "entry__team__name", "pool", "seed"))
