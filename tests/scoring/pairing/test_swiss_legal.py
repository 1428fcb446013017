"""5,000 random tournaments (a quarter of them where people wait): every pairing is one that a referee lets pass."""

from dataclasses import replace

import pytest

from scoring.pairing import Pairing
from tests.engine.budget import TIMES
from tests.scoring.pairing.naive_pairing import Judge, illegalities, parts_of
from tests.scoring.pairing.random_tournaments import tournament

BATCHES = 25
EACH = 50 * TIMES
"""25 × 50, and 5,000 with BORNAGE_EXAMPLES=4."""


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_pairing_of_a_random_tournament_is_legal_and_costs_what_it_says(batch: int) -> None:
    for seed in range(batch * EACH, (batch + 1) * EACH):
        for of, pairing in tournament(seed, most=9 if seed % 10 else 20):
            assert illegalities(of, pairing) == [], f"tournament {seed}: {of}"
            assert parts_of(pairing) == Judge(of).total(pairing.tables, pairing.byes), f"tournament {seed}: {of}"


def test_the_tournaments_have_byes_latecomers_clubs_short_tables_and_repeats() -> None:
    """What is proved of them is proved of nothing if it does not happen."""
    seen = dict.fromkeys(["byes", "short", "clubs", "repeats", "second byes", "late", "left"], 0)
    for seed in range(200):
        before: set[int] = set()
        for of, pairing in tournament(seed):
            assert pairing.cost is not None
            seen["byes"] += bool(pairing.byes)
            seen["short"] += any(len(table) < of.table for table in pairing.tables)
            seen["clubs"] += any(contender.club for contender in of.contenders)
            seen["repeats"] += pairing.cost.repeats > 0
            seen["second byes"] += pairing.cost.byes_again > 0
            seen["late"] += bool(before) and max(of.known) > max(before)
            seen["left"] += bool(before - set(of.known))
            before = set(of.known)
    assert min(seen.values()) > 20, seen


def test_the_referee_sees_what_is_wrong() -> None:
    """The checker itself: each fault alone is seen."""
    of, pairing = next(tournament(3, least=7, most=7, table=2))
    assert illegalities(of, pairing) == []
    (one, other), *rest = pairing.tables
    everybody_once = Pairing(((one, one), *rest), pairing.byes)
    too_large = Pairing(((one, other, *rest[0]), *rest[1:]), pairing.byes)
    idle = Pairing(tuple(rest), (*pairing.byes, one, other))
    for broken in (everybody_once, too_large, idle):
        assert illegalities(of, broken) != []
    had_one = [c if c.number not in pairing.byes else type(c)(c.number, byes=1) for c in of.contenders]
    assert illegalities(replace(of, contenders=had_one), pairing) != []
