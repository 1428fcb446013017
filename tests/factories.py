"""Rows and documents for tests. Rows that only a service may make are made by that service."""

import json
from typing import Any

import factory
from factory.django import DjangoModelFactory

from league.models import Championship, Club, Entry, Partie, Player, User
from league.names import fold
from league.policy import Actor
from league.selectors.imports import size_of_entries
from league.services.championships import create_championship
from league.services.entries import enter_players
from league.services.hand_in_answers import HandIn
from league.services.parties import open_partie
from league.services.results import hand_in


class UserFactory(DjangoModelFactory[User]):
    """Somebody with an account."""

    class Meta:
        model = User

    email = factory.Sequence(lambda n: f"person{n}@example.org")
    display_name = factory.Sequence(lambda n: f"Person {n}")


class ClubFactory(DjangoModelFactory[Club]):
    """A club."""

    class Meta:
        model = Club

    name = factory.Sequence(lambda n: f"Club {n}")
    name_folded = factory.LazyAttribute(lambda club: fold(club.name))
    slug = factory.LazyAttribute(lambda club: club.name_folded.replace(" ", "-"))


class PlayerFactory(DjangoModelFactory[Player]):
    """A player, without a club."""

    class Meta:
        model = Player

    name = factory.Sequence(lambda n: f"Joueuse Numéro {n}")
    name_folded = factory.LazyAttribute(lambda player: fold(player.name))
    email = factory.Sequence(lambda n: f"private{n}@example.org")


class ChampionshipFactory(factory.Factory[Championship]):
    """A public championship of two-entry tables, `classique`, to 5000 points, owned by `owner`."""

    class Meta:
        model = Championship

    name = factory.Sequence(lambda n: f"Coupe {n}")
    slug = factory.Sequence(lambda n: f"coupe-{n}")
    rulebook = "classique"
    decided_by = "points"
    partie_end = "points"
    partie_end_value = 5000
    visibility = "public"
    owner = factory.SubFactory(UserFactory)

    @classmethod
    def _create(cls, model_class: type[Championship], *args: Any, **settings: Any) -> Championship:
        owner, name, slug = (settings.pop(key) for key in ("owner", "name", "slug"))
        return create_championship(actor=Actor(user=owner), name=name, slug=slug, settings=settings)


class EntryFactory(factory.Factory[Entry]):
    """A team of new players, entered in `championship` (a new one unless given)."""

    class Meta:
        model = Entry

    championship = factory.SubFactory(ChampionshipFactory)
    name = ""

    @classmethod
    def _create(cls, model_class: type[Entry], *args: Any, championship: Championship, name: str) -> Entry:
        players = PlayerFactory.create_batch(size_of_entries(championship))
        return enter_players(
            actor=owner_of(championship),
            championship_id=championship.pk,
            player_ids=[player.pk for player in players],
            name=name,
        )


class PartieFactory(factory.Factory[Partie]):
    """An open partie of new entries of `championship`, or of `entries`."""

    class Meta:
        model = Partie

    championship = factory.SubFactory(ChampionshipFactory)
    entries: Any = None
    round = 1

    @classmethod
    def _create(cls, model_class: type[Partie], *args: Any, championship: Championship, **seating: Any) -> Partie:
        entries = seating.pop("entries")
        if entries is None:
            entries = EntryFactory.create_batch(championship.table_entries, championship=championship)
        return open_partie(
            actor=owner_of(championship),
            championship_id=championship.pk,
            entry_ids=[entry.pk for entry in entries],
            **seating,
        )


def owner_of(championship: Championship) -> Actor:
    """The one who made the championship."""
    return Actor(user=championship.created_by, ip="192.0.2.7", request_id="test")


def sheet(km: dict[str, int] | None = None, **changes: Any) -> dict[str, Any]:
    """A `marque/1` of two teams: A reaches 1000 km with two 200s, B stands at `km` or 475; `changes` lie over it.

    As it is: 1400 points for A (1000 km, victory 400), 475 for B.
    """
    km = km or {"A": 1000, "B": 475}
    teams = {
        label: {"km": value, "n200": 2 if value == 1000 else 0, "bottes": [], "coups_fourres": []}
        for label, value in km.items()
    }
    on_target = 1000 in km.values()
    document = {
        "format": "marque/1",
        "rulebook": "classique",
        "players_per_team": 1,
        "end": "target" if on_target else "interrupted",
        "sabot_empty": False,
        "teams": teams,
    }
    return document | changes


def as_bytes(document: dict[str, Any]) -> bytes:
    """A document as a page or a program sends it."""
    return json.dumps(document).encode()


def play(partie: Partie, number: int = 1, document: dict[str, Any] | None = None, **how: Any) -> HandIn:
    """Hand in a sheet for a manche of a partie, as the championship's owner."""
    return hand_in(
        actor=how.pop("actor", None) or owner_of(partie.championship),
        partie_id=partie.pk,
        number=number,
        body=as_bytes(document or sheet()),
        **how,
    )
