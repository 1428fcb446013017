"""Teams of two: who may sit in for a player, by the championship's rule, and who did."""

from typing import Any

import pytest

from league.errors import Conflict, NotFound, Stale, UserFault
from league.models import AuditEntry, Championship, Entry, Partie, Player, StandIn, Substitution
from league.policy import ANYBODY, Actor
from league.selectors.classement import document
from league.selectors.people import player_view
from league.selectors.substitutes import places, shown_stand_ins, substitutes_of, who_may_sit
from league.services.championships import change_championship, create_championship
from league.services.parties import void_partie
from league.services.substitutes import end_stand_in, name_substitute, remove_substitute, stand_in
from tests.factories import (
    ChampionshipFactory,
    EntryFactory,
    PartieFactory,
    PlayerFactory,
    UserFactory,
    owner_of,
    play,
    sheet,
)

pytestmark = pytest.mark.django_db


class Hall:
    """Four teams of two; parties 1 and 2 of round 1."""

    def __init__(self, rule: str = Substitution.NAMED, limit: int | None = None) -> None:
        self.championship: Championship = ChampionshipFactory(
            players_per_team=2, substitution=rule, substitution_limit=limit
        )
        self.actor = owner_of(self.championship)
        self.entries = EntryFactory.create_batch(4, championship=self.championship)
        self.first = self.partie(*self.entries[:2])
        self.second = self.partie(*self.entries[2:])
        self.spare: Player = PlayerFactory(name="Zoé Çelik")

    def partie(self, *entries: Entry, of_round: int = 1) -> Partie:
        return PartieFactory(championship=self.championship, entries=entries, round=of_round)

    def name(self, entry: Entry, player: Player | None = None) -> Any:
        return name_substitute(actor=self.actor, team_id=entry.team_id, player_id=(player or self.spare).pk)

    def sit(
        self, partie: Partie, label: str = "A", position: int = 2, player: Player | None = None, **how: Any
    ) -> StandIn:
        return stand_in(
            actor=self.actor,
            partie_id=partie.pk,
            label=label,
            position=position,
            player_id=(player or self.spare).pk,
            **how,
        )

    def refused(self, *args: Any, **how: Any) -> str:
        before = list(StandIn.objects.values())
        with pytest.raises(UserFault) as fault:
            self.sit(*args, **how)
        assert list(StandIn.objects.values()) == before
        return fault.value.code


class TestTheRule:
    """Who may."""

    def test_a_substitute_of_the_team(self) -> None:
        hall = Hall()
        assert hall.refused(hall.first) == "not-a-substitute"
        hall.name(hall.entries[1])
        assert hall.refused(hall.first) == "not-a-substitute", "of the other team"
        hall.name(hall.entries[0])
        made = hall.sit(hall.first)
        assert (made.seat.label, made.position, made.player) == ("A", 2, hall.spare)

    def test_anybody_where_that_is_the_rule(self) -> None:
        hall = Hall(Substitution.FREE)
        assert hall.sit(hall.first).player == hall.spare

    def test_nobody_where_that_is_the_rule(self) -> None:
        hall = Hall(Substitution.NONE)
        assert hall.refused(hall.first) == "no-substitutes"
        with pytest.raises(Conflict, match="no-substitutes"):
            hall.name(hall.entries[0])

    def test_never_a_player_of_another_team(self) -> None:
        hall = Hall(Substitution.FREE)
        other = hall.entries[3].team.players.earliest("pk")
        assert hall.refused(hall.first, player=other) == "in-another-team"
        with pytest.raises(Conflict, match="in-another-team"):
            hall.name(hall.entries[0], other)

    def test_nor_the_partner(self) -> None:
        hall = Hall(Substitution.FREE)
        partner = hall.entries[0].team.players.earliest("pk")
        assert hall.refused(hall.first, player=partner) == "sits-already"
        with pytest.raises(Conflict, match="sits-already"):
            hall.name(hall.entries[0], partner)

    def test_nobody_sits_twice_at_a_table(self) -> None:
        hall = Hall(Substitution.FREE)
        hall.sit(hall.first)
        assert hall.refused(hall.first, "B", 1) == "sits-already"
        assert hall.refused(hall.first, "A", 1) == "sits-already"

    def test_nor_at_two_tables_of_a_round(self) -> None:
        hall = Hall(Substitution.FREE)
        hall.sit(hall.first)
        assert hall.refused(hall.second) == "at-another-table"
        void_partie(actor=hall.actor, partie_id=hall.first.pk, version=None, reason="Wrong draw")
        assert hall.sit(hall.second).player == hall.spare

    def test_only_so_many_parties(self) -> None:
        hall = Hall(Substitution.FREE, limit=1)
        hall.sit(hall.first)
        void_partie(actor=hall.actor, partie_id=hall.second.pk, version=None, reason="Wrong draw")
        later = hall.partie(*hall.entries[2:], of_round=2)
        assert hall.refused(later) == "too-many-parties"
        hall.championship.refresh_from_db()
        change_championship(
            actor=hall.actor, championship_id=hall.championship.pk, version=None, settings={"substitution_limit": 2}
        )
        assert hall.sit(later).player == hall.spare

    def test_nobody_at_a_table_that_is_annulled(self) -> None:
        hall = Hall(Substitution.FREE)
        void_partie(actor=hall.actor, partie_id=hall.first.pk, version=None, reason="Wrong draw")
        assert hall.refused(hall.first) == "partie-void"

    @pytest.mark.parametrize(("label", "position"), [("C", 1), ("A", 3), ("", 1)])
    def test_nobody_where_there_is_no_place(self, label: str, position: int) -> None:
        hall = Hall(Substitution.FREE)
        with pytest.raises(NotFound):
            hall.sit(hall.first, label, position)


