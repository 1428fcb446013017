"""Labels of seats and their order in each manche (RULES 13)."""

from collections.abc import Sequence


def players_of(team: str, players: int) -> list[str]:
    """The labels of a team's players.

    >>> players_of("B", 2)
    ['b1', 'b2']
    """
    return [f"{team.lower()}{position}" for position in range(1, players + 1)]


def seat_labels(teams: Sequence[str], players: int, manche: int) -> list[str]:
    """The seats of a manche in order of play: a1, b1, a2, b2 …, turned by one a manche.

    >>> seat_labels("AB", 2, 2)
    ['b1', 'a2', 'b2', 'a1']
    """
    seats = [
        label for together in zip(*(players_of(team, players) for team in teams), strict=True) for label in together
    ]
    turn = (manche - 1) % len(seats)
    return seats[turn:] + seats[:turn]
