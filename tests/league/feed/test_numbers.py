"""The feed is numbered in the order of commits, whoever writes and numbers at once: no gap, no repeat, nothing late."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Change, Entry, FeedHead
from league.selectors.feed import changes, stamp
from league.services.feed import number_changes
from tests.factories import ChampionshipFactory, ClubFactory, EntryFactory, PartieFactory

pytestmark = pytest.mark.django_db


@contextmanager
def counted(at_most: int) -> Iterator[None]:
    with CaptureQueriesContext(connection) as queries:
        yield
    assert len(queries) <= at_most, "\n".join(query["sql"] for query in queries)


def test_positions_go_on_from_the_head_without_a_gap() -> None:
    PartieFactory()
    first = number_changes()
    assert sorted(Change.objects.values_list("position", flat=True)) == list(range(1, first + 1))
    Championship.objects.update(name="Other")
    assert number_changes() == first + 1 == FeedHead.objects.get().position
    assert Change.objects.get(position=first + 1).kind == "championship"


def test_a_feed_whose_head_is_lost_gets_another_one() -> None:
    FeedHead.objects.all().delete()
    assert number_changes() == 0
    ClubFactory()
    assert number_changes() == 1


def test_nothing_to_number_costs_one_query_and_writes_nothing() -> None:
    championship = PartieFactory().championship
    number_changes()
    with counted(1):
        number_changes()
    with counted(1):
        stamp(championship.pk)
    with counted(1):
        stamp()
    with counted(2):
        changes()


def test_the_stamp_of_a_championship_is_its_own_last_change() -> None:
    one, other = ChampionshipFactory(), ChampionshipFactory()
    before, of_all = stamp(one.pk), stamp()
    EntryFactory(championship=other)
    assert stamp(one.pk) == before
    assert stamp() != of_all
    Championship.objects.filter(pk=one.pk).update(name="Other")
    after = stamp(one.pk)
    assert after > before
    assert stamp(0) == stamp(championship_id=-1)


def test_the_stamp_of_the_site_leaves_drafts_aside() -> None:
    draft = ChampionshipFactory(visibility="draft")
    before = stamp()
    Championship.objects.filter(pk=draft.pk).update(name="Other")
    assert stamp() == before
    ClubFactory()
    assert stamp() != before


def test_a_time_never_goes_back() -> None:
    """A transaction that took long has an early time, and is seen late."""
    for _ in range(3):
        ClubFactory()
    first, second, third = Change.objects.filter(kind="club").order_by("pk").values_list("pk", "at")
    Change.objects.filter(pk=second[0]).update(at=third[1].replace(year=2090))
    number_changes()
    assert Change.objects.get(pk=third[0]).at.year == 2090
    assert Change.objects.get(pk=first[0]).at == first[1]
    ClubFactory()
    number_changes()
    assert Change.objects.latest("position").at.year == 2090


def test_a_reader_goes_on_where_they_stopped_in_any_steps() -> None:
    PartieFactory()
    whole = changes().lines
    assert len(whole) > 5
    seen, after = [], 0
    while len(seen) < len(whole):
        part = changes(after=after, limit=2)
        seen += part.lines
        after = part.next
    assert seen == whole
    assert changes(after=after).lines == []
    assert changes(after=after).next == after == number_changes()


def test_what_is_left_aside_is_passed_over_for_good() -> None:
    PartieFactory()
    part = changes(kinds=["published-ranking"])
    assert (part.lines, part.next) == ([], part.head)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
class TestRaces:
    """Real transactions on PostgreSQL."""

    def test_who_commits_late_is_numbered_late_whatever_the_ids(self) -> None:
        """The line of the slow one has the smaller id; a reader that has read on meanwhile still gets it."""
        slow, fast = ChampionshipFactory(), ChampionshipFactory()
        wrote, go_on = threading.Event(), threading.Event()

        def write_slowly() -> None:
            with transaction.atomic():
                Championship.objects.filter(pk=slow.pk).update(name="Slow")
                wrote.set()
                assert go_on.wait(10)
            connection.close()

        after = number_changes()
        thread = threading.Thread(target=write_slowly)
        thread.start()
        assert wrote.wait(10)
        Championship.objects.filter(pk=fast.pk).update(name="Fast")

        early = changes(after=after)
        assert [line.object_id for line in early.lines] == [fast.pk]
        go_on.set()
        thread.join(10)
        late = changes(after=early.next)
        assert [line.object_id for line in late.lines] == [slow.pk]
        ids = dict(Change.objects.filter(position__gt=after).values_list("object_id", "pk"))
        assert ids[slow.pk] < ids[fast.pk]  # else this test shows nothing
        assert late.lines[0].position == early.lines[0].position + 1

    def test_a_numberer_that_is_slow_to_commit_keeps_others_waiting_not_wrong(self) -> None:
        """Whoever numbers meanwhile waits for the first one's commit, then goes on from its head."""
        ClubFactory.create_batch(3)
        numbered, go_on = threading.Event(), threading.Event()

        def number_slowly() -> None:
            with transaction.atomic():
                number_changes()
                numbered.set()
                assert go_on.wait(10)
            connection.close()

        thread = threading.Thread(target=number_slowly)
        thread.start()
        assert numbered.wait(10)
        heads: list[int] = []
        waiting = threading.Thread(target=lambda: (heads.append(number_changes()), connection.close()))
        ClubFactory()
        waiting.start()
        time.sleep(0.3)
        assert heads == []
        assert not Change.objects.exclude(position=None).exists()
        go_on.set()
        thread.join(10)
        waiting.join(10)
        assert heads == [4]
        assert sorted(Change.objects.values_list("position", flat=True)) == [1, 2, 3, 4]

    def test_many_writers_and_numberers_and_a_reader_that_polls(self) -> None:
        """Eight write, some slowly and some in vain, two number, one reads on and on: it gets every line once."""
        championships = [ChampionshipFactory() for _ in range(4)]
        entries = [EntryFactory(championship=championship) for championship in championships]
        start, done = number_changes(), threading.Event()
        committed: Counter[tuple[str, int]] = Counter()
        counting = threading.Lock()

        def write(which: int) -> None:
            for turn in range(12):
                try:
                    with transaction.atomic():
                        Entry.objects.filter(pk=entries[which % 4].pk).update(
                            penalty=which * 100 + turn + 1, penalty_reason="R"
                        )
                        if (which + turn) % 3 == 0:
                            time.sleep(0.02)
                        if turn % 4 == 3:
                            raise InterruptedError
                except InterruptedError:
                    continue
                with counting:
                    committed["entry", entries[which % 4].pk] += 1
            connection.close()

        def number() -> None:
            while not done.is_set():
                number_changes()
            connection.close()

        read: list[Any] = []

        def poll() -> None:
            after, is_last = start, False
            while not is_last:
                is_last = done.is_set()
                part = changes(after=after, limit=3)
                while part.lines:
                    read.extend(part.lines)
                    part = changes(after=part.next, limit=3)
                after = part.next
            connection.close()

        writers = [threading.Thread(target=write, args=(which,)) for which in range(8)]
        others = [threading.Thread(target=do) for do in (number, number, poll)]
        _run(writers, others, done)

        positions = [line.position for line in read]
        assert positions == list(range(start + 1, number_changes() + 1))
        assert Counter((line.kind, line.object_id) for line in read) == committed


def _run(writers: list[threading.Thread], others: list[threading.Thread], done: threading.Event) -> None:
    for thread in writers + others:
        thread.start()
    for thread in writers:
        thread.join(60)
    done.set()
    for thread in others:
        thread.join(60)
    assert not any(thread.is_alive() for thread in writers + others)


@pytest.mark.parametrize("do", [number_changes, stamp, changes])
@pytest.mark.django_db(transaction=True)
def test_what_was_just_written_is_there(do: Callable[[], Any]) -> None:
    ClubFactory(slug="essieux")
    do()
    assert [line.key for line in changes().lines] == ["essieux"]
