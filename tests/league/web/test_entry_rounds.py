"""An entry's page adds up: byes, absences, forfeits and parties, the newest first."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Absence, Bye, Championship, Entry, LiveRow, Round, RoundStatus
from league.selectors.entry_rounds import rounds_of_entry
from league.services.parties import rule_forfeit, void_partie
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play
from tests.league.web.saying import text_of
from tests.staging import melee, mixed, of_pairs, round_of, stage_of, won

pytestmark = pytest.mark.django_db


def championship_of(size: int, **settings: Any) -> tuple[Championship, list[Entry]]:
    championship = ChampionshipFactory(partie_end="manches", partie_end_value=1, **settings)
    return championship, [EntryFactory(championship=championship, name=f"Team {n}") for n in range(1, size + 1)]


def bye(entry: Entry, number: int) -> None:
    Bye.objects.create(championship=entry.championship, round=number, entry=entry)


def ranked(entry: Entry) -> str:
    renew_live_ranking(championship_id=entry.championship_id)
    return str(LiveRow.objects.get(entry=entry).values["match_points"])


def test_what_is_played_now_stands_first_and_the_rest_adds_up_to_the_ranking(client: Client) -> None:
    championship, (first, second, third) = championship_of(3)
    won(1, first, second)
    bye(third, 1)
    won(2, first, third)
    bye(second, 2)
    won(3, second, third)
    bye(first, 3)
    PartieFactory(championship=championship, entries=[first, third], round=4, table_number=4)
    Entry.objects.filter(pk=first.pk).update(penalty=1, penalty_reason="Late")
    first.refresh_from_db()
    told = rounds_of_entry(championship=championship, entry=first)
    assert [(one.round, one.kind, one.place, one.match_points) for one in told.over] == [
        (3, "bye", None, "2"),
        (2, "partie", 1, "2"),
        (1, "partie", 1, "2"),
    ]
    assert told.match_points == ranked(first) == "5"
    said = text_of(client, f"/en/championships/{championship.slug}/entries/{first.number}/")
    assert re.search(r"Now at table 4 round 4 against Team 3 .* 3 bye – 2 – 2 Partie \d against Team 3 1 2", said)
    assert "Match points of all rounds 5" in said


def test_a_forfeit_an_annulled_partie_and_an_absence_say_what_they_give(client: Client) -> None:
    championship, (first, second) = championship_of(2)
    for number in (1, 2):
        played = won(number, first, second)
    void_partie(actor=owner_of(championship), partie_id=played.pk, version=played.version, reason="Wrong deck")
    partie = PartieFactory(championship=championship, entries=[first, second], round=3)
    rule_forfeit(
        actor=owner_of(championship),
        partie_id=partie.pk,
        entry_id=second.pk,
        version=partie.version,
        reason="Not there",
    )
    round_of(stage_of(championship, 1, [first, second]), 4)
    Absence.objects.create(championship=championship, round=4, entry=second)
    Round.objects.create(championship=championship, number=5, status=RoundStatus.DRAFT)
    Absence.objects.create(championship=championship, round=5, entry=second)
    told = rounds_of_entry(championship=championship, entry=second)
    assert [(one.round, one.kind, one.match_points) for one in told.over] == [
        (4, "absent", "0"),
        (3, "partie", "0"),
        (2, "partie", None),
        (1, "partie", "0"),
    ]
    assert rounds_of_entry(championship=championship, entry=first).match_points == ranked(first) == "4"
    said = text_of(client, f"/en/championships/{championship.slug}/entries/{second.number}/")
    assert "4 announced as absent – 0" in said
    assert "forfeit against Team 1 2 0" in said
    assert "void against Team 1 – –" in said


def test_a_bye_gives_the_first_number_of_a_scale() -> None:
    championship, entries = championship_of(4, table_entries=3, scale=[7, 4, 1])
    won(1, *entries[:3], km=[300, 200])
    bye(entries[3], 1)
    for entry, points in zip(entries, ("7", "4", "1", "7"), strict=True):
        assert rounds_of_entry(championship=championship, entry=entry).match_points == ranked(entry) == points


def test_partners_of_a_melee_have_what_their_side_had() -> None:
    championship, players = melee(4)
    partie = mixed(championship, 1, (players[0], players[2]), (players[1], players[3]))
    play(partie, 1, of_pairs())
    for player, points in zip(players, ("2", "0", "2", "0"), strict=True):
        assert rounds_of_entry(championship=championship, entry=player).match_points == ranked(player) == points


def test_queries_do_not_grow_with_the_rounds(client: Client) -> None:
    counted = []
    for rounds in (2, 6):
        championship, (first, second) = championship_of(2)
        for number in range(1, rounds):
            won(number, first, second)
        bye(first, rounds)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/en/championships/{championship.slug}/entries/1/")
        counted.append(len(queries))
    assert counted[0] == counted[1]
