"""Handing in over HTTP: what becomes of a document, said by the status, and the verdict inside (DESIGN 2 and 3)."""

import hashlib
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.notation import to_document
from engine.simulate import simulate
from league.models import ApiToken, Attempt, AuditEntry, Manche, Result
from league.services.championships import finish_championship
from league.services.parties import close_partie
from league.services.rulings import void_manche
from league.wording import verdict_in_words
from tests.factories import as_bytes, owner_of, sheet
from tests.league.api.conftest import BORNES, JSON, World, log_as_json, log_as_text, token

PROBLEM = "application/problem+json"


@pytest.mark.parametrize(
    ("body", "media", "kind"),
    [
        (as_bytes(sheet()), JSON, "sheet"),
        (as_bytes(sheet()), "application/json; charset=UTF-8", "sheet"),
        (log_as_json(), JSON, "log"),
        (log_as_text(), BORNES, "log"),
        (log_as_text(), "text/plain", "log"),
        (b"\xef\xbb\xbf" + log_as_text(), "text/plain; charset=utf-8", "log"),
    ],
)
def test_a_document_becomes_a_result_with_its_verdict_in_the_answer(
    send: Any, client: Client, world: World, body: bytes, media: str, kind: str
) -> None:
    answer = send(body, media)

    assert answer.status_code == 201, answer.content
    said = answer.json()
    assert {name: said[name] for name in ("outcome", "partie", "manche", "version", "state", "partie_status")} == {
        "outcome": "recorded",
        "partie": world.partie.number,
        "manche": 3,
        "version": 1,
        "state": "confirmed",
        "partie_status": "open",
    }
    assert said["championship"] == world.championship.slug
    assert said["next_manche"] == 4
    assert said["sha256"] == hashlib.sha256(body).hexdigest()
    assert said["verdict"]["valid"] is True
    assert answer["Location"] == said["url"]
    read = client.get(said["url"]).json()
    assert (read["kind"], read["sha256"], read["verdict"]) == (kind, said["sha256"], said["verdict"])
    assert client.get(f"{said['url']}/document").content == body, "kept byte for byte"


def test_what_is_handed_in_is_audited_with_the_token_the_address_and_the_request(send: Any, world: World) -> None:
    answer = send(REMOTE_ADDR="192.0.2.33")
    entry = AuditEntry.objects.get(action="hand_in", request_id=answer["X-Request-ID"])
    assert (entry.ip, entry.token, entry.user) == (
        "192.0.2.33",
        ApiToken.objects.get(),
        world.championship.created_by,
    )


def test_the_same_bytes_again_are_answered_200_with_the_result_that_stands(send: Any) -> None:
    first, again = send(), send()
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json() | {"outcome": "repeated"}
    assert Result.objects.filter(manche__number=3).count() == 1


def test_another_document_is_a_conflict_that_shows_the_present_version(send: Any) -> None:
    send()
    answer = send(as_bytes(sheet({"A": 1000, "B": 600})))
    said = answer.json()
    assert (answer.status_code, answer["Content-Type"], said["code"]) == (409, PROBLEM, "result-exists")
    assert said["present"] == {"version": 1, "state": "confirmed", "result": Result.objects.latest("pk").pk}


def test_a_correction_says_why_and_which_version_it_replaces(send: Any) -> None:
    send()
    other = as_bytes(sheet({"A": 1000, "B": 600}))
    answer = send(other, query="?replaces=1&reason=B%20had%20600%20km%2C%20%C3%A0%20relire")
    assert (answer.status_code, answer.json()["version"]) == (201, 2)
    corrected = Result.objects.get(version=2)
    assert (corrected.reason, corrected.supersedes.version) == ("B had 600 km, à relire", 1)
    stale = send(as_bytes(sheet({"A": 1000, "B": 650})), query="?replaces=1&reason=Again")
    assert (stale.status_code, stale.json()["present"]["version"]) == (409, 2)


def test_a_correction_without_a_reason_is_a_conflict(send: Any) -> None:
    send()
    answer = send(as_bytes(sheet({"A": 1000, "B": 600})), query="?replaces=1")
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (409, "reason-required", "reason")


def test_a_document_that_the_rules_refuse_is_422_with_the_verdict_and_kept_as_an_attempt(send: Any) -> None:
    log = to_document(simulate("classique", 2, 1, 1))
    log["moves"] = ["a1:200", *log["moves"]]
    answer = send(as_bytes(log))
    said = answer.json()
    assert (answer.status_code, answer["Content-Type"], said["status"]) == (422, PROBLEM, 422)
    assert said["code"] == said["verdict"]["code"]
    assert said["verdict"]["at"] == 0
    assert said["type"] == f"/docs/problems#{said['code']}"
    attempt = Attempt.objects.get()
    assert (attempt.pk, verdict_in_words(attempt.verdict)) == (said["attempt"], said["verdict"])
    assert Manche.objects.get(partie=attempt.partie, number=3).current is None
    assert send().status_code == 201, "the next one needs no reason"


def test_all_faults_of_a_sheet_are_told_at_once(send: Any) -> None:
    wrong = sheet()
    wrong["teams"]["A"]["km"], wrong["teams"]["B"]["km"] = 990, 480
    answer = send(as_bytes(wrong))
    assert answer.status_code == 422
    assert answer.json()["verdict"]["faults"] == [
        ["km-not-multiple", "A"],
        ["km-not-multiple", "B"],
        ["no-team-on-target", None],
    ]


