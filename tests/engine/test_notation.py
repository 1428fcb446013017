"""RULES 9: the format `bornes/1` in JSON and in text, and where a fault stands."""

import json

import pytest

from engine.notation import OWN_TAGS, FormatError, is_tag_name, read_document, read_json, to_document
from engine.text_notation import read_text
from tests.engine.readings import PLAIN, fault


class TestDocument:
    """The decoded JSON document."""

    def test_what_is_left_out_is_left_out(self) -> None:
        log = read_document(PLAIN)
        assert (log.deck, log.target, log.claim, dict(log.house), dict(log.tags)) == (None, None, None, {}, {})
        assert to_document(log) == PLAIN

    def test_all_keys(self) -> None:
        document = PLAIN | {
            "deck": ["FV", "XX"],
            "target": -5,
            "house": {"capot": 1, "start_feu_vert": False, "capot_to": "x"},
            "claim": {"Z": -100},
            "tags": {"Event": "Coupe d'hiver", "Note": 'é "\\\n\t\u2028'},
        }
        assert to_document(read_document(document)) == document

    def test_unknown_keys_are_left_aside(self) -> None:
        assert read_document(PLAIN | {"x-more": [1], "Target": 700, "winner": None}) == read_document(PLAIN)

    def test_a_log_is_no_view_of_its_document(self) -> None:
        document = to_document(read_document(PLAIN))
        document["teams"]["A"].append("a2")
        document["moves"].clear()
        assert read_document(PLAIN).teams == {"A": ["a1"], "B": ["b1"]}

    @pytest.mark.parametrize("key", ["format", "rulebook", "teams", "seats", "moves"])
    def test_a_required_key_that_is_missing(self, key: str) -> None:
        error = fault(read_document, {name: value for name, value in PLAIN.items() if name != key})
        assert key in str(error) or "bornes/1" in str(error)

    @pytest.mark.parametrize(
        ("key", "value", "field"),
        [
            ("format", "bornes/2", "format"),
            ("format", None, "format"),
            ("rulebook", 3, "rulebook"),
            ("rulebook", "\ud800", "rulebook"),
            ("teams", [], "teams"),
            ("teams", {"é": []}, "teams.é"),
            ("teams", {"A": "a1"}, "teams.A"),
            ("teams", {"A": [1]}, "teams.A[0]"),
            ("teams", {"A": [["a1"]]}, "teams.A[0]"),
            ("teams", {"A": ["a1", "a-1"]}, "teams.A[1]"),
            ("teams", {"": []}, "teams."),
            ("seats", "a1 b1", "seats"),
            ("seats", ["a1", "1b"], "seats[1]"),
            ("seats", ["a1", True], "seats[1]"),
            ("seats", ["a" * 17], "seats[0]"),
            ("seats", ["a1\n"], "seats[0]"),
            ("moves", None, "moves"),
            ("moves", {"0": "FV"}, "moves"),
            ("moves", ["FV", None], "moves[1]"),
            ("moves", ["FV", "é", "\udfff"], "moves[2]"),
            ("deck", None, "deck"),
            ("deck", "FV", "deck"),
            ("deck", ["FV", 25], "deck[1]"),
            ("deck", ["\ud800"], "deck[0]"),
            ("target", None, "target"),
            ("target", "1000", "target"),
            ("target", 1000.0, "target"),
            ("target", True, "target"),
            ("target", 10**9 + 1, "target"),
            ("house", None, "house"),
            ("house", [], "house"),
            ("house", {"capot_to": "\ud800"}, "house.capot_to"),
            ("house", {"\ud800": 1}, "house.\N{REPLACEMENT CHARACTER}"),
            ("claim", None, "claim"),
            ("claim", [], "claim"),
            ("claim", {"A": "1"}, "claim.A"),
            ("claim", {"A": 1.5}, "claim.A"),
            ("claim", {"A": False}, "claim.A"),
            ("claim", {"A": -(10**9) - 1}, "claim.A"),
            ("claim", {"A b": 1}, "claim.A b"),
            ("tags", None, "tags"),
            ("tags", [], "tags"),
            ("tags", {"Event": 3}, "tags.Event"),
            ("tags", {"Event": "\ud800"}, "tags.Event"),
            ("tags", {"9": "x"}, "tags.9"),
            ("tags", {"a-b": "x"}, "tags.a-b"),
            ("tags", {"x" * 33: "x"}, "tags." + "x" * 33),
            *(("tags", {name: "x"}, f"tags.{name}") for name in OWN_TAGS),
        ],
    )
    def test_a_value_that_is_not_of_its_keys_form(self, key: str, value: object, field: str) -> None:
        error = fault(read_document, PLAIN | {key: value})
        assert (error.field, error.line, error.column) == (field, None, None)
        assert error.code == "malformed-log"

    @pytest.mark.parametrize("number", [10**9, -(10**9), 0])
    def test_integers_within_the_bounds(self, number: int) -> None:
        log = read_document(PLAIN | {"target": number, "claim": {"A": number}})
        assert (log.target, log.claim) == (number, {"A": number})

    @pytest.mark.parametrize("document", [None, True, 3, "bornes/1", [], [PLAIN]])
    def test_what_is_no_object(self, document: object) -> None:
        assert fault(read_document, document).path == ()

    def test_names_of_tags(self) -> None:
        assert all(map(is_tag_name, ["Event", "x", "x" * 32, "format", "TARGET", "a_1"]))
        assert not any(map(is_tag_name, ["", "1", "_x", "é", "x y", "x" * 33, "Event\n", *OWN_TAGS]))


