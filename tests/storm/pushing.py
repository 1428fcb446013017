"""Programs that push results until each is there, one by one or in batches; and one that keeps a mirror."""

import random
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from bornage_client import Bornage, Championship, Feed, Mirror, RefusedError
from league.api.change_shapes import position_of
from tests.storm.games import Game

OpenSite = Callable[[], AbstractContextManager[Bornage]]

OUT_OF_ORDER = "manche-out-of-order"
PIECES = 200
MIXED = 1.3
"""By how many manches a game may come before its turn at most: one in forty does, is refused and is sent again."""


class Pusher:
    """A program that pushes all games in an order of its own, a few of them before their turn.

    `there`: how many it knows to be there; `refused`: how many came before their turn.
    """

    def __init__(self, open_site: OpenSite, slug: str, games: list[Game], rng: random.Random) -> None:
        self._open_site, self._slug = open_site, slug
        self._waiting = sorted(games, key=lambda game: game.manche + MIXED * rng.random())
        self.there = self.refused = 0

    def push(self, ends: threading.Event) -> None:
        """Push until everything is there; what comes out of order is sent again later."""
        with self._open_site() as site:
            while self._waiting and not ends.is_set():
                later = self._pushed(site.championship(self._slug), ends)
                self.refused += len(later)
                self._waiting = later

    def _pushed(self, championship: Championship, ends: threading.Event) -> list[Game]:
        raise NotImplementedError


class OneByOne(Pusher):
    """Hands in each game alone."""

    def _pushed(self, championship: Championship, ends: threading.Event) -> list[Game]:
        later = []
        for game in self._waiting:
            if ends.is_set():
                break
            at = f"~{game.table}"
            try:
                said = championship.hand_in(at, game.manche, game.text, external_id=game.name)
            except RefusedError as refused:
                if refused.code != OUT_OF_ORDER:
                    raise
                later.append(game)
            else:
                assert said["version"] == 1, said
                self.there += 1
        return later


class InBatches(Pusher):
    """Sends some hundred games at once."""

    def _pushed(self, championship: Championship, ends: threading.Event) -> list[Game]:
        later = []
        for start in range(0, len(self._waiting), PIECES):
            piece = self._waiting[start : start + PIECES]
            run = championship.send_batch({"result": _item(game)} for game in piece)
            while not run.is_over and not ends.wait(0.5):
                run.look()
            if not run.is_over:
                break
            answers = list(run.answers())
            assert [answer.line for answer in answers] == list(range(1, len(piece) + 1))
            for game, answer in zip(piece, answers, strict=True):
                if answer.is_there:
                    assert answer.data is not None
                    assert answer.data["version"] == 1, answer
                    self.there += 1
                else:
                    assert answer.code == OUT_OF_ORDER, answer
                    later.append(game)
        return later


def _item(game: Game) -> dict[str, Any]:
    return {"partie": f"~{game.table}", "manche": game.manche, "log": game.text, "external_id": game.name}


class Follower:
    """Keeps a mirror of the site by its feed, and begins anew at its cursor again and again."""

    def __init__(self, open_site: OpenSite) -> None:
        self._open_site = open_site
        self.things: dict[Any, Any] = {}
        self.cursor: str | None = None
        self.positions: list[int] = []
        self.restarts = 0

    def follow(self, ends: threading.Event) -> None:
        """Keep up until told to end, and then once more."""
        while not ends.is_set():
            self.restarts += 1
            with self._open_site() as site:
                mirror = Mirror(site.feed(self.cursor), self.things)
                for _turn in range(20):
                    self._take(mirror, wait=1)
                    if ends.is_set():
                        break
        with self._open_site() as site:
            mirror = Mirror(site.feed(self.cursor), self.things)
            while self._take(mirror, wait=0):
                pass

    def _take(self, mirror: Mirror, *, wait: int) -> int:
        feed: Feed = mirror.feed
        changes = feed.read(wait=wait, limit=50)
        for change in changes:
            mirror.take(change)
            self.positions.append(position_of(change["cursor"]))
        self.cursor = feed.cursor
        return len(changes)
