"""The conformance vectors of rankings: every one comes out exactly (STANDINGS 7)."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.standings import explain, rank

VECTORS = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "conformance" / "rankings.ndjson").read_text("utf-8").splitlines()
]


def test_the_vectors_are_there() -> None:
    assert len(VECTORS) == 150


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_a_vector_is_ranked_exactly_as_expected(vector: dict[str, Any]) -> None:
    assert rank(vector["doc"]) == {"rows": vector["expect"]}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_the_explained_rows_are_the_ranked_rows_and_more(vector: dict[str, Any]) -> None:
    rows: Any = explain(vector["doc"])["rows"]
    assert [{key: row[key] for key in ("rank", "entry", "values", "above_next_by")} for row in rows] == vector["expect"]
    for row in rows:
        assert (row["why"] or {}).get("key", row["why"] and "level") == row["above_next_by"]
