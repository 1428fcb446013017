"""Rankings over stages of documents that nobody wrote by hand, held against a second ranking, broken (STANDINGS 5)."""

import copy
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.pools import qualified
from scoring.ranking_document import RankingError
from scoring.ranking_text import explanation
from scoring.rankings import ranking
from scoring.stage_reader import read_stages
from scoring.stages import StagesStandings, explain_stages, rank_stages, stages_standings
from tests.scoring.naive_stages import overall
from tests.scoring.ranking_documents import Document
from tests.scoring.stage_strategies import stages_documents

many = settings(deadline=None, max_examples=50)


@settings(many, max_examples=150)
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


@many
@given(stages_documents(), st.integers(0, 3), st.integers(0, 3))
def test_as_many_qualify_as_were_asked_for_or_are_ranked_and_nobody_below_one_who_does_not(
    of: Document, per_pool: int, best_others: int
) -> None:
    for stage in stages_standings(read_stages(of)).stages:
        if not stage.pools:
            continue
        found = qualified(stage.pools, per_pool=per_pool, best_others=best_others)
        assert found.seeds == stage.ranks
        for pool, table in enumerate(stage.pools, start=1):
            ranks = {row.entry.number: row.rank for row in table.rows if row.rank is not None}
            level = [tie for tie in found.ties if tie.pool == (pool if len(stage.pools) > 1 else None)]
            inside = [number for number in ranks if number in found.through]
            if best_others == 0:
                waiting = sum(tie.places for tie in level if set(tie.level) <= set(ranks))
                assert len(inside) + waiting == min(per_pool, len(ranks))
            outside = [ranks[number] for number in ranks if number not in inside]
            assert all(ranks[number] <= rank for number in inside for rank in outside)
        for tie in found.ties:
            assert 0 < tie.places < len(tie.level)
            assert not set(tie.level) & set(found.through)


@many
@given(stages_documents())
def test_every_ranking_can_be_said_in_words(of: Document) -> None:
    ranked = ranking(of)
    assert isinstance(ranked, StagesStandings)
    whys = [row for row in ranked.rows if row.why]
    assert len(explanation(ranked).splitlines()) == (len(ranked.rows) + len(whys) or 1)


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


@settings(many, max_examples=100)
@given(stages_documents(), st.sampled_from([None, True, -1, 0, 2, 1.5, "none", [], [1], {}, {"kind": 1}]), st.data())
def test_a_document_broken_anywhere_is_ranked_or_refused(of: Document, thing: object, data: st.DataObject) -> None:
    with suppress(RankingError):
        rank_stages(broken_somewhere(of, thing, data))
