"""What tests of tables start from: a partie of a championship with its own way of confirming, and its sides."""

from typing import Any

from league.models import Manche, Partie
from league.policy import Actor, SideOfTable
from league.services.hand_in_answers import HandIn
from tests.factories import ChampionshipFactory, PartieFactory, play, sheet


def table(confirmation: str = "opponent", **settings: Any) -> Partie:
    """An open partie of three manches in a championship that confirms so."""
    asked = {"partie_end": "manches", "partie_end_value": 3} | settings
    return PartieFactory(championship=ChampionshipFactory(confirmation=confirmation, **asked))


def side(partie: Partie, label: str) -> Actor:
    """Somebody who holds the slip of this table and speaks for a side of it."""
    return Actor(at=SideOfTable(partie.championship_id, partie.pk, partie.number, label), ip="192.0.2.9")


def enter(partie: Partie, label: str, km: int = 475, number: int = 1, **how: Any) -> HandIn:
    """A side hands in a sheet: A arrives, B stands at `km`."""
    return play(partie, number, sheet({"A": 1000, "B": km}), actor=side(partie, label), **how)


def manche_of(partie: Partie, number: int = 1) -> Manche:
    """A manche as it stands now."""
    return Manche.objects.select_related("current_result").get(partie=partie, number=number)


def state_of(partie: Partie, number: int = 1) -> str:
    """Where a manche stands now."""
    return str(manche_of(partie, number).status)


def seen(partie: Partie, number: int = 1) -> dict[str, int]:
    """What somebody names who decides on a manche that they have just looked at."""
    manche = manche_of(partie, number)
    assert manche.current is not None
    return {"manche_id": manche.pk, "version": manche.current.version}
