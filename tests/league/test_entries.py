"""Players, teams and entries: names folded, near-duplicates told, numbers given (DESIGN 4, STANDINGS 2 and 3)."""

from collections.abc import Callable
from typing import Any

import pytest

from league.errors import Conflict, Faults, NotFound, Stale, UserFault
from league.models import AuditEntry, Club, Entry, Player, Team
from league.policy import Actor
from league.selectors.classement import document
from league.selectors.people import similar_players
from league.services.entries import (
    add_team,
    enter,
    enter_players,
    penalise_entry,
    reinstate,
    rename_team,
    withdraw,
)
from league.services.people import add_club, add_player, change_player
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, PlayerFactory, owner_of

pytestmark = pytest.mark.django_db

NOBODY = Actor()


class TestPlayers:
    """Players and clubs."""

    def test_a_name_is_kept_tidy_and_folded_for_matching(self) -> None:
        player = add_player(actor=NOBODY, name="  Zoé \t Çelik ")
        assert (player.name, player.name_folded) == ("Zoé Çelik", "zoe celik")

    @pytest.mark.parametrize("name", ["", "   ", "\u200b", "́"])
    def test_a_name_that_nobody_could_read_is_none(self, name: str) -> None:
        with pytest.raises(UserFault, match="required"):
            add_player(actor=NOBODY, name=name)

    @pytest.mark.parametrize("near", ["zoe celik", "ÇELIK Zoé", "Zoë Çelik", "Zoé  Çelikk", "Celik, Zoe", "Çelik-Zoé"])
    def test_near_duplicates_are_told_before_one_is_made(self, near: str) -> None:
        first = add_player(actor=NOBODY, name="Zoé Çelik")

        with pytest.raises(Conflict) as conflict:
            add_player(actor=NOBODY, name=near)

        assert conflict.value.code == "similar-players"
        assert [told["id"] for told in conflict.value.extra["players"]] == [first.pk]
        assert add_player(actor=NOBODY, name=near, homonym=True).pk != first.pk

    def test_near_duplicates_are_told_among_many_of_the_same_beginning(self) -> None:
        Player.objects.bulk_create(Player(name=f"Mar {n:04}", name_folded=f"mar {n:04}") for n in range(600))
        nearest = add_player(actor=NOBODY, name="Xabier Martin", homonym=True)
        assert similar_players(name="Martin Xabier")[0].id == nearest.pk

    def test_near_duplicates_are_told_among_many_with_as_much_in_common(self) -> None:
        names = [f"aa martin von und zu hohenheim {n:04}" for n in range(600)]
        Player.objects.bulk_create(Player(name=name, name_folded=name) for name in names)
        nearest = add_player(actor=NOBODY, name="Zabier Martin", homonym=True)
        assert similar_players(name="Xabier Martin")[0].id == nearest.pk

    def test_a_licence_number_holds_nothing_that_a_database_cannot_keep(self) -> None:
        assert add_player(actor=NOBODY, name="Ane", licence="fr\0 12\x07").licence == "FR12"

    def test_others_are_not_told(self) -> None:
        add_player(actor=NOBODY, name="Zoé Çelik")
        add_player(actor=NOBODY, name="Zoé Martin")
        assert similar_players(name="Ane Etxeberria") == []

    def test_what_is_told_of_a_near_duplicate_holds_no_address(self) -> None:
        add_player(actor=NOBODY, name="Zoé Çelik", email="zoe@example.org")
        with pytest.raises(Conflict) as conflict:
            add_player(actor=NOBODY, name="Zoe Celik")
        assert "example.org" not in str(conflict.value.extra)

    def test_a_licence_number_is_one_players(self) -> None:
        holder = add_player(actor=NOBODY, name="Zoé Çelik", licence=" fr 12 ")
        assert holder.licence == "FR12"

        with pytest.raises(Conflict) as conflict:
            add_player(actor=NOBODY, name="Ane Etxeberria", licence="fr12")

        assert (conflict.value.code, conflict.value.field) == ("licence-taken", "licence")
        add_player(actor=NOBODY, name="Ane Etxeberria")
        add_player(actor=NOBODY, name="Maddi Agirre")

    def test_all_faults_of_a_form_come_at_once(self) -> None:
        with pytest.raises(Faults) as faults:
            add_player(actor=NOBODY, name="", email="nowhere", club_id=404, licence="x" * 31)
        assert [fault.code for fault in faults.value.faults] == ["required", "unknown-club", "too-long", "bad-email"]

    def test_a_change_is_held_against_the_version_that_was_read(self) -> None:
        player = PlayerFactory()
        change_player(actor=NOBODY, player_id=player.pk, version=1, changes={"name": "Ane"})

        with pytest.raises(Stale) as stale:
            change_player(actor=NOBODY, player_id=player.pk, version=1, changes={"name": "Anne"})

        assert stale.value.extra == {"version": 2}
        assert Player.objects.get().name == "Ane"

    def test_the_audit_says_that_an_address_changed_and_not_to_what(self) -> None:
        player = PlayerFactory(email="before@example.org")

        change_player(actor=NOBODY, player_id=player.pk, version=None, changes={"email": "after@example.org"})

        entry = AuditEntry.objects.get(action="change_player")
        assert (entry.before, entry.after) == ({"email": "private"}, {"email": "changed"})

    def test_a_change_that_changes_nothing_is_none(self) -> None:
        player = PlayerFactory(name="Ane")
        assert change_player(actor=NOBODY, player_id=player.pk, version=1, changes={"name": " Ane "}).version == 1
        assert not AuditEntry.objects.filter(action="change_player").exists()

    def test_a_player_that_is_not_there(self) -> None:
        with pytest.raises(NotFound):
            change_player(actor=NOBODY, player_id=404, version=None, changes={"name": "Ane"})

    def test_a_club_of_the_same_name_is_told(self) -> None:
        club = add_club(actor=NOBODY, name="Mille Bornes Club")
        assert club.slug == "mille-bornes-club"
        with pytest.raises(Conflict, match="club-exists"):
            add_club(actor=NOBODY, name="mille bornes club")
        assert Club.objects.count() == 1

    @pytest.mark.parametrize(
        ("names", "addresses"),
        [
            (("Club A", "Club A!", "Club-A"), ["club-a", "club-a-2", "club-a-3"]),
            (("東京", "大阪"), ["club", "club-2"]),
            (("x" * 50 + "1", "x" * 50 + "2"), ["x" * 50, "x" * 50 + "-2"]),
        ],
    )
    def test_clubs_whose_names_make_one_address_are_numbered(
        self, names: tuple[str, ...], addresses: list[str]
    ) -> None:
        assert [add_club(actor=NOBODY, name=name).slug for name in names] == addresses

    @pytest.mark.parametrize("make", [add_player, add_club])
    def test_a_name_that_is_too_long_once_folded_is_too_long(self, make: Callable[..., Any]) -> None:
        with pytest.raises(UserFault, match="too-long"):
            make(actor=NOBODY, name="\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 12)

    def test_an_address_has_an_end(self) -> None:
        with pytest.raises(UserFault, match="too-long"):
            add_player(actor=NOBODY, name="Ane", email="a" * 60 + "@" + ".".join(["b" * 60] * 4) + ".org")


class TestTeams:
    """Teams of one or two, and their entries."""

    def test_a_team_of_one_is_named_like_its_player(self) -> None:
        championship = ChampionshipFactory()
        player = PlayerFactory(name="Zoé Çelik")

        team = add_team(actor=owner_of(championship), championship_id=championship.pk, player_ids=[player.pk])

        assert (team.name, team.name_folded) == ("Zoé Çelik", "zoe celik")

    def test_a_team_of_two_is_named_like_both_unless_it_says_otherwise(self) -> None:
        championship = ChampionshipFactory(players_per_team=2)
        players = [PlayerFactory(name=name).pk for name in ("Ane", "Bo", "Cléo", "Dov")]
        actor = owner_of(championship)

        first = add_team(actor=actor, championship_id=championship.pk, player_ids=players[:2])
        second = add_team(actor=actor, championship_id=championship.pk, player_ids=players[2:], name="Les Cinq")

        assert (first.name, second.name) == ("Ane – Bo", "Les Cinq")
        assert list(second.members.values_list("position", "player__name")) == [(1, "Cléo"), (2, "Dov")]

    def test_a_team_of_two_with_long_names_is_named_like_both_cut_short(self) -> None:
        championship = ChampionshipFactory(players_per_team=2)
        players = [PlayerFactory(name=name) for name in ("A" * 57 + " B" * 20, "Zoé")]
        long = [PlayerFactory(name=name) for name in ("C" * 57 + " D" * 20, "E" * 100)]

        def named(pair: list[Player]) -> str:
            ids = [player.pk for player in pair]
            return add_team(actor=NOBODY, championship_id=championship.pk, player_ids=ids).name

        assert named(players) == f"{players[0].name} – Zoé"
        assert named(long) == f"{'C' * 57}… – {'E' * 57}…"

    @pytest.mark.parametrize(("size", "given"), [(1, 0), (1, 2), (2, 1)])
    def test_a_team_has_as_many_players_as_the_championship_says(self, size: int, given: int) -> None:
        championship = ChampionshipFactory(players_per_team=size)
        players = [player.pk for player in PlayerFactory.create_batch(given)]
        with pytest.raises(UserFault, match="bad-team-size"):
            add_team(actor=owner_of(championship), championship_id=championship.pk, player_ids=players)

    def test_nobody_is_their_own_partner(self) -> None:
        championship, player = ChampionshipFactory(players_per_team=2), PlayerFactory()
        with pytest.raises(UserFault, match="player-twice"):
            add_team(actor=owner_of(championship), championship_id=championship.pk, player_ids=[player.pk] * 2)

    def test_nobody_is_in_two_teams_of_a_championship(self) -> None:
        entry = EntryFactory()
        player = entry.team.players.get()
        with pytest.raises(Conflict) as conflict:
            add_team(actor=owner_of(entry.championship), championship_id=entry.championship_id, player_ids=[player.pk])
        assert (conflict.value.code, conflict.value.extra) == ("player-in-team", {"team": entry.team_id})

        other = ChampionshipFactory()
        enter_players(actor=owner_of(other), championship_id=other.pk, player_ids=[player.pk])

    def test_a_player_that_is_not_there(self) -> None:
        championship = ChampionshipFactory()
        with pytest.raises(UserFault, match="unknown-player"):
            add_team(actor=owner_of(championship), championship_id=championship.pk, player_ids=[404])

    def test_entries_are_numbered_as_they_come_and_one_team_has_one(self) -> None:
        championship = ChampionshipFactory()
        assert [EntryFactory(championship=championship).number for _ in range(3)] == [1, 2, 3]
        team = Team.objects.earliest("pk")
        assert enter(actor=owner_of(championship), team_id=team.pk).number == 1
        assert Entry.objects.count() == 3

    def test_a_new_name_is_a_new_place_in_the_list(self) -> None:
        entry = EntryFactory(name="Zoé")
        renamed = rename_team(actor=owner_of(entry.championship), team_id=entry.team_id, version=1, name="Ane")
        assert (renamed.name, renamed.version) == ("Ane", 2)
        assert document(entry.championship)["entries"] == [{"number": 1, "name": "Ane"}]
        with pytest.raises(Stale):
            rename_team(actor=owner_of(entry.championship), team_id=entry.team_id, version=1, name="Bo")


class TestRulings:
    """Withdrawals and penalties on the championship."""

    def test_a_withdrawn_entry_stays_in_the_document_and_can_come_back(self) -> None:
        entry = EntryFactory()
        actor = owner_of(entry.championship)

        withdraw(actor=actor, entry_id=entry.pk, reason="Ill")
        assert document(entry.championship)["entries"][0]["withdrawn"] is True
        reinstate(actor=actor, entry_id=entry.pk, reason="Well again")
        assert "withdrawn" not in document(entry.championship)["entries"][0]

    def test_who_sits_at_an_open_partie_cannot_withdraw(self) -> None:
        partie = PartieFactory()
        entry = partie.seats.get(label="A").entry
        with pytest.raises(Conflict) as conflict:
            withdraw(actor=owner_of(partie.championship), entry_id=entry.pk, reason="Ill")
        assert (conflict.value.code, conflict.value.extra) == ("at-a-table", {"partie": 1})

    def test_a_penalty_is_set_in_all_and_lifted_by_nought(self) -> None:
        entry = EntryFactory()
        actor = owner_of(entry.championship)

        penalise_entry(actor=actor, entry_id=entry.pk, points=3, reason="Late")
        assert document(entry.championship)["entries"][0]["penalty"] == 3
        penalise_entry(actor=actor, entry_id=entry.pk, points=0, reason="Was on time")
        assert "penalty" not in document(entry.championship)["entries"][0]

    @pytest.mark.parametrize("points", [-1, 1_000_001])
    def test_a_penalty_is_no_present(self, points: int) -> None:
        entry = EntryFactory()
        with pytest.raises(UserFault, match="bad-penalty"):
            penalise_entry(actor=owner_of(entry.championship), entry_id=entry.pk, points=points, reason="Late")

    @pytest.mark.parametrize("ruling", [withdraw, reinstate])
    def test_rulings_need_a_reason(self, ruling: Any) -> None:
        entry = EntryFactory()
        with pytest.raises(UserFault, match="reason-required"):
            ruling(actor=owner_of(entry.championship), entry_id=entry.pk, reason="")
