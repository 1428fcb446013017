"""Rounds of stages: round robins, pools and who goes on, knock-outs, mêlées."""

from typing import Any

import pytest

from league.errors import Conflict, Faults, UserFault
from league.models import Championship, Entry, Partie, Round, Seat, Stage, StageEntry
from league.selectors.bracket import bracket
from league.selectors.drafts import draft_view
from league.selectors.players_of_round import presence
from league.selectors.qualified import coming
from league.services.entries import withdraw
from league.services.knockouts import go_on_as_seeded, open_extra_manche
from league.services.parties import open_partie, rule_forfeit
from league.services.renewal import renew_live_ranking
from league.services.rounds import reopen_round
from league.services.stage_starts import start_stage
from league.services.stages import add_stage, change_stage, plan_stages, remove_stage
from tests.factories import ChampionshipFactory, EntryFactory, owner_of, play, sheet
from tests.league.test_rounds import drawn, play_all, published, seats, tables

pytestmark = pytest.mark.django_db


def staged(entries: int, *plan: dict[str, Any], **settings: Any) -> Championship:
    """A championship of one manche a partie with these stages."""
    championship = ChampionshipFactory(**{"partie_end": "manches", "partie_end_value": 1, **settings})
    EntryFactory.create_batch(entries, championship=championship)
    plan_stages(actor=owner_of(championship), championship_id=championship.pk, plan=plan)
    return championship


def by_number(championship: Championship, round_: int) -> None:
    """Every open partie is won by the lowest number."""
    for partie in Partie.objects.filter(championship=championship, round=round_, status="open").order_by("number"):
        numbers = list(Seat.objects.filter(partie=partie).order_by("label").values_list("entry__number", flat=True))
        km = dict.fromkeys("AB", 475)
        km["AB"[numbers.index(min(numbers))]] = 1000
        play(partie, 1, sheet(km))


def begin(championship: Championship, number: int, **how: Any) -> Stage:
    """Start a stage."""
    stage = Stage.objects.get(championship=championship, number=number)
    return start_stage(actor=owner_of(championship), stage_id=stage.pk, version=stage.version, **how)


class TestARoundRobin:
    def test_lets_everybody_meet_everybody_once(self) -> None:
        championship = staged(5, {"format": "round_robin"})
        pairs = []
        for number in range(1, 6):
            published(championship)
            play_all(championship, number)
            pairs += [frozenset(pair) for _table, pair in seats(championship, number)]
        assert len(pairs) == len(set(pairs)) == 10
        with pytest.raises(Conflict, match="stage-over"):
            drawn(championship)

    def test_needs_tables_of_two(self) -> None:
        with pytest.raises(UserFault, match="bad-format"):
            staged(6, {"format": "round_robin"}, table_entries=3)

    def test_goes_on_while_a_table_was_postponed_or_somebody_is_absent(self) -> None:
        championship = staged(4, {"format": "round_robin"})
        published(championship)
        assert len(tables(drawn(championship, anyway=True))) == 2


class TestPools:
    PLAN = ({"format": "round_robin", "pools": 2, "name": "Pools"}, {"format": "knockout", "qualify": 2})

    def test_are_dealt_out_and_play_in_the_same_rounds(self) -> None:
        championship = staged(8, *self.PLAN)
        begin(championship, 1, order="number")
        members = StageEntry.objects.filter(stage__number=1).order_by("seed")
        assert list(members.values_list("pool", flat=True)) == [1, 2, 2, 1, 1, 2, 2, 1]
        round_ = drawn(championship)
        assert [table["pool"] for table in round_.pairing["tables"]] == [1, 1, 2, 2]

    def test_the_first_of_each_go_on_and_meet_crosswise(self) -> None:
        championship = staged(8, *self.PLAN)
        begin(championship, 1, order="number")
        for number in (1, 2, 3):
            published(championship)
            by_number(championship, number)
        stage = begin(championship, 2)
        assert Stage.objects.get(number=1).finished_at is not None
        came = StageEntry.objects.filter(stage=stage).order_by("seed").values_list("entry__number", flat=True)
        assert set(came) == {1, 2, 3, 4}
        assert set(came[:2]) == {1, 2}, "the firsts of the pools"
        pairs = {frozenset(table) for table in tables(drawn(championship))}
        assert pairs == {frozenset((came[0], came[3])), frozenset((came[1], came[2]))}

    def test_are_refused_where_entries_are_too_few(self) -> None:
        championship = staged(3, *self.PLAN)
        with pytest.raises(UserFault, match="too-many-pools"):
            begin(championship, 1)
        assert Stage.objects.get(number=1).started_at is None

    def test_the_next_stage_waits_for_open_tables(self) -> None:
        championship = staged(8, *self.PLAN)
        published(championship)
        with pytest.raises(Conflict, match="parties-open"):
            begin(championship, 2)


