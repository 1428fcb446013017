"""From a document `etapes/1` to the ranking of a championship over all its stages (STANDINGS 5).

A stage ranks above those that it left out: whoever came into a later stage stands above all who did not. Those who
came no further keep the order of their last stage. `rank_stages` takes a decoded document and gives the answer,
`explain_stages` the same rows with names and the full why of each; pages call `stages_standings`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoring.knockout import Ranks, knockout_rows
from scoring.pools import carried_over, pool_rows
from scoring.ranking_document import RankingDocument
from scoring.stage_document import KnockoutStage, RankingStage, Stage, StagesDocument
from scoring.stage_reader import read_stages
from scoring.stage_rows import StageRow
from scoring.standings import Standings, standings
from scoring.why import Explained, Why


@dataclass(frozen=True, slots=True)
class StageStandings:
    """A stage and everybody in it, in order; `pools`: the tables of its pools, results carried over counted; none for a
    knock-out.
    """

    stage: Stage
    rows: tuple[StageRow, ...]
    pools: tuple[Standings, ...]

    @property
    def ranks(self) -> Ranks:
        """The rank of everybody in it, None for those without one: what a knock-out after it falls back on."""
        return {row.entry.number: row.rank for row in self.rows}


@dataclass(frozen=True, slots=True)
class OverallRow(Explained):
    """One entry of the championship: its rank over all stages, the last stage that it came into (from 1) and its row
    there. `why` says what separates it from the next ranked row: the key "stage" where that one came less far.
    """

    rank: int | None
    stage: int
    row: StageRow
    why: Why | None

    def as_answer(self) -> dict[str, object]:
        """`{"rank", "entry", "stage", "values", "above_next_by"}`; `values` are those of the stage."""
        return {
            "rank": self.rank,
            "entry": self.row.entry.number,
            "stage": self.stage,
            "values": self.row.written_values,
            "above_next_by": self.above_next_by,
        }

    def as_explanation(self) -> dict[str, object]:
        """The row with `name`, `standing`, `pool` (from 1, None without pools), and `why` as data or None."""
        return self.as_answer() | {
            "name": self.row.entry.name,
            "standing": self.row.standing,
            "pool": self.row.pool,
            "why": self.why.as_data() if self.why else None,
        }


@dataclass(frozen=True, slots=True)
class StagesStandings:
    """The rows of the championship (those ranked, those under a minimum, the withdrawn), and those of every stage."""

    rows: tuple[OverallRow, ...]
    stages: tuple[StageStandings, ...]

    def as_answer(self) -> dict[str, object]:
        """`{"rows": [...]}`."""
        return {"rows": [row.as_answer() for row in self.rows]}


def rank_stages(document: object) -> dict[str, object]:
    """The ranking of a decoded document `etapes/1`; raises `RankingError` where it does not fit."""
    return stages_standings(read_stages(document)).as_answer()


def explain_stages(document: object) -> dict[str, object]:
    """As `rank_stages`, each row with `name`, `standing`, `pool` and its full `why` (see `scoring.why`)."""
    return {"rows": [row.as_explanation() for row in stages_standings(read_stages(document)).rows]}


def stages_standings(document: StagesDocument) -> StagesStandings:
    """Rank everybody over the stages of a document that was read."""
    stages: list[StageStandings] = []
    for stage in document.stages:
        stages.append(stage_standings(stage, stages[-1] if stages else None))
    last = {row.entry.number: number for number, stage in enumerate(stages, start=1) for row in stage.rows}
    placed: list[tuple[int, int, StageRow]] = []
    unranked: list[OverallRow] = []
    for number in range(len(stages), 0, -1):
        in_order = enumerate(stages[number - 1].rows)
        here = [(place, row) for place, row in in_order if last[row.entry.number] == number]
        placed += [(number, place, row) for place, row in here if row.rank is not None]
        unranked += [OverallRow(None, number, row, None) for _, row in here if row.rank is None]
    return StagesStandings(
        rows=(*_overall(placed), *sorted(unranked, key=lambda row: row.row.standing == "withdrawn")),
        stages=tuple(stages),
    )


def stage_standings(stage: Stage, before: StageStandings | None = None) -> StageStandings:
    """Everybody of one stage in order, `before` being the stage before it."""
    if isinstance(stage, KnockoutStage):
        return StageStandings(stage, knockout_rows(stage, before.ranks if before else None), ())
    pools = tuple([standings(pool) for pool in counted_pools(stage, before)])
    return StageStandings(stage, pool_rows(pools), pools)


def counted_pools(stage: RankingStage, before: StageStandings | None) -> tuple[RankingDocument, ...]:
    """The pools of a stage with the results that are carried over into them (STANDINGS 5)."""
    if stage.carry_over == "none" or before is None:
        return stage.pools
    played = [pool.field.document for pool in before.pools]
    return tuple([carried_over(pool, played) for pool in stage.pools])


def _overall(placed: Sequence[tuple[int, int, StageRow]]) -> list[OverallRow]:
    """Rows from (stage, place in its list, row), all ranked and in order."""
    rows: list[OverallRow] = []
    whys = [_between(upper, lower) for upper, lower in pairwise(placed)]
    for place, (stage, _, row) in enumerate(placed):
        shared = rows and rows[-1].stage == stage and rows[-1].row.rank == row.rank
        rank = rows[-1].rank if shared else place + 1
        rows.append(OverallRow(rank, stage, row, whys[place] if place < len(whys) else None))
    return rows


def _between(upper: tuple[int, int, StageRow], lower: tuple[int, int, StageRow]) -> Why | None:
    """What separates two neighbours: the stage; else what their stage says, or their ranks there where it lists between
    them somebody who went on.
    """
    (stage, place, row), (other_stage, other_place, other) = upper, lower
    if stage != other_stage:
        return Why("stage", str(stage), str(other_stage), ())
    if row.rank == other.rank or place + 1 == other_place:
        return row.why
    return Why("stage_rank", str(row.rank), str(other.rank), ())
