"""A ranking of any kind from its decoded document: of a table, stages, a circuit or a dump, as its `format` says.

>>> rank_any({"format": "circuit/1", "by": "club", "points": [3], "entries": [], "championships": []})
{'rows': []}
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, cast

from scoring import circuit_document, dump_format, dump_reader, ranking_reader, stage_reader
from scoring.circuits import CircuitStandings, circuit_standings
from scoring.stages import StagesStandings, stages_standings
from scoring.standings import Standings, standings

Ranking = Standings | StagesStandings | CircuitStandings

READERS: Mapping[str, Callable[[object], Ranking]] = MappingProxyType(
    {
        ranking_reader.FORMAT: lambda document: standings(ranking_reader.read(document)),
        stage_reader.FORMAT: lambda document: stages_standings(stage_reader.read_stages(document)),
        circuit_document.FORMAT: lambda document: circuit_standings(circuit_document.read_circuit(document)),
        dump_format.FORMAT: lambda document: ranking(dump_reader.document_of(cast("dict[str, Any]", document))),
    }
)
"""How each format is ranked."""


def ranking(document: object) -> Ranking:
    """Rank a decoded document; one of no known format is refused as a `classement/1` (`RankingError`)."""
    named = document.get("format") if type(document) is dict else None
    return READERS[named if isinstance(named, str) and named in READERS else ranking_reader.FORMAT](document)


def rank_any(document: object) -> dict[str, object]:
    """The answer to a decoded document: `{"rows": [...]}`, as its format gives rows."""
    return ranking(document).as_answer()
