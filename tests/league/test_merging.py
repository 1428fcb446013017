"""Two profiles of one person: made one, and made two again exactly as they were."""

from typing import Any

import pytest

from league.errors import Conflict, NotFound, UserFault
from league.models import (
    AuditEntry,
    Championship,
    Entry,
    Player,
    PlayerMerge,
    PlayerNumber,
    PublishedRow,
    ResultEvent,
    Substitution,
    TeamMember,
    What,
)
from league.policy import ANYBODY, Actor
from league.selectors.people import player_view, similar_players
from league.services.entries import enter_players
from league.services.merging import choices_to_make, merge_players, undo_merge
from league.services.numbers import add_number, remove_number
from league.services.parties import void_partie
from league.services.people import add_player, change_player
from league.services.publishing import publish
from league.services.substitutes import name_substitute, stand_in
from tests.factories import (
    ChampionshipFactory,
    ClubFactory,
    EntryFactory,
    PartieFactory,
    PlayerFactory,
    UserFactory,
    owner_of,
)

pytestmark = pytest.mark.django_db


def merge(kept: Player, merged: Player, **how: Any) -> PlayerMerge:
    return merge_players(actor=ANYBODY, kept_id=kept.pk, merged_id=merged.pk, **how)


def entered(*players: Player, championship: Championship | None = None) -> Entry:
    championship = championship or ChampionshipFactory(players_per_team=len(players))
    ids = [player.pk for player in players]
    return enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=ids)


def everything() -> dict[str, Any]:
    """All that is kept of players, but the count of their changes."""
    players = list(Player.objects.order_by("pk").values())
    for player in players:
        del player["version"]
    return {
        "players": players,
        "members": list(TeamMember.objects.order_by("pk").values()),
        "numbers": list(PlayerNumber.objects.order_by("pk").values()),
        "teams": list(Entry.objects.order_by("pk").values_list("team__name", "team__name_folded", "team__is_named")),
    }


@pytest.fixture
def two() -> tuple[Player, Player]:
    """The same person twice, each entered once, each with something of its own."""
    kept = PlayerFactory(name="Zoé Çelik", email="", licence="A1")
    merged = PlayerFactory(
        name="Zoe Celik", email="zoe@example.org", licence="B2", club=ClubFactory(), user=UserFactory()
    )
    entered(kept)
    entered(merged)
    add_number(actor=ANYBODY, player_id=merged.pk, system="FFMB", number="77")
    return kept, merged


def test_all_goes_over_to_the_one_that_is_kept(two: tuple[Player, Player]) -> None:
    kept, merged = two
    user = merged.user
    merge(kept, merged, reason="Same licence card")
    kept.refresh_from_db()
    merged.refresh_from_db()
    assert [member.team.name for member in kept.memberships.order_by("pk")] == ["Zoé Çelik", "Zoé Çelik"]
    assert (kept.licence, kept.email, kept.user, kept.club_id is not None) == ("A1", "zoe@example.org", user, True)
    assert [str(number) for number in kept.numbers.all()] == ["FFMB 77"]
    assert (merged.merged_into, merged.user, merged.licence, merged.email) == (kept, None, "", "")
    assert len(player_view(actor=ANYBODY, player_id=kept.pk).participations) == 2
    assert [line.id for line in similar_players(name="Zoe Celik")] == [kept.pk]
    assert ResultEvent.objects.filter(what=What.RENAMED).count() == 1
    entry = AuditEntry.objects.get(action="merge_players")
    assert (entry.object_id, entry.after, entry.reason) == (kept.pk, {"merged": merged.pk}, "Same licence card")


def test_undone_everything_is_as_it_was(two: tuple[Player, Player]) -> None:
    before = everything()
    done = merge(*two, choices={"licence": "merged"})
    assert everything() != before
    undo_merge(actor=ANYBODY, merge_id=done.pk)
    assert everything() == before
    undo_merge(actor=ANYBODY, merge_id=done.pk)
    assert AuditEntry.objects.filter(action="undo_merge").count() == 1


