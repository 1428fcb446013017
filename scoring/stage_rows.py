"""One row of a stage's ranking, whatever the stage is (STANDINGS 5)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.ordering import written
from scoring.ranking_document import Entry
from scoring.standings import Standing
from scoring.tiebreaks import Value
from scoring.why import Explained, Why


@dataclass(frozen=True, slots=True)
class StageRow(Explained):
    """One entry of a stage. `rank` is None unless `standing` is "ranked"; `pool` counts from 1, None without pools.

    `values`: of a stage with one pool the keys of its table; with several `pool_rank`, `mean_match_points` and the
    tie-breaks; of a knock-out `round_reached` and `place_match`. `why` says what separates it from the next ranked row.
    """

    rank: int | None
    entry: Entry
    standing: Standing
    pool: int | None
    values: Mapping[str, Value]
    why: Why | None

    def because(self, why: Why | None) -> "StageRow":
        """The same row with its why."""
        return replace(self, why=why)

    @property
    def written_values(self) -> dict[str, str | None]:
        """The values as an answer gives them."""
        return {key: written(value) for key, value in self.values.items()}
