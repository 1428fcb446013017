"""What an entry's withdrawal does to its parties in a round robin (STANDINGS 2)."""

from typing import Literal


def withdrawal_in_round_robin(played: int, scheduled: int) -> Literal["void", "forfeit"]:
    """What becomes of the parties of an entry that withdraws from a round robin (STANDINGS 2).

    `played`: its closed parties so far, those forfeited by either side too, without void ones and byes; `scheduled`:
    all its parties of the whole round robin, byes left aside. "void": before half of them, so that all are annulled,
    those played too. "forfeit": at half of them or later: the played ones stay and the rest are forfeited by it.

    Raises:
        ValueError: a number is negative, or more were played than scheduled.

    >>> withdrawal_in_round_robin(2, 5), withdrawal_in_round_robin(3, 5), withdrawal_in_round_robin(3, 6)
    ('void', 'forfeit', 'forfeit')
    """
    if not 0 <= played <= scheduled:
        raise ValueError(f"{played} of {scheduled} parties cannot have been played")
    return "void" if 2 * played < scheduled else "forfeit"