class TestTheLimit:
    def level(self) -> Championship:
        """Four entries of whom two go on; after one round two are first and two last."""
        championship = staged(
            4,
            {"format": "swiss", "rounds_planned": 1},
            {"format": "swiss", "qualify": 3},
            primary="match_points",
            tie_breaks=[],
        )
        published(championship)
        play_all(championship, 1)
        return championship

    def test_who_is_level_there_is_told(self) -> None:
        championship = self.level()
        who = coming(championship=championship, stage=Stage.objects.get(number=2))
        assert len(who.certain) == 2
        assert [(one.places, len(one.numbers)) for one in who.level] == [(1, 2)]
        with pytest.raises(UserFault, match="level-at-the-limit"):
            begin(championship, 2)

    def test_the_organiser_or_lots_decide(self) -> None:
        championship = self.level()
        level = coming(championship=championship, stage=Stage.objects.get(number=2)).level[0].numbers
        begin(championship, 2, chosen=[level[1]])
        came = set(StageEntry.objects.filter(stage__number=2).values_list("entry__number", flat=True))
        assert level[1] in came
        assert level[0] not in came
        other = self.level()
        begin(other, 2, by_lot=True)
        assert StageEntry.objects.filter(stage__championship=other, stage__number=2).count() == 3


class TestAKnockout:
    def test_goes_from_byes_to_the_final_and_the_third_place(self) -> None:
        championship = staged(6, {"format": "knockout", "place_match": True})
        begin(championship, 1, order="number")
        first = published(championship)
        assert first.pairing["byes"] == [1, 2]
        assert {frozenset(table) for table in tables(first)} == {frozenset((3, 6)), frozenset((4, 5))}
        by_number(championship, 1)
        published(championship)
        by_number(championship, 2)
        final = published(championship)
        assert [(sorted(t), d["place"]) for t, d in zip(tables(final), final.pairing["tables"], strict=True)] == [
            ([1, 2], 1),
            ([3, 4], 3),
        ]
        by_number(championship, 3)
        with pytest.raises(Conflict, match="stage-over"):
            drawn(championship)
        renew_live_ranking(championship_id=championship.pk)
        ranks = dict(championship.live_rows.order_by("entry__number").values_list("entry__number", "rank"))
        assert ranks == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5}

    def test_waits_for_every_table(self) -> None:
        championship = staged(4, {"format": "knockout"})
        published(championship)
        with pytest.raises(Conflict, match="parties-open"):
            drawn(championship, anyway=True)

    def test_a_forfeit_lets_the_other_go_on(self) -> None:
        championship = staged(4, {"format": "knockout"})
        begin(championship, 1, order="number")
        published(championship)
        by_number(championship, 1)
        gone = Entry.objects.get(number=2)
        published(championship)
        partie = Partie.objects.get(round=2)
        rule_forfeit(actor=owner_of(championship), partie_id=partie.pk, entry_id=gone.pk, version=None, reason="Left")
        state = bracket(championship=championship, stage=Stage.objects.get())
        assert [list(table.went_on) for table in state.rounds[1].tables] == [[1]]

    def a_level_table(self) -> tuple[Championship, Round]:
        """Four entries; table 1 ends level: nobody reached the target, both stand at 475."""
        championship = staged(4, {"format": "knockout"})
        begin(championship, 1, order="number")
        round_ = published(championship)
        for partie in Partie.objects.order_by("number"):
            km = {"A": 475, "B": 475} if partie.table_number == 1 else None
            play(partie, 1, sheet(km))
        return championship, Round.objects.get(pk=round_.pk)

    def test_level_at_the_limit_asks_for_one_more_manche(self) -> None:
        championship, round_ = self.a_level_table()
        with pytest.raises(Conflict, match="level-at-the-limit"):
            drawn(championship)
        extra = open_extra_manche(actor=owner_of(championship), round_id=round_.pk, table=1)
        again = open_extra_manche(actor=owner_of(championship), round_id=round_.pk, table=1)
        assert again.pk == extra.pk
        numbers = list(Seat.objects.filter(partie=extra).order_by("label").values_list("entry__number", flat=True))
        play(extra, 1, sheet({"A": 475, "B": 1000}))
        final = drawn(championship)
        extra.refresh_from_db()
        assert extra.status == "closed"
        assert numbers[1] in tables(final)[0]
        assert numbers[0] not in tables(final)[0]

    def test_or_they_go_on_as_they_came_in(self) -> None:
        championship, round_ = self.a_level_table()
        level = sorted(tables(round_)[0])
        go_on_as_seeded(actor=owner_of(championship), round_id=round_.pk, table=1)
        assert level[0] in tables(drawn(championship))[0], "the lower number has the better seed"

    def test_reopened_keeps_what_was_played_out_and_is_published_again(self) -> None:
        championship, round_ = self.a_level_table()
        extra = open_extra_manche(actor=owner_of(championship), round_id=round_.pk, table=1)
        round_ = reopen_round(actor=owner_of(championship), round_id=round_.pk, version=None, reason="Looked at again")
        assert len(round_.pairing["tables"]) == 2, "nobody has played the one more manche"
        assert not Partie.objects.filter(pk=extra.pk).exists()
        published(championship, round_)
        extra = open_extra_manche(actor=owner_of(championship), round_id=round_.pk, table=1)
        play(extra, 1, sheet())
        round_ = reopen_round(actor=owner_of(championship), round_id=round_.pk, version=None, reason="And again")
        assert [table["kept"] for table in round_.pairing["tables"]] == [True, True, True]
        assert draft_view(championship=championship, round_=round_).count == 0
        published(championship, round_)
        assert len(tables(drawn(championship))) == 1

    def test_nobody_is_level_at_another_table(self) -> None:
        championship, round_ = self.a_level_table()
        with pytest.raises(Conflict, match="not-level"):
            open_extra_manche(actor=owner_of(championship), round_id=round_.pk, table=2)
        assert championship.status == "running"

    def test_at_tables_of_four_two_go_on(self) -> None:
        championship = staged(8, {"format": "knockout", "table_qualify": 2}, table_entries=4)
        begin(championship, 1, order="number")
        round_ = published(championship)
        assert [len(table) for table in tables(round_)] == [4, 4]
        for partie in Partie.objects.all():
            play(partie, 1, sheet({"A": 1000, "B": 500, "C": 400, "D": 300}))
        final = tables(drawn(championship))
        assert len(final) == 1
        assert sorted(final[0]) == sorted([*tables(round_)[0][:2], *tables(round_)[1][:2]])


