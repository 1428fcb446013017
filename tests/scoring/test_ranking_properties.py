"""Rankings of documents that nobody wrote by hand: held against a second ranking, shuffled, renumbered, broken."""

import copy
import random
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.json_stream import json_documents
from scoring.ranking_document import RankingError
from scoring.standings import explain, rank
from tests.scoring.naive_ranking import Naive
from tests.scoring.ranking_documents import Document, rows, values
from tests.scoring.ranking_strategies import documents, round_robins

many = settings(deadline=None)
"""A slow machine is no fault of a ranking."""


@settings(many, max_examples=250)
@given(documents())
def test_a_slow_ranking_written_apart_comes_to_the_same(of: Document) -> None:
    assert rows(of) == Naive(of).rows()


@many
@given(round_robins())
def test_direct_encounters_of_whole_round_robins_come_to_the_same_in_a_slow_ranking(of: Document) -> None:
    assert rows(of) == Naive(of).rows()


@many
@given(documents() | round_robins(), st.randoms(use_true_random=False))
def test_the_order_in_which_the_document_tells_it_is_irrelevant(of: Document, chance: random.Random) -> None:
    shuffled = copy.deepcopy(of)
    lists = [shuffled["entries"], shuffled["parties"], shuffled.get("byes", [])]
    for partie in shuffled["parties"]:
        lists += [partie["entries"], partie["manches"], partie.get("forfeits", [])]
    for each in lists:
        chance.shuffle(each)
    assert rank(shuffled) == rank(of)


@many
@given(documents(draws=False) | round_robins(), st.randoms(use_true_random=False))
def test_numbers_given_otherwise_change_nothing_without_a_draw(of: Document, chance: random.Random) -> None:
    old = [entry["number"] for entry in of["entries"]]
    new = dict(zip(old, chance.sample(range(1, 200), len(old)), strict=True))
    before = {new[row["entry"]]: (row["rank"], row["values"]) for row in rows(of)}
    after = {row["entry"]: (row["rank"], row["values"]) for row in rows(renumbered(of, new))}
    assert after == before


def renumbered(of: Document, new: dict[int, int]) -> Document:
    def figures(told: dict[str, int]) -> dict[str, int]:
        return {str(new[int(number)]): figure for number, figure in told.items()}

    of = copy.deepcopy(of)
    for entry in of["entries"]:
        entry["number"] = new[entry["number"]]
    for bye in of.get("byes", []):
        bye["entry"] = new[bye["entry"]]
    for partie in of["parties"]:
        partie["entries"] = [new[number] for number in partie["entries"]]
        partie["forfeits"] = [new[number] for number in partie.get("forfeits", [])]
        for manche in partie["manches"]:
            manche["winner"] = new.get(manche["winner"])
            manche |= {key: figures(manche[key]) for key in ("points", "km", "coups_fourres")}
    return of


@many
@given(documents() | round_robins())
def test_ranks_lists_and_whys_are_consistent(of: Document) -> None:
    explained: Any = explain(of)["rows"]
    assert sorted(row["entry"] for row in explained) == sorted(entry["number"] for entry in of["entries"])
    ranked = [row for row in explained if row["rank"] is not None]
    assert explained[: len(ranked)] == ranked
    for place, (row, after) in enumerate(pairwise(ranked), start=1):
        level = row["above_next_by"] == "level"
        assert after["rank"] == (row["rank"] if level else place + 1)
        assert row["why"]["code"] == ("level" if level else "separated")
        check_why(row, after)
    assert all(row["why"] is None for row in [*ranked[-1:], *explained[len(ranked) :]])


def check_why(row: Document, after: Document) -> None:
    """What the why says of the two rows is what stands in them."""
    for passed in row["why"]["passed"]:
        if passed["key"] in row["values"]:
            assert passed["value"] == row["values"][passed["key"]] == after["values"][passed["key"]]
    if row["why"]["code"] == "separated":
        key, upper, lower = (row["why"][name] for name in ("key", "upper", "lower"))
        if key in row["values"]:
            assert (upper, lower) == (row["values"][key], after["values"][key])
        if key == "draw":
            assert upper < lower
        else:
            assert upper is not None
            assert lower is None or Fraction(upper) > Fraction(lower)


@many
@given(documents(), st.data())
def test_a_penalty_changes_nothing_but_the_primary_key_of_its_entry(of: Document, data: st.DataObject) -> None:
    if not of["entries"]:
        return
    penalised = copy.deepcopy(of)
    entry = data.draw(st.sampled_from(penalised["entries"]))
    more = data.draw(st.integers(1, 5))
    entry["penalty"] = entry.get("penalty", 0) + more
    for key in rows(of)[0]["values"]:
        before, after = values(of, key), values(penalised, key)
        changed = {number for number in before if before[number] != after[number]}
        assert changed <= ({entry["number"]} if key == of["primary"] else set())
        for number in changed:
            assert before[number] is not None
            lost = Fraction(before[number] or 0) - Fraction(after[number] or 0)
            assert lost == more or (key.startswith("mean_") and 0 < lost < more)


@many
@given(documents())
def test_without_scale_forfeits_and_penalties_match_points_are_shared_out_to_the_last(of: Document) -> None:
    of |= {"primary": "match_points", "tie_breaks": []}
    of.pop("scale", None)
    for entry in of["entries"]:
        entry.pop("penalty", None)
    for partie in of["parties"]:
        partie.pop("forfeits", None)
    counted = [each for each in of["parties"] if each.get("status", "closed") == "closed" and each["manches"]]
    opponents = of["table"] - 1
    byes = sum(Fraction(str(bye.get("share", 1))) for bye in of.get("byes", []))
    expected = sum(len(each["entries"]) * opponents for each in counted) + 2 * opponents * byes
    assert sum(Fraction(value or 0) for value in values(of, "match_points").values()) == expected


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5) | st.just("draw"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@many
@given(ANYTHING)
def test_anything_else_is_refused_and_nothing_but_refused(of: object) -> None:
    with pytest.raises(RankingError) as caught:
        rank(of)
    assert caught.value.why


@settings(many, max_examples=250)
@given(documents(), ANYTHING, st.data())
def test_a_document_broken_anywhere_is_ranked_or_refused(of: Document, thing: object, data: st.DataObject) -> None:
    broken = copy.deepcopy(of)
    holder: Any = broken
    while True:
        places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not places:
            return
        place = data.draw(st.sampled_from(places))
        if not isinstance(holder[place], dict | list) or not holder[place] or data.draw(st.booleans()):
            break
        holder = holder[place]
    if data.draw(st.booleans()):
        holder[place] = thing
    else:
        del holder[place]
    with suppress(RankingError):
        rank(broken)


@many
@given(st.lists(st.binary(max_size=40) | st.text('{}[]",:1-.eE truefalsn\\u', max_size=40).map(str.encode), max_size=4))
def test_any_bytes_are_documents_or_errors_of_format(lines: list[bytes]) -> None:
    for number, line in enumerate(lines):
        lines[number] = line.replace(b"\n", b" ") + b"\n"
    for found in json_documents(lines):
        if found.error is not None:
            assert found.error.line
            assert found.error.column
        else:
            assert isinstance(found.data, dict | list | str | float | int | None)
