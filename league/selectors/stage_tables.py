"""The tables of one stage of a ranking, live or published: those of its pools, with those who went on (STANDINGS 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from league.errors import NotFound
from league.models import Championship, Entry, LiveRanking, PublishedRow
from league.selectors.ranking import RankingRow


@dataclass(frozen=True, slots=True)
class StageTable:
    """The table of a pool, or of a stage without pools (`pool` None); `rank` and `position` of a row are those in it.

    Its rows say nothing of players, nor of parties and manches played.
    """

    pool: int | None
    rows: Sequence[RankingRow]


@dataclass(frozen=True, slots=True)
class StageTables:
    """A stage: `stage` as `keys["stages"]` has it, its tables, the keys of the ranking and the team of every entry.

    `computed_at` and `is_due` as of a live ranking; of a published one it is never due.
    """

    stage: Mapping[str, Any]
    tables: Sequence[StageTable]
    keys: Mapping[str, Any]
    names: Mapping[int, str]
    computed_at: datetime | None
    is_due: bool


def live_stage(*, championship: Championship, stage: int) -> StageTables:
    """A stage of the live ranking. Two queries. Raises NotFound for one that has not begun."""
    live = LiveRanking.objects.get(championship=championship)
    names = dict(Entry.objects.filter(championship=championship).values_list("number", "team__name"))
    due = championship.ranking_due_since is not None
    return _stage(stage, live.keys, live.stage_tables, names, live.computed_at, is_due=due)


def published_stage(*, championship: Championship, version: int, stage: int) -> StageTables:
    """A stage of a published version. Two queries. Raises NotFound."""
    ranking = championship.published_rankings.filter(number=version).first()
    if ranking is None:
        raise NotFound
    names = dict(PublishedRow.objects.filter(ranking=ranking).values_list("number", "name"))
    return _stage(stage, ranking.keys, ranking.stage_tables, names, ranking.at, is_due=False)


def _stage(
    number: int,
    keys: Mapping[str, Any],
    tables: Sequence[Mapping[str, Any]],
    names: Mapping[int, str],
    computed_at: datetime | None,
    *,
    is_due: bool,
) -> StageTables:
    stage = next((one for one in keys.get("stages", ()) if one["number"] == number), None)
    if stage is None:
        raise NotFound
    found = [
        StageTable(table["pool"], [_line(place, row, names, table) for place, row in enumerate(table["rows"], 1)])
        for table in tables
        if table["stage"] == number
    ]
    return StageTables(stage, found, keys, names, computed_at, is_due)


def _line(position: int, row: Mapping[str, Any], names: Mapping[int, str], table: Mapping[str, Any]) -> RankingRow:
    return RankingRow(
        position=position,
        rank=row["rank"],
        number=row["entry"],
        team=names[row["entry"]],
        players=(),
        values=row["values"],
        above_next_by=row["above_next_by"],
        why=row["why"],
        standing=row["standing"],
        played=0,
        manches=0,
        stage=table["stage"],
        pool=table["pool"],
    )