class TestSettingStagesUp:
    def test_one_that_was_started_keeps_its_format(self) -> None:
        championship = staged(4, {"format": "swiss"})
        drawn(championship)
        stage = Stage.objects.get()
        actor = owner_of(championship)
        changed = change_stage(
            actor=actor, stage_id=stage.pk, version=stage.version, settings={"rounds_planned": 9, "name": "Open"}
        )
        assert changed.rounds_planned == 9
        with pytest.raises(Conflict, match="stage-begun"):
            change_stage(actor=actor, stage_id=stage.pk, version=None, settings={"format": "knockout"})
        with pytest.raises(Conflict, match="stage-begun"):
            remove_stage(actor=actor, stage_id=stage.pk, version=None)

    def test_those_behind_one_that_is_taken_away_move_up(self) -> None:
        championship = staged(4, {"format": "swiss"}, {"format": "knockout", "qualify": 2})
        remove_stage(actor=owner_of(championship), stage_id=Stage.objects.get(number=1).pk, version=None)
        left = Stage.objects.get()
        assert (left.number, left.format, left.qualify) == (1, "knockout", None)

    def test_all_faults_of_one_are_told_at_once(self) -> None:
        championship = staged(4)
        settings = {"format": "swiss", "rounds_planned": 0, "pools": 99}
        with pytest.raises(Faults) as raised:
            add_stage(actor=owner_of(championship), championship_id=championship.pk, settings=settings)
        assert [fault.field for fault in raised.value.faults] == ["rounds_planned", "pools"]

    def test_a_late_entry_comes_into_a_first_swiss_stage_only(self) -> None:
        championship = staged(4, {"format": "round_robin"})
        published(championship)
        EntryFactory(championship=championship)
        play_all(championship, 1)
        drawn(championship)
        assert StageEntry.objects.count() == 4