class TestJson:
    """A JSON text: the place of a fault."""

    @pytest.mark.parametrize(
        ("text", "line", "column", "said"),
        [
            ("", 1, 1, "JSON"),
            ("{", 1, 2, "JSON"),
            ('{"a": 1,}', 1, 9, "JSON"),
            ('{"a": 1}\n\n  x', 3, 3, "JSON"),
            ('{"a": "\n"}', 1, 8, "JSON"),
            ('\n {"a": 1,\n  "b": {"é": [1, NaN]}}', 3, 18, "NaN"),
            ('{"a": "NaN",\n "b": -Infinity}', 2, 7, "-Infinity"),
            ('{"a": 1,\n "b": {"a": 2},\n "a": 3}', 3, 2, "“a”"),
            ('{"a": [{"b": 1, "c": "b", "b": 2}], "a": 3}', 1, 27, "“b”"),
            ('{"a": 1, "\\u0061": 2}', 1, 10, "“a”"),
            ('{"a": 1,\n "b": ["x", "\\ud800"]}', 2, 13, "surrogate"),
            ('{"\\udfff": 1}', 1, 2, "surrogate"),
            ('{"a":\n' + "9" * 5000 + "}", 2, 1, "digits"),
            ('{"a": 1.5e3, "b": -' + "9" * 5000 + "}", 1, 19, "digits"),
            ('{"a": "\\"", "b":\n' + "[" * 100_000 + "]" * 100_000 + "}", 2, 100_000, "deep"),
            ("[" * 100_000, 1, 100_000, "deep"),
            ("[" + "[" * 2000 + "]" * 2000 + ",\n" + "[" * 2000 + "]" * 2000 + "]", 1, 2001, "deep"),
            ("[]", 1, 1, "object"),
            ('{"format": "bornes/1"}', 1, 1, "rulebook"),
            ('{\n "format": "bornes/7"}', 2, 12, "bornes/1"),
        ],
        ids=lambda value: ascii(value)[:50],
    )
    def test_the_place_of_a_fault(self, text: str, line: int, column: int, said: str) -> None:
        for source in (text, text.encode(), b"\xef\xbb\xbf" + text.encode()):
            error = fault(read_json, source)
            assert (error.line, error.column) == (line, column)
            assert said in str(error)

    @pytest.mark.parametrize("indent", [None, 0, 1, 7])
    def test_the_place_of_a_member(self, indent: int | None) -> None:
        document = {"é": [{"moves": []}, "{\\"], "tags": {"A": "x", "Event": 3}} | PLAIN
        text = json.dumps(document, indent=indent, ensure_ascii=False)
        error = fault(read_json, text)
        assert error.path == ("tags", "Event")
        assert text.splitlines()[(error.line or 0) - 1][(error.column or 0) - 1] == "3"

    @pytest.mark.parametrize(
        ("raw", "line", "column"),
        [(b"\xff", 1, 1), (b'{"a":\n "\xc3\xa9\xe9"}', 2, 4), (b"\xef\xbb\xbf\xff", 1, 1), (b"[\n\xed\xa0\x80]", 2, 1)],
    )
    def test_the_place_where_it_is_no_utf_8(self, raw: bytes, line: int, column: int) -> None:
        for read in (read_json, read_text):
            error = fault(read, raw)
            assert (error.line, error.column) == (line, column)
            assert "UTF-8" in str(error)

    def test_half_a_pair_in_a_text_that_is_no_bytes(self) -> None:
        for read in (read_json, read_text):
            error = fault(read, "é\n x\ud800")
            assert (error.line, error.column) == (2, 3)

    def test_a_whole_pair_is_a_character(self) -> None:
        text = json.dumps(PLAIN | {"tags": {"Event": "🚗"}})
        assert "\\ud83d" in text
        assert read_json(text).tags["Event"] == "🚗"

    def test_a_document_nested_as_deeply_as_can_be_read_is_located_too(self) -> None:
        """Finding a place needs no more room than reading did, from however deep a call."""

        def read_below(calls: int, text: str) -> FormatError:
            return read_below(calls - 1, text) if calls else fault(read_json, text)

        for calls in (0, 1, 2, 3, 50):
            for depth in range(800, 1000, 3):
                deep = "[" * depth + "]" * depth
                text = (
                    '{"format": "bornes/1", "rulebook": "x", "teams": {}, "tags": {"a": '
                    + deep
                    + ', "A": 1}, "seats": [],'
                )
                error = read_below(calls, text + '"moves": 3}')
                assert (error.line or 0) == 1
                assert 1 <= (error.column or 0) <= len(text) + 11
