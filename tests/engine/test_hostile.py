"""RULES 9 and 10: whatever is handed in, the answer is a verdict, or a format error with its line and column."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import notation, replay
from engine.notation import FormatError, HandLog, read_document, read_json, to_document
from engine.refusals import PARAGRAPHS
from engine.replay import judge, open_table
from engine.simulate import simulate
from engine.steps import steps
from engine.text_notation import ConversionError, read_text, to_text
from tests.engine.budget import examples
from tests.engine.games import damaged, logs

Reader = Callable[[bytes | str], HandLog]
READERS = pytest.mark.parametrize("read", [read_json, read_text], ids=["json", "text"])
MEGABYTE = 10**6
CHARACTERS = st.one_of(
    st.characters(),
    st.sampled_from('\x00\ud800\udfff\ufeff\ufffe\u2028\u2029\x85\x0b\x0c\x1c\u00a0\u200b\U0010ffff{}[]"\\:>!+-#*.'),
)
ANY_TEXT = st.text(CHARACTERS, max_size=60)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), ANY_TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(ANY_TEXT, inner, max_size=4)),
    max_leaves=12,
)
KEYS = ("format", "rulebook", "teams", "seats", "deck", "moves", "target", "claim", "house", "tags")


def check_verdict(log: object) -> None:
    """Judging raises nothing, and a refusal has a code, a place within the log and an explanation that can be sent."""
    verdict = judge(log)
    assert (verdict.outcome is not None) == verdict.valid == (verdict.code is None)
    if verdict.valid:
        assert verdict.refusal is None
        return
    refusal = verdict.refusal
    assert refusal is not None
    assert refusal.code == verdict.code
    assert verdict.code in PARAGRAPHS
    assert (verdict.at is None) == (verdict.table is None) == (refusal.state is None)
    if verdict.at is not None:
        assert verdict.log is not None
        assert 0 <= verdict.at <= len(verdict.log.moves)
        assert (verdict.at == len(verdict.log.moves)) == (verdict.code == "incomplete")
        assert len(list(steps(verdict.log))) == verdict.at + 1
    said = json.dumps([str(refusal.message), refusal.message.params, refusal.state], ensure_ascii=False)
    said.encode("utf-8")


def attempt(read: Reader, source: bytes | str) -> HandLog | FormatError:
    """What a reader makes of a source."""
    try:
        return read(source)
    except FormatError as error:
        return error


def check_read(read: Reader, source: bytes | str) -> HandLog | None:
    """A log that can be judged, or an error that stands somewhere in the source."""
    found = attempt(read, source)
    if isinstance(found, HandLog):
        check_verdict(found)
        return found
    text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
    lines = text.removeprefix("\ufeff").split("\n")
    assert found.line is not None
    assert found.column is not None
    assert 1 <= found.line <= len(lines)
    assert 1 <= found.column <= len(lines[found.line - 1]) + 1
    str(found).encode("utf-8")
    return None


def check_writings(log: HandLog) -> None:
    """JSON gives a log back always, text unless it says that it cannot."""
    assert read_json(json.dumps(to_document(log))) == log
    try:
        text = to_text(log)
    except ConversionError as error:
        str(error).encode("utf-8")
        return
    assert read_text(text) == read_text(text.encode()) == log


# ---- logs that something happened to ---------------------------------------------------------------------------------


@examples(60)
@given(damaged())
def test_moves_changed_cut_doubled_swapped_and_cards_exchanged(log: HandLog) -> None:
    check_verdict(log)
    check_verdict(to_document(log))
    check_writings(log)


@examples(60)
@given(logs(), st.sampled_from(KEYS), JSON)
def test_any_value_in_the_place_of_any_key(log: HandLog, key: str, value: object) -> None:
    document = to_document(log) | {key: value}
    check_verdict(document)
    check_read(read_json, json.dumps(document))
    document.pop(key)
    check_verdict(document)


@examples(100)
@given(JSON)
@example({"format": "bornes/1", "rulebook": "\ud800", "teams": {}, "seats": [], "moves": []})
@example({"format": "bornes/1", "rulebook": "classique", "teams": {"A": ["a1"]}, "seats": [None], "moves": []})
def test_any_document(document: object) -> None:
    check_verdict(document)


WHOLE = simulate("fournier", 2, 1, 4, house={"victoire": 300})._replace(claim={"A": 5}, tags={"Event": "é\u2028"})


@READERS
@examples(60)
@given(st.data())
def test_bytes_changed_cut_doubled_and_swapped(read: Reader, data: st.DataObject) -> None:
    raw = bytearray((json.dumps(to_document(WHOLE), indent=0) if read is read_json else to_text(WHOLE)).encode())
    for _ in range(data.draw(st.integers(min_value=1, max_value=4))):
        start = data.draw(st.integers(min_value=0, max_value=len(raw)))
        end = min(len(raw), start + data.draw(st.integers(min_value=0, max_value=30)))
        what = data.draw(st.sampled_from(["put", "cut", "double", "end", "swap"]))
        if what == "put":
            raw[start:end] = data.draw(
                st.one_of(
                    st.binary(max_size=6), st.sampled_from([b"\xef\xbb\xbf", b'"', b"\\ud800", b"{", b"\n\n", b"NaN"])
                )
            )
        elif what == "double":
            raw[start:start] = raw[start:end]
        elif what == "swap":
            raw[start:end] = reversed(raw[start:end])
        else:
            del raw[start : (end if what == "cut" else len(raw))]
    log_or_none = check_read(read, bytes(raw))
    if log_or_none is not None:
        check_writings(log_or_none)


@READERS
@examples(80)
@given(st.binary(max_size=200))
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe[\x00")
@example(b"\xef\xbb\xbf\xef\xbb\xbf{}")
def test_any_bytes(read: Reader, raw: bytes) -> None:
    check_read(read, raw)


@READERS
@examples(80)
@given(ANY_TEXT)
def test_any_text(read: Reader, text: str) -> None:
    check_read(read, text)


HEAD = '[Format "bornes/1"]\n[Rulebook "classique"]\n[Teams "A: a1 | B: b1"]\n[Seats "a1 b1"]\n'


@examples(100)
@given(ANY_TEXT, st.sampled_from(["\n", '[Event "', '[House "', '[Deck "', ""]))
def test_any_text_after_the_tags(text: str, before: str) -> None:
    log = check_read(read_text, HEAD + before + text)
    if log is not None:
        check_writings(log)


@examples(80)
@given(st.lists(ANY_TEXT, max_size=5), st.lists(ANY_TEXT, max_size=3), st.dictionaries(ANY_TEXT, ANY_TEXT, max_size=2))
def test_any_characters_in_moves_cards_and_tags(moves: list[str], deck: list[str], tags: dict[str, str]) -> None:
    plain = {"format": "bornes/1", "rulebook": "classique", "teams": {"A": ["a1"], "B": ["b1"]}, "seats": ["a1", "b1"]}
    for document in (plain | {"moves": moves}, plain | {"moves": [], "deck": deck, "tags": tags}):
        check_verdict(document)
        log = check_read(read_json, json.dumps(document))
        if log is not None:
            assert log == read_document(document)
            check_writings(log)


# ---- much of it ------------------------------------------------------------------------------------------------------


def huge_texts() -> dict[str, Callable[[int], str]]:
    """Texts of any size, each the worst of its kind for a reader that would look at something twice."""
    moves = HEAD + "\n"
    return {
        "moves": lambda size: moves + "a1:FV b1:LV>A " * (size // 14),
        "malformed-moves": lambda size: moves + "é{} " * (size // 4),
        "one-move": lambda size: moves + "x" * size,
        "numbers": lambda size: moves + "1." * (size // 2),
        "blanks": lambda size: moves + " \t" * (size // 2),
        "comment-not-closed": lambda size: moves + "{" + "x" * size,
        "braces": lambda size: moves + "{}" * (size // 2) + "}",
        "tags": lambda size: HEAD + "".join(f'[T{number} "x"]\n' for number in range(size // 15)),
        "value": lambda size: HEAD + '[Event "' + "x" * size + '"]',
        "value-not-closed": lambda size: HEAD + '[Event "' + "\\n" * (size // 2),
        "escapes": lambda size: HEAD + '[Event "' + '\\"' * (size // 2) + '"]',
        "lines": lambda size: "\n" * size,
        "teams": lambda size: '[Teams "' + "A: a1 | " * (size // 8) + '"]',
        "seats": lambda size: '[Seats "' + "a1 " * (size // 3) + '"]',
        "integer": lambda size: '[Target "' + "9" * size + '"]',
        "house": lambda size: HEAD + '[House "' + " ".join(f"k{number}=1" for number in range(size // 10)) + '"]',
    }


def huge_documents() -> dict[str, Callable[[int], str]]:
    """The same in JSON."""
    head = (
        '{"format": "bornes/1", "rulebook": "classique", "teams": {"A": ["a1"], "B": ["b1"]}, "seats": ["a1", "b1"], '
    )
    return {
        "moves": lambda size: head + '"moves": [' + '"a1:FV", ' * (size // 9) + '"*"]}',
        "malformed-moves": lambda size: head + '"moves": [' + '"\\u00e9", ' * (size // 10) + '""]}',
        "one-move": lambda size: head + '"moves": ["' + "x" * size + '"]}',
        "deck": lambda size: head + '"moves": [], "deck": [' + '"FV", ' * (size // 6) + '"FV"]}',
        "seats": lambda size: head.replace('"b1"], "', '"b1"' + ', "a1"' * (size // 6) + '], "') + '"moves": []}',
        "teams": lambda size: (
            '{"format": "bornes/1", "rulebook": "x", "seats": [], "moves": [], "teams": {'
            + ", ".join(f'"T{number}": ["p{number}"]' for number in range(size // 20))
            + "}}"
        ),
        "house": lambda size: (
            head + '"moves": [], "house": {' + ", ".join(f'"k{n}": 1' for n in range(size // 12)) + "}}"
        ),
        "twins": lambda size: "{" + "".join(f'"k{number}": 1, ' for number in range(size // 11)) + '"k7": 1}',
        "half-pair": lambda size: '["' + "\\u00e9" * (size // 6) + '\\ud800"]',
        "integer": lambda size: '{"target": ' + "9" * size + "}",
        "constant": lambda size: "[" + "0, " * (size // 3) + "NaN]",
        "depth": lambda size: "[" * (size // 2) + "]" * (size // 2),
        "depth-of-objects": lambda size: '{"a":' * (size // 5),
        "string-not-closed": lambda size: '{"a": "' + "\\\\" * (size // 2),
        "blanks": lambda size: " \n" * (size // 2),
        "last-member": lambda size: head + '"x": [' + "[], " * (size // 4) + '0], "moves": 3}',
    }


HUGE = [
    *(pytest.param(read_text, make, id=f"text-{name}") for name, make in huge_texts().items()),
    *(pytest.param(read_json, make, id=f"json-{name}") for name, make in huge_documents().items()),
]


@pytest.mark.parametrize(("read", "make"), HUGE)
def test_a_megabyte(read: Reader, make: Callable[[int], str]) -> None:
    """It is answered in about a second: nothing is looked at again and again."""
    source = make(MEGABYTE)
    started = time.process_time()
    check_huge(read, source)
    assert time.process_time() - started < 10


def check_huge(read: Reader, source: str) -> None:
    found = attempt(read, source)
    if isinstance(found, FormatError):
        assert found.line is not None
        assert len(str(found)) < 1000
    else:
        refusal = judge(found).refusal
        assert refusal is not None
        assert len(str(refusal.message)) < 1000


@pytest.mark.parametrize(
    ("read", "make"),
    [
        (read_text, huge_texts()["moves"]),
        (read_text, huge_texts()["comment-not-closed"]),
        (read_json, huge_documents()["moves"]),
    ],
    ids=["text-moves", "text-comment-not-closed", "json-moves"],
)
def test_ten_megabytes(read: Reader, make: Callable[[int], str]) -> None:
    check_huge(read, make(10 * MEGABYTE))


def test_a_table_remembers_no_strangers_moves() -> None:
    """A move table is shared by all logs of a table: it grows by what can be played there, and by nothing else."""
    log = simulate("classique", 4, 2, 1, closed=False)
    table = open_table(log)
    for number in range(5000):
        judge(log._replace(moves=[f"a1:FR>Z{number}", f"x{number}", f"z{number}:FV", f"FL>{number}"]))
    assert len(table.moves) < 1000


def test_tables_are_remembered_within_bounds() -> None:
    for number in range(1000):
        teams = {"A": [f"a{number}"], "B": [f"b{number}"]}
        seats = [f"a{number}", f"b{number}", *(f"x{more}" for more in range(number % 20))]
        judge({"format": "bornes/1", "rulebook": "classique", "teams": teams, "seats": seats, "moves": []})
        judge({"format": "bornes/1", "rulebook": "classique", "teams": teams, "seats": seats[:2], "moves": []})
    assert len(notation._seatings) <= 256
    assert max(map(len, notation._seatings)) <= 8
    assert len(replay._frames) <= 256


@pytest.mark.parametrize("number", [10**9 + 1, -(10**9) - 1, 10**400, -(10**4000), 1e400, 0.1, float("nan")])
@pytest.mark.parametrize("key", ["target", "claim", "house"])
def test_huge_numbers(key: str, number: float) -> None:
    document: dict[str, Any] = to_document(simulate("classique", 2, 1, 1))
    document[key] = number if key == "target" else {"A" if key == "claim" else "victoire": number}
    verdict = judge(document)
    assert verdict.code == ("bad-house" if key == "house" else "malformed-log")
    check_verdict(document)
