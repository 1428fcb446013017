"""Publishing through the API: once, what stands, without holding up who hands in."""

from typing import Any

import pytest
from django.db import connection

from league.models import Championship, PublishedRanking
from league.services import publishing
from tests.factories import ChampionshipFactory, PartieFactory, play, sheet
from tests.league.api.program import Program


def championship_of_one() -> Championship:
    partie = PartieFactory(championship=ChampionshipFactory(partie_end="manches", partie_end_value=9))
    play(partie, 1, sheet())
    championship: Championship = partie.championship
    return championship


@pytest.fixture
def program(db: None) -> Program:
    return Program(championship_of_one())


def test_a_version_is_published_and_read(program: Program) -> None:
    made = program.done("POST", "/rankings", {"label": "After round 1", "round": 1, "note": "Provisional"})
    assert (made.status_code, made["Location"]) == (201, f"/api/v1/championships/{program.slug}/rankings/1")
    assert program.get("/rankings")["items"] == [made.json()]
    assert program.get("/rankings/1")["version"] == made.json()
    assert (made.json()["label"], made.json()["round"], made.json()["note"]) == ("After round 1", 1, "Provisional")


def test_what_counts_nothing_new_is_refused(program: Program) -> None:
    program.post("/rankings", {"label": "Now"})
    assert program.refused("/rankings", {"label": "Now again"}) == (409, "nothing-new")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "bad-field"),
        ({"label": ""}, 422, "required"),
        ({"label": "x", "round": 0}, 422, "bad-field"),
        ({"label": "x", "note": "x" * 501}, 422, "too-long"),
    ],
)
def test_what_cannot_be_a_version_is_refused(program: Program, body: Any, status: int, code: str) -> None:
    assert program.refused("/rankings", body) == (status, code)
    assert not PublishedRanking.objects.exists()


def test_with_a_key_it_is_published_once(program: Program) -> None:
    body = {"label": "Now"}
    first = program.done("POST", "/rankings", body, Idempotency_Key="k")
    again = program.done("POST", "/rankings", body, Idempotency_Key="k")
    assert (again.content, again["Idempotency-Replayed"]) == (first.content, "true")
    assert PublishedRanking.objects.count() == 1


def test_with_a_key_that_is_known_nothing_is_computed(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"label": "Now"}
    first = program.done("POST", "/rankings", body, Idempotency_Key="k")
    refused = program.send("POST", "/rankings", body, Idempotency_Key="other")
    monkeypatch.setattr("league.api.publishing.prepare", lambda **_: 1 / 0)
    again = program.done("POST", "/rankings", body, Idempotency_Key="k")
    assert (again.content, again["Idempotency-Replayed"]) == (first.content, "true")
    assert program.send("POST", "/rankings", body, Idempotency_Key="other").content == refused.content
    assert program.refused("/rankings", {"label": "Later"}, Idempotency_Key="k") == (422, "key-reused")


@pytest.mark.django_db(transaction=True)
def test_it_is_computed_outside_of_every_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(championship_of_one())
    within: list[bool] = []
    compute = publishing.computed

    def computed(document: Any) -> Any:
        within.append(connection.in_atomic_block)
        return compute(document)

    monkeypatch.setattr(publishing, "computed", computed)
    program.post("/rankings", {"label": "Now"}, Idempotency_Key="k")
    assert within == [False], "nobody waits for it"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("often", "outside", "inside"), [(1, 2, 0), (5, 3, 1)])
def test_results_that_come_in_meanwhile_are_counted(
    monkeypatch: pytest.MonkeyPatch, often: int, outside: int, inside: int
) -> None:
    championship = championship_of_one()
    program, partie = Program(championship), championship.parties.get()
    within: list[bool] = []
    compute = publishing.computed

    def computed(document: Any) -> Any:
        within.append(connection.in_atomic_block)
        if len(within) <= often and not connection.in_atomic_block:
            play(partie, len(within) + 1, sheet({"A": 1000, "B": 25 * len(within)}))
        return compute(document)

    monkeypatch.setattr(publishing, "computed", computed)
    made = program.post("/rankings", {"label": "Now"})
    assert (within.count(False), within.count(True)) == (outside, inside)
    championship.refresh_from_db()
    assert made["journal_position"] == championship.journal_position
    points = PublishedRanking.objects.get().rows.order_by("rank").values_list("values", flat=True)
    assert points
