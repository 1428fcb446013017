"""Rankings over stages: pools, a final, results carried over, a knock-out; live and published (STANDINGS 5)."""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Entry, LiveRanking, LiveRow, Partie, What
from league.selectors.classement import document
from league.selectors.etapes import public_document, ranking_document
from league.services import journal
from league.services.entries import penalise_entry, withdraw
from league.services.knockouts import open_extra_manche
from league.services.locks import lock_championship
from league.services.parties import add_bye
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from scoring.stages import explain_stages
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet
from tests.league.test_rounds import published, tables
from tests.league.test_rounds_of_stages import begin, by_number, staged
from tests.staging import melee, mixed, of_pairs, round_of, stage_of, won

pytestmark = pytest.mark.django_db


@pytest.fixture
def championship() -> Championship:
    return ChampionshipFactory(partie_end="manches", partie_end_value=1, tie_breaks=["direct_encounter", "km"])


@pytest.fixture
def entries(championship: Championship) -> list[Entry]:
    return [EntryFactory(championship=championship, name=f"Team {letter}") for letter in "ABCDEF"]


def due(championship: Championship) -> None:
    """As a service does that writes to the journal."""
    journal.write(lock_championship(pk=championship.pk), journal.Line(What.STAGE_STARTED))


def rows_of(championship: Championship) -> list[LiveRow]:
    due(championship)
    renew_live_ranking(championship_id=championship.pk)
    return list(LiveRow.objects.filter(championship=championship).select_related("entry__team").order_by("position"))


def placed(rows: Sequence[LiveRow]) -> list[tuple[int | None, int, int | None]]:
    return [(row.rank, row.entry.number, row.stage) for row in rows]


def in_pools(championship: Championship, entries: Sequence[Entry]) -> None:
    """Two pools of three: A beats B and C, B beats C; D beats E and F, E beats F."""
    stage = stage_of(championship, 1, [], name="Poules", in_pools=[entries[:3], entries[3:]], format="round_robin")
    for number in (1, 2, 3):
        round_of(stage, number)
    for first in (0, 3):
        one, two, three = entries[first : first + 3]
        won(1, one, two, km=[400])
        won(2, one, three, km=[300])
        won(3, two, three, km=[200 + first * 25])


def partie(number: int, round_: int, winner: int, loser: int, km: int) -> dict[str, Any]:
    return {
        "number": number,
        "round": round_,
        "entries": [winner, loser],
        "manches": [
            {
                "points": {str(winner): 1400, str(loser): km},
                "km": {str(winner): 1000, str(loser): km},
                "winner": winner,
                "coups_fourres": {str(winner): 0, str(loser): 0},
            }
        ],
    }


def table(entries: Sequence[int], parties: Sequence[dict[str, Any]], **more: Any) -> dict[str, Any]:
    rules = {"table": 2, "decided_by": "points", "primary": "match_points", "tie_breaks": ["direct_encounter", "km"]}
    named = [{"number": number, "name": f"Team {'ABCDEF'[number - 1]}"} for number in entries]
    return {"format": "classement/1", **rules, "entries": named, "parties": list(parties), "byes": []} | more


BY_HAND = {
    "format": "etapes/1",
    "stages": [
        {
            "kind": "ranking",
            "name": "Poules",
            "pools": [
                table([1, 2, 3], [partie(1, 1, 1, 2, 400), partie(2, 2, 1, 3, 300), partie(3, 3, 2, 3, 200)]),
                table([4, 5, 6], [partie(4, 1, 4, 5, 400), partie(5, 2, 4, 6, 300), partie(6, 3, 5, 6, 275)]),
            ],
        },
        {
            "kind": "ranking",
            "name": "Finale",
            "pools": [table([1, 2, 4, 5], [partie(7, 4, 5, 1, 200), partie(8, 4, 2, 4, 300)])],
        },
    ],
}


