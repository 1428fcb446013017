"""A document `etapes/1` that does not fit is refused with the path of the very member (STANDINGS 5 and 7)."""

import copy
from typing import Any

import pytest

from scoring.ranking_document import RankingError
from scoring.rankings import rank_any
from scoring.stages import rank_stages
from tests.scoring.ranking_documents import Document, bye, document, manche, partie

POOL = document(2, partie({1: 9, 2: 3}), tie_breaks=["km", "draw"], secret="s1", scale=[3, 0], best_n=2, minimum=1)
OTHER = POOL | {"entries": [{"number": 3, "name": "E3"}], "parties": []}
PARTIE = partie({1: 5, 2: 5}, round=1) | {"number": 1, "extra": manche({2: 1, 1: 2}) | {"entries": [2, 1]}}
KNOCKOUT: Document = {
    "kind": "knockout",
    "name": "Finale",
    "table": 2,
    "decided_by": "points",
    "advance": 1,
    "entries": [{"number": number, "name": f"E{number}"} for number in (1, 2, 3)],
    "parties": [PARTIE, {"number": 2, "place": 3, **partie({1: 1, 3: 2}, round=2)}],
    "byes": [bye(3, round=1)],
}
FULL: Document = {
    "format": "etapes/1",
    "stages": [
        {"kind": "ranking", "name": "Poules", "pools": [POOL, OTHER], "carry_over": "none"},
        {"kind": "ranking", "pools": [copy.deepcopy(POOL)], "carry_over": "qualified"},
        KNOCKOUT,
    ],
}


def refusal(of: object) -> RankingError:
    with pytest.raises(RankingError) as caught:
        rank_stages(of)
    assert caught.value.code == "bad-ranking"
    assert caught.value.why
    return caught.value


def with_member(*path: str | int, value: object) -> Document:
    of = copy.deepcopy(FULL)
    holder: Any = of
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return of


def without(*path: str | int) -> Document:
    of = copy.deepcopy(FULL)
    holder: Any = of
    for step in path[:-1]:
        holder = holder[step]
    del holder[path[-1]]
    return of


def written(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def test_the_full_document_fits() -> None:
    rank_stages(FULL)


@pytest.mark.parametrize(
    "path",
    [
        ("stages", 0, "name"),
        ("stages", 0, "carry_over"),
        ("stages", 2, "name"),
        ("stages", 2, "advance"),
        ("stages", 2, "byes"),
        ("stages", 2, "parties", 0, "extra"),
        ("stages", 2, "parties", 1, "place"),
    ],
)
def test_a_member_that_may_be_left_out(path: tuple[str | int, ...]) -> None:
    rank_stages(without(*path))


@pytest.mark.parametrize(
    "path",
    [
        ("format",),
        ("stages",),
        ("stages", 0, "kind"),
        ("stages", 0, "pools"),
        ("stages", 0, "pools", 1, "entries"),
        ("stages", 0, "pools", 0, "parties", 0, "manches"),
        ("stages", 2, "table"),
        ("stages", 2, "decided_by"),
        ("stages", 2, "entries"),
        ("stages", 2, "parties"),
        ("stages", 2, "entries", 1, "name"),
        ("stages", 2, "parties", 0, "round"),
        ("stages", 2, "parties", 0, "extra", "entries"),
        ("stages", 2, "parties", 0, "extra", "km"),
        ("stages", 2, "byes", 0, "round"),
    ],
)
def test_a_missing_member(path: tuple[str | int, ...]) -> None:
    fault = refusal(without(*path))
    assert (fault.at, fault.why) == (written(path), "is missing")


@pytest.mark.parametrize(
    "path",
    [
        ("title",),
        ("stages", 0, "table"),
        ("stages", 0, "qualified"),
        ("stages", 0, "pools", 1, "name"),
        ("stages", 2, "pools"),
        ("stages", 2, "carry_over"),
        ("stages", 2, "parties", 0, "places"),
        ("stages", 2, "parties", 0, "extra", "round"),
        ("stages", 0, "pools", 0, "parties", 0, "extra"),
        ("stages", 0, "pools", 0, "parties", 0, "place"),
    ],
)
def test_an_unknown_member_at_every_level(path: tuple[str | int, ...]) -> None:
    fault = refusal(with_member(*path, value=1))
    assert (fault.at, fault.why) == (written(path), "does not belong here")


WHOLE: list[object] = [None, True, "1", 1.0, [], {}, 0, -1, 10**9 + 1]


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("format",), [None, "etapes/2", "classement/1", 1]),
        (("stages",), [None, {}, [], "1"]),
        (("stages", 0), [None, 1, []]),
        (("stages", 0, "kind"), [None, "swiss", 1, []]),
        (("stages", 0, "name"), [None, 1]),
        (("stages", 0, "pools"), [None, {}, []]),
        (("stages", 0, "pools", 1), [None, 1, []]),
        (("stages", 0, "carry_over"), [None, "all", True, "qualified"]),
        (("stages", 1, "pools", 0, "primary"), [None, "elo"]),
        (("stages", 0, "pools", 0, "parties", 0, "entries"), [[1], [1, 1], None]),
        (("stages", 0, "pools", 1, "entries", 0, "number"), [*WHOLE, 1]),
        (("stages", 0, "pools", 1, "tie_breaks"), [["draw", "km"], []]),
        (("stages", 0, "pools", 1, "primary"), ["manches_won", "total_points"]),
        (("stages", 0, "pools", 1, "secret"), ["s2"]),
        (("stages", 0, "pools", 1, "scale"), [[3, 1]]),
        (("stages", 0, "pools", 1, "best_n"), [3]),
        (("stages", 0, "pools", 1, "minimum"), [0]),
        (("stages", 2, "table"), [*WHOLE, 1, 5]),
        (("stages", 2, "decided_by"), [None, "km"]),
        (("stages", 2, "advance"), [*WHOLE, 2]),
        (("stages", 2, "entries"), [None, {}]),
        (("stages", 2, "entries", 2, "number"), [*WHOLE, 1]),
        (("stages", 2, "parties"), [None, {}]),
        (("stages", 2, "parties", 1), [None, 1]),
        (("stages", 2, "parties", 1, "number"), [*WHOLE, 1]),
        (("stages", 2, "parties", 1, "place"), WHOLE),
        (("stages", 2, "parties", 1, "entries"), [[1], [1, 2, 3], [1, 1]]),
        (("stages", 2, "parties", 0, "extra"), [None, 1, []]),
        (("stages", 2, "parties", 0, "extra", "entries"), [None, 1, [], [1], [1, 1]]),
        (("stages", 2, "parties", 0, "extra", "entries", 1), [*WHOLE, 3]),
        (("stages", 2, "parties", 0, "extra", "winner"), [3, "1"]),
        (("stages", 2, "byes", 0), [None, bye(1, round=1)]),
        (("stages", 2, "byes", 0, "entry"), [*WHOLE, 9]),
    ],
    ids=lambda value: written(value) if isinstance(value, tuple) else "",
)
def test_a_value_that_does_not_fit(path: tuple[str | int, ...], wrong: list[object]) -> None:
    for value in wrong:
        assert refusal(with_member(*path, value=value)).at == written(path), value


