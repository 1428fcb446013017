"""What tests of pages start from: a championship in which everything has happened once."""

from dataclasses import dataclass

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.translation import override

from engine.notation import HandLog, to_document
from engine.simulate import simulate
from league.models import Championship, Partie
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from league.services.rulings import penalise
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, as_bytes, owner_of, play, sheet


@dataclass
class Played:
    """A public championship: partie 1 is over (manche 1 a log, manche 2 a corrected sheet), partie 2 has just begun."""

    championship: Championship
    partie: Partie
    log: HandLog
    home: str

    def at(self, rest: str = "") -> str:
        """The English address of one of its pages."""
        return f"{self.home}{rest}"


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


@pytest.fixture(autouse=True)
def _english() -> object:
    with override("en"):
        yield


@pytest.fixture
def page(client: Client) -> Client:
    """A visitor who is not signed in."""
    return client


@pytest.fixture
def played(db: None) -> Played:
    """See `Played`."""
    championship = ChampionshipFactory(
        name="Coupe des Tests", slug="coupe-des-tests", partie_end="manches", partie_end_value=2
    )
    entries = [
        EntryFactory(championship=championship, name=name) for name in ("Les Essieux", "Les Moyeux", "Les Écrous")
    ]
    partie = PartieFactory(championship=championship, entries=entries[:2])
    log = simulate("classique", 2, 1, "played")
    play(partie, 1, to_document(log))
    play(partie, 2, sheet())
    publish(actor=owner_of(championship), championship_id=championship.pk, label="First")
    play(partie, 2, sheet({"A": 250, "B": 1000}), reason="The sheet was <upside> down", replaces=1)
    manche = partie.manches.get(number=1)
    penalise(
        actor=owner_of(championship),
        manche_id=manche.pk,
        version=1,
        label="A",
        points=50,
        reason="Came late to the table",
    )
    publish(actor=owner_of(championship), championship_id=championship.pk, label="Second")
    PartieFactory(championship=championship, entries=entries[1:], round=2, table_number=4)
    renew_live_ranking(championship_id=championship.pk)
    championship.refresh_from_db()
    return Played(championship, partie, log, f"/en/championships/{championship.slug}/")


def body_of(document: object) -> bytes:
    """A document as a page sends it."""
    return as_bytes(document)  # type: ignore[arg-type]