class TestPoolsAndFinal:
    """Pools, of which two each go on to a final."""

    @pytest.fixture
    def final(self, championship: Championship, entries: list[Entry]) -> Championship:
        in_pools(championship, entries)
        chosen = [entries[number] for number in (0, 1, 3, 4)]
        round_of(stage_of(championship, 2, chosen, name="Finale", qualify=2), 4)
        won(4, entries[4], entries[0], km=[200])
        won(4, entries[1], entries[3], km=[300])
        return championship

    def test_the_document_is_what_one_writes_by_hand(self, final: Championship) -> None:
        assert ranking_document(final) == BY_HAND

    def test_the_live_ranking_is_that_of_the_document(self, final: Championship) -> None:
        rows = rows_of(final)
        said = [
            {
                "rank": row.rank,
                "entry": row.entry.number,
                "stage": row.stage,
                "values": row.values,
                "above_next_by": row.above_next_by,
                "name": row.entry.team.name,
                "standing": row.standing,
                "pool": row.pool,
                "why": row.why,
            }
            for row in rows
        ]
        assert said == explain_stages(BY_HAND)["rows"]
        assert placed(rows) == [(1, 2, 2), (1, 5, 2), (3, 4, 2), (4, 1, 2), (5, 6, 1), (6, 3, 1)]
        assert [(row.pool, row.pool_rank) for row in rows[4:]] == [(2, 3), (1, 3)]
        assert rows[3].above_next_by == "stage"
        assert [row.played for row in rows] == [3, 3, 3, 3, 2, 2]
        assert [row.manches for row in rows] == [3, 3, 3, 3, 2, 2]

    def test_the_tables_of_the_pools_keep_those_who_went_on(self, final: Championship) -> None:
        rows_of(final)
        live = LiveRanking.objects.get(championship=final)
        assert live.keys["stages"] == [
            {"number": 1, "name": "Poules", "kind": "ranking", "pools": 2},
            {"number": 2, "name": "Finale", "kind": "ranking", "pools": 1},
        ]
        found = [(one["stage"], one["pool"], [row["entry"] for row in one["rows"]]) for one in live.stage_tables]
        assert found[:2] == [(1, 1, [1, 2, 3]), (1, 2, [4, 5, 6])]
        assert [one[:2] for one in found[2:]] == [(2, None)]
        assert [row["rank"] for row in live.stage_tables[0]["rows"]] == [1, 2, 3]

    def test_as_of_a_round_before_the_final_it_is_not_there(self, final: Championship) -> None:
        assert len(ranking_document(final, 3)["stages"]) == 1
        assert ranking_document(final, 3)["stages"][0] == BY_HAND["stages"][0]
        assert ranking_document(final, 2)["stages"][0]["pools"][0]["parties"] == [
            partie(1, 1, 1, 2, 400),
            partie(2, 2, 1, 3, 300),
        ]

    def test_a_published_version_freezes_stages_and_says_what_moved(
        self, final: Championship, entries: list[Entry]
    ) -> None:
        actor = owner_of(final)
        first = publish(actor=actor, championship_id=final.pk, label="Pools", round=3)
        assert [row.stage for row in first.rows.order_by("position")] == [1] * 6
        assert [row.pool_rank for row in first.rows.order_by("position")] == [1, 1, 2, 2, 3, 3]
        whole = publish(actor=actor, championship_id=final.pk, label="End")
        assert [row.stage for row in whole.rows.order_by("position")] == [2, 2, 2, 2, 1, 1]
        assert whole.keys["stages"][1]["name"] == "Finale"
        manche = Partie.objects.get(championship=final, number=8).manches.get()
        play(manche.partie, 1, sheet({"A": 300, "B": 1000}), replaces=1, reason="Sides turned")
        after = publish(actor=actor, championship_id=final.pk, label="End, corrected")
        assert {move["entry"] for move in after.moved} >= {2, 4}
        assert [cause["what"] for cause in after.causes] == ["corrected"]

    def test_who_withdrew_is_listed_last(self, final: Championship, entries: list[Entry]) -> None:
        withdraw(actor=owner_of(final), entry_id=entries[0].pk, reason="Ill")
        last = rows_of(final)[-1]
        assert (last.entry.number, last.rank, last.standing, last.stage) == (1, None, "withdrawn", 2)

    def test_queries_do_not_grow(self, final: Championship, entries: list[Entry]) -> None:
        rows_of(final)
        round_of(final.stages.get(number=2), 5)
        won(5, entries[0], entries[1])
        due(final)
        with CaptureQueriesContext(connection) as few:
            renew_live_ranking(championship_id=final.pk)
        for number in range(6, 10):
            round_of(final.stages.get(number=2), number)
            won(number, entries[0], entries[1])
            won(number, entries[3], entries[4])
        due(final)
        with CaptureQueriesContext(connection) as more:
            renew_live_ranking(championship_id=final.pk)
        assert len(more) == len(few) <= 20

    def test_anybody_can_recompute_it(self, final: Championship) -> None:
        rows = rows_of(final)
        done = subprocess.run(
            [sys.executable, "-m", "scoring", "rank", "-"],
            input=json.dumps(public_document(final)),
            capture_output=True,
            text=True,
            check=True,
        )
        said = json.loads(done.stdout)["rows"]
        assert [(row["rank"], row["entry"], row["stage"]) for row in said] == placed(rows)


