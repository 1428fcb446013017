"""The live ranking: due with each change, replaced by a job, never lost (DESIGN 2.5, STANDINGS 4)."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league import tasks
from league.models import Championship, Entry, LiveRanking, LiveRow, Partie
from league.selectors.classement import document
from league.services import journal, messages, renewal
from league.services.entries import penalise_entry, withdraw
from league.services.parties import add_bye, close_partie, rule_forfeit, void_partie
from league.services.renewal import renew_live_ranking
from league.services.rulings import penalise, void_manche
from scoring.standings import explain, rank
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet
from tests.worker import ROOT, database_url, sends_to

OnCommit = Callable[..., AbstractContextManager[list[Any]]]


@pytest.fixture(autouse=True)
def _no_memory_of_a_broken_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_broker_failed_at", None)


def renew(championship: Championship) -> int:
    return renew_live_ranking(championship_id=championship.pk)


def is_due(championship: Championship) -> bool:
    championship.refresh_from_db()
    return championship.ranking_due_since is not None


def live_rows(championship: Championship) -> list[dict[str, Any]]:
    return [
        {
            "rank": row.rank,
            "entry": row.entry.number,
            "values": row.values,
            "above_next_by": row.above_next_by,
            "name": row.entry.team.name,
            "standing": row.standing,
            "manches": row.manches,
            "why": row.why,
        }
        for row in LiveRow.objects.filter(championship=championship).select_related("entry__team").order_by("position")
    ]


def eventful(seed: int, table: int = 2, **settings: Any) -> Championship:
    """A championship with whatever STANDINGS 2 knows: played, open, stopped, forfeited and void parties, byes,
    penalties, a withdrawal."""
    rng = random.Random(seed)
    championship = ChampionshipFactory(table_entries=table, partie_end="manches", partie_end_value=2, **settings)
    actor = owner_of(championship)
    entries = EntryFactory.create_batch(3 * table + 1, championship=championship)
    for round_number in range(1, 4):
        rng.shuffle(entries)
        add_bye(actor=actor, entry_id=entries[-1].pk, round=round_number)
        for first in range(0, 3 * table, table):
            partie = PartieFactory(
                championship=championship, entries=entries[first : first + table], round=round_number
            )
            _happen(partie, rng.choice(["played", "played", "stopped", "forfeit", "void"]), rng)
    penalise_entry(actor=actor, entry_id=entries[0].pk, points=1, reason="Late")
    _happen(PartieFactory(championship=championship, entries=entries[:table], round=4), "open", rng)
    withdraw(actor=actor, entry_id=entries[-1].pk, reason="Moved away")
    return championship


def _happen(partie: Partie, what: str, rng: random.Random) -> None:
    actor, labels = owner_of(partie.championship), list(partie.seats.values_list("label", flat=True))
    for number in range(1, 3 if what == "played" else 2):
        km = dict.fromkeys(labels, 25) | {rng.choice(labels): 1000}
        play(partie, number, sheet(km))
    manche = partie.manches.get(number=1).pk
    if what == "played":
        penalise(actor=actor, manche_id=manche, version=1, label="A", points=rng.choice([0, 50]), reason="Slow")
        if rng.random() < 0.3:
            void_manche(actor=actor, manche_id=partie.manches.get(number=2).pk, version=1, reason="Deck")
            close_partie(actor=actor, partie_id=partie.pk, version=None, reason="Time")
    if what == "stopped":
        close_partie(actor=actor, partie_id=partie.pk, version=None, reason="Time")
    if what == "forfeit":
        rule_forfeit(
            actor=actor, partie_id=partie.pk, entry_id=partie.seats.get(label="B").entry_id, version=None, reason="Left"
        )
    if what == "void":
        void_partie(actor=actor, partie_id=partie.pk, version=None, reason="Wrong draw")


@pytest.mark.django_db
class TestRenewal:
    """What the job does."""

    @pytest.mark.parametrize(
        ("table", "settings"),
        [
            (2, {}),
            (3, {"primary": "mean_match_points", "tie_breaks": ["buchholz", "sonneborn_berger", "draw"]}),
            (4, {"scale": [7, 4.5, 2, 0], "tie_breaks": ["km", "coups_fourres"]}),
            (2, {"primary": "mean_points", "tie_breaks": ["manches_won"]}),
            (2, {"primary": "best_n", "best_n": 2}),
            (2, {"decided_by": "manches", "tie_breaks": ["mean_km_difference"]}),
        ],
    )
    def test_it_is_what_anybody_computes_from_the_document(self, table: int, settings: dict[str, Any]) -> None:
        championship = eventful(seed=table, table=table, **settings)

        renew(championship)

        whole = document(championship)
        assert live_rows(championship) == explain(whole)["rows"]
        assert [{key: row[key] for key in ("rank", "entry")} for row in rank(whole)["rows"]] == [
            {key: row[key] for key in ("rank", "entry")} for row in live_rows(championship)
        ]

    def test_a_rulebook_without_points_is_ranked_by_manches(self) -> None:
        partie = PartieFactory(
            championship=ChampionshipFactory(
                rulebook="moderne", decided_by="manches", partie_end="wins", partie_end_value=1
            )
        )
        play(partie, 1, sheet(rulebook="moderne"))

        renew(partie.championship)

        assert "points" not in document(partie.championship)["parties"][0]["manches"][0]
        assert [row["values"]["match_points"] for row in live_rows(partie.championship)] == ["2", "0"]

    def test_it_takes_the_mark_away_and_says_what_it_counts(self) -> None:
        championship = PartieFactory().championship
        assert is_due(championship)

        assert renew(championship) == championship.journal_position

        assert not is_due(championship)
        live = LiveRanking.objects.get(championship=championship)
        assert (live.journal_position, live.row_count) == (championship.journal_position, 2)
        assert live.keys == championship.ranking_keys

    def test_without_a_mark_it_does_nothing(self) -> None:
        championship = PartieFactory().championship
        renew(championship)

        with CaptureQueriesContext(connection) as queries:
            assert renew(championship) == 0

        assert sum("SELECT" in query["sql"] for query in queries) == 1

    def test_of_a_championship_that_is_gone_it_does_nothing(self) -> None:
        assert renew_live_ranking(championship_id=404) == 0

    def test_only_rows_that_changed_are_replaced(self) -> None:
        championship = ChampionshipFactory(partie_end="manches", partie_end_value=1)
        EntryFactory.create_batch(4, championship=championship, name="")
        partie = PartieFactory(championship=championship, entries=Entry.objects.order_by("number")[:2])
        renew(championship)
        before = dict(LiveRow.objects.values_list("entry__number", "pk"))

        play(partie, 1, sheet({"A": 1000, "B": 25}))
        renew(championship)

        after = dict(LiveRow.objects.values_list("entry__number", "pk"))
        assert before[1] != after[1]
        assert live_rows(championship) == explain(document(championship))["rows"]
        kept = {number for number in after if after[number] == before[number]}
        assert kept <= {3, 4}

        play(partie, 1, sheet({"A": 1000, "B": 25}) | {"tags": {}}, reason="Same again", replaces=1)
        renew(championship)
        assert dict(LiveRow.objects.values_list("entry__number", "pk")) == after


class TestMark:
    """The mark is the truth, the message only wakes a worker."""

    @pytest.mark.django_db
    def test_a_result_marks_the_ranking_as_due_in_its_own_transaction(self) -> None:
        partie = PartieFactory()
        renew(partie.championship)

        play(partie, 1)

        assert is_due(partie.championship)

    @pytest.mark.django_db
    def test_a_repeated_or_refused_document_does_not(self) -> None:
        partie = PartieFactory()
        play(partie, 1)
        renew(partie.championship)

        play(partie, 1)
        play(partie, 2, sheet({"A": 1000, "B": 26}))

        assert not is_due(partie.championship)

    @pytest.mark.django_db
    def test_several_results_in_a_row_send_one_message(
        self, django_capture_on_commit_callbacks: OnCommit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        partie = PartieFactory()
        renew(partie.championship)
        sent: list[int] = []
        monkeypatch.setattr(journal, "wake", sent.append)

        with django_capture_on_commit_callbacks(execute=True):
            for number in range(1, 4):
                play(partie, number, sheet({"A": 1000, "B": 25 * number}))

        assert sent == [partie.championship_id]

    @pytest.mark.django_db
    def test_a_mark_whose_message_was_lost_gets_another_one(self, django_capture_on_commit_callbacks: OnCommit) -> None:
        partie = PartieFactory()
        _age_mark(partie.championship)

        with django_capture_on_commit_callbacks(execute=True):
            play(partie, 1)

        assert not is_due(partie.championship)

    @pytest.mark.django_db(transaction=True)
    def test_without_a_broker_the_job_runs_at_once_in_the_process(self) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(partie_end="manches", partie_end_value=1))

        play(partie, 1)

        assert not is_due(partie.championship)
        assert [row["rank"] for row in live_rows(partie.championship)] == [1, 2]

    @pytest.mark.django_db(transaction=True)
    def test_a_fault_of_ours_in_the_job_does_not_undo_the_result(self, monkeypatch: pytest.MonkeyPatch) -> None:
        partie = PartieFactory()

        def broken(**_: Any) -> int:
            raise ZeroDivisionError

        monkeypatch.setattr(tasks, "renew_live_ranking", broken)
        assert play(partie, 1).outcome == "recorded"
        assert is_due(partie.championship)

    @pytest.mark.django_db(transaction=True)
    def test_with_the_broker_down_a_result_is_taken_in_at_once_and_the_sweep_takes_it_up(self) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(partie_end="manches", partie_end_value=1))
        with sends_to("nobody:", broker_url="redis://127.0.0.1:1/0"):
            started = time.monotonic()
            answer = play(partie, 1)
            assert time.monotonic() - started < 3
            assert answer.outcome == "recorded"
            assert is_due(partie.championship)

            started = time.monotonic()
            play(partie, 1, sheet({"A": 1000, "B": 600}), reason="Misread", replaces=1)
            assert time.monotonic() - started < 1

        _age_mark(partie.championship)
        tasks.sweep()

        assert not is_due(partie.championship)
        assert live_rows(partie.championship) == explain(document(partie.championship))["rows"]

    @pytest.mark.django_db
    def test_the_sweep_leaves_fresh_marks_to_their_message(self) -> None:
        championship = PartieFactory().championship
        tasks.sweep()
        assert is_due(championship)

    @pytest.mark.django_db
    @pytest.mark.parametrize("take_up", ["sweep", "renew_rankings"])
    def test_a_fault_in_one_championship_does_not_keep_the_others_waiting(
        self, monkeypatch: pytest.MonkeyPatch, take_up: str
    ) -> None:
        first, second = PartieFactory().championship, PartieFactory().championship
        for championship in (first, second):
            _age_mark(championship)
        real = renewal.renew_live_ranking

        def broken_for_the_first(*, championship_id: int) -> int:
            if championship_id == first.pk:
                raise ZeroDivisionError
            return real(championship_id=championship_id)

        monkeypatch.setattr(renewal, "renew_live_ranking", broken_for_the_first)
        if take_up == "sweep":
            tasks.sweep()
        else:
            with pytest.raises(CommandError, match=f"not renewed: {first.pk}"):
                call_command("renew_rankings")

        assert (is_due(first), is_due(second)) == (True, False)

    @pytest.mark.postgres
    @pytest.mark.redis
    @pytest.mark.django_db(transaction=True)
    def test_a_real_worker_renews_it_after_a_result(self, worker: None) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(partie_end="manches", partie_end_value=1))
        play(partie, 1)

        deadline = time.monotonic() + 20
        while is_due(partie.championship):
            assert time.monotonic() < deadline, "no worker renewed the ranking"
            time.sleep(0.1)
        assert live_rows(partie.championship) == explain(document(partie.championship))["rows"]

    @pytest.mark.postgres
    @pytest.mark.django_db(transaction=True)
    def test_a_worker_killed_in_the_middle_of_writing_loses_nothing(self) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(partie_end="manches", partie_end_value=1))
        play(partie, 1)
        before = live_rows(partie.championship)
        play(partie, 1, sheet({"A": 1000, "B": 600}), reason="Misread", replaces=1)
        _age_mark(partie.championship)
        LiveRow.objects.filter(entry__number=2).update(position=77)

        killed = subprocess.run(
            [sys.executable, "-c", _KILLED_WHILE_WRITING, str(partie.championship.pk)],
            env=os.environ | {"DATABASE_URL": database_url(str(connection.settings_dict["NAME"]))},
            cwd=ROOT,
            check=False,
        )

        assert killed.returncode == -signal.SIGKILL
        assert LiveRow.objects.get(entry__number=2).position == 77
        assert is_due(partie.championship)
        tasks.sweep()
        assert not is_due(partie.championship)
        assert live_rows(partie.championship) == explain(document(partie.championship))["rows"]
        assert live_rows(partie.championship) != before


_KILLED_WHILE_WRITING = """
import os, signal, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
import django
django.setup()
from league.models import LiveRanking
from league.services.renewal import renew_live_ranking
LiveRanking.save = lambda self: os.kill(os.getpid(), signal.SIGKILL)  # after the rows, before the commit
renew_live_ranking(championship_id=int(sys.argv[1]))
"""


def _age_mark(championship: Championship) -> None:
    Championship.objects.filter(pk=championship.pk).update(ranking_due_since=timezone.now() - timedelta(minutes=1))
