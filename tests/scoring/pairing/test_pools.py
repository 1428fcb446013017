"""Pools dealt out as a snake."""

import random
from itertools import combinations

import pytest

from scoring.pairing import Contender, pools


def field(entries: int, clubs: str = "") -> list[Contender]:
    return [Contender(n, place=n, club=clubs[(n - 1) % len(clubs)] if clubs else None) for n in range(1, entries + 1)]


def clashes(dealt: tuple[tuple[int, ...], ...], contenders: list[Contender]) -> int:
    club = {contender.number: contender.club for contender in contenders}
    return sum(club[a] == club[b] for pool in dealt for a, b in combinations(pool, 2))


def test_twelve_entries_in_four_pools_go_there_and_back() -> None:
    assert pools(field(12), 4, seed="s") == ((1, 8, 9), (2, 7, 10), (3, 6, 11), (4, 5, 12))


def test_every_entry_is_in_one_pool_and_sizes_differ_by_one_at_most() -> None:
    for entries in range(1, 40):
        for count in range(1, entries + 1):
            dealt = pools(field(entries, "AAB"), count, seed="s", apart_by_club=True)
            assert sorted(number for pool in dealt for number in pool) == list(range(1, entries + 1))
            assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
            assert len(dealt) == count


def test_each_pool_has_one_of_every_row_also_where_clubs_are_kept_apart() -> None:
    dealt = pools(field(20, "AABBC"), 4, seed="s", apart_by_club=True)
    for row in range(5):
        assert sorted(pool[row] for pool in dealt) == list(range(4 * row + 1, 4 * row + 5))


def test_clubs_are_kept_apart_only_when_asked() -> None:
    contenders = field(8, "ABBA")
    assert clashes(pools(contenders, 4, seed="s"), contenders) == 4
    assert clashes(pools(contenders, 4, seed="s", apart_by_club=True), contenders) == 0


def test_keeping_clubs_apart_never_brings_more_of_them_together() -> None:
    chance = random.Random(1)
    for _ in range(200):
        entries = chance.randint(4, 40)
        contenders = [Contender(n, place=n, club=chance.choice("ABCD")) for n in range(1, entries + 1)]
        count = chance.randint(2, max(2, entries // 3))
        apart = clashes(pools(contenders, count, seed="s", apart_by_club=True), contenders)
        assert apart <= clashes(pools(contenders, count, seed="s"), contenders)


def test_shared_places_are_settled_by_hash_and_the_order_given_is_irrelevant() -> None:
    level = [Contender(n, place=1) for n in range(1, 13)]
    drawn = pools(level, 3, seed="s")
    assert pools(level[::-1], 3, seed="s") == drawn
    assert pools(level, 3, seed="t") != drawn


@pytest.mark.parametrize("count", [0, 5])
def test_no_pool_and_more_pools_than_entries_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="pools"):
        pools(field(4), count, seed="s")


def test_a_number_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        pools([Contender(1), Contender(1)], 1, seed="s")
