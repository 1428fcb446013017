"""Who plays and who may sit in is read in a constant number of queries, however many are named and however many sit."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Partie
from league.services.postponing import postpone_partie
from league.services.substitutes import name_substitute, stand_in
from tests.factories import ChampionshipFactory, ClubFactory, PartieFactory, PlayerFactory, owner_of, play
from tests.league.web_organiser.conftest import Hall
from tests.staging import of_pairs

PLACES = [(label, position) for label in "ABCD" for position in (1, 2)]


def a_cup(hall: Hall, rule: str, table_entries: int = 2) -> Partie:
    """A partie of teams of two, in which one player sits in for another."""
    cup: Championship = ChampionshipFactory(
        slug=f"cup-{table_entries}",
        owner=hall.owner,
        players_per_team=2,
        table_entries=table_entries,
        substitution=rule,
        partie_end="referee",
        partie_end_value=None,
    )
    partie: Partie = PartieFactory(championship=cup)
    sits_in(partie, "A", 1)
    return partie


def sits_in(partie: Partie, label: str, position: int) -> None:
    """Somebody from a club is named for the team of a side, and sits at a place of it."""
    actor, player = owner_of(partie.championship), PlayerFactory(club=ClubFactory())
    name_substitute(actor=actor, team_id=partie.seats.get(label=label).entry.team_id, player_id=player.pk)
    stand_in(actor=actor, partie_id=partie.pk, label=label, position=position, player_id=player.pk, reason="Came late")


def much_more(partie: Partie) -> None:
    """Every place is taken by somebody else, many are named, and at other tables, which play later, too."""
    entries = [seat.entry for seat in partie.seats.select_related("entry").order_by("label")]
    for label, position in PLACES[1 : 2 * len(entries)]:
        sits_in(partie, label, position)
    present = partie
    for round_ in range(2, 6):
        actor = owner_of(partie.championship)
        postpone_partie(actor=actor, partie_id=present.pk, version=None, reason="It plays later")
        present = PartieFactory(championship=partie.championship, entries=entries, round=round_)
        for label, position in PLACES[: 2 * len(entries)]:
            sits_in(present, label, position)


def counts(client: Client, partie: Partie) -> Iterator[tuple[str, int]]:
    """How many queries each page takes; the second visit, so that nothing is only remembered."""
    entry = partie.seats.get(label="A").entry
    home = f"/en/organise/{partie.championship.slug}/"
    for page, address in (
        ("who plays", f"{home}parties/{partie.number}/who-plays/"),
        ("substitutes", f"{home}entries/{entry.number}/substitutes/"),
    ):
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address)
        assert answer.status_code == 200
        assert "Joueuse Numéro" in answer.content.decode()
        yield page, len(queries)


@pytest.mark.parametrize("rule", ["named", "free"])
def test_queries_do_not_grow_with_those_named_or_sitting_in(hall: Hall, owner: Client, rule: str) -> None:
    partie = a_cup(hall, rule)
    play(partie, 1, of_pairs())
    few = dict(counts(owner, partie))
    much_more(partie)
    many = dict(counts(owner, partie))
    assert many == few
    assert max(many.values()) <= 16, many


def test_queries_do_not_grow_with_the_table(hall: Hall, owner: Client) -> None:
    small, large = a_cup(hall, "named"), a_cup(hall, "named", table_entries=4)
    much_more(large)
    assert dict(counts(owner, large)) == dict(counts(owner, small))
