"""A final into which the results among the qualified are carried over: only those meet who have not."""

import pytest

from league.models import Bye, Championship, Stage
from league.selectors.stages import now
from league.services.drafts import discard_draft
from league.services.draws import redraw
from league.services.entries import withdraw
from league.services.parties import void_partie
from league.services.renewal import renew_live_ranking
from tests.factories import owner_of
from tests.league.test_rounds import drawn, published, tables
from tests.league.test_rounds_of_stages import begin, by_number, staged

pytestmark = pytest.mark.django_db

ROBIN = {"format": "round_robin"}


def in_the_final(entries: int, pools: int, through: int, **final: object) -> Championship:
    """The pools are played, the lower number always winning; the final has begun."""
    championship = staged(
        entries,
        {**ROBIN, "pools": pools, "name": "Pools"},
        {**ROBIN, "qualify": through, "carry_over": "qualified", **final},
    )
    begin(championship, 1, order="number")
    while not now(championship=championship).is_over:
        by_number(championship, published(championship).number)
    begin(championship, 2, by_lot=True)
    return championship


def pairs(championship: Championship) -> list[set[frozenset[int]]]:
    """The pairs of each round of the final, played to its end."""
    found = []
    while not now(championship=championship).is_over:
        round_ = published(championship)
        found.append({frozenset(table) for table in tables(round_)})
        by_number(championship, round_.number)
    return found


def test_those_of_two_pools_meet_crosswise_in_two_rounds() -> None:
    championship = in_the_final(8, 2, 2)
    assert now(championship=championship).planned == 2
    rounds = pairs(championship)
    assert [len(one) for one in rounds] == [2, 2]
    assert set.union(*rounds) == {frozenset(pair) for pair in ((1, 2), (1, 3), (4, 2), (4, 3))}
    assert not Bye.objects.exists()
    renew_live_ranking(championship_id=championship.pk)
    assert [row.entry.number for row in championship.live_rows.order_by("position")[:4]] == [1, 2, 3, 4]


def test_three_of_each_pool_need_three_rounds() -> None:
    championship = in_the_final(8, 2, 3)
    rounds = pairs(championship)
    assert [len(one) for one in rounds] == [3, 3, 3]
    assert sum(map(len, rounds)) == len(set.union(*rounds))


def test_without_results_kept_everybody_meets_everybody() -> None:
    championship = in_the_final(8, 2, 2, carry_over="none")
    assert now(championship=championship).planned == 3
    assert len(set.union(*pairs(championship))) == 6


def test_drawn_again_and_discarded_it_gives_the_same() -> None:
    championship = in_the_final(8, 2, 3)
    round_ = drawn(championship)
    first = tables(round_)
    actor = owner_of(championship)
    round_ = redraw(actor=actor, round_id=round_.pk, version=round_.version)
    assert tables(round_) == first
    discard_draft(actor=actor, round_id=round_.pk, version=round_.version)
    assert now(championship=championship).planned == 3
    assert tables(drawn(championship)) == first


def test_who_withdraws_leaves_the_others_their_tables() -> None:
    championship = in_the_final(8, 2, 2)
    withdraw(actor=owner_of(championship), entry_id=championship.entries.get(number=1).pk, reason="Ill")
    rounds = pairs(championship)
    assert frozenset((1, 4)) not in set.union(*rounds)
    assert {frozenset((4, 2)), frozenset((4, 3))} <= set.union(*rounds)


def test_a_meeting_annulled_afterwards_is_played_in_the_final() -> None:
    championship = in_the_final(8, 2, 2)
    met = next(
        partie
        for partie in championship.parties.all()
        if set(partie.seats.values_list("entry__number", flat=True)) == {1, 4}
    )
    void_partie(actor=owner_of(championship), partie_id=met.pk, version=met.version, reason="Wrong deck")
    assert frozenset((1, 4)) in set.union(*pairs(championship))
    assert Stage.objects.get(number=2).rounds.count() == 3