def test_the_other_pools_have_the_table_and_the_deciding_of_the_first() -> None:
    three = {"table": 3, "scale": [3, 1, 0]}
    assert refusal(with_member("stages", 0, "pools", 1, value=OTHER | three)).at == "stages[0].pools[1].table"
    by_manches = with_member("stages", 0, "pools", 1, "decided_by", value="manches")
    assert refusal(by_manches).at == "stages[0].pools[1].decided_by"


def test_a_pool_that_is_no_object_is_named_itself() -> None:
    assert refusal(with_member("stages", 0, "pools", 0, value=7)).at == "stages[0].pools[0]"


def test_results_are_carried_over_from_a_ranking_stage_of_the_same_table_only() -> None:
    third = {"kind": "ranking", "pools": [POOL], "carry_over": "qualified"}
    assert refusal(FULL | {"stages": [KNOCKOUT, third]}).at == "stages[1].carry_over"
    assert refusal(FULL | {"stages": [third]}).at == "stages[0].carry_over"
    wide = {"kind": "ranking", "pools": [POOL | {"table": 3, "scale": [3, 1, 0]}]}
    assert refusal(FULL | {"stages": [wide, third]}).at == "stages[1].carry_over"
    manches = {"kind": "ranking", "pools": [POOL | {"decided_by": "manches"}]}
    assert refusal(FULL | {"stages": [manches, third]}).at == "stages[1].carry_over"


@pytest.mark.parametrize("of", [None, True, 0, "", [], [FULL], (), object()])
def test_a_document_that_is_no_object_is_refused_as_a_whole(of: object) -> None:
    assert refusal(of).at is None


@pytest.mark.parametrize("named", [None, 1, [], {}, "etapes/2", True])
def test_a_document_of_no_known_format_is_refused_as_a_table(named: object) -> None:
    with pytest.raises(RankingError) as caught:
        rank_any(POOL | {"format": named})
    assert caught.value.at == "format"


def test_every_format_is_known_by_its_name() -> None:
    assert rank_any(FULL) == rank_stages(FULL)
    assert rank_any(POOL) != rank_any(FULL)


def test_ranking_leaves_the_document_as_it_was() -> None:
    of = copy.deepcopy(FULL)
    rank_stages(of)
    assert of == FULL
