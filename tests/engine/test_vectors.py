"""The conformance vectors: what RULES 9 and 10 ask for, made independently of this project."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.notation import FormatError, HandLog, read_document, read_json, to_document
from engine.replay import judge
from engine.steps import steps
from engine.text_notation import ConversionError, read_text, to_text
from scoring.points import score

CONFORMANCE = Path(__file__).parent.parent / "conformance"


def vectors(name: str) -> list[Any]:
    """A parameter for each line."""
    lines = map(json.loads, (CONFORMANCE / name).read_text("utf-8").splitlines())
    return [pytest.param(vector, id=vector["id"]) for vector in lines]


def verdict(log: object) -> dict[str, Any]:
    """The verdict in the shape of RULES 10."""
    found = judge(log)
    if not found.valid:
        return {"valid": False, "code": found.code, "at": found.at}
    assert found.log is not None
    assert found.rulebook is not None
    assert found.outcome is not None
    scores = score(found.outcome, found.rulebook)
    document: dict[str, Any] = {"valid": True, "code": None, "at": None}
    if found.log.claim is not None and scores is not None:
        document["claim_ok"] = found.log.claim == {label: team["total"] for label, team in scores.items()}
    return document | {"outcome": found.outcome.to_document(), "score": scores}


LOGS = pytest.mark.parametrize("vector", vectors("logs.ndjson"))
TEXTS = pytest.mark.parametrize("vector", vectors("texts.ndjson"))


@LOGS
def test_the_verdict_on_a_log(vector: dict[str, Any]) -> None:
    assert verdict(vector["log"]) == vector["expect"]


@TEXTS
def test_a_text_reads_as_its_log(vector: dict[str, Any]) -> None:
    if vector.get("log") is None:
        with pytest.raises(FormatError) as caught:
            read_text(vector["text"])
        assert caught.value.code == vector["expect"]["code"]
        assert 1 <= (caught.value.line or 0) <= vector["text"].count("\n") + 1
    else:
        assert read_text(vector["text"]) == read_text(vector["text"].encode()) == read_document(vector["log"])
        assert verdict(read_text(vector["text"])) == vector["expect"]


def check_conversions(log: HandLog) -> None:
    """JSON and text, both ways."""
    document = to_document(log)
    assert read_document(document) == log
    for indent in (None, 1):
        assert read_json(json.dumps(document, indent=indent)) == log
        assert read_json(b"\xef\xbb\xbf" + json.dumps(document, indent=indent, ensure_ascii=False).encode()) == log
    text = to_text(log)
    for writing in (text, text.encode(), "\ufeff" + text, text.replace("\n", "\r\n"), b"\xef\xbb\xbf" + text.encode()):
        assert read_text(writing) == log


@LOGS
def test_a_log_converts_to_text_and_back(vector: dict[str, Any]) -> None:
    """What is no log does not convert, nor what no text can hold: some moves and house rules, refused anyway."""
    try:
        log = read_document(vector["log"])
    except FormatError:
        assert vector["expect"]["code"] == "malformed-log"
        return
    known = {key: value for key, value in vector["log"].items() if not key.startswith("x-")}
    assert to_document(log) == {key: value for key, value in known.items() if value != {} or key == "claim"}
    try:
        to_text(log)
    except ConversionError:
        assert vector["expect"]["code"] in ("malformed", "bad-house")
        return
    check_conversions(log)


@TEXTS
def test_a_text_converts_to_json_and_back(vector: dict[str, Any]) -> None:
    if vector.get("log") is not None:
        check_conversions(read_text(vector["text"]))


@LOGS
def test_the_steps_go_as_far_as_the_verdict(vector: dict[str, Any]) -> None:
    expected = vector["expect"]
    if not expected["valid"] and expected["at"] is None:
        return
    shown = list(steps(read_document(vector["log"])))
    assert [step.at for step in shown] == list(range(-1, len(shown) - 1))
    if expected["valid"]:
        assert len(shown) == len(vector["log"]["moves"]) + 1
        assert shown[-1].end == expected["outcome"]["end"]
        assert shown[-1].state["sabot_left"] == expected["outcome"]["sabot_left"]
    else:
        assert len(shown) == expected["at"] + 1
        assert shown[-1].end is None or expected["code"] == "after-end"