class TestCarriedOver:
    """Results among the qualified count in the final."""

    def test_only_those_among_the_qualified(self, championship: Championship, entries: list[Entry]) -> None:
        first = stage_of(championship, 1, entries)
        round_of(first, 1)
        round_of(first, 2)
        won(1, entries[0], entries[1])
        won(2, entries[1], entries[5])
        add_bye(actor=owner_of(championship), entry_id=entries[2].pk, round=1)
        stage_of(championship, 2, entries[:3], qualify=3, carry_over="qualified")
        values = {row.entry.number: row.values["match_points"] for row in rows_of(championship)}
        assert values == {1: "2", 2: "0", 3: "0", 4: "0", 5: "0", 6: "0"}

    def test_a_penalty_counts_in_the_stage_that_was_played_when_it_was_given(
        self, championship: Championship, entries: list[Entry]
    ) -> None:
        first = stage_of(championship, 1, entries)
        round_of(first, 1)
        won(1, entries[0], entries[1])
        penalise_entry(actor=owner_of(championship), entry_id=entries[1].pk, points=1, reason="Late")
        stage_of(championship, 2, entries[:2], qualify=2)
        penalise_entry(actor=owner_of(championship), entry_id=entries[0].pk, points=2, reason="Later")
        first_pool, second = (stage["pools"][0]["entries"] for stage in ranking_document(championship)["stages"])
        assert [entry.get("penalty") for entry in first_pool] == [None, 1, None, None, None, None]
        assert [entry.get("penalty") for entry in second] == [2, None]


class TestRoundsByHand:
    """Rounds that nobody drew belong to the stage that was played."""

    def test_they_belong_to_the_stage_in_which_they_were_opened(
        self, championship: Championship, entries: list[Entry]
    ) -> None:
        stage_of(championship, 1, entries, format="free")
        won(1, entries[0], entries[1])
        stage_of(championship, 2, entries[:2], format="free", qualify=2)
        won(2, entries[1], entries[0])
        first, second = ranking_document(championship)["stages"]
        assert [one["number"] for one in first["pools"][0]["parties"]] == [1]
        assert [one["number"] for one in second["pools"][0]["parties"]] == [2]

    def test_a_partie_across_pools_counts_for_nothing(self, championship: Championship, entries: list[Entry]) -> None:
        stage = stage_of(championship, 1, [], in_pools=[entries[:3], entries[3:]])
        round_of(stage, 1)
        won(1, entries[0], entries[3])
        assert [pool["parties"] for pool in ranking_document(championship)["stages"][0]["pools"]] == [[], []]
        assert len(rows_of(championship)) == 6

    def test_who_came_late_stands_in_the_first_stage(self, championship: Championship, entries: list[Entry]) -> None:
        stage_of(championship, 1, entries[:4])
        assert {row.entry.number for row in rows_of(championship)} == {1, 2, 3, 4, 5, 6}


