"""A championship whose parties await the logs of a batch, and the batch."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from engine.notation import to_document
from engine.simulate import simulate
from league.models import Championship, Manche, Partie, Scope, Seat
from league.policy import Actor
from league.services.tokens import create_token
from tests.crowd import enter
from tests.factories import ChampionshipFactory

MANCHES = 5
"""Of a partie, which is closed by the last of them."""

ENTRIES = 200
_SEEDS = 500  # that many games, each in two beginnings


@dataclass(frozen=True, slots=True)
class Waiting:
    """What awaits a batch. `token`: its owner's; `body`: the lines, first all first manches, then all second ones."""

    championship: Championship
    token: str
    body: bytes


def made(items: int) -> Waiting:
    """A championship with as many parties as these logs fill, written as rows: services would take minutes."""
    championship: Championship = ChampionshipFactory(partie_end="manches", partie_end_value=MANCHES)
    entries = enter(championship, ENTRIES)
    count = -(-items // MANCHES)
    parties = Partie.objects.bulk_create(
        [Partie(championship=championship, number=number, round=1) for number in range(1, count + 1)], 1000
    )
    seats = [
        Seat(partie=partie, entry=entries[(2 * at + place) % ENTRIES], label=label)
        for at, partie in enumerate(parties)
        for place, label in enumerate("AB")
    ]
    Seat.objects.bulk_create(seats, 1000)
    Manche.objects.bulk_create([Manche(partie=partie, number=1) for partie in parties], 1000)
    owner = championship.created_by
    scopes = [Scope.HAND_IN, Scope.READ]
    _row, text = create_token(actor=Actor(user=owner), user=owner, name="bench", scopes=scopes)
    return Waiting(championship, text, b"".join(_lines(items, count)))


def _lines(items: int, parties: int) -> Iterator[bytes]:
    logs: dict[tuple[int, int], bytes] = {}
    for at in range(items):
        manche, partie = at // parties + 1, at % parties + 1
        key = (at % _SEEDS, (manche - 1) % 2)
        if key not in logs:
            seed, first = key
            logs[key] = json.dumps(to_document(simulate("classique", 2, 1, seed, first=first))).encode()
        yield b'{"result":{"partie":%d,"manche":%d,"log":%s}}\n' % (partie, manche, logs[key])
