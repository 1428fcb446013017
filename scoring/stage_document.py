"""What a ranking over several stages is made from: the document `etapes/1` once read, as frozen values (STANDINGS 5).

    {"format": "etapes/1", "stages": [
      {"kind": "ranking", "name": "Poules", "pools": [classement/1, classement/1]},
      {"kind": "ranking", "pools": [classement/1], "carry_over": "qualified"},
      {"kind": "knockout", "table": 2, "decided_by": "points", "advance": 1,
       "entries": [{"number": 1, "name": "Ana"}, "..."],
       "parties": [{"number": 1, "round": 1, "entries": [1, 4], "manches": ["..."],
                    "extra": {"entries": [1, 4], "points": {}, "km": {}, "winner": 1, "coups_fourres": {}}},
                   {"number": 4, "round": 2, "entries": [2, 3], "manches": ["..."], "place": 3}],
       "byes": [{"round": 1, "entry": 5}]}]}

Stages stand in the order in which they are played; those who stand in a stage are those who came into it. Pools,
entries, parties, manches and byes are as in `classement/1`. Left out: `name` empty, `carry_over` "none", `advance` 1,
`byes` none; `extra` (the one more manche among those level at the limit) and `place` (the best place that the partie
is played for, 1 for a final that places its whole table) where there is none. `scoring.stage_reader` makes these.

In a file for `rank`, a pool that stands on a line of its own is indented: `{"format": …` at the beginning of a line
begins another document (`scoring.json_stream`).
"""

from dataclasses import dataclass
from typing import Literal

from scoring.ranking_document import Bye, DecidedBy, Entry, Manche, Partie, RankingDocument

CarryOver = Literal["none", "qualified"]


@dataclass(frozen=True, slots=True)
class RankingStage:
    """A stage whose pools are tables of entries, each by its own order; a stage without pools has one.

    `carry_over`: "qualified" where the results of the stage before among those of one pool count in that pool.
    """

    name: str
    pools: tuple[RankingDocument, ...]
    carry_over: CarryOver

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All who came into the stage."""
        return tuple([entry for pool in self.pools for entry in pool.entries])


@dataclass(frozen=True, slots=True)
class ExtraManche:
    """The one more manche of those who were level at the limit; `entries` are sides of the partie, by first number."""

    entries: tuple[int, ...]
    manche: Manche


@dataclass(frozen=True, slots=True)
class KnockoutPartie:
    """A table of a knock-out; `place`: the best place that it is played for, None where the first so many go on."""

    partie: Partie
    extra: ExtraManche | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class KnockoutStage:
    """A stage where the first `advance` of each table go on; a bye of a round goes on too."""

    name: str
    table: int
    decided_by: DecidedBy
    advance: int
    entries: tuple[Entry, ...]
    parties: tuple[KnockoutPartie, ...]
    byes: tuple[Bye, ...]


Stage = RankingStage | KnockoutStage


@dataclass(frozen=True, slots=True)
class StagesDocument:
    """A whole `etapes/1`: at least one stage, in the order in which they are played."""

    stages: tuple[Stage, ...]
