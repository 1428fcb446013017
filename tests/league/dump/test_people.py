"""Who may read what in a dump, and whom its players are here."""

import json

import pytest
from django.utils import timezone

from league.models import Absence, Club, Entry, Player, Team
from league.services.championships import finish_championship
from league.services.renewal import renew_live_ranking
from league.services.substitutes import name_substitute
from tests.factories import ChampionshipFactory, EntryFactory, PlayerFactory, owner_of
from tests.league.dump.cases import hands, rulings
from tests.league.dump.going import decoded, fault_of, taken_in, written
from tests.reading import reads_number

pytestmark = pytest.mark.django_db


class TestPrivate:
    """What everybody may have, and what only an organiser may."""

    def test_what_is_private_stands_only_in_a_private_dump(self) -> None:
        championship = hands()
        player = Player.objects.filter(memberships__team__championship=championship).first()
        assert player is not None
        Player.objects.filter(pk=player.pk).update(
            name="Zoé Çelik", licence="LIC-1", shown_as="initials", email="zoe@example.org", is_minor=True
        )
        open_to_all, inside = (written(championship, private=private).decode() for private in (False, True))
        for word in ("Zoé Çelik", "LIC-1", "zoe@example.org", "We had 500 km", "is_minor", '"audit"', '"secret":'):
            assert word not in open_to_all, word
            assert word in inside, word
        assert "Z. Ç." in open_to_all
        assert "@" not in open_to_all

    def test_who_is_there_may_stand_in_or_will_not_play_is_for_organisers(self) -> None:
        championship = rulings()
        spare = PlayerFactory(name="Ximena Spare")
        actor = owner_of(championship)
        entry = Entry.objects.get(championship=championship, number=2)
        name_substitute(actor=actor, team_id=entry.team_id, player_id=spare.pk)
        Entry.objects.filter(pk=entry.pk).update(checked_in_at=timezone.now())
        seen = Absence.objects.create(championship=championship, entry=entry, round=2)  # which was played
        open_to_all, inside = (decoded(championship, private=private) for private in (False, True))
        for word in ("Ximena Spare", "substitutes", "checked_in_at"):
            assert word not in json.dumps(open_to_all), word
            assert word in json.dumps(inside), word
        assert "Zoé Çelik" in json.dumps(open_to_all, ensure_ascii=False)  # who did stand in
        assert [one["round"] for one in open_to_all["absences"]] == [seen.round]
        assert {one["round"] for one in inside["absences"]} == {2, 7, 8}

    def test_a_first_blind_entry_is_not_shown_to_whoever_enters_the_second(self) -> None:
        championship = hands()
        open_to_all, inside = (decoded(championship, private=private) for private in (False, True))
        assert "results" not in open_to_all["parties"][2]["manches"][0]
        assert len(inside["parties"][2]["manches"][0]["results"]) == 1
        assert not reads_number(json.dumps(open_to_all["parties"][2]), 325)

    def test_the_secret_of_the_draws_stands_in_it_once_the_championship_is_finished(self) -> None:
        championship = ChampionshipFactory(tie_breaks=["draw"])
        EntryFactory.create_batch(2, championship=championship)
        assert "secret" not in decoded(championship)["championship"]
        assert decoded(championship, private=True)["championship"]["secret"] == championship.secret
        finish_championship(actor=owner_of(championship), championship_id=championship.pk, version=None)
        assert decoded(championship)["championship"]["secret"] == championship.secret


class TestIntoADatabaseThatHasPeople:
    """Players are known by their numbers only; what they show here is respected."""

    @pytest.fixture
    def known(self) -> Player:
        found: Player = PlayerFactory(name="Zoé Çelik", licence="LIC-1", email="zoe@example.org")
        return found

    @pytest.fixture
    def raw(self, known: Player) -> bytes:
        from league.services.entries import enter_players

        championship = ChampionshipFactory(slug="there")
        for player in (known, PlayerFactory(name="Ana Roja")):
            enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[player.pk])
        renew_live_ranking(championship_id=championship.pk)
        return written(championship, private=True)

    def test_a_licence_number_is_one_person_and_a_name_is_not(self, raw: bytes, known: Player) -> None:
        imported = taken_in(raw)
        assert (imported.players, imported.known_players) == (2, 1)
        teams = Team.objects.filter(championship=imported.championship).order_by("entry__number")
        assert [team.players.get() == known for team in teams] == [True, False]
        assert Player.objects.filter(name="Ana Roja").count() == 2

    def test_a_number_of_another_system_too(self, raw: bytes, known: Player) -> None:
        whole = json.loads(raw)
        whole["players"][0] |= {"licence": "", "numbers": [{"system": "arena", "number": "7"}]}
        known.numbers.create(system="arena", number="7")
        assert taken_in(whole).known_players == 1

    def test_a_profile_that_was_merged_is_the_one_that_was_kept(self, raw: bytes, known: Player) -> None:
        kept = PlayerFactory(name="Zoé Ç.")
        Player.objects.filter(pk=known.pk).update(merged_into=kept)
        championship = taken_in(raw).championship
        assert Team.objects.filter(championship=championship, players=kept).exists()

    def test_what_they_show_here_is_respected_and_nothing_of_theirs_changes(self, raw: bytes, known: Player) -> None:
        whole = json.loads(raw)
        whole["players"][0] |= {"email": "other@example.org", "name": "Zoé Autre"}
        Player.objects.filter(pk=known.pk).update(shown_as="hidden")
        before = Player.objects.filter(pk=known.pk).values().get()
        championship = taken_in(whole).championship
        assert Player.objects.filter(pk=known.pk).values().get() == before
        names = list(
            Entry.objects.filter(championship=championship).order_by("number").values_list("team__name", flat=True)
        )
        assert names == [f"Anonyme {known.pk}", "Ana Roja"]
        assert "Zoé" not in json.dumps(decoded(championship), ensure_ascii=False)

    def test_two_players_of_a_dump_are_not_one_person(self, raw: bytes, known: Player) -> None:
        whole = json.loads(raw)
        whole["players"][1]["numbers"] = [{"system": "arena", "number": "7"}]
        known.numbers.create(system="arena", number="7")
        assert fault_of(whole) == ("same-player", "players[1]")

    def test_a_club_of_this_name_is_that_club(self) -> None:
        whole = decoded(rulings(), private=False)
        clubs = Club.objects.count()
        taken_in(whole)
        assert Club.objects.count() == clubs
