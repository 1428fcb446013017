"""What everybody had from one round: what the seed of the next draw is made from (STANDINGS 5)."""

from fractions import Fraction

from league.models import Championship
from league.selectors.classement import document
from scoring.pairing import seed_of_round
from scoring.parties import awards, bye_award, places, result
from scoring.ranking_reader import read


def results_of_round(*, championship: Championship, round_number: int) -> dict[int, Fraction]:
    """Match points that entries have for a round, by entry number: parties that count, byes, open parties as level.

    An entry that had nothing (absent, or its partie was annulled) is not in it; parties of one round are summed.
    """
    found: dict[int, Fraction] = {}
    if round_number < 1:
        return found
    whole = document(championship, up_to_round=round_number)
    whole["parties"] = [partie for partie in whole["parties"] if partie["round"] == round_number]
    whole["byes"] = [bye for bye in whole["byes"] if bye["round"] == round_number]
    told = read(whole)
    for partie in told.parties:
        if partie.counts:
            gained = [seat.match_points for seat in result(partie, told.table, told.decided_by, told.scale).seats]
        elif partie.status == "open":
            left = tuple(side in partie.forfeits for side in partie.entries)
            gained = list(awards(told.table, places([0] * len(left), left), left, told.scale))
        else:
            continue
        for side, points in zip(partie.sides, gained, strict=True):
            for number in side:
                found[number] = found.get(number, Fraction(0)) + points
    for bye in told.byes:
        found[bye.entry] = found.get(bye.entry, Fraction(0)) + bye_award(told.table, told.scale) * bye.share
    return found


def seed_for(*, championship: Championship, round_number: int) -> str:
    """The seed of the draw of a round, from the secret and what the round before came to."""
    results = results_of_round(championship=championship, round_number=round_number - 1)
    return seed_of_round(championship.secret, round_number, results)
