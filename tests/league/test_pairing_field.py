"""What the next round is drawn from: match points with open parties as level, places, meetings, byes, seats, clubs."""

from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Entry, LiveRow, Player
from league.selectors.pairing_field import PairingField, standing_for_pairing
from league.services.entries import penalise_entry, withdraw
from league.services.parties import add_bye, rule_forfeit, void_partie
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, ClubFactory, EntryFactory, PartieFactory, owner_of, play
from tests.staging import melee, mixed, of_pairs, round_of, stage_of, won

pytestmark = pytest.mark.django_db


@pytest.fixture
def championship() -> Championship:
    return ChampionshipFactory(partie_end="manches", partie_end_value=1)


@pytest.fixture
def entries(championship: Championship) -> list[Entry]:
    return EntryFactory.create_batch(6, championship=championship)


def field_of(championship: Championship, round_number: int) -> PairingField:
    return standing_for_pairing(championship=championship, stage=None, round=round_number)


def points(field: PairingField) -> dict[int, Fraction]:
    return {number: one.match_points for number, one in field.contenders.items()}


def pair(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


class TestWithoutStages:
    """Free tables and the only Swiss of a championship."""

    def test_before_the_first_round_all_are_level(self, championship: Championship, entries: list[Entry]) -> None:
        field = field_of(championship, 1)
        assert set(points(field).values()) == {0}
        assert {one.place for one in field.contenders.values()} == {1}
        assert field.ids == {entry.number: entry.pk for entry in entries}

    def test_an_open_partie_counts_as_level_and_as_a_meeting(
        self, championship: Championship, entries: list[Entry]
    ) -> None:
        won(1, entries[0], entries[1])
        PartieFactory(championship=championship, entries=entries[2:4], round=1)
        field = field_of(championship, 2)
        assert points(field) == {1: 2, 2: 0, 3: 1, 4: 1, 5: 0, 6: 0}
        assert [field.contenders[number].place for number in range(1, 7)] == [1, 4, 2, 2, 5, 5]
        assert field.met == {pair(1, 2): 1, pair(3, 4): 1}

    def test_rounds_from_the_drawn_one_on_are_not_looked_at(
        self, championship: Championship, entries: list[Entry]
    ) -> None:
        won(1, entries[0], entries[1])
        won(2, entries[1], entries[2])
        assert points(field_of(championship, 2))[2] == 0
        assert points(field_of(championship, 3))[2] == 2

    def test_byes_and_seats_are_counted_and_a_void_partie_is_as_if_never_drawn(
        self, championship: Championship, entries: list[Entry]
    ) -> None:
        actor = owner_of(championship)
        add_bye(actor=actor, entry_id=entries[4].pk, round=1)
        void = PartieFactory(championship=championship, entries=entries[:2], round=1)
        void_partie(actor=actor, partie_id=void.pk, version=None, reason="Wrong draw")
        won(1, entries[0], entries[2])
        won(2, entries[2], entries[0])
        field = field_of(championship, 3)
        assert field.contenders[5].byes == 1
        assert field.contenders[5].match_points == 2
        assert field.contenders[1].seats == (1, 1)
        assert field.contenders[2].seats == (0, 0)
        assert field.met == {pair(1, 3): 2}

    def test_who_won_without_play_has_met_nobody(self, championship: Championship, entries: list[Entry]) -> None:
        partie = PartieFactory(championship=championship, entries=entries[:2], round=1)
        rule_forfeit(
            actor=owner_of(championship), partie_id=partie.pk, entry_id=entries[1].pk, version=None, reason="Absent"
        )
        field = field_of(championship, 2)
        assert field.met == {}
        assert points(field)[1] == 2

    def test_who_sat_at_a_short_table(self) -> None:
        championship = ChampionshipFactory(
            table_entries=3, allow_short_tables=True, partie_end="manches", partie_end_value=1
        )
        entries = EntryFactory.create_batch(5, championship=championship)
        won(1, *entries[:2])
        won(1, *entries[2:])
        field = field_of(championship, 2)
        assert [one.short_tables for one in field.contenders.values()] == [1, 1, 0, 0, 0]
        assert points(field) == {1: 4, 2: 0, 3: 4, 4: 2, 5: 0}

    def test_a_penalty_moves_the_place_and_not_the_points(
        self, championship: Championship, entries: list[Entry]
    ) -> None:
        won(1, entries[0], entries[1])
        won(1, entries[2], entries[3])
        penalise_entry(actor=owner_of(championship), entry_id=entries[0].pk, points=1, reason="Late")
        field = field_of(championship, 2)
        assert points(field)[1] == points(field)[3] == 2
        assert field.contenders[3].place < field.contenders[1].place

    def test_places_are_those_of_the_ranking_whatever_the_penalty(
        self, championship: Championship, entries: list[Entry]
    ) -> None:
        won(1, entries[0], entries[1])
        won(2, entries[0], entries[2])
        won(1, entries[2], entries[3])
        penalise_entry(actor=owner_of(championship), entry_id=entries[0].pk, points=3, reason="Very late")
        renew_live_ranking(championship_id=championship.pk)
        ranks = dict(LiveRow.objects.values_list("entry__number", "rank"))
        field = field_of(championship, 3)
        assert ranks[1] > ranks[3]
        assert {number: one.place for number, one in field.contenders.items()} == ranks
        assert points(field)[1] == 4

    def test_who_withdrew_is_not_drawn(self, championship: Championship, entries: list[Entry]) -> None:
        withdraw(actor=owner_of(championship), entry_id=entries[0].pk, reason="Ill")
        assert 1 not in field_of(championship, 1).contenders

    def test_a_team_is_of_the_club_of_its_players_where_it_is_one(self) -> None:
        championship = ChampionshipFactory(players_per_team=2)
        entries = EntryFactory.create_batch(3, championship=championship)
        here, there = ClubFactory(), ClubFactory()
        of = [list(Player.objects.filter(memberships__team__entry=entry).order_by("pk")) for entry in entries]
        for player, club in ((of[0][0], here), (of[0][1], here), (of[1][0], here), (of[1][1], there), (of[2][0], here)):
            player.club = club
            player.save(update_fields=["club"])
        field = field_of(championship, 1)
        assert [one.club for one in field.contenders.values()] == [str(here.pk), None, str(here.pk)]


class TestStages:
    """A stage counts its own parties, and those carried over into it."""

    def test_pools_have_places_of_their_own(self, championship: Championship, entries: list[Entry]) -> None:
        stage = stage_of(championship, 1, [], in_pools=[entries[:3], entries[3:]])
        round_of(stage, 1)
        won(1, entries[0], entries[1])
        won(1, entries[3], entries[4])
        field = standing_for_pairing(championship=championship, stage=stage, round=2)
        assert [one.place for one in field.of_pool(1)] == [1, 2, 3]
        assert [one.place for one in field.of_pool(2)] == [1, 2, 3]
        assert [one.number for one in field.of_pool(2)] == [4, 5, 6]

    @pytest.mark.parametrize(
        ("carry_over", "expected"), [("none", {1: 0, 2: 0, 3: 0}), ("qualified", {1: 2, 2: 0, 3: 0})]
    )
    def test_what_is_carried_over_is_among_the_qualified(
        self, championship: Championship, entries: list[Entry], carry_over: str, expected: dict[int, int]
    ) -> None:
        first = stage_of(championship, 1, entries)
        round_of(first, 1)
        round_of(first, 2)
        won(1, entries[0], entries[1])
        won(2, entries[2], entries[5])
        add_bye(actor=owner_of(championship), entry_id=entries[2].pk, round=1)
        final = stage_of(championship, 2, entries[:3], qualify=3, carry_over=carry_over)
        field = standing_for_pairing(championship=championship, stage=final, round=3)
        assert points(field) == expected
        assert field.met == {pair(1, 2): 1, pair(3, 6): 1}
        assert field.contenders[3].byes == 1

    def test_those_level_in_a_later_stage_stand_as_they_came_in(
        self, championship: Championship, entries: list[Entry]
    ) -> None:
        stage_of(championship, 1, entries)
        final = stage_of(championship, 2, [entries[4], entries[2], entries[0]], qualify=3)
        field = standing_for_pairing(championship=championship, stage=final, round=1)
        assert {number: one.place for number, one in field.contenders.items()} == {5: 1, 3: 2, 1: 3}
        assert field.seeds == {5: 1, 3: 2, 1: 3}

    def test_as_soon_as_something_is_played_those_level_share_their_place(
        self, championship: Championship, entries: list[Entry]
    ) -> None:
        stage_of(championship, 1, entries)
        final = stage_of(championship, 2, entries[:4], qualify=4)
        round_of(final, 1)
        won(1, entries[0], entries[1])
        won(1, entries[2], entries[3], km=[400])
        field = standing_for_pairing(championship=championship, stage=final, round=2)
        assert field.contenders[1].place == field.contenders[3].place == 1

    def test_without_a_stage_named_everybody_is_there(self, championship: Championship, entries: list[Entry]) -> None:
        stage_of(championship, 1, entries[:4])
        assert set(field_of(championship, 1).contenders) == {1, 2, 3, 4, 5, 6}

    def test_a_knock_out_has_places_and_no_points(self, championship: Championship, entries: list[Entry]) -> None:
        knockout = stage_of(championship, 1, entries[:4], format="knockout")
        round_of(knockout, 1)
        won(1, entries[0], entries[1])
        field = standing_for_pairing(championship=championship, stage=knockout, round=2)
        assert {number: one.place for number, one in field.contenders.items()} == {1: 1, 2: 2, 3: 2, 4: 2}
        assert set(points(field).values()) == {0}

    def test_it_takes_eight_queries_whatever_the_size(self, championship: Championship, entries: list[Entry]) -> None:
        stage = stage_of(championship, 1, entries)
        round_of(stage, 1)
        won(1, entries[0], entries[1])
        won(1, entries[2], entries[3])
        with CaptureQueriesContext(connection) as queries:
            standing_for_pairing(championship=championship, stage=stage, round=2)
        assert len(queries) <= 8


class TestMelee:
    """Players, each with the results of the teams in which they sat."""

    def test_both_partners_have_the_result_and_met_both_of_the_other_side(self) -> None:
        championship, (one, two, three, four) = melee(4)
        play(mixed(championship, 1, (three, one), (two, four)), 1, of_pairs())
        field = field_of(championship, 2)
        assert points(field) == {1: 2, 2: 0, 3: 2, 4: 0}
        assert field.met == {pair(3, 2): 1, pair(3, 4): 1, pair(1, 2): 1, pair(1, 4): 1}
        assert field.partners == {pair(1, 3): 1, pair(2, 4): 1}
        assert field.contenders[1].seats == (1, 0)
        assert field.contenders[4].seats == (0, 1)
