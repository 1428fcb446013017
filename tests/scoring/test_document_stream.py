"""One document after the other out of a file: JSON over many lines, one a line, broken ones, text logs."""

import json
from typing import Any

import pytest

from engine.simulate import simulate
from engine.text_notation import to_text
from scoring.documents import read_documents
from tests.scoring.sheet_cases import sheet

COMPACT = json.dumps(sheet())
PRETTY = json.dumps(sheet(), indent=2)
FLUSH_LEFT = json.dumps(sheet(), indent=0)
AS_IN_THE_RULES = PRETTY.replace("\n  ", " ", 1)
TEXT = to_text(simulate("classique", 2, 1, 1))
GOOD, BROKEN = True, False
LENGTH = len(PRETTY.splitlines())
TEN_LINES = "\n".join(PRETTY.splitlines()[:10])


def found(file: str) -> list[tuple[int, bool]]:
    """The line on which each document begins, and whether it could be read."""
    return [
        (document.first_line, document.contents is not None)
        for document in read_documents(file.encode("utf-8").splitlines(keepends=True))
    ]


@pytest.mark.parametrize("document", [COMPACT, PRETTY, FLUSH_LEFT, AS_IN_THE_RULES, TEXT])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n\r\n"])
def test_a_file_of_one_document(mark: str, document: str, end: str) -> None:
    assert found(mark + document + end) == [(1, GOOD)]


@pytest.mark.parametrize("file", ["", "\n\n", "\ufeff", " \t\r\n"])
def test_a_file_of_white_space_has_no_document(file: str) -> None:
    assert found(file) == []


CUT = COMPACT[:60]
FILES: dict[str, tuple[list[str], list[tuple[int, bool]]]] = {
    "one a line": ([COMPACT, COMPACT], [(1, GOOD), (2, GOOD)]),
    "blank lines between": (["", COMPACT, "", COMPACT, ""], [(2, GOOD), (4, GOOD)]),
    "a cut line": ([COMPACT, CUT, COMPACT], [(1, GOOD), (2, BROKEN), (3, GOOD)]),
    "a cut line first": ([CUT, COMPACT], [(1, BROKEN), (2, GOOD)]),
    "a cut line last": ([COMPACT, CUT], [(1, GOOD), (2, BROKEN)]),
    "two cut lines": ([CUT, CUT, COMPACT], [(1, BROKEN), (2, BROKEN), (3, GOOD)]),
    "a line of something else": ([COMPACT, "something", COMPACT], [(1, GOOD), (2, BROKEN), (3, GOOD)]),
    "a cut line, then something else": ([CUT, "something", COMPACT], [(1, BROKEN), (2, BROKEN), (3, GOOD)]),
    "JSON that is no object": ([COMPACT, "[1]", "null", COMPACT], [(1, GOOD), (2, BROKEN), (3, BROKEN), (4, GOOD)]),
    "a cut line, then a blank one": ([CUT, "", COMPACT], [(1, BROKEN), (3, GOOD)]),
    "several over many lines": ([PRETTY, FLUSH_LEFT, PRETTY], [(1, GOOD), (LENGTH + 1, GOOD), (2 * LENGTH + 1, GOOD)]),
    "over many lines among one a line": ([COMPACT, PRETTY, COMPACT], [(1, GOOD), (2, GOOD), (LENGTH + 2, GOOD)]),
    "over many lines, broken off": ([TEN_LINES, COMPACT, PRETTY], [(1, BROKEN), (11, GOOD), (12, GOOD)]),
    "over many lines, then a cut line": ([TEN_LINES, CUT, COMPACT], [(1, BROKEN), (11, BROKEN), (12, GOOD)]),
    "a bracket too many": ([COMPACT + "}", COMPACT], [(1, BROKEN), (2, GOOD)]),
    "brackets in texts": (['{"format": "marque{[/1",', ' "x": "}]\\"}"}', COMPACT], [(1, BROKEN), (3, GOOD)]),
}


@pytest.mark.parametrize(("lines", "expected"), FILES.values(), ids=FILES.keys())
def test_a_file_of_many_documents(lines: list[str], expected: list[tuple[int, bool]]) -> None:
    assert found("\n".join(lines)) == expected


def test_a_line_within_a_document_may_begin_with_any_sign_of_json() -> None:
    lines = COMPACT.replace("{", "{\n", 1).replace('"teams": ', '"teams":\n').replace(": [", ":\n[").splitlines()
    assert {line[0] for line in lines} == {"{", '"', "["}
    assert found("\n".join(lines)) == [(1, GOOD)]


def test_a_string_of_quotes_that_never_ends_is_read_once() -> None:
    assert found('{"' + '\\"' * 500_000) == [(1, BROKEN)]


def test_what_does_not_begin_with_a_brace_is_one_text_log() -> None:
    assert found("something\nelse\n" + COMPACT) == [(1, BROKEN)]


def test_an_error_is_told_with_its_line_in_the_file() -> None:
    lines = [*COMPACT.splitlines(), *PRETTY.replace('"B":', '"B"').splitlines(), '{"format": "bornes/1"}', "{"]
    at_fault = next(number for number, line in enumerate(lines, start=1) if '"B" ' in line)
    errors: list[Any] = [document.error for document in read_documents(f"{line}\n".encode() for line in lines)]
    assert [error and error.line for error in errors] == [None, at_fault, len(lines) - 1, len(lines)]


def test_nothing_is_read_beyond_the_document_that_is_asked_for() -> None:
    read = 0

    def lines() -> Any:
        nonlocal read
        while True:
            read += 1
            yield COMPACT.encode() + b"\n"

    documents = read_documents(lines())
    for wanted in range(1, 4):
        next(documents)
        assert read == wanted
