"""What is kept of a ranking: the rows of a document with all that says why, and the tables of its stages (STANDINGS 5).

A site keeps them as a live and as published rankings; a dump has them written, and `scoring.dump_verify` holds them
against what the document comes to.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.ranking_reader import read
from scoring.stage_assembly import sides
from scoring.stage_document import KnockoutStage
from scoring.stage_reader import FORMAT, read_stages
from scoring.stage_rows import StageRow
from scoring.stages import OverallRow, StagesStandings, StageStandings, stages_standings
from scoring.standings import Standings, standings

Columns = dict[str, Any]
"""`position`, `rank`, `values`, `above_next_by`, `why`, `standing`, `manches`, `played`, `stage`, `pool`, `pool_rank`.
"""


@dataclass(frozen=True, slots=True)
class Computed:
    """What a document comes to: the columns of the rows by entry number, in order; with stages also these in words
    (`said`: `{"number", "name", "kind", "pools"}`) and the tables of each (`{"stage", "pool", "rows"}`, `pool` None
    without pools; a row of it: `{"entry", "rank", "values", "above_next_by", "why", "standing"}`, those who went on
    included). Empty without stages.
    """

    rows: dict[int, Columns]
    said: list[dict[str, Any]] = field(default_factory=list)
    tables: list[dict[str, Any]] = field(default_factory=list)

    def keys(self, ranking_keys: Mapping[str, Any]) -> dict[str, Any]:
        """The keys that the rows were made by, with the stages, to be kept beside them."""
        return dict(ranking_keys) | ({"stages": self.said} if self.said else {})


def computed(whole: dict[str, Any]) -> Computed:
    """The ranking of a decoded document `classement/1` or `etapes/1`; raises `RankingError` where it does not fit."""
    if whole["format"] != FORMAT:
        return Computed(_of_table(whole))
    ranking = stages_standings(read_stages(whole))
    tables = [table for number, stage in enumerate(ranking.stages, 1) for table in _tables(number, stage)]
    said = [_said(number, stage) for number, stage in enumerate(ranking.stages, 1)]
    return Computed(_columns(whole, ranking), said, tables)


def _of_table(whole: dict[str, Any]) -> dict[int, Columns]:
    ranking = standings(read(whole))
    rows = {}
    for position, row in enumerate(ranking.rows, 1):
        said = row.as_explanation()
        rows[row.entry.number] = {
            "position": position,
            "rank": row.rank,
            "values": said["values"],
            "above_next_by": row.above_next_by,
            "why": said["why"],
            "standing": row.standing,
            "manches": row.manches,
            "played": len(ranking.field.records[row.entry.number].played),
            "stage": None,
            "pool": None,
            "pool_rank": None,
        }
    return rows


def _said(number: int, stage: StageStandings) -> dict[str, Any]:
    kind = "knockout" if isinstance(stage.stage, KnockoutStage) else "ranking"
    return {"number": number, "name": stage.stage.name, "kind": kind, "pools": len(stage.pools) or 1}


def _columns(whole: Mapping[str, Any], ranking: StagesStandings) -> dict[int, Columns]:
    played, manches = _counts(whole)
    pool_ranks = [
        {row.entry.number: row.rank for table in stage.pools for row in table.rows} for stage in ranking.stages
    ]
    rows = {}
    for position, row in enumerate(ranking.rows, 1):
        number = row.row.entry.number
        rows[number] = {
            "position": position,
            **_common(row),
            "manches": manches[number],
            "played": played[number],
            "stage": row.stage,
            "pool": row.row.pool,
            "pool_rank": pool_ranks[row.stage - 1].get(number) if row.row.pool else None,
        }
    return rows


def _common(row: OverallRow) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "values": row.row.written_values,
        "above_next_by": row.above_next_by,
        "why": row.why.as_data() if row.why else None,
        "standing": row.row.standing,
    }


def _counts(whole: Mapping[str, Any]) -> tuple[Counter[int], Counter[int]]:
    """Parties with a manche, and their manches, of each entry over all stages; one more manche of a knock-out too."""
    played: Counter[int] = Counter()
    manches: Counter[int] = Counter()
    for stage in whole["stages"]:
        for partie in (one for part in stage.get("pools", (stage,)) for one in part["parties"]):
            if partie.get("status", "closed") != "closed" or not partie["manches"]:
                continue
            more = partie.get("extra", {}).get("entries", ())
            for side in sides(partie):
                for number in side:
                    played[number] += 1
                    manches[number] += len(partie["manches"]) + (side[0] in more)
    return played, manches


def _tables(number: int, stage: StageStandings) -> list[dict[str, Any]]:
    if not stage.pools:
        return [{"stage": number, "pool": None, "rows": [_of_knockout(row) for row in stage.rows]}]
    several = len(stage.pools) > 1
    return [
        {"stage": number, "pool": pool if several else None, "rows": _of_pool(table)}
        for pool, table in enumerate(stage.pools, 1)
    ]


def _of_pool(table: Standings) -> list[dict[str, Any]]:
    rows = []
    for row in table.rows:
        said = row.as_explanation()
        rows.append({name: said[name] for name in ("entry", "rank", "values", "above_next_by", "why", "standing")})
    return rows


def _of_knockout(row: StageRow) -> dict[str, Any]:
    return {
        "entry": row.entry.number,
        "rank": row.rank,
        "values": row.written_values,
        "above_next_by": row.above_next_by,
        "why": row.why.as_data() if row.why else None,
        "standing": row.standing,
    }