class TestKnockout:
    """A knock-out after a Swiss: extra manches, a match for the third place, rounds counted within it."""

    @pytest.fixture
    def cup(self, championship: Championship, entries: list[Entry]) -> Championship:
        stage = stage_of(championship, 1, entries)
        round_of(stage, 1)
        won(1, entries[0], entries[1])
        knockout = stage_of(championship, 2, entries[:4], qualify=4, format="knockout", name="Coupe", place_match=True)
        semi = round_of(knockout, 2)
        level = PartieFactory(championship=championship, entries=[entries[0], entries[3]], round=2)
        play(level, 1, sheet({"A": 475, "B": 475}))
        won(2, entries[1], entries[2])
        more = won(2, entries[3], entries[0])
        semi.pairing = {
            "tables": [
                {"number": 1, "sides": [[1], [4]], "partie": level.number, "place": None, "extra_of": None},
                {"number": 2, "sides": [[2], [3]], "partie": level.number + 1, "place": None, "extra_of": None},
                {"number": 3, "sides": [[4], [1]], "partie": more.number, "place": None, "extra_of": 1},
            ],
            "byes": [],
        }
        semi.save()
        return championship

    def test_one_more_manche_decides_and_is_no_partie_of_its_own(self, cup: Championship) -> None:
        rows = rows_of(cup)
        assert placed(rows) == [(1, 2, 2), (1, 4, 2), (3, 1, 2), (3, 3, 2), (5, 5, 1), (5, 6, 1)]
        assert rows[0].values == {"round_reached": "2", "place_match": None}
        assert rows[1].above_next_by == "round_reached"
        # 1 sat in round 1 and at a table of the knock-out with one manche more
        by_number = {row.entry.number: row for row in rows}
        assert (by_number[1].played, by_number[1].manches) == (2, 3)
        assert (by_number[3].played, by_number[3].manches) == (1, 1)

    def test_final_and_match_for_the_third_place(self, cup: Championship, entries: list[Entry]) -> None:
        final = round_of(cup.stages.get(number=2), 3)
        first = won(3, entries[3], entries[1])
        third = won(3, entries[2], entries[0])
        final.pairing = {
            "tables": [
                {"number": 1, "sides": [[4], [2]], "partie": first.number, "place": 1},
                {"number": 2, "sides": [[3], [1]], "partie": third.number, "place": 3},
            ]
        }
        final.save()
        rows = rows_of(cup)
        assert placed(rows)[:4] == [(1, 4, 2), (2, 2, 2), (3, 3, 2), (4, 1, 2)]
        live = LiveRanking.objects.get(championship=cup)
        assert live.keys["stages"][1] == {"number": 2, "name": "Coupe", "kind": "knockout", "pools": 1}
        assert [row["rank"] for row in live.stage_tables[1]["rows"]] == [1, 2, 3, 4]


class TestMelee:
    """Players are ranked, each with the results of the teams in which they sat."""

    def test_each_partner_has_the_result(self) -> None:
        championship, (one, two, three, four) = melee(4)
        play(mixed(championship, 1, (three, one), (two, four)), 1, of_pairs())
        play(mixed(championship, 2, (one, two), (three, four)), 1, of_pairs())
        assert document(championship)["parties"][0]["teams"] == [[3, 1], [2, 4]]
        rows = rows_of(championship)
        assert {row.entry.number: row.values["match_points"] for row in rows} == {1: "4", 2: "2", 3: "2", 4: "0"}
        assert [row.played for row in rows] == [2] * 4
        assert {row.stage for row in rows} == {None}

    def test_without_stages_nothing_but_the_table_is_read(
        self, championship: Championship, entries: list[Entry]
    ) -> None:
        won(1, entries[0], entries[1])
        with CaptureQueriesContext(connection) as queries:
            assert ranking_document(championship) == document(championship)
        assert len(queries) == 10


class TestFromTheDesk:
    """Stages drawn and played through the services, as an organiser does."""

    def test_pools_then_a_knock_out_with_one_more_manche(self) -> None:
        plan = ({"format": "round_robin", "pools": 2, "name": "Pools"}, {"format": "knockout", "qualify": 2})
        championship = staged(6, *plan)
        begin(championship, 1, order="number")
        for number in (1, 2, 3):
            published(championship)
            by_number(championship, number)
        begin(championship, 2)
        semi = published(championship)
        first, second = Partie.objects.filter(championship=championship, round=semi.number).order_by("table_number")
        play(first, 1, sheet({"A": 475, "B": 475}))
        play(second, 1, sheet())
        extra = open_extra_manche(actor=owner_of(championship), round_id=semi.pk, table=1)
        play(extra, 1, sheet({"A": 475, "B": 1000}))
        final = published(championship)
        won_it, lost_it = tables(final)[0]
        play(Partie.objects.get(championship=championship, round=final.number), 1, sheet())

        renew_live_ranking(championship_id=championship.pk)
        rows = list(LiveRow.objects.select_related("entry").order_by("position"))
        assert [row.stage for row in rows] == [2, 2, 2, 2, 1, 1]
        assert [row.rank for row in rows[:4]] == [1, 2, 3, 3]
        assert [row.entry.number for row in rows[:2]] == [won_it, lost_it]
        sat = {number for table in tables(semi) for number in table}
        assert {row.entry.number for row in rows[:4]} == sat
        assert [row.pool_rank for row in rows[4:]] == [3, 3]
        after = [one for one in ranking_document(championship)["stages"][1]["parties"] if "extra" in one]
        assert [one["number"] for one in after] == [first.number]
