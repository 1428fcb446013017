"""Two programs at one championship, on PostgreSQL: what one does is done once, and the other is told."""

import json
from typing import Any

import pytest

from league.models import Championship, Partie, Round, StageEntry
from tests.league.api.program import Program
from tests.league.api.test_write_rounds import championship_of, sides
from tests.league.test_races import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def program() -> Program:
    program = Program(championship_of(6))
    program.post("/stages", {"format": "swiss", "rounds_planned": 3})
    return program


def both(program: Program, one: Any, other: Any) -> list[Any]:
    """The answers to two requests that come while the championship is locked."""
    championship = Championship.objects.get(slug=program.slug)
    return at_once(championship, lambda: program.send(*one[:3], **one[3]), lambda: program.send(*other[:3], **other[3]))


def statuses(answers: list[Any]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


def test_two_draws_make_one_round(program: Program) -> None:
    draw = ("POST", "/rounds", None, {})
    answers = both(program, draw, draw)
    assert statuses(answers) == [201, 409]
    refused = next(answer for answer in answers if answer.status_code == 409)
    assert (refused.json()["code"], refused.json()["round"]) == ("draft-exists", 1)
    assert (Round.objects.count(), StageEntry.objects.count()) == (1, 6)


def test_two_draws_under_one_external_id_are_answered_with_one_round(program: Program) -> None:
    draw = ("POST", "/rounds", {"external_id": "r"}, {})
    answers = both(program, draw, draw)
    assert statuses(answers) == [200, 201]
    assert answers[0].json() == answers[1].json()
    assert Round.objects.count() == 1


def test_two_changes_of_one_state_change_it_once(program: Program) -> None:
    etag = program.done("POST", "/rounds")["ETag"]
    (a, b), (c, _d), *_rest = sides(program.get("/rounds/1"))
    swap = ("POST", "/rounds/1/swap", {"one": a, "other": c}, {"If_Match": etag})
    turn = ("POST", "/rounds/1/swap", {"one": b, "other": c}, {"If_Match": etag})
    answers = both(program, swap, turn)
    assert statuses(answers) == [200, 412]
    done, stale = sorted(answers, key=lambda answer: answer.status_code)
    assert json.loads(stale.content)["present"] == done.json() == program.get("/rounds/1")


def test_two_publications_make_the_parties_once(program: Program) -> None:
    program.post("/rounds")
    publish = ("POST", "/rounds/1/publish", None, {})
    assert statuses(both(program, publish, publish)) == [200, 200]
    assert Partie.objects.count() == 3


def test_a_publication_and_a_discarding_do_not_leave_half_a_round(program: Program) -> None:
    program.post("/rounds")
    answers = both(program, ("POST", "/rounds/1/publish", None, {}), ("DELETE", "/rounds/1", None, {"If_Match": "*"}))
    published = Round.objects.filter(status="published").exists()
    assert Partie.objects.count() == (3 if published else 0)
    assert statuses(answers) == ([200, 409] if published else [204, 404])