def test_where_both_say_something_it_is_chosen(two: tuple[Player, Player]) -> None:
    assert choices_to_make(*two) == ["licence"]
    merge(*two, choices={"licence": "merged"})
    assert Player.objects.get(pk=two[0].pk).licence == "B2"


def test_what_was_changed_or_given_since_stays(two: tuple[Player, Player]) -> None:
    kept, merged = two
    done = merge(kept, merged)
    change_player(
        actor=ANYBODY, player_id=kept.pk, version=None, changes={"email": "new@example.org", "name": "Zoé C."}
    )
    later = entered(Player.objects.get(pk=kept.pk))
    remove_number(actor=ANYBODY, player_id=kept.pk, number_id=PlayerNumber.objects.get().pk)
    undo_merge(actor=ANYBODY, merge_id=done.pk)
    kept.refresh_from_db()
    merged.refresh_from_db()
    assert (kept.email, kept.name, merged.email, merged.name) == (
        "new@example.org",
        "Zoé C.",
        "zoe@example.org",
        "Zoe Celik",
    )
    assert later.team.members.get().player == kept
    assert PlayerNumber.objects.count() == 0


class TestRefusals:
    """Two who cannot be one."""

    def refused(self, kept: Player, merged: Player) -> str:
        before = everything()
        with pytest.raises(UserFault) as fault:
            merge(kept, merged)
        assert everything() == before
        return fault.value.code

    def test_who_sat_at_one_table(self) -> None:
        championship = ChampionshipFactory()
        one, other = EntryFactory.create_batch(2, championship=championship)
        PartieFactory(championship=championship, entries=[one, other])
        assert self.refused(one.team.players.get(), other.team.players.get()) == "sat-together"

    def test_who_sat_at_one_that_was_annulled(self) -> None:
        partie = PartieFactory()
        actor = owner_of(partie.championship)
        void_partie(actor=actor, partie_id=partie.pk, version=None, reason="Wrong draw")
        one, other = (seat.entry.team.players.get() for seat in partie.seats.all())
        assert self.refused(one, other) == "sat-together"

    def test_partners(self) -> None:
        championship = ChampionshipFactory(players_per_team=2)
        partie = PartieFactory(championship=championship)
        one, other = partie.seats.earliest("pk").entry.team.players.all()
        assert self.refused(one, other) == "sat-together"

    def test_who_stood_in_at_the_others_table(self) -> None:
        championship = ChampionshipFactory(players_per_team=2, substitution=Substitution.FREE)
        partie = PartieFactory(championship=championship)
        actor, stranger = owner_of(championship), PlayerFactory()
        stand_in(actor=actor, partie_id=partie.pk, label="A", position=1, player_id=stranger.pk)
        other = partie.seats.get(label="B").entry.team.players.earliest("pk")
        assert self.refused(stranger, other) == "sat-together"

    def test_who_are_entered_in_one_championship(self) -> None:
        championship = ChampionshipFactory()
        one, other = EntryFactory.create_batch(2, championship=championship)
        assert self.refused(one.team.players.get(), other.team.players.get()) == "same-championship"

    def test_a_substitute_of_the_others_championship(self) -> None:
        championship = ChampionshipFactory(players_per_team=2, substitution=Substitution.NAMED)
        one, other = EntryFactory.create_batch(2, championship=championship)
        substitute = PlayerFactory()
        name_substitute(actor=owner_of(championship), team_id=one.team_id, player_id=substitute.pk)
        assert self.refused(substitute, other.team.players.earliest("pk")) == "same-championship"

    def test_who_have_an_account_each(self) -> None:
        assert self.refused(PlayerFactory(user=UserFactory()), PlayerFactory(user=UserFactory())) == "two-accounts"

    def test_one_with_itself(self) -> None:
        player = PlayerFactory()
        assert self.refused(player, player) == "same-profile"

    def test_one_that_went_into_another_already(self) -> None:
        one, two, three = PlayerFactory.create_batch(3)
        merge(one, two)
        assert self.refused(three, two) == "profile-gone"
        with pytest.raises(Conflict, match="profile-gone"):
            change_player(actor=ANYBODY, player_id=two.pk, version=None, changes={"name": "X"})
        championship = ChampionshipFactory()
        with pytest.raises(UserFault, match="unknown-player"):
            entered(two, championship=championship)

    def test_whom_nobody_knows(self) -> None:
        with pytest.raises(NotFound):
            merge_players(actor=ANYBODY, kept_id=PlayerFactory().pk, merged_id=10**6)


