"""Parties for the tests of how they end and what is ruled of them."""

from typing import Any

from league.models import Manche, Partie
from tests.factories import ChampionshipFactory, PartieFactory, sheet


def to(points: int, **settings: Any) -> Partie:
    """A partie to a number of points."""
    return PartieFactory(championship=ChampionshipFactory(partie_end_value=points, **settings))


def ending(end: str, value: int | None, **settings: Any) -> Partie:
    return PartieFactory(championship=ChampionshipFactory(partie_end=end, partie_end_value=value, **settings))


def a_wins(b: int = 475) -> dict[str, Any]:
    """A has 1400, B its km."""
    return sheet({"A": 1000, "B": b})


def b_wins(a: int = 475) -> dict[str, Any]:
    return sheet({"A": a, "B": 1000})


def now(partie: Partie) -> tuple[str, str]:
    partie.refresh_from_db()
    return partie.status, partie.closed_how


def manche(partie: Partie, number: int) -> int:
    return Manche.objects.get(partie=partie, number=number).pk
