"""Waiting for a change: one look for all, few at a time, no connection kept; and a mirror while eight write."""

import contextlib
import threading
import time
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from league.api.feed_reader import Reader
from league.api.streams import Events
from league.api.waiting import Lookout, Seats
from league.errors import UserFault
from league.models import Championship, Entry
from league.services.entries import penalise_entry
from league.services.feed import number_changes
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, ClubFactory, PartieFactory, owner_of, play, sheet
from tests.league.feed.mirror import V1, Mirror, got, require_equal

FEED = f"{V1}/changes"


@pytest.fixture(autouse=True)
def _without_limits(settings: Any) -> None:
    cache.clear()
    settings.API_RATES = dict.fromkeys(settings.API_RATES, 10**6)


class TestLookout:
    """Without a database."""

    def test_many_who_wait_share_one_look(self) -> None:
        looks: list[float] = []

        def look() -> int:
            looks.append(time.monotonic())
            return 1 if len(looks) > 4 else 0

        lookout = Lookout(look, every=0.05)
        found: list[bool] = []
        threads = [threading.Thread(target=lambda: found.append(lookout.wait_beyond(0, 10))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        assert found == [True] * 6
        assert 5 <= len(looks) < 10  # six who each look would make thirty; who wakes late looks once more
        assert looks[4] - looks[0] >= 0.15

    def test_who_waits_in_vain_stops_in_time(self) -> None:
        started = time.monotonic()
        assert not Lookout(lambda: 7, every=0.05).wait_beyond(7, 0.2)
        assert 0.2 <= time.monotonic() - started < 2
        assert Lookout(lambda: 7, every=5).wait_beyond(6, 0.2)

    def test_a_look_that_fails_fails_for_who_took_it_and_the_next_one_looks_again(self) -> None:
        answers = iter([ZeroDivisionError(), 3])

        def look() -> int:
            answer = next(answers)
            if isinstance(answer, Exception):
                raise answer
            return answer

        lookout = Lookout(look, every=0.01)
        with pytest.raises(ZeroDivisionError):
            lookout.wait_beyond(0, 1)
        assert lookout.wait_beyond(0, 1)

    def test_what_was_seen_long_ago_is_looked_at_again(self) -> None:
        """The database was put back to a day before."""
        answers = iter([9, 2, 2, 2])
        lookout = Lookout(lambda: next(answers), every=0.02)
        assert lookout.wait_beyond(1, 1)
        time.sleep(0.05)
        assert not lookout.wait_beyond(5, 0.03)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
class TestWaiting:
    """Real transactions and threads."""

    def test_a_wait_is_answered_as_soon_as_something_is_there(self) -> None:
        start = got(Client(), FEED, after="now")["next"]
        answers: list[Any] = []

        def wait() -> None:
            began = time.monotonic()
            page = got(Client(), FEED, after=start, wait=20)
            answers.append((time.monotonic() - began, [item["key"] for item in page["items"]]))
            connection.close()

        threads = [threading.Thread(target=wait) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        assert answers == []
        assert _idle_transactions() == 0
        ClubFactory(slug="essieux")
        for thread in threads:
            thread.join(15)
        assert [keys for _took, keys in answers] == [["essieux"]] * 3
        assert max(took for took, _keys in answers) < 10

    def test_a_wait_for_one_kind_is_not_ended_by_another(self) -> None:
        start = got(Client(), FEED, after="now")["next"]
        ClubFactory()
        page = got(Client(), FEED, after=start, kinds="player", wait=1)
        assert page["items"] == []
        assert page["next"] == page["head"] != start

    def test_a_stream_brings_what_is_written_meanwhile(self) -> None:
        request = type("Request", (), {"META": {}, "query_params": {}, "auth": None, "user": None})()
        reader = Reader(request, None, (), with_data=True, limit=100)
        events = Events(reader, number_changes(), "at-1", lasts=20, beats=0.5)
        assert b"event: state" in next(events)
        assert next(events).startswith(b": ")
        ClubFactory(slug="essieux")
        sent = b""
        while b"essieux" not in sent:
            sent = next(events)
        assert sent.startswith(b"event: change\nid: ")
        events.close()
        assert list(events) == []

    def test_a_mirror_that_polls_while_eight_write_is_right_in_the_end(self) -> None:
        """Results, corrections, penalties and names on two championships; rankings are renewed meanwhile."""
        championships = [ChampionshipFactory(partie_end="manches", partie_end_value=30) for _ in range(2)]
        parties = [PartieFactory(championship=championships[which % 2]) for which in range(8)]
        done, mirror = threading.Event(), Mirror()
        faults: list[BaseException] = []

        def write(which: int) -> None:
            partie, owner = parties[which], owner_of(parties[which].championship)
            entry = Entry.objects.get(seats__partie=partie, seats__label="A")
            for turn in range(1, 5):
                play(partie, turn, sheet({"A": 1000, "B": 25 * turn}))
                with contextlib.suppress(UserFault):
                    play(partie, turn, sheet({"A": 1000, "B": 25 * turn + 25}), reason="R", replaces=1)
                penalise_entry(actor=owner, entry_id=entry.pk, points=turn, reason="R")
                Championship.objects.filter(pk=partie.championship_id).update(name=f"{which} {turn}")
                if which < 2:
                    renew_live_ranking(championship_id=partie.championship_id)

        def watched(do: Any, *args: Any) -> None:
            try:
                do(*args)
            except BaseException as error:  # noqa: BLE001 — told below
                faults.append(error)
            finally:
                connection.close()

        def poll() -> None:
            while not done.is_set():
                mirror.catch_up(limit=20)
            mirror.catch_up(limit=20)

        writers = [threading.Thread(target=watched, args=(write, which)) for which in range(8)]
        poller = threading.Thread(target=watched, args=(poll,))
        for thread in [*writers, poller]:
            thread.start()
        for thread in writers:
            thread.join(120)
        done.set()
        poller.join(120)
        assert faults == []
        assert not poller.is_alive()
        require_equal(mirror)
        assert len(mirror.seen) == len(set(mirror.seen))
        require_equal(Mirror().catch_up())


def _idle_transactions() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in trans%%'"
        )
        return int(cursor.fetchone()[0])


def test_one_sender_has_half_of_the_seats_at_most(settings: Any) -> None:
    settings.FEED_WAITERS = 4
    seats = Seats()
    assert [seats.take("token-1") for _ in range(3)] == [True, True, False]
    assert [seats.take("at-::1") for _ in range(3)] == [True, True, False]
    seats.leave("token-1")
    assert [seats.take(sender) for sender in ("at-::1", "token-1", "token-2")] == [False, True, False]