class TestNoting:
    """What is written."""

    def test_another_one_takes_the_place(self) -> None:
        hall = Hall(Substitution.FREE)
        hall.sit(hall.first)
        other = PlayerFactory()
        hall.sit(hall.first, player=other)
        assert [row.player for row in StandIn.objects.all()] == [other]
        entry = AuditEntry.objects.filter(action="stand_in").latest("pk")
        assert entry.before == {"partie": 1, "seat": "A2", "player": hall.spare.pk}
        assert entry.after == {"partie": 1, "seat": "A2", "player": other.pk}

    def test_the_same_again_changes_nothing(self) -> None:
        hall = Hall(Substitution.FREE)
        first = hall.sit(hall.first)
        assert hall.sit(hall.first) == first
        assert AuditEntry.objects.filter(action="stand_in").count() == 1

    def test_once_results_are_in_a_reason_is_due(self) -> None:
        hall = Hall(Substitution.FREE)
        play(hall.first, 1, sheet(players_per_team=2))
        assert hall.refused(hall.first) == "reason-required"
        hall.sit(hall.first, reason="The sheet said so")
        with pytest.raises(UserFault, match="reason-required"):
            end_stand_in(actor=hall.actor, partie_id=hall.first.pk, label="A", position=2)
        end_stand_in(actor=hall.actor, partie_id=hall.first.pk, label="A", position=2, reason="Misread")
        assert StandIn.objects.count() == 0
        assert AuditEntry.objects.get(action="end_stand_in").reason == "Misread"

    def test_of_two_at_once_the_second_is_told(self) -> None:
        hall = Hall(Substitution.FREE)
        hall.sit(hall.first, version=1)
        with pytest.raises(Stale):
            hall.sit(hall.first, "B", version=1, player=PlayerFactory())

    def test_ending_nothing_does_nothing(self) -> None:
        hall = Hall(Substitution.FREE)
        end_stand_in(actor=hall.actor, partie_id=hall.first.pk, label="A", position=2)
        assert not AuditEntry.objects.filter(action="end_stand_in").exists()

    def test_the_ranking_counts_entries_and_does_not_change(self) -> None:
        hall = Hall(Substitution.FREE)
        play(hall.first, 1, sheet(players_per_team=2))
        before, position = document(hall.championship), Championship.objects.get().journal_position
        hall.sit(hall.first, reason="Late")
        assert document(hall.championship) == before
        assert Championship.objects.get().journal_position == position

    def test_a_substitute_is_named_once_and_taken_off(self) -> None:
        hall = Hall()
        one = hall.name(hall.entries[0])
        assert hall.name(hall.entries[0]) == one
        hall.sit(hall.first)
        assert [(line.name, line.played) for line in substitutes_of(team=hall.entries[0].team)] == [("Zoé Çelik", 1)]
        with pytest.raises(NotFound):
            remove_substitute(actor=hall.actor, team_id=hall.entries[1].team_id, substitute_id=one.pk)
        remove_substitute(actor=hall.actor, team_id=hall.entries[0].team_id, substitute_id=one.pk)
        assert substitutes_of(team=hall.entries[0].team) == []
        assert StandIn.objects.count() == 1, "what was played stays"


def test_who_plays_is_read_with_public_names_by_everybody() -> None:
    hall = Hall(Substitution.NAMED)
    hall.name(hall.entries[0])
    hall.sit(hall.first, reason="Ill")
    partner = hall.entries[0].team.members.get(position=2).player
    shown = shown_stand_ins(championship=hall.championship, partie=hall.first)
    assert [(one.place, one.name, one.instead_of, one.reason) for one in shown] == [
        ("a2", "Zoé Çelik", partner.name, "Ill")
    ]
    Player.objects.filter(pk=hall.spare.pk).update(shown_as="initials")
    assert shown_stand_ins(championship=hall.championship, partie=hall.first)[0].name == "Z. Ç."
    assert [(place.place, place.stand_in) for place in places(partie=hall.first)] == [
        ("a1", ""),
        ("a2", "Zoé Çelik"),
        ("b1", ""),
        ("b2", ""),
    ]
    teams = [entry.team_id for entry in hall.entries[:2]]
    assert who_may_sit(championship=hall.championship, teams=teams) == {
        teams[0]: [(hall.spare.pk, "Zoé Çelik")],
        teams[1]: [],
    }


def test_a_stand_in_has_the_partie_on_their_page() -> None:
    hall = Hall(Substitution.FREE)
    hall.sit(hall.first)
    view = player_view(actor=ANYBODY, player_id=hall.spare.pk)
    assert [(one.partie, one.team) for one in view.stood_in] == [(1, hall.entries[0].team.name)]


class TestSettings:
    """The championship's rule."""

    @pytest.mark.parametrize(
        ("settings", "field"),
        [
            ({"substitution": "free"}, "substitution"),
            ({"substitution": "whoever", "players_per_team": 2}, "substitution"),
            ({"substitution": "free", "players_per_team": 2, "substitution_limit": 0}, "substitution_limit"),
            ({"substitution": "free", "players_per_team": 2, "substitution_limit": 100}, "substitution_limit"),
            ({"substitution": "free", "players_per_team": 2, "substitution_limit": True}, "substitution_limit"),
        ],
    )
    def test_what_cannot_be(self, settings: dict[str, Any], field: str) -> None:
        whole = {"rulebook": "classique", "decided_by": "points", "partie_end": "points", "partie_end_value": 5000}
        with pytest.raises(UserFault) as fault:
            create_championship(actor=Actor(user=UserFactory()), name="C", slug="c", settings=whole | settings)
        assert [each.field for each in fault.value.faults] == [field]
