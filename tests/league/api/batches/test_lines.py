"""Batches: every line saved or refused on its own, in order, once, whatever happens in between."""

import gzip
import io
from typing import Any

import pytest
from django.test import Client

from league.api import batch_items
from league.models import Batch, Championship, Club, Partie, Player, Result, Scope
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, as_bytes, sheet
from tests.league.api.batches.cases import NDJSON, Sender, lines, result, summary
from tests.league.api.conftest import log_as_json, log_as_text, token

pytestmark = pytest.mark.django_db


@pytest.fixture
def championship() -> Championship:
    return ChampionshipFactory(partie_end="manches", partie_end_value=30, owner=UserFactory(may_organise=True))


@pytest.fixture
def partie(championship: Championship) -> Partie:
    return PartieFactory(championship=championship)


class TestEveryKind:
    def test_logs_and_sheets(self, sender: Sender, partie: Partie) -> None:
        as_json = b'{"result": {"partie": 1, "manche": 1, "log": %s}}' % log_as_json()
        as_text = {"result": {"partie": 1, "manche": 2, "log": log_as_text(2, first=1).decode()}}
        answers = sender.answers(as_json, as_text, result(manche=3))
        assert summary(answers) == [(n, "saved", 201, None) for n in (1, 2, 3)]
        assert [one["data"]["manche"] for one in answers] == [1, 2, 3]
        assert "verdict" not in answers[0]["data"]
        shown = sender.get(f"{answers[0]['location']}/document")
        assert shown.content == log_as_json()
        assert sender.get(f"{answers[1]['location']}/document?writing=text").content == log_as_text(2, first=1)

    def test_the_audit_names_the_token_and_one_request(self, sender: Sender, partie: Partie) -> None:
        sender.answers(result(), result(manche=2))
        said = Result.objects.values_list("by", "token__name").distinct().get()
        assert said == (partie.championship.created_by_id, "a program")

    def test_a_line_of_the_account_in_both_places(self, client: Client, sender: Sender) -> None:
        said = [{"club": {"name": "Le Relais"}}, {"player": {"name": "Ane"}}]
        assert [one["status"] for one in sender.answers(*said)] == [201, 201]
        other = UserFactory(may_organise=True)
        own = Sender(client, token(other, Scope.MANAGE), "/api/v1/batches")
        (answer,) = own.answers({"player": {"name": "Bo"}})
        assert (answer["state"], Player.objects.get(name="Bo").pk) == ("saved", answer["data"]["id"])
        assert Club.objects.get().name == "Le Relais"

    def test_each_line_may_stand_upon_the_lines_before(self, sender: Sender) -> None:
        said = [
            {"player": {"name": "Ane", "external_id": "a"}},
            {"player": {"name": "Bo", "external_id": "b"}},
            {"entry": {"players": ["~a"], "external_id": "e1"}},
            {"entry": {"players": ["~b"], "external_id": "e2"}},
            {"partie": {"round": 1, "entries": ["~e1", "~e2"], "external_id": "p"}},
            result("~p", None, external_id="game:1"),
        ]
        first, again = sender.answers(*said), sender.answers(*said)
        assert summary(first) == [(n, "saved", 201, None) for n in range(1, 7)]
        assert summary(again) == [(n, "repeated", 200, None) for n in range(1, 7)]
        assert [one["location"] for one in first] == [one["location"] for one in again]

    def test_what_belongs_to_a_championship_is_not_of_the_account(self, client: Client) -> None:
        own = Sender(client, token(UserFactory(may_organise=True), Scope.MANAGE), "/api/v1/batches")
        (answer,) = own.answers(result())
        assert (answer["state"], answer["code"], answer["problem"]["field"]) == ("refused", "bad-field", "result")


