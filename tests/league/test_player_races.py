"""Two at once about one player, on PostgreSQL: no name is written while its owner hides it, nothing waits in a ring."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from league.errors import UserFault
from league.models import Championship, Entry, Player, PlayerMerge, PublishedCircuit, Team
from league.policy import ANYBODY, Actor
from league.services.circuits import publish_circuit
from league.services.claims import claim_by_code, make_claim_code
from league.services.entries import enter_players
from league.services.locks import lock_players
from league.services.merging import merge_players
from league.services.people import change_player
from tests.factories import ChampionshipFactory, EntryFactory, PlayerFactory, UserFactory, owner_of
from tests.league.test_circuits import circuit_of, finished
from tests.league.test_races import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def hides(player: Player) -> Callable[[], Any]:
    return lambda: change_player(actor=ANYBODY, player_id=player.pk, version=None, changes={"shown_as": "hidden"})


def enters(championship: Championship, *players: Player) -> Callable[[], Any]:
    ids = [player.pk for player in players]
    return lambda: enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=ids)


def in_a_thread(runner: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Start it in a thread of its own; what it came to stands in the list once it has ended."""
    answers: list[Any] = []

    def run() -> None:
        try:
            answers.append(runner())
        except UserFault as fault:
            answers.append(fault)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, answers


def test_a_circuit_published_while_somebody_hides_has_no_name_of_theirs() -> None:
    ana, bea = PlayerFactory(name="Ana Nouet"), PlayerFactory(name="Bea Lartigue")
    championship = finished("Pau", [ana, bea])
    owner = Actor(user=UserFactory())
    circuit = circuit_of(owner, championship)
    with transaction.atomic():
        lock_players([ana.pk])
        thread, answers = in_a_thread(lambda: publish_circuit(actor=owner, circuit_id=circuit.pk, label="End"))
        time.sleep(0.5)
        assert answers == [], "it waits for the players before it reads their names"
        change_player(actor=ANYBODY, player_id=ana.pk, version=None, changes={"shown_as": "hidden"})
    thread.join(10)
    assert "Nouet" not in str(PublishedCircuit.objects.get().rows)


def test_who_is_entered_while_hiding_is_entered_without_a_name() -> None:
    player, championship = PlayerFactory(), ChampionshipFactory()
    with transaction.atomic():
        lock_players([player.pk])
        thread, answers = in_a_thread(enters(championship, player))
        time.sleep(0.5)
        assert answers == [], "it waits for the player before it reads the name"
        change_player(actor=ANYBODY, player_id=player.pk, version=None, changes={"shown_as": "hidden"})
    thread.join(10)
    assert isinstance(answers[0], Entry)
    assert Team.objects.get().name == f"Anonyme {player.pk}"


def test_who_hides_while_being_entered_is_hidden_there_too() -> None:
    player, championship = PlayerFactory(), ChampionshipFactory()
    with transaction.atomic():
        enters(championship, player)()
        thread, answers = in_a_thread(hides(player))
        time.sleep(0.5)
        assert answers == [], "it waits for the player, and then sees where they are entered"
    thread.join(10)
    assert isinstance(answers[0], Player)
    assert Team.objects.get().name == f"Anonyme {player.pk}"


def test_two_who_play_in_the_same_two_championships_hide_at_once() -> None:
    one, other = PlayerFactory.create_batch(2)
    championships = [ChampionshipFactory() for _n in range(2)]
    for championship in championships:
        enters(championship, one)()
        enters(championship, other)()
    answers = at_once(championships[0], hides(one), hides(other))
    assert [type(answer) for answer in answers] == [Player, Player]
    assert set(Team.objects.values_list("name", flat=True)) == {f"Anonyme {one.pk}", f"Anonyme {other.pk}"}


def test_two_who_merge_the_same_two_the_other_way_round_make_one() -> None:
    entries = [EntryFactory(), EntryFactory()]
    one, other = (entry.team.players.get() for entry in entries)

    def merges(kept: Player, merged: Player) -> Callable[[], Any]:
        return lambda: merge_players(actor=ANYBODY, kept_id=kept.pk, merged_id=merged.pk)

    answers = at_once(entries[0].championship, merges(one, other), merges(other, one))
    assert sorted(type(answer).__name__ for answer in answers) == ["Conflict", "PlayerMerge"]
    assert PlayerMerge.objects.count() == 1


def test_one_code_twice_at_once_is_taken_once() -> None:
    player = PlayerFactory()
    code = make_claim_code(actor=ANYBODY, player_id=player.pk)
    users = UserFactory.create_batch(2)

    def takes(place: int) -> Callable[[], Any]:
        return lambda: claim_by_code(actor=Actor(user=users[place]), code=code)

    with transaction.atomic():
        lock_players([player.pk])
        both = [in_a_thread(takes(0)), in_a_thread(takes(1))]
        time.sleep(0.5)
    for thread, _answers in both:
        thread.join(10)
    answers = [answer for _thread, found in both for answer in found]
    assert sorted(type(answer).__name__ for answer in answers) == ["Conflict", "Player"]
    player.refresh_from_db()
    assert player.user in users
