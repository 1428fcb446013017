"""Who meets whom: Swiss rounds, round robins, knock-outs, pools, mêlées (STANDINGS 2 and 5).

Standard library and networkx. Everything is deterministic: the same arguments, in whatever order entries are given,
draw the same round; searches are bounded by counts, never by time. Entries are known by their numbers. Those who do not
play (absent, withdrawn, not yet there) are not given: a late entry is a `Contender` with what it has.

    swiss(contenders, met, *, table, short_tables=False, apart_by_club=False, seed) -> Pairing
    round_robin(numbers, round_number) -> Pairing                     round_robin_rounds(entries, *, legs=1) -> int
    missing_round(order, missing, firsts=None, busy=()) -> tables of those who have still to meet
    missing_rounds(order, missing) -> int
    knockout(order, *, table, through, short_tables=False, past_tables=()) -> Pairing
    went_on(finished, byes, *, through) -> order of the next round
    place_match(finished, *, table, through) -> numbers
    knockout_plan(entries, *, table, through, short_tables=False) -> tuple[Stage, ...]
    pools(contenders, count, *, seed, apart_by_club=False) -> numbers of each pool
    melee(players, partners, opponents, *, table, short_tables=False, seed) -> Melee
    seed_of_round(secret, round_number, results) -> str               meetings(tables) -> Meetings
    seated(numbers, seats, *, table, seed) -> numbers in seat order, for tables made or changed by hand
    check_pairing(tables, byes, contenders, met, *, table, short_tables=False, apart_by_club=False) -> tuple of Finding
    cost_of(tables, byes, contenders, met, *, table, short_tables=False, apart_by_club=False, seed) -> Cost

What is best, in this order (`Cost`): no second byes; fewest repeated meetings; fewest tables with entries of one club,
when asked; least sum over tables of squared differences of match points, pair by pair; first seats balanced; order by
hash. So that the leader never gets the bye because nobody is near him, a bye counts among the squares as T−1 opponents
who have as many match points as the lowest of the field; of those still level the lowest of the standing has it.

The rooms: `field` (what goes in and comes out), `lots` (seeds, order by hash), `sizes` (how many tables), `seats`,
`problem` (the criteria as numbers), `swiss`, `check`; `round_robin`, `missing`; `knockout`, `pools` (both deal by
`snake`); `melee`.
"""

from scoring.pairing.berger import round_robin, round_robin_rounds
from scoring.pairing.brackets import Stage, knockout, knockout_plan, place_match, went_on
from scoring.pairing.check import Finding, check_pairing
from scoring.pairing.field import Contender, Cost, Meetings, Pairing, meetings
from scoring.pairing.lots import by_hash, seed_of_round
from scoring.pairing.missing import missing_round, missing_rounds
from scoring.pairing.pool_draw import pools
from scoring.pairing.rounds import cost_of, swiss
from scoring.pairing.seats import seated
from scoring.pairing.sizes import Sizes, sizes
from scoring.pairing.teams import Melee, MeleeCost, melee

__all__ = [
    "Contender",
    "Cost",
    "Finding",
    "Meetings",
    "Melee",
    "MeleeCost",
    "Pairing",
    "Sizes",
    "Stage",
    "by_hash",
    "check_pairing",
    "cost_of",
    "knockout",
    "knockout_plan",
    "meetings",
    "melee",
    "missing_round",
    "missing_rounds",
    "place_match",
    "pools",
    "round_robin",
    "round_robin_rounds",
    "seated",
    "seed_of_round",
    "sizes",
    "swiss",
    "went_on",
]