class TestAMelee:
    def test_makes_teams_of_two_afresh_each_round(self) -> None:
        championship = staged(
            9, {"format": "swiss", "rounds_planned": 3}, players_per_team=2, ranks="players", rulebook="classique"
        )
        for number in (1, 2):
            round_ = published(championship)
            sides = [side for table in round_.pairing["tables"] for side in table["sides"]]
            assert [len(side) for side in sides] == [2, 2, 2, 2]
            assert len(round_.pairing["byes"]) == 1
            sat = Seat.objects.filter(partie__round=number, partner__isnull=False)
            assert sat.count() == 4
            for partie in Partie.objects.filter(status="open"):
                play(partie, 1, sheet(players_per_team=2))
        pairs = [frozenset(pair) for pair in Seat.objects.values_list("entry", "partner")]
        assert len(set(pairs)) == len(pairs), "nobody has the same partner twice"
        renew_live_ranking(championship_id=championship.pk)
        assert championship.live_rows.count() == 9

    def test_a_partner_has_played_too(self) -> None:
        championship = staged(8, {"format": "swiss", "rounds_planned": 3}, players_per_team=2, ranks="players")
        published(championship)
        assert not any(one.late for one in presence(championship=championship, round_number=2))

    def test_enters_players_one_by_one(self) -> None:
        championship = staged(0, players_per_team=2, ranks="players")
        entry = EntryFactory(championship=championship)
        assert entry.team.members.count() == 1

    def test_has_no_knockout_and_no_pools(self) -> None:
        with pytest.raises(UserFault, match="bad-format"):
            staged(8, {"format": "knockout"}, players_per_team=2, ranks="players")


class TestWithdrawingFromARoundRobin:
    def test_before_half_of_its_parties_all_are_void(self) -> None:
        championship = staged(6, {"format": "round_robin"})
        begin(championship, 1, order="number")
        for number in (1, 2):
            published(championship)
            play_all(championship, number)
        entry = Entry.objects.get(number=1)
        withdraw(actor=owner_of(championship), entry_id=entry.pk, reason="Ill")
        own = Partie.objects.filter(seats__entry=entry)
        assert list(own.values_list("status", flat=True)) == ["void", "void"]
        for number in (3, 4):
            round_ = published(championship)
            assert all(1 not in table for table in tables(round_))
            play_all(championship, number)

    def test_later_the_rest_are_forfeits(self) -> None:
        championship = staged(4, {"format": "round_robin"})
        begin(championship, 1, order="number")
        for number in (1, 2):
            published(championship)
            play_all(championship, number)
        withdraw(actor=owner_of(championship), entry_id=Entry.objects.get(number=1).pk, reason="Ill")
        published(championship)
        rest = Partie.objects.get(round=3, seats__entry__number=1)
        assert (rest.status, rest.closed_how) == ("closed", "forfeit")
        assert Seat.objects.get(partie=rest, entry__number=1).forfeited_at is not None

    def test_its_open_table_is_decided_with_it(self) -> None:
        championship = staged(4, {"format": "round_robin"})
        begin(championship, 1, order="number")
        published(championship)
        withdraw(actor=owner_of(championship), entry_id=Entry.objects.get(number=1).pk, reason="Ill")
        assert Partie.objects.get(seats__entry__number=1).status == "void"


def test_a_partie_of_a_melee_is_not_seated_by_hand() -> None:
    championship = staged(4, {"format": "swiss"}, players_per_team=2, ranks="players")
    ids = list(Entry.objects.values_list("pk", flat=True)[:2])
    with pytest.raises(UserFault, match="teams-are-drawn"):
        open_partie(actor=owner_of(championship), championship_id=championship.pk, entry_ids=ids, round=1)
