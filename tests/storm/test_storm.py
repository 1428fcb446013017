"""Eight programs push the same results while everything is killed: each is there once, and every copy is equal.

BORNAGE_STORM_RESULTS says how many results (2,000 in CI); BORNAGE_STORM_SEED repeats the weather of a run that failed.
"""

import ipaddress
import os
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.utils import timezone

from bornage_client import Bornage, Retries, pages
from league.models import (
    Attempt,
    Batch,
    Championship,
    Change,
    Delivery,
    Document,
    ExternalId,
    Manche,
    Partie,
    Result,
    ResultEvent,
    ResultScore,
    Scope,
    Webhook,
)
from league.services.deliveries import due
from league.services.feed import number_changes
from league.services.tokens import create_token
from league.services.webhooks import make_webhook
from tests.factories import owner_of
from tests.league.feed.mirror import LISTS
from tests.league.webhook_receiver import Came, Receiver, receiving
from tests.storm.games import MANCHES, Game, games_of, hall, ranking_of
from tests.storm.pushing import Follower, InBatches, OneByOne, Pusher
from tests.storm.servers import Fleet, running_fleet
from tests.storm.weather import Answers, BadNetwork
from tests.worker import ROOT

pytestmark = [pytest.mark.storm, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

RESULTS = int(os.environ.get("BORNAGE_STORM_RESULTS", "200")) // MANCHES * MANCHES
ONE_BY_ONE, IN_BATCHES = 5, 3
DEEDS = ("web", "worker", "web process", "redis", "worker", "web", "beat", "web process", "worker", "redis", "web")
LEAST_DEEDS = 4
"""While it is pushed: each of what can be lost by it."""
PATIENT = Retries(times=200, first=0.05, longest=1.0)
CALM = 240  # seconds until everything that was left behind is done


class Storm:
    """A championship, the programs around it, and the weather."""

    def __init__(self, fleet: Fleet, seed: int, receiver: Receiver) -> None:
        self.rng = random.Random(seed)
        self.fleet, self.receiver = fleet, receiver
        self.answers = Answers()
        self.championship: Championship = hall(RESULTS)
        self.games: list[Game] = games_of(self.championship, RESULTS)
        actor = owner_of(self.championship)
        self.token = create_token(actor=actor, user=actor.user, name="Storm", scopes=[Scope.READ, Scope.HAND_IN])[1]
        number_changes()
        self.webhooks = [
            make_webhook(actor=actor, championship_id=self.championship.pk, url=f"{receiver.url}/{name}", kinds=kinds)
            for name, kinds in (("all", ()), ("parties", ("partie",)))
        ]
        self.pushers: list[Pusher] = [
            kind(self._site_of(self.token), self.championship.slug, self.games, random.Random(self.rng.random()))
            for kind in (*[OneByOne] * ONE_BY_ONE, *[InBatches] * IN_BATCHES)
        ]
        self.follower = Follower(self._site_of(""))

    def _site_of(self, token: str) -> Any:
        rng = random.Random(self.rng.random())

        @contextmanager
        def open_site() -> Iterator[Bornage]:
            with httpx.Client(transport=BadNetwork(rng, self.answers)) as http:
                yield Bornage(self.fleet.site.url, token=token, retries=PATIENT, http=http)

        return open_site

    def rage(self) -> None:
        """Let everybody push and everything die until all is pushed; then wait until all is done."""
        ends, calm = threading.Event(), threading.Event()
        started = time.monotonic()
        with ThreadPoolExecutor(ONE_BY_ONE + IN_BATCHES + 1) as pool:
            following = pool.submit(self.follower.follow, calm)
            pushing = [pool.submit(pusher.push, ends) for pusher in self.pushers]
            try:
                self._kill_while(pushing, following)
                print(f"pushed after {time.monotonic() - started:.0f} s", flush=True)
                self.wait_for_calm()
            finally:
                ends.set()
                calm.set()
            following.result()

    def _kill_while(self, pushing: list[Future[None]], following: Future[None]) -> None:
        deeds = list(DEEDS)
        while not all(future.done() for future in pushing):
            for future in (*pushing, following):
                if future.done():
                    future.result()
            there = sum(pusher.there for pusher in self.pushers) / (RESULTS * len(self.pushers))
            if deeds and there >= 0.9 * (len(DEEDS) - len(deeds)) / len(DEEDS):
                print(f"{there:.0%}: {deeds[0]} is killed", flush=True)
                self.fleet.kill(deeds.pop(0))
            time.sleep(0.2)
        for future in pushing:
            future.result()
        assert len(DEEDS) - len(deeds) >= LEAST_DEEDS, "it was over before everything was killed"
        for deed in deeds:  # few results, or a fast machine
            self.fleet.kill(deed)

    def wait_for_calm(self) -> None:
        """Wait until no job is left: what the killed ones had is taken up by the sweeps."""
        until = time.monotonic() + CALM
        while left := self._left():
            assert time.monotonic() < until, f"never done: {left}"
            time.sleep(0.5)

    def _left(self) -> list[str]:
        number_changes()
        self.championship.refresh_from_db()
        return [
            name
            for name, is_left in (
                ("ranking", self.championship.ranking_due_since is not None),
                ("batches", Batch.objects.exclude(state="done").exists()),
                ("deliveries", Delivery.objects.filter(state="waiting").exists() or bool(due(timezone.now()))),
            )
            if is_left
        ]


def test_every_result_is_there_once_and_every_copy_is_equal(tmp_path: Path, settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    seed = int(os.environ.get("BORNAGE_STORM_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
    print(f"BORNAGE_STORM_SEED={seed} BORNAGE_STORM_RESULTS={RESULTS}")
    with (
        receiving() as receiver,
        running_fleet(
            tmp_path,
        ) as fleet,
    ):
        receiver.answers = [200, 503]  # the first wait is ten seconds
        storm = Storm(fleet, seed, receiver)
        started = time.monotonic()
        storm.rage()
        print(
            f"{RESULTS} results by {len(storm.pushers)} programs in {time.monotonic() - started:.0f} s;",
            f"{storm.answers.repeats} answers repeated, {sum(p.refused for p in storm.pushers)} out of order,",
            f"{len(receiver.came)} messages, {storm.follower.restarts} starts of the mirror",
        )
        require_once(storm)
        require_ranking(storm)
        require_mirror(storm)
        for webhook in storm.webhooks:
            require_told(storm, webhook)
        require_no_faults(storm, tmp_path)


def require_once(storm: Storm) -> None:
    """Each result is there exactly once, and nothing else is."""
    assert storm.answers.others == []
    assert storm.answers.repeats > 0
    results = Result.objects.values_list("manche__partie__number", "manche__number", "version", "state")
    there = Counter(results)
    assert there == Counter((game.partie, game.manche, 1, "confirmed") for game in storm.games)
    bodies = {}
    for partie, manche, body in Result.objects.values_list(
        "manche__partie__number", "manche__number", "document__body"
    ):
        bodies[partie, manche] = bytes(body)
    assert bodies == {(game.partie, game.manche): game.text.encode() for game in storm.games}
    assert Manche.objects.count() == ResultScore.objects.count() / 2 == len(storm.games)
    assert set(Partie.objects.values_list("status", "closed_how")) == {("closed", "end")}
    journal = list(ResultEvent.objects.order_by("position").values_list("position", "what", "result_id"))
    assert [position for position, *_ in journal] == list(range(1, len(journal) + 1))
    of_results = Counter(result for _position, _what, result in journal if result is not None)
    assert set(of_results.values()) == {1}
    assert len(of_results) == len(storm.games)
    assert storm.championship.journal_position == len(journal)
    named = ExternalId.objects.filter(kind="manche").values_list("external_id", "object_id")
    numbers = {
        (partie, manche): pk for pk, partie, manche in Manche.objects.values_list("pk", "partie__number", "number")
    }
    assert dict(named) == {game.name: numbers[game.partie, game.manche] for game in storm.games}
    assert not Document.objects.filter(result=None, attempt=None).exists()
    assert Attempt.objects.count() == sum(pusher.refused for pusher in storm.pushers)
    assert set(Attempt.objects.values_list("code", flat=True)) <= {"manche-out-of-order"}


def require_ranking(storm: Storm) -> None:
    """The site's ranking is the one that the logs come to."""
    with Bornage(storm.fleet.site.url) as site:
        rows = site.championship(storm.championship.slug).ranking()
    wanted = ranking_of(storm.championship, storm.games)
    assert [row["entry"] for row in rows] == list(wanted)
    for row in rows:
        for name in ("rank", "values", "above_next_by", "manches", "played"):
            assert row[name] == wanted[row["entry"]][name], (row["entry"], name)  # type: ignore[literal-required]


def require_mirror(storm: Storm) -> None:
    """What the feed has said is what the lists say."""
    follower = storm.follower
    assert follower.positions == sorted(set(follower.positions))
    assert follower.restarts > 1
    slug = storm.championship.slug
    kept: dict[str, dict[str, Any]] = {}
    for (kind, championship, key), data in follower.things.items():
        assert championship in (slug, None)
        kept.setdefault(kind, {})[key] = data
    with Bornage(storm.fleet.site.url) as site:
        here = site.championship(slug)
        for kind, (name, key) in LISTS.items():
            listed = {str(item[key]): item for item in pages.items(site.transport, f"championships/{slug}/{name}")}
            assert kept.get(kind, {}) == listed, kind
        assert kept["championship"] == {item["slug"]: item for item in site.championships()}
        assert kept["player"] == {str(item["id"]): item for item in site.players()}
        assert kept["ranking"][""]["items"] == here.ranking()


def require_told(storm: Storm, webhook: Webhook) -> None:
    """Every change has arrived at a webhook, in order; what came twice was the same."""
    came = [one for one in storm.receiver.came if webhook.url.endswith(one.path)]
    first: dict[str, Came] = {}
    for one in came:
        assert one.is_signed_by(webhook.secret)
        assert first.setdefault(one.headers["webhook-id"], one).body == one.body
    positions = [position for one in first.values() for position in one.positions]
    assert positions == sorted(set(positions))
    deliveries = Delivery.objects.filter(webhook=webhook)
    assert set(deliveries.values_list("state", flat=True)) == {"delivered"}
    assert set(deliveries.values_list("message_id", flat=True)) == set(first)
    last: dict[str, dict[str, Any]] = {}
    for one in first.values():
        last |= {item["key"]: item for item in one.said["data"]["items"] if item["kind"] == "partie"}
    with Bornage(storm.fleet.site.url) as site:
        listed = {str(partie["number"]): partie for partie in site.championship(storm.championship.slug).parties()}
    assert set(last) == set(listed)
    assert {key: item["data"] for key, item in last.items() if "data" in item}.items() <= listed.items()
    told = Change.objects.filter(championship_id=storm.championship.pk, kind="partie").order_by("-position").first()
    assert told is not None
    assert positions[-1] >= told.position  # type: ignore[operator]  # all are numbered


def require_no_faults(storm: Storm, folder: Path) -> None:
    """Whatever the site answered, it was no fault of its own; nor was one in a job."""
    log = (ROOT / "build" / "tests").glob("storm-*.log")
    faults = [
        line
        for file in log
        for line in file.read_text().splitlines()
        if re.search(r"status=5\d\d|Internal Server Error|Traceback", line)
    ]
    assert faults == []
    for file in folder.glob("worker-*.log"):
        assert not re.search(r"item_failed|ranking_not_renewed|raised unexpected", file.read_text()), file.read_text()[
            -3000:
        ]
