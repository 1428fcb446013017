"""`python -m scoring simulate`: logs that fit a manche, by seed."""

import io
import json
from contextlib import redirect_stdout

import pytest

from engine.text_notation import read_text
from scoring.__main__ import main
from scoring.verdicts import judge_document


def run(*arguments: str) -> tuple[int, str]:
    """The command's exit status and what it printed."""
    with redirect_stdout(io.StringIO()) as printed:
        status = main(["simulate", *arguments])
    return status, printed.getvalue()


def test_logs_are_valid_and_claim_what_they_come_to() -> None:
    """One document a line, each another one, the same for the same seed."""
    status, printed = run("classique", "2x2", "--count", "3", "--seed", "x")
    documents = [json.loads(line) for line in printed.splitlines()]
    assert status == 0
    assert [judge_document(document)["claim_ok"] for document in documents] == [True] * 3
    assert len({str(document["deck"]) for document in documents}) == 3
    assert run("classique", "2x2", "--count", "3", "--seed", "x")[1] == printed


def test_manche_turns_the_seats() -> None:
    """The third manche of four players begins with the third seat (RULES 13)."""
    _, printed = run("moderne", "2x2", "--manche", "3", "--text")
    assert read_text(printed).seats == ["a2", "b2", "a1", "b1"]


def test_a_table_that_the_rulebook_has_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """fournier has no table of four teams (RULES 3)."""
    assert run("fournier", "4x1") == (2, "")
    assert capsys.readouterr().err == "simulate: fournier has no table 4x1\n"
