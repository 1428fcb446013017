"""Pools in a draft: nobody is put to a table of another pool."""

import pytest

from league.errors import UserFault
from league.models import Championship, Round
from league.selectors.drafts import draft_view
from league.services.drafts import move, swap
from tests.factories import owner_of
from tests.league.test_rounds import drawn, tables
from tests.league.test_rounds_of_stages import begin, staged

pytestmark = pytest.mark.django_db


@pytest.fixture
def pools() -> Championship:
    """Eight entries in two Swiss pools: 1, 4, 5, 8 and 2, 3, 6, 7."""
    championship = staged(8, {"format": "swiss", "pools": 2, "rounds_planned": 3})
    begin(championship, 1, order="number")
    return championship


def by_pool(round_: Round) -> dict[int, list[list[int]]]:
    """The tables of each pool."""
    found: dict[int, list[list[int]]] = {}
    for table in round_.pairing["tables"]:
        found.setdefault(table["pool"], []).append([side[0] for side in table["sides"]])
    return found


def test_a_swap_across_pools_is_refused(pools: Championship) -> None:
    round_ = drawn(pools)
    with pytest.raises(UserFault, match="other-pool"):
        swap(actor=owner_of(pools), round_id=round_.pk, version=round_.version, one=1, other=2)
    round_.refresh_from_db()
    assert all(set(table) <= {1, 4, 5, 8} or set(table) <= {2, 3, 6, 7} for table in tables(round_))


def test_a_swap_inside_a_pool_is_taken(pools: Championship) -> None:
    round_ = drawn(pools)
    one, other = by_pool(round_)[1]
    changed = swap(actor=owner_of(pools), round_id=round_.pk, version=round_.version, one=one[0], other=other[0])
    assert [other[0], one[1]] in by_pool(changed)[1]


def test_a_new_table_takes_the_pool_of_who_moves_there_and_nobody_of_another(pools: Championship) -> None:
    round_ = drawn(pools)
    actor = owner_of(pools)
    round_ = move(actor=actor, round_id=round_.pk, version=round_.version, entry=2, to="new")
    new = round_.pairing["tables"][-1]
    assert (new["sides"], new["pool"]) == ([[2]], 2)
    with pytest.raises(UserFault, match="other-pool"):
        move(actor=actor, round_id=round_.pk, version=round_.version, entry=1, to=new["number"])
    assert move(actor=actor, round_id=round_.pk, version=round_.version, entry=7, to=new["number"])


def test_a_table_across_pools_that_stands_in_a_draft_is_warned_of(pools: Championship) -> None:
    round_ = drawn(pools)
    assert draft_view(championship=pools, round_=round_).count == 0
    one, other = by_pool(round_)[1][0][0], by_pool(round_)[2][0][0]
    for table in round_.pairing["tables"]:
        table["sides"] = [[{one: other, other: one}.get(side[0], side[0])] for side in table["sides"]]
    round_.save()
    codes = [w.code for table in draft_view(championship=pools, round_=round_).tables for w in table.warnings]
    assert codes == ["other-pool", "other-pool"]
    mended = swap(actor=owner_of(pools), round_id=round_.pk, version=round_.version, one=one, other=other)
    assert draft_view(championship=pools, round_=mended).count == 0
