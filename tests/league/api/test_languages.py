"""Answers are in English unless Accept-Language asks otherwise; texts to show stand beside the parts of a verdict."""

import json
from typing import Any

import pytest
from django.test import Client

from engine.messages import Message
from league.api.examples import LOG
from tests.factories import as_bytes, sheet

NO_TARGET = {"A": 975, "B": 475}
STOPPED = LOG[: LOG.index("1. a1")].encode() + b"1. a1:FV b1:FR>A 2. a1:100"


def checked(client: Client, body: bytes, language: str = "en") -> Any:
    answer = client.post("/api/v1/check", body, content_type="text/plain", HTTP_ACCEPT_LANGUAGE=language)
    return answer.json()["verdict"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "cards"), [("en", ("Red light", "Green light")), ("fr", ("Feu rouge", "Feu vert"))]
)
def test_a_refused_log_says_why_in_the_language_of_the_request(
    client: Client, language: str, cards: tuple[str, str]
) -> None:
    why = checked(client, STOPPED, language)["why"]
    assert all(card.lower() in why["text"].lower() for card in cards)
    assert "{" in why["sentence"]
    assert "{" not in why["text"]


@pytest.mark.django_db
def test_every_fault_of_a_sheet_and_every_difference_has_its_text(client: Client) -> None:
    refused = checked(client, as_bytes(sheet({"A": 990, "B": 480}, end="target")))
    malformed = checked(client, as_bytes(sheet(end="won")))
    differs = checked(client, as_bytes(sheet(claim={"A": 5, "C": 1})))
    found = [*refused["why"], *malformed["malformed"], *differs["claim_differences"]]
    assert len(refused["why"]) > 1
    assert [one["text"] for one in found] == [str(Message(one["sentence"], one["params"])) for one in found]


def test_a_refused_hand_in_and_the_version_of_a_result_have_texts(client: Client, send: Any) -> None:
    refused = send(as_bytes(sheet(NO_TARGET, end="target")), HTTP_ACCEPT_LANGUAGE="fr")
    assert refused.status_code == 422
    assert [why["text"] for why in refused.json()["verdict"]["why"]] == [refused.json()["detail"]]
    recorded = send(as_bytes(sheet(claim={"A": 5, "B": 475})), HTTP_ACCEPT_LANGUAGE="en").json()
    (difference,) = recorded["verdict"]["claim_differences"]
    assert difference["text"] == "A announced 5 points, the score comes to 1400."
    read = client.get(recorded["url"], HTTP_ACCEPT_LANGUAGE="fr").json()["verdict"]["claim_differences"]
    assert json.dumps(read) != json.dumps([difference])
    assert read == [difference | {"text": read[0]["text"]}]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("de", "en"),
        ("fr", "fr"),
        ("de, fr-CA;q=0.8, en;q=0.5", "fr"),
        ("en", "en"),
    ],
)
def test_the_api_answers_in_english_unless_asked_for_another_language(
    client: Client, asked: str | None, answered: str
) -> None:
    client.cookies["django_language"] = "fr"
    headers = {} if asked is None else {"HTTP_ACCEPT_LANGUAGE": asked}
    texts = {"en": "There is no such address.", "fr": "Cette adresse n’existe pas."}
    answer = client.get("/api/v1/nowhere", **headers)  # type: ignore[arg-type]
    assert (answer.json()["detail"], answer["Content-Language"]) == (texts[answered], answered)
    assert "Accept-Language" in answer["Vary"]


@pytest.mark.django_db
def test_pages_stay_french_first(client: Client) -> None:
    assert client.get("/")["Location"] == "/fr/"
    assert client.get("/docs/problems")["Content-Language"] == "fr"
