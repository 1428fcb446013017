"""The same request sent twice at the same moment makes one thing."""

import threading
from typing import Any

import pytest
from django.db import connection

from league.models import Club, Entry, ExternalId, Player
from tests.factories import ChampionshipFactory
from tests.league.api.program import Program

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

AT_ONCE = 4


def at_once(program: Program, path: str, body: Any) -> list[Any]:
    """The answers to a request that is sent several times at the same moment."""
    begin = threading.Barrier(AT_ONCE)
    answers: list[Any] = []

    def send() -> None:
        try:
            begin.wait(20)
            answers.append(program.send("POST", path, body))
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _turn in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


@pytest.mark.parametrize(
    ("path", "body", "model"),
    [
        ("/api/v1/clubs", {"name": "Le Relais"}, Club),
        ("/api/v1/players", {"name": "Ana Etxeberria", "licence": "7", "club_name": "Le Relais"}, Player),
        ("/entries", {"players": [{"name": "Ana Etxeberria", "external_id": "p"}]}, Entry),
    ],
)
def test_one_is_made_under_an_external_id(path: str, body: Any, model: Any) -> None:
    program = Program(ChampionshipFactory())
    answers = at_once(program, path, body | {"external_id": "x"})
    assert sorted(answer.status_code for answer in answers) == [200] * (AT_ONCE - 1) + [201]
    assert len({answer.content for answer in answers}) == 1
    assert model.objects.count() == 1
    assert ExternalId.objects.filter(external_id="x").count() == 1
