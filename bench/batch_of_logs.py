"""A championship and a batch of logs that fit it, and the work at a batch in processes of its own.

For measurements on an empty database: `made(10_000)`, then `kept(...)`, then `worked_off(batch_id, workers)`.
"""

import json
import multiprocessing
import time
from collections.abc import Iterator

from django.db import connections, transaction
from django.test import RequestFactory

from engine.notation import to_document
from engine.simulate import simulate
from league.models import Championship, Scope
from league.policy import Actor
from league.services.batches import send_batch
from league.services.entries import enter_players
from league.services.parties import open_partie
from league.services.tokens import create_token, token_user
from tests.factories import ChampionshipFactory, PlayerFactory

PARTIES = 100
"""Between how many parties the logs of a batch are shared out, manche by manche."""


def made(items: int, *, parties: int = PARTIES) -> tuple[Championship, str, bytes]:
    """A championship with parties that await these logs, a token of its owner, and the body of the batch."""
    championship = ChampionshipFactory(partie_end="referee", partie_end_value=None)
    owner = championship.created_by
    actor = Actor(user=owner)
    with transaction.atomic():
        for number in range(parties):
            entries = [
                enter_players(
                    actor=actor, championship_id=championship.pk, player_ids=[player.pk], name=f"Team {number}-{at}"
                ).pk
                for at, player in enumerate(PlayerFactory.create_batch(2))
            ]
            open_partie(actor=actor, championship_id=championship.pk, entry_ids=entries, round=1)
    _token, text = create_token(actor=actor, user=owner, name="bench", scopes=[Scope.HAND_IN, Scope.READ])
    body = b"".join(_lines(items, parties))
    return championship, text, body


def _lines(items: int, parties: int) -> Iterator[bytes]:
    logs: dict[int, str] = {}
    for at in range(items):
        manche, partie = at // parties + 1, at % parties + 1
        seed = at % 500
        first = (manche - 1) % 2
        if (key := seed * 2 + first) not in logs:
            logs[key] = json.dumps(to_document(simulate("classique", 2, 1, seed, first=first)))
        yield b'{"result":{"partie":%d,"manche":%d,"log":%s}}\n' % (partie, manche, logs[key].encode())


def kept(championship: Championship, text: str, body: bytes) -> int:
    """Keep the batch as the API does; its id."""
    from io import BytesIO

    from league.api.batch_lines import NDJSON, received

    token = token_user(text)
    assert token is not None
    request = RequestFactory().generic("POST", "/", body, content_type=NDJSON)
    request.META["wsgi.input"] = BytesIO(body)
    with received(request) as came, transaction.atomic():  # type: ignore[arg-type]  # all that is read is META
        lines = came.lines(request)  # type: ignore[arg-type]
        actor = Actor(user=token.user, token=token, request_id="bench")
        return send_batch(actor=actor, championship=championship, lines=lines, lanes=came.lanes, language="en").pk


def worked_off(batch_id: int, *, workers: int) -> float:
    """The seconds that so many processes take for a batch, from the moment when all of them are ready."""
    context = multiprocessing.get_context("fork")
    ready = context.Barrier(workers + 1)
    connections.close_all()
    running = [context.Process(target=_work, args=(batch_id, at, ready)) for at in range(workers)]
    for process in running:
        process.start()
    ready.wait()
    started = time.perf_counter()
    for process in running:
        process.join()
        if process.exitcode:
            raise RuntimeError(f"a worker ended with {process.exitcode}")
    return time.perf_counter() - started


def _work(batch_id: int, first: int, ready: "multiprocessing.synchronize.Barrier") -> None:  # type: ignore[name-defined]
    from league.api.batch_work import work_lane
    from league.services import journal
    from league.services.batches import finish_if_over, lanes_waiting

    journal.wake = lambda championship_id: None  # another worker's
    connections.close_all()
    ready.wait()
    while lanes := lanes_waiting(batch_id):  # each begins at another lane
        for at in range(len(lanes)):
            work_lane(batch_id, lanes[(at + first) % len(lanes)])
    finish_if_over(batch_id)
