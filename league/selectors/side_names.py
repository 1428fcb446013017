"""What the sides of a partie are called: the team that was entered, or in a mêlée both of the team made for it."""

from typing import Final

from league.models import Seat
from league.shown_names import team_name_of

NAME: Final = ("entry__team__name", "partner__team__name")
"""The columns of a seat that `called` takes, in its order."""


def side_name(seat: Seat) -> str:
    """The name of the side at a seat, which was read with `entry__team` and `partner__team`."""
    return called(seat.entry.team.name, seat.partner.team.name if seat.partner else None)


def called(name: str, partner: str | None) -> str:
    """The name of a side after its entry and, in a mêlée, its partner.

    >>> called("Ana", "Zoé"), called("Les Essieux", None)
    ('Ana – Zoé', 'Les Essieux')
    """
    return name if partner is None else team_name_of([name, partner])
