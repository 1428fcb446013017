"""RULES 10 and 11: one door for logs and sheets, decoded, as JSON and as text."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.messages import Message
from engine.notation import to_document
from engine.simulate import simulate
from engine.text_notation import to_text
from scoring.documents import open_bytes
from scoring.verdicts import examine, judge_bytes, judge_document
from tests.scoring.sheet_cases import sheet

CONFORMANCE = Path(__file__).parent.parent / "conformance"
ADDED = ("why", "malformed", "claim_differences")
LOG = simulate("classique", 2, 1, 7)


def vectors(name: str) -> list[Any]:
    lines = (CONFORMANCE / name).read_text("utf-8").splitlines()
    return [pytest.param(line, id=json.loads(line)["id"]) for line in lines]


def promised(verdict: dict[str, Any]) -> dict[str, Any]:
    """What RULES promise of a verdict."""
    return {key: value for key, value in verdict.items() if key not in ADDED}


@pytest.mark.parametrize("line", vectors("logs.ndjson"))
def test_logs_conform_decoded_and_as_json(line: str) -> None:
    vector = json.loads(line)
    assert promised(judge_document(vector["log"])) == vector["expect"]
    assert promised(judge_bytes(json.dumps(vector["log"], indent=1).encode())) == vector["expect"]


@pytest.mark.parametrize("line", vectors("texts.ndjson"))
def test_texts_conform(line: str) -> None:
    vector = json.loads(line)
    assert promised(judge_bytes(vector["text"].encode("utf-8"))) == vector["expect"]
    with_mark = b"\xef\xbb\xbf" + vector["text"].removeprefix("\ufeff").encode("utf-8")
    assert promised(judge_bytes(with_mark, "text")) == vector["expect"]


@pytest.mark.parametrize("line", vectors("sheets.ndjson"))
def test_sheets_conform_as_json(line: str) -> None:
    vector = json.loads(line)
    assert promised(judge_bytes(json.dumps(vector["sheet"]).encode())) == vector["expect"]


def test_a_format_that_begins_with_marque_is_a_sheet_and_anything_else_a_log() -> None:
    assert judge_document({"format": "marque/7"})["faults"] == [["malformed-sheet", None]]
    for other in ("Marque/1", "bornes/1", 3, None):
        assert judge_document({"format": other})["code"] == "malformed-log"


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b" \r\n\t", b"\xef\xbb\xbf\n"])
def test_json_is_known_by_its_first_sign(before: bytes) -> None:
    judged = examine(open_bytes(before + json.dumps(sheet()).encode()))
    assert (judged.valid, judged.kind, judged.document.writing) == (True, "sheet", "json")


def test_a_text_log_begins_with_a_bracket() -> None:
    judged = examine(open_bytes(to_text(LOG).encode()))
    assert (judged.valid, judged.kind, judged.document.writing) == (True, "log", "text")
    assert judged.document.contents == to_document(LOG)


def test_what_the_sender_says_goes_before_the_first_sign() -> None:
    raw = json.dumps(to_document(LOG)).encode()
    assert judge_bytes(raw, "json")["valid"] is True
    assert judge_bytes(raw, "text")["code"] == "malformed-log"


def test_contents_are_the_json_form_and_none_where_it_is_not_of_its_format() -> None:
    assert open_bytes(json.dumps(sheet()).encode()).contents == sheet()
    assert open_bytes(json.dumps(sheet(end="won")).encode()).contents is None
    assert open_bytes(b"{").contents is None


def test_a_refused_log_explains_itself() -> None:
    moves = ["a1:100"]
    verdict = judge_document(to_document(LOG._replace(moves=moves, deck=None)))
    assert (verdict["code"], verdict["at"]) == ("stopped", 0)
    why = verdict["why"]
    assert (why["move"], why["player"], why["paragraph"]) == ("a1:100", "a1", "RULES 5")
    assert why["state"]["teams"]["A"]["km"] == 0
    assert why["sentence"].format(**why["params"]) == "Team A has not started: it wants a green light first."


@pytest.mark.parametrize(
    ("raw", "line", "column"),
    [
        (b'{"format": "bornes/1",\n "rulebook": }', 2, 14),
        (b'{"format": "bornes/1",\n "rulebook": 3, "teams": {}, "seats": [], "moves": []}', 2, 14),
        (b'[Format "bornes/1"]\n[Rulebook "x"]\n[Rulebook "y"]\n', 3, 1),
        (b"\xff", 1, 1),
        (b"", 1, 1),
    ],
    ids=["no-json", "wrong-type", "tag-twice", "no-utf-8", "empty"],
)
def test_what_is_not_of_the_format_is_a_malformed_log_with_its_place(raw: bytes, line: int, column: int) -> None:
    verdict = judge_bytes(raw)
    assert (verdict["valid"], verdict["code"], verdict["at"]) == (False, "malformed-log", None)
    assert (verdict["why"]["line"], verdict["why"]["column"]) == (line, column)


def test_the_faults_of_a_sheet_have_their_place_in_the_json() -> None:
    raw = json.dumps(sheet({"bottes": ["VP", "VP"]}), indent=1).encode()
    why = judge_bytes(raw)["why"][0]
    assert raw.splitlines()[why["line"] - 1].strip() == b'"bottes": ['
    assert "line" not in judge_document(sheet({"bottes": ["VP", "VP"]}))["why"][0]


def totals() -> dict[str, int]:
    return {label: team["total"] for label, team in judge_document(to_document(LOG))["score"].items()}


def test_a_claim_of_exactly_the_computed_totals_is_right() -> None:
    verdict = judge_document(to_document(LOG._replace(claim=totals())))
    assert verdict["claim_ok"] is True
    assert "claim_differences" not in verdict


@pytest.mark.parametrize("change", [{"A": -5}, {"C": 0}, None], ids=["other-total", "a-team-more", "a-team-less"])
def test_a_claim_that_differs_is_a_finding_of_a_valid_log(change: dict[str, int] | None) -> None:
    claim = totals() | change if change is not None else {"A": totals()["A"]}
    verdict = judge_document(to_document(LOG._replace(claim=claim)))
    assert verdict["valid"] is True
    assert verdict["claim_ok"] is False
    assert [found["team"] for found in verdict["claim_differences"]] == [*(change or {"B": 0})]


@pytest.mark.parametrize("claim", [{"A": 1}, {}])
def test_without_points_there_is_nothing_to_hold_a_claim_against(claim: dict[str, int]) -> None:
    verdict = judge_document(to_document(simulate("moderne", 2, 1, 3)._replace(claim=claim)))
    assert verdict["valid"] is True
    assert verdict["score"] is None
    assert "claim_ok" not in verdict


def check_verdict(verdict: dict[str, Any]) -> None:
    """A verdict is complete, can be sent as JSON in UTF-8, and holds nothing that a database would not keep."""
    text = json.dumps(verdict, ensure_ascii=False, allow_nan=False)
    text.encode("utf-8")
    assert "\\u0000" not in text
    assert verdict["valid"] in (True, False)
    if not verdict["valid"]:
        whys = verdict["why"] if "faults" in verdict else [verdict["why"]]
        assert all(why["sentence"].format(**why["params"]) for why in whys)


SHEET_BYTES = json.dumps(sheet()).encode()
LOG_BYTES = json.dumps(to_document(LOG)).encode()
TEXT_BYTES = to_text(LOG).encode()


@given(st.binary(max_size=200))
@example(b"[" * 100_000)
@example(b'{"a":' * 100_000)
@example(b'{"format": "bornes/1", "rulebook": ' + b"9" * 10_000 + b"}")
@example(b'{"format": "marque/1", "rulebook": "\\u0000\\ud800", "players_per_team": 1, "end": "target", "teams": {}}')
@example(b'{"format": "bornes/1", "rulebook": "\\u0000", "teams": {}, "seats": [], "moves": []}')
@example(b'{"format": "marque/1", "format": NaN}')
def test_any_bytes_give_a_verdict(raw: bytes) -> None:
    check_verdict(judge_bytes(raw))


@given(
    st.sampled_from([SHEET_BYTES, LOG_BYTES, TEXT_BYTES]),
    st.integers(0, 400),
    st.integers(0, 12),
    st.one_of(st.binary(max_size=6), st.sampled_from([b"\\u0000", b"\\ud800", b"null", b'"', b"{", b"}", b"1e999"])),
)
def test_any_damage_to_a_document_gives_a_verdict(raw: bytes, at: int, cut: int, put: bytes) -> None:
    check_verdict(judge_bytes(raw[:at] + put + raw[at + cut :]))


def said(verdict: dict[str, Any]) -> str:
    """The sentence of a refused log, in English."""
    return str(Message(verdict["why"]["sentence"], verdict["why"]["params"]))


def test_a_ranking_is_told_what_it_is() -> None:
    document = {"format": "classement/1", "entries": []}
    for verdict in (judge_document(document), judge_bytes(json.dumps(document).encode())):
        assert (verdict["code"], verdict["why"]["field"]) == ("malformed-log", "format")
        assert "“classement/1” is a ranking's document: a hand log or a score sheet is expected" in said(verdict)
    assert verdict["why"]["line"] == 1


@pytest.mark.parametrize("raw", [b"", b" \r\n\n", b"\xef\xbb\xbf\n"])
def test_an_empty_text_is_told_that_it_is_empty(raw: bytes) -> None:
    verdict = judge_bytes(raw)
    assert verdict["code"] == "malformed-log"
    assert said(verdict).endswith(": the document is empty.")
    assert (verdict["why"]["line"], verdict["why"]["column"]) == (1, 1)