class TestEveryFaultOnItsLine:
    def test_each_is_refused_alone(self, sender: Sender, partie: Partie) -> None:
        answers = sender.answers(
            b"{",
            b"",
            b"[]",
            {"joueur": {}},
            {"player": {"name": "x"}, "club": {"name": "y"}},
            {},
            result(partie=99),
            {"result": {"partie": 1, "manche": 1}},
            {"result": {"partie": 1, "manche": 1, "log": 3}},
            {"result": {"partie": 1, "manche": 1, "sheet": {}, "note": "x"}},
            {"result": {"partie": 1, "manche": 1, "log": "nothing"}},
            {"result": {"partie": 1, "manche": 1, "sheet": sheet(rulebook="moderne")}},
            {"player": {"name": ""}},
            result(),
            result(b=500),
        )
        assert summary(answers) == [
            (1, "refused", 400, "malformed-body"),
            (3, "refused", 422, "bad-field"),
            (4, "refused", 422, "bad-field"),
            (5, "refused", 422, "bad-field"),
            (6, "refused", 422, "bad-field"),
            (7, "refused", 422, "unknown-partie"),
            (8, "refused", 422, "bad-field"),
            (9, "refused", 422, "bad-field"),
            (10, "refused", 422, "bad-field"),
            (11, "refused", 400, "malformed-log"),
            (12, "refused", 422, "other-rulebook"),
            (13, "refused", 422, "required"),
            (14, "saved", 201, None),
            (15, "refused", 409, "result-exists"),
        ]
        assert answers[2]["problem"]["field"] == "joueur"
        assert all("partie" in answers[n]["problem"]["detail"] for n in (2, 3, 4)), "the kinds that there are"
        assert answers[8]["problem"]["field"] == "note"
        assert answers[9]["problem"]["line"] == 1
        assert answers[10]["problem"]["verdict"]["valid"] is False
        assert answers[13]["problem"]["present"]["version"] == 1
        assert Result.objects.count() == 1

    def test_a_member_twice_is_refused_on_its_line(self, sender: Sender, partie: Partie) -> None:
        log = b'{"format": "bornes/1", "format": "bornes/1"}'
        answers = sender.answers(
            b'{"player": {"name": "Ane", "name": "Peio"}}',
            b'{"player": {"name": "Ane"}, "player": {"name": "Peio"}}',
            b'{"result": {"partie": 2, "partie": 1, "log": ' + log + b"}}",
            b'{"result": {"partie": 1, "manche": 1, "log": ' + log + b"}}",
        )
        malformed = (400, "malformed-body")
        assert summary(answers) == [(n, "refused", *malformed) for n in (1, 2, 3)] + [
            (4, "refused", 400, "malformed-log")
        ]
        assert (answers[2]["problem"]["line"], answers[2]["problem"]["column"]) == (1, 26)

    def test_the_problem_is_that_of_the_single_write(self, sender: Sender, partie: Partie) -> None:
        wrong = sheet(rulebook="moderne")
        (answer,) = sender.answers({"result": {"partie": 1, "manche": 1, "sheet": wrong}})
        alone = sender.client.post(
            f"/api/v1/championships/{partie.championship.slug}/parties/1/manches/1/results",
            as_bytes(wrong),
            content_type="application/json",
            headers={"Authorization": sender.authorization},
        ).json()
        own = ("request_id", "attempt")
        assert {k: v for k, v in answer["problem"].items() if k not in own} == {
            k: v for k, v in alone.items() if k not in own
        }

    def test_a_line_that_is_too_long(self, sender: Sender, partie: Partie, settings: Any) -> None:
        settings.BODY_LIMIT = 2000
        longest = as_bytes({"club": {"name": "A"}}).ljust(2000)
        answers = sender.answers(longest, longest + b" ", b"x" * 9000, result())
        assert summary(answers) == [
            (1, "saved", 201, None),
            (2, "refused", 413, "too-large"),
            (3, "refused", 413, "too-large"),
            (4, "saved", 201, None),
        ]

    def test_our_own_fault_is_that_line_s(
        self, sender: Sender, partie: Partie, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        true_push = batch_items.push

        def push(**how: Any) -> Any:
            return 1 / 0 if how["item"].manche == 2 else true_push(**how)

        monkeypatch.setattr(batch_items, "push", push)
        answers = sender.answers(result(), result(manche=2), result(manche=2, partie=1, external_id="x"))
        assert summary(answers)[:2] == [(1, "saved", 201, None), (2, "failed", 500, "internal")]


class TestTheBody:
    @pytest.mark.parametrize(
        ("body", "status", "code"),
        [
            (b"", 422, "empty-batch"),
            (b"\n \n", 422, "empty-batch"),
            (b"{}\n" * 10_001, 413, "too-many-items"),
        ],
    )
    def test_as_a_whole(self, sender: Sender, body: bytes, status: int, code: str) -> None:
        said = sender.send(body=body)
        assert (said.status_code, said.json()["code"]) == (status, code)
        assert not Batch.objects.exists()

    def test_another_type_is_not_read(self, sender: Sender) -> None:
        said = sender.send(body=b"{}", media="application/json")
        assert (said.status_code, said["Accept-Post"]) == (415, NDJSON)

    def test_it_may_be_larger_than_anything_else_but_not_without_limit(self, sender: Sender, settings: Any) -> None:
        settings.BATCH_LIMIT = settings.BODY_LIMIT + 1000
        blank = b" " * (settings.BODY_LIMIT // 2) + b"\n"
        body = blank * 2 + b'{"club": {"name": "Ane"}}'
        (answer,) = sender.answers(body=body)
        assert (answer["line"], answer["state"]) == (3, "saved")
        said = sender.send(body=body.ljust(settings.BATCH_LIMIT + 1))
        assert (said.status_code, said.json()["code"], said.json()["limit"]) == (413, "too-large", settings.BATCH_LIMIT)

    def test_no_other_address_takes_more(self, sender: Sender, settings: Any) -> None:
        for address in (f"{sender.address}/1", "/api/v1/batches/1/cancel", "/api/v1/clubs", "/api/v1/batch"):
            said = Sender(sender.client, sender.authorization, address).send(body=b" " * (settings.BODY_LIMIT + 1))
            assert (said.status_code, said.json()["limit"]) == (413, settings.BODY_LIMIT)

    def test_packed(self, sender: Sender, partie: Partie) -> None:
        packed = gzip.compress(lines(result())) + gzip.compress(lines(result(manche=2)))
        answers = sender.answers(body=packed, **{"Content-Encoding": "gzip"})
        assert [one["state"] for one in answers] == ["saved", "saved"]

    @pytest.mark.parametrize(
        ("spoil", "code"),
        [
            (lambda packed: packed[:-9], "incomplete-body"),
            (lambda packed: b"x" + packed, "malformed-body"),
            (lambda packed: packed + b"garbage", "malformed-body"),
        ],
    )
    def test_packed_wrongly(self, sender: Sender, spoil: Any, code: str) -> None:
        said = sender.send(body=spoil(gzip.compress(lines(result()))), **{"Content-Encoding": "gzip"})
        assert (said.status_code, said.json()["code"]) == (400, code)

    def test_packed_small_and_unpacked_too_large(self, sender: Sender, settings: Any) -> None:
        settings.BATCH_LIMIT = 1_000_000
        bomb = gzip.compress(b" " * 50_000_000)
        said = sender.send(body=bomb, **{"Content-Encoding": "gzip"})
        assert (len(bomb) < 100_000, said.status_code) == (True, 413)

    def test_broken_off_it_leaves_nothing(self, sender: Sender, partie: Partie) -> None:
        body = lines(result())
        said = sender.client.generic(
            "POST",
            sender.address,
            body,
            content_type=NDJSON,
            CONTENT_LENGTH=str(len(body) + 1),
            HTTP_AUTHORIZATION=sender.authorization,
        )
        assert (said.status_code, said.json()["code"]) == (400, "incomplete-body")
        assert not Batch.objects.exists()

    def test_it_is_read_piece_by_piece(self, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
        from league.api.batch_lines import received

        asked: list[int] = []

        class Stream(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                asked.append(size or -1)
                return super().read(size)

        body = lines({"player": {"name": "x" * 500_000}}, {"player": {"name": "y"}})

        class Request:
            META = {"wsgi.input": Stream(body), "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": NDJSON}  # noqa: RUF012

        with received(Request()) as kept:  # type: ignore[arg-type]
            assert [line.number for line in kept.lines(Request())] == [1, 2]  # type: ignore[arg-type]
        assert 0 < max(asked) <= 64 * 1024
