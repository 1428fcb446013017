"""A log or a sheet checked by anybody: the verdict in words, nothing stored, not too often."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from engine.notation import HandLog, to_document
from engine.refusals import PARAGRAPHS
from engine.simulate import simulate
from engine.text_notation import to_text
from league.web import check
from league.web.rule_texts import rule_text
from tests.factories import sheet

pytestmark = pytest.mark.django_db

LOG: HandLog = simulate("classique", 2, 1, "checked")


def said(client: Client, document: str | bytes, status: int = 200, **how: Any) -> str:
    """What the page says of a document that was pasted, white space single."""
    answer = client.post("/en/check/", {"text": document}, **how)
    assert answer.status_code == status
    inside = answer.content.decode().split("<main", 1)[1].split("<form", 1)[0]
    return " ".join(strip_tags(inside.replace("<", " <")).split())


class TestVerdicts:
    def test_a_valid_log_has_its_score_line_by_line(self, client: Client) -> None:
        words = said(client, to_text(LOG))
        assert "A valid hand log" in words
        assert "Rulebook classique." in words
        assert "Distance One point a kilometre." in words

    def test_the_same_as_json(self, client: Client) -> None:
        assert said(client, json.dumps(to_document(LOG))) == said(client, to_text(LOG))

    def test_a_claim_that_differs_is_said_beside_the_computed_total(self, client: Client) -> None:
        words = said(client, to_text(LOG._replace(claim={"A": 5, "B": 7})))
        assert "A announced 5 points" in words
        assert "Announced by the table 5 7" in words

    def test_a_claim_that_agrees_is_said_too(self, client: Client) -> None:
        words = said(client, json.dumps(sheet(claim={"A": 1400, "B": 475})))
        assert "The totals that were announced are right." in words

    def test_a_refused_log_says_code_move_player_state_and_paragraph(self, client: Client) -> None:
        words = said(client, to_text(LOG._replace(moves=["a1:100"])))
        assert "Refused at move 1" in words
        assert "has not started: it wants a green light first" in words or "does not hold 100 km" in words
        assert "Move a1:100" in words
        assert "Player a1" in words
        assert re.search(r"(stopped|not-in-hand) · RULES \d", words)
        assert "target 1000 km · 94 cards in the draw pile" in words
        assert "Hands" in words

    @pytest.mark.parametrize("language", ["fr", "en"])
    def test_out_of_turn_the_hand_is_that_of_who_played_and_not_of_who_was_on_turn(
        self, client: Client, language: str
    ) -> None:
        answer = client.post(
            f"/{language}/check/", {"text": (settings.BASE_DIR / "docs/examples/refused.bornes").read_text()}
        )
        state = answer.context["why"]["state"]
        assert (state["turn"], state["hand_of"]) == ("a1", "b1")
        assert [player for player, _cards in answer.context["board"].hands] == ["b1"]
        assert re.findall(r"<dt>([ab]1)</dt>", answer.content.decode()) == ["b1"]

    def test_an_open_log_shows_no_hand(self, client: Client) -> None:
        words = said(client, to_text(LOG._replace(deck=None, moves=["a1:100"])))
        assert "it wants a green light first" in words
        assert "Hands" not in words

    def test_the_moves_before_the_fault_are_told_in_words(self, client: Client) -> None:
        words = said(client, to_text(LOG._replace(moves=[*LOG.moves[:6], "b9:FV"])))
        assert "The moves before it" in words
        assert words.index("a1") < words.index("The table at that moment")

    def test_a_log_cut_short_says_so(self, client: Client) -> None:
        words = said(client, to_text(LOG._replace(moves=LOG.moves[:-1])))
        assert "The log stops too early" in words
        assert "incomplete · RULES 7" in words

    def test_what_is_no_log_says_where(self, client: Client) -> None:
        words = said(client, "hello")
        assert "Not a log that can be replayed" in words
        assert "malformed-log · RULES 9" in words
        assert "line 1" in words

    def test_a_sheet_lists_all_its_faults_with_their_cells(self, client: Client) -> None:
        words = said(client, json.dumps(sheet({"A": 1010, "B": 475}), indent=1))
        assert "A score sheet with" in words
        assert "km-not-multiple · RULES 2 · teams.A.km · line" in words
        assert "km-over-target" in words

    def test_cards_are_called_by_their_names(self, client: Client) -> None:
        document = sheet()
        document["teams"]["A"]["coups_fourres"] = ["VP"]
        assert "a coup fourré with Right of way is noted" in said(client, json.dumps(document))

    @pytest.mark.parametrize("code", PARAGRAPHS)
    def test_every_refusal_leads_to_its_place_in_the_rules(self, code: str) -> None:
        assert f"code-{code}" in rule_text("rules", "en").anchors


class TestWaysIn:
    def test_a_file(self, client: Client) -> None:
        file = SimpleUploadedFile("hand.bornes", to_text(LOG).encode())
        answer = client.post("/en/check/", {"text": "", "file": file})
        assert "A valid hand log" in answer.content.decode()

    def test_what_was_pasted_stays_in_the_form(self, client: Client) -> None:
        assert "hello &lt;there&gt;" in client.post("/en/check/", {"text": "hello <there>"}).content.decode()

    @pytest.mark.parametrize("text", ["", "   \n"])
    def test_nothing_at_all(self, client: Client, text: str) -> None:
        answer = client.post("/en/check/", {"text": text})
        assert "Paste a log or a sheet, or choose a file." in answer.content.decode()

    @pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"\x00", b"{", b"[Format \xc3\x28]", b""])
    def test_bytes_that_are_no_text(self, client: Client, raw: bytes) -> None:
        file = SimpleUploadedFile("x", raw)
        assert client.post("/en/check/", {"file": file}).status_code == 200

    def test_markup_in_a_log_stays_text(self, client: Client) -> None:
        log = LOG._replace(moves=["<script>alert(1)</script>"])
        source = client.post("/en/check/", {"text": json.dumps(to_document(log))}).content.decode()
        assert "<script>alert" not in source

    def test_more_than_a_mib_is_refused_with_413(self, client: Client) -> None:
        file = SimpleUploadedFile("x", b"x" * (1024 * 1024 + 1))
        answer = client.post("/en/check/", {"file": file})
        assert answer.status_code == 413
        assert "1024 KiB" in answer.content.decode()

    def test_nothing_is_stored(self, client: Client) -> None:
        before = {model: model._default_manager.count() for model in apps.get_models()}
        said(client, to_text(LOG))
        said(client, "hello")
        assert {model: model._default_manager.count() for model in apps.get_models()} == before


class TestThrottle:
    @pytest.fixture(autouse=True)
    def clock(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
        # counts begin anew with each stretch of the clock, which must not turn in the middle of a test
        monkeypatch.setattr(check, "MOST", 2)
        with time_machine.travel(timezone.now(), tick=False) as clock:
            yield clock

    def test_one_address_may_not_check_too_often(self, client: Client) -> None:
        said(client, "one")
        said(client, "two")
        answer = client.post("/en/check/", {"text": "three"})
        assert answer.status_code == 429
        assert 0 < int(answer["Retry-After"]) <= check.SECONDS
        assert "three" in answer.content.decode()  # still in the form
        assert "malformed-log" not in answer.content.decode()

    def test_another_address_may(self, client: Client) -> None:
        said(client, "one")
        said(client, "two")
        said(client, "three", REMOTE_ADDR="192.0.2.9")

    def test_looking_at_the_form_is_not_counted(self, client: Client) -> None:
        for _ in range(5):
            assert client.get("/en/check/").status_code == 200
        said(client, "one")

    def test_after_a_while_it_may_again(self, client: Client, clock: time_machine.Traveller) -> None:
        said(client, "one")
        said(client, "two")
        said(client, "three", status=429)
        clock.shift(check.SECONDS)
        said(client, "three")
