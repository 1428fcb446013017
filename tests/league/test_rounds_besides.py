"""What stands beside a draw or comes between its steps: byes and tables by hand, partners, stages that begin."""

import pytest

from league.errors import Conflict
from league.models import Bye, Entry, LiveRanking, LiveRow, Partie, Stage, StageEntry
from league.services.championships import change_championship
from league.services.parties import add_bye, open_partie, reopen_partie, rule_forfeit, void_partie
from league.services.postponing import postpone_partie
from league.services.renewal import renew_live_ranking
from league.services.rounds import reopen_round, undo_step
from league.services.stages import change_stage
from tests.factories import EntryFactory, owner_of, play
from tests.league.test_rounds import a_swiss, drawn, play_all, published, tables
from tests.league.test_rounds_of_stages import begin, staged
from tests.staging import melee, mixed

pytestmark = pytest.mark.django_db


class TestByHandBesides:
    def test_nobody_sits_who_was_given_a_bye_meanwhile(self) -> None:
        championship = a_swiss(4)
        round_ = drawn(championship)
        add_bye(actor=owner_of(championship), entry_id=Entry.objects.get(number=1).pk, round=1)
        with pytest.raises(Conflict, match="has-bye"):
            published(championship, round_)
        assert not Partie.objects.exists()

    def test_a_table_and_a_bye_of_a_round_that_its_draw_did_not_make_stay_when_it_is_reopened(self) -> None:
        championship = a_swiss(4)
        round_, owner = published(championship), owner_of(championship)
        late = EntryFactory.create_batch(3, championship=championship)
        by_hand = open_partie(
            actor=owner, championship_id=championship.pk, entry_ids=[entry.pk for entry in late[:2]], round=1
        )
        add_bye(actor=owner, entry_id=late[2].pk, round=1)
        undo_step(actor=owner, round_id=round_.pk, version=round_.version)
        assert list(Partie.objects.all()) == [by_hand]
        assert Bye.objects.get().entry == late[2]


class TestPartners:
    def test_a_partner_sits_nowhere_else_when_a_partie_is_opened_again(self) -> None:
        championship, entries = melee(8)
        first = mixed(championship, 1, (entries[0], entries[1]), (entries[2], entries[3]))
        owner = owner_of(championship)
        void_partie(actor=owner, partie_id=first.pk, version=None, reason="Interrupted")
        add_bye(actor=owner, entry_id=entries[1].pk, round=1)
        with pytest.raises(Conflict, match="has-bye"):
            reopen_partie(actor=owner, partie_id=first.pk, version=None, reason="It goes on")
        mixed(championship, 2, (entries[4], entries[3]), (entries[5], entries[6]))
        Bye.objects.all().delete()
        with pytest.raises(Conflict, match="at-another-table"):
            reopen_partie(actor=owner, partie_id=first.pk, version=None, reason="It goes on")

    def test_a_partner_who_plays_has_no_bye(self) -> None:
        championship, entries = melee(4)
        mixed(championship, 1, (entries[0], entries[1]), (entries[2], entries[3]))
        with pytest.raises(Conflict, match="plays-this-round"):
            add_bye(actor=owner_of(championship), entry_id=entries[1].pk, round=1)