class TestUndoing:
    """What makes undoing impossible."""

    def test_the_licence_number_has_gone_to_somebody_else(self) -> None:
        one, two = PlayerFactory(), PlayerFactory(licence="B2")
        done = merge(one, two)
        change_player(actor=ANYBODY, player_id=one.pk, version=None, changes={"licence": ""})
        add_player(actor=ANYBODY, name="Somebody", licence="B2", homonym=True)
        with pytest.raises(Conflict, match="cannot-undo"):
            undo_merge(actor=ANYBODY, merge_id=done.pk)
        assert PlayerMerge.objects.get().undone_at is None

    def test_the_one_that_was_kept_went_into_another(self) -> None:
        one, two, three = PlayerFactory.create_batch(3)
        first, second = merge(one, two), merge(three, one)
        with pytest.raises(Conflict, match="cannot-undo"):
            undo_merge(actor=ANYBODY, merge_id=first.pk)
        undo_merge(actor=ANYBODY, merge_id=second.pk)
        undo_merge(actor=ANYBODY, merge_id=first.pk)
        assert Player.objects.filter(merged_into=None).count() == 3

    def test_the_account_has_another_profile(self) -> None:
        user = UserFactory()
        one, two = PlayerFactory(), PlayerFactory(user=user)
        done = merge(one, two)
        Player.objects.filter(pk=one.pk).update(user=None)
        PlayerFactory(user=user)
        with pytest.raises(Conflict, match="cannot-undo"):
            undo_merge(actor=ANYBODY, merge_id=done.pk)


def test_where_one_hides_both_hide_and_frozen_rows_too() -> None:
    kept, merged = PlayerFactory(name="Zoé Çelik", shown_as="hidden"), PlayerFactory(name="Zoe Celik")
    entry = entered(merged)
    publish(actor=owner_of(entry.championship), championship_id=entry.championship_id, label="Now")
    done = merge(kept, merged)
    assert PublishedRow.objects.get().players == [f"Anonyme {kept.pk}"]
    assert Entry.objects.get(pk=entry.pk).team.name == f"Anonyme {kept.pk}"
    undo_merge(actor=Actor(), merge_id=done.pk)
    assert Entry.objects.get(pk=entry.pk).team.name == "Zoe Celik"


class TestNumbers:
    """External numbers."""

    def test_is_one_players(self) -> None:
        one, other = PlayerFactory.create_batch(2)
        first = add_number(actor=ANYBODY, player_id=one.pk, system=" FFMB ", number=" 7 7 ")
        assert (first.system, first.number) == ("FFMB", "77")
        assert add_number(actor=ANYBODY, player_id=one.pk, system="FFMB", number="77") == first
        with pytest.raises(Conflict, match="number-taken") as fault:
            add_number(actor=ANYBODY, player_id=other.pk, system="FFMB", number="77")
        assert fault.value.extra == {"player": one.pk}
        assert add_number(actor=ANYBODY, player_id=other.pk, system="Online", number="77").player == other

    def test_has_both_parts(self) -> None:
        with pytest.raises(UserFault) as fault:
            add_number(actor=ANYBODY, player_id=PlayerFactory().pk, system="\u200b", number="7" * 61)
        assert [(each.code, each.field) for each in fault.value.faults] == [
            ("required", "system"),
            ("too-long", "number"),
        ]

    def test_does_not_stand_in_the_audit(self) -> None:
        player = PlayerFactory()
        noted = add_number(actor=ANYBODY, player_id=player.pk, system="FFMB", number="7654321")
        with pytest.raises(NotFound):
            remove_number(actor=ANYBODY, player_id=PlayerFactory().pk, number_id=noted.pk)
        remove_number(actor=ANYBODY, player_id=player.pk, number_id=noted.pk)
        assert "7654321" not in str(list(AuditEntry.objects.values()))