def test_a_log_of_another_table_is_refused_by_its_partie(send: Any) -> None:
    answer = send(as_bytes(to_document(simulate("classique", 3, 1, 1))))
    assert (answer.status_code, answer.json()["code"]) == (422, "other-table")


def test_a_manche_that_nobody_made_is_out_of_order(send: Any) -> None:
    answer = send(manche=4)
    assert (answer.status_code, answer.json()["code"]) == (422, "manche-out-of-order")


@pytest.mark.parametrize(
    ("body", "media", "code", "line", "column"),
    [
        (b'{"format": "bornes/1",\n "rulebook": oops}', JSON, "malformed-log", 2, 14),
        (
            b'{"format": "bornes/1",\n "rulebook": 7,\n "teams": {}, "seats": [], "moves": []}',
            JSON,
            "malformed-log",
            2,
            14,
        ),
        (b'[Format "bornes/1"]\n[Rulebook classique]\n', "text/plain", "malformed-log", 2, 1),
        (b'{"format": "marque/1",\n "rulebook": 7}', JSON, "malformed-sheet", 2, 14),
        (b"", "text/plain", "malformed-log", 1, 1),
    ],
)
def test_what_is_not_of_its_format_is_400_with_line_and_column_and_kept_as_an_attempt(
    send: Any, body: bytes, media: str, code: str, line: int, column: int
) -> None:
    answer = send(body, media)
    said = answer.json()
    assert (answer.status_code, said["code"]) == (400, code)
    assert (said["line"], said["column"]) == (line, column)
    assert said["verdict"]["valid"] is False
    assert "{" not in said["detail"], "a sentence, with its parameters in"
    assert Attempt.objects.get().pk == said["attempt"]


def test_what_is_called_json_and_is_not_is_400_and_nothing_is_kept(send: Any) -> None:
    answer = send(log_as_text(), JSON)
    assert (answer.status_code, answer.json()["code"], answer.json()["line"]) == (400, "malformed-log", 1)
    assert not Attempt.objects.exists()


def test_a_claim_that_differs_is_recorded_and_waits(send: Any) -> None:
    answer = send(as_bytes(sheet(claim={"A": 1500, "B": 475})))
    said = answer.json()
    assert (answer.status_code, said["state"], said["next_manche"]) == (201, "differs", None)
    assert said["verdict"]["claim_differences"]


def test_a_finished_championship_takes_nothing(send: Any, world: World) -> None:
    actor = owner_of(world.championship)
    close_partie(actor=actor, partie_id=world.partie.pk, version=None, reason="The hall closes")
    finish_championship(actor=actor, championship_id=world.championship.pk, version=None)
    answer = send()
    assert (answer.status_code, answer.json()["code"]) == (409, "finished")


def test_an_annulled_manche_takes_nothing(send: Any, world: World) -> None:
    send()
    manche = Manche.objects.get(partie=world.partie, number=3)
    void_manche(actor=owner_of(world.championship), manche_id=manche.pk, version=1, reason="Cards were missing")
    answer = send(as_bytes(sheet({"A": 1000, "B": 600})))
    assert (answer.status_code, answer.json()["code"]) == (409, "manche-void")


@pytest.mark.parametrize(
    "media", ["application/x-www-form-urlencoded", "application/xml", "text/plain; charset=latin-1", ""]
)
def test_another_media_type_is_415_and_says_what_is_taken(send: Any, media: str) -> None:
    answer = send(media=media)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-media-type")
    assert answer["Accept-Post"] == "application/json, application/vnd.bornes, text/plain"


def test_a_compressed_body_is_415(send: Any) -> None:
    answer = send(HTTP_CONTENT_ENCODING="gzip")
    assert (answer.status_code, answer["Accept-Encoding"]) == (415, "identity")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?replaces=one", "replaces"),
        ("?replaces=0", "replaces"),
        ("?reason=%00", "reason"),
        ("?reason=" + "x" * 201, "reason"),
    ],
)
def test_a_parameter_that_cannot_be_is_400(send: Any, query: str, field: str) -> None:
    answer = send(query=query)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "bad-parameter", field)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("key", "most"), [(None, 14), ("k1", 15)])
def test_handing_in_takes_at_most_fifteen_queries(
    world: World, send: Any, client: Client, authorization: str, monkeypatch: Any, key: str | None, most: int
) -> None:
    monkeypatch.setattr("league.services.journal.wake", lambda championship_id: None)  # a worker's business
    client.get("/api/v1/clubs", HTTP_AUTHORIZATION=authorization)  # its use is noted now, and again in five minutes
    headers = {} if key is None else {"HTTP_IDEMPOTENCY_KEY": key}
    with CaptureQueriesContext(connection) as queries:
        answer = send(log_as_json(), **headers)
    assert answer.status_code == 201
    assert len(queries) <= most, "\n".join(query["sql"][:100] for query in queries)


def test_the_token_is_only_noted_as_used_now_and_then(client: Client, world: World) -> None:
    header = token(world.championship.created_by)
    client.get("/api/v1/clubs", HTTP_AUTHORIZATION=header)
    with CaptureQueriesContext(connection) as queries:
        client.get("/api/v1/clubs", HTTP_AUTHORIZATION=header)
    assert not [query["sql"] for query in queries if query["sql"].startswith("UPDATE")]
