"""Rankings over stages of documents that nobody wrote by hand, held against a second ranking, broken (STANDINGS 5)."""

import copy
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.ranking_document import RankingError
from scoring.stages import explain_stages, rank_stages
from tests.scoring.naive_stages import overall
from tests.scoring.ranking_documents import Document
from tests.scoring.stage_strategies import stages_documents

many = settings(deadline=None)


@settings(many, max_examples=250)
@given(stages_documents())
def test_a_slow_ranking_written_apart_comes_to_the_same(of: Document) -> None:
    rows: Any = rank_stages(of)["rows"]
    assert [{key: row[key] for key in ("rank", "entry", "stage", "above_next_by")} for row in rows] == overall(of)


@many
@given(stages_documents())
def test_whoever_came_further_stands_above_and_everybody_stands_once(of: Document) -> None:
    rows: Any = explain_stages(of)["rows"]
    ranked = [row for row in rows if row["rank"] is not None]
    assert [row["stage"] for row in ranked] == sorted([row["stage"] for row in ranked], reverse=True)
    entries = {
        entry["number"] for stage in of["stages"] for table in stage.get("pools", [stage]) for entry in table["entries"]
    }
    assert sorted(row["entry"] for row in rows) == sorted(entries)
    for place, row in enumerate(ranked):
        assert row["rank"] <= place + 1
        assert (row["why"] is None) == (place + 1 == len(ranked))


def broken_somewhere(of: Document, thing: object, data: st.DataObject) -> Document:
    broken = copy.deepcopy(of)
    holder: Any = broken
    while True:
        places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        place = data.draw(st.sampled_from(places))
        if not isinstance(holder[place], dict | list) or not holder[place] or data.draw(st.integers(0, 3)) == 0:
            break
        holder = holder[place]
    if data.draw(st.booleans()):
        holder[place] = thing
    else:
        del holder[place]
    return broken


@settings(many, max_examples=200)
@given(stages_documents(), st.sampled_from([None, True, -1, 0, 2, 1.5, "none", [], [1], {}, {"kind": 1}]), st.data())
def test_a_document_broken_anywhere_is_ranked_or_refused(of: Document, thing: object, data: st.DataObject) -> None:
    with suppress(RankingError):
        rank_stages(broken_somewhere(of, thing, data))
