"""A page costs as many queries with 20 rows as with 2."""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.notation import to_document
from engine.simulate import simulate
from league.models import Championship, Manche
from league.services.parties import close_partie
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet

MOST = {
    "": 7,
    "terms/": 4,
    "journal/": 3,
    "parties/": 10,
    "parties/{last}/": 7,
    "parties/{last}/manches/1/": 4,
    "entries/": 4,
    "entries/1/": 16,
    "register/": 3,
    "published/": 2,
    "published/1/": 6,
    "published/2/moved/?from=1": 5,
}
"""Page of a championship, and the most queries that it may cost."""


def made(rows: int) -> Championship:
    """A championship with `rows` of everything that a page lists."""
    championship = ChampionshipFactory(partie_end="referee", partie_end_value=None, players_per_team=2)
    first, *others = EntryFactory.create_batch(rows, championship=championship)
    for other in others:  # an entry sits at one table at a time
        partie = PartieFactory(championship=championship, entries=[first, other])
        play(partie, 1, sheet(players_per_team=2))
        close_partie(actor=owner_of(championship), partie_id=partie.pk, version=None, reason="Time")
    partie = PartieFactory(championship=championship, entries=[first, others[-1]])
    for number in range(1, rows + 1):
        play(partie, number, sheet({"A": 1000, "B": 25 * number}, players_per_team=2))
        publish(actor=owner_of(championship), championship_id=championship.pk, label=f"After {number}")
    for version in range(1, rows):
        changed = sheet({"A": 25 * version, "B": 1000}, players_per_team=2)
        play(partie, 1, changed, reason="Misread", replaces=version)
    renew_live_ranking(championship_id=championship.pk)
    return championship


@pytest.fixture(scope="module")
def both(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """The slugs of a championship with 2 rows everywhere and of one with 20, made once for all pages."""
    with django_db_blocker.unblock(), transaction.atomic():  # type: ignore[attr-defined]
        yield made(2).slug, made(20).slug
        transaction.set_rollback(True)


def cost(client: Client, address: str) -> int:
    """How many queries a page costs."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    assert answer.status_code == 200
    return len(queries)


@pytest.mark.django_db
@pytest.mark.parametrize(("rest", "most"), MOST.items())
def test_a_page_of_a_championship(client: Client, both: tuple[str, str], rest: str, most: int) -> None:
    small, large = (
        cost(client, f"/en/championships/{slug}/{rest.format(last=rows)}")
        for slug, rows in zip(both, (2, 20), strict=True)
    )
    assert small == large <= most


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "most"), [("/en/", 3), ("/en/championships/", 2)])
def test_the_lists_of_championships(client: Client, address: str, most: int) -> None:
    ChampionshipFactory.create_batch(2)
    small = cost(client, address)
    ChampionshipFactory.create_batch(18)
    assert cost(client, address) == small <= most


@pytest.mark.django_db
def test_a_player(client: Client, both: tuple[str, str]) -> None:
    entry = Championship.objects.get(slug=both[1]).entries.get(number=1)
    player = entry.team.players.earliest("pk")
    assert cost(client, f"/en/players/{player.pk}/") == 3


@pytest.mark.django_db
@pytest.mark.parametrize("step", [0, 40])
def test_a_step_of_a_replay_costs_the_same_wherever_it_is(client: Client, step: int) -> None:
    partie = PartieFactory()
    play(partie, 1, to_document(simulate("classique", 2, 1, "s")))
    assert Manche.objects.filter(partie=partie).exists()
    address = f"/en/championships/{partie.championship.slug}/parties/1/manches/1/moves/?step={step}"
    assert cost(client, address) == 5


@pytest.mark.parametrize(
    "address",
    [
        "/en/rulebooks/",
        "/en/rulebooks/classique/",
        "/en/rulebooks/differences/",
        "/en/rules/",
        "/en/check/",
        "/en/about/",
    ],
)
@pytest.mark.django_db
def test_what_is_no_row_costs_none(client: Client, address: str) -> None:
    assert cost(client, address) == 0