class TestAStageThatBegins:
    def test_has_not_begun_any_more_when_its_first_draw_is_taken_back(self) -> None:
        championship = staged(4, {"format": "round_robin"})
        round_, owner = drawn(championship), owner_of(championship)
        undo_step(actor=owner, round_id=round_.pk, version=round_.version)
        stage = Stage.objects.get()
        assert (stage.started_at, StageEntry.objects.count()) == (None, 0)
        EntryFactory(championship=championship)
        change_stage(actor=owner, stage_id=stage.pk, version=stage.version, settings={"rounds_planned": 5})
        round_ = drawn(championship)
        assert sorted([n for table in tables(round_) for n in table] + round_.pairing["byes"]) == [1, 2, 3, 4, 5]

    def test_stays_begun_where_an_organiser_started_it_or_a_round_was_played(self) -> None:
        championship = staged(4, {"format": "round_robin"})
        begin(championship, 1, order="number")
        owner = owner_of(championship)
        undo_step(actor=owner, round_id=drawn(championship).pk, version=None)
        assert Stage.objects.get().started_at is not None
        published(championship)
        play_all(championship, 1)
        undo_step(actor=owner, round_id=drawn(championship).pk, version=None)
        assert Stage.objects.get().started_at is not None

    def test_a_round_from_which_they_came_is_not_taken_back(self) -> None:
        championship = staged(4, {"format": "swiss", "rounds_planned": 1}, {"format": "swiss", "qualify": 2})
        round_ = published(championship)
        play_all(championship, 1)
        begin(championship, 2, by_lot=True)
        owner = owner_of(championship)
        with pytest.raises(Conflict, match="not-the-last"):
            reopen_round(actor=owner, round_id=round_.pk, version=round_.version, reason="A table was forgotten")
        round_.refresh_from_db()
        assert round_.status == "published"

    def test_a_stage_that_is_called_otherwise_is_so_in_the_ranking(self) -> None:
        championship = staged(4, {"format": "swiss", "name": "Pools"})
        published(championship)
        renew_live_ranking(championship_id=championship.pk)
        stage = Stage.objects.get()
        change_stage(
            actor=owner_of(championship), stage_id=stage.pk, version=stage.version, settings={"name": "Saturday"}
        )
        renew_live_ranking(championship_id=championship.pk)
        assert [said["name"] for said in LiveRanking.objects.get().keys["stages"]] == ["Saturday"]

    def test_who_comes_late_into_the_smallest_stands_there_in_the_ranking(self) -> None:
        championship = staged(8, {"format": "swiss", "pools": 2, "rounds_planned": 3})
        published(championship)
        play_all(championship, 1)
        EntryFactory.create_batch(4, championship=championship)
        renew_live_ranking(championship_id=championship.pk)
        drawn(championship)
        renew_live_ranking(championship_id=championship.pk)
        pools = StageEntry.objects.filter(seed__gt=8).order_by("seed").values_list("pool", flat=True)
        shown = LiveRow.objects.filter(entry__number__gt=8).order_by("entry__number").values_list("pool", flat=True)
        assert list(shown) == list(pools) == [1, 2, 1, 2]

    @pytest.mark.parametrize(
        ("plan", "changed"),
        [
            ({"format": "round_robin"}, {"table_entries": 3}),
            ({"format": "knockout"}, {"players_per_team": 2, "ranks": "players"}),
        ],
    )
    def test_keeps_the_championship_to_what_it_can_be_played_with(
        self, plan: dict[str, str], changed: dict[str, object]
    ) -> None:
        championship = staged(0, plan)
        with pytest.raises(Conflict, match="stages-in"):
            change_championship(
                actor=owner_of(championship), championship_id=championship.pk, version=None, settings=changed
            )

    def test_fewer_at_a_table_than_go_on_from_it_are_refused(self) -> None:
        championship = staged(6, {"format": "knockout", "table_qualify": 2}, table_entries=3)
        with pytest.raises(Conflict, match="stages-in"):
            change_championship(
                actor=owner_of(championship),
                championship_id=championship.pk,
                version=None,
                settings={"table_entries": 2},
            )


def test_a_postponed_table_of_a_knockout_is_waited_for() -> None:
    championship = staged(8, {"format": "knockout"})
    published(championship)
    partie = Partie.objects.order_by("number")[0]
    postpone_partie(actor=owner_of(championship), partie_id=partie.pk, version=None, reason="The train is late")
    for other in Partie.objects.exclude(pk=partie.pk):
        play(other)
    with pytest.raises(Conflict, match="parties-open"):
        drawn(championship, anyway=True)
    play(partie)
    assert len(tables(drawn(championship))) == 2


def test_nobody_goes_out_of_a_knockout_unasked_by_an_annulled_table() -> None:
    championship = staged(8, {"format": "knockout"})
    published(championship)
    partie, owner = Partie.objects.order_by("number")[0], owner_of(championship)
    void_partie(actor=owner, partie_id=partie.pk, version=None, reason="The cards were incomplete")
    play_all(championship, 1)
    with pytest.raises(Conflict, match="void-table"):
        drawn(championship, anyway=True)
    reopen_partie(actor=owner, partie_id=partie.pk, version=None, reason="They play after all")
    for seat in partie.seats.all():
        rule_forfeit(actor=owner, partie_id=partie.pk, entry_id=seat.entry_id, version=None, reason="Both left")
    round_ = drawn(championship)
    assert len(tables(round_)) + len(round_.pairing["byes"]) == 2
