"""RULES 9: the format `bornes/1` in JSON and in text, and where a fault stands."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.notation import OWN_TAGS, FormatError, HandLog, is_tag_name, read_document, read_json, to_document
from engine.simulate import simulate
from engine.text_notation import ConversionError, read_text, to_text

PLAIN: dict[str, Any] = {
    "format": "bornes/1",
    "rulebook": "classique",
    "teams": {"A": ["a1"], "B": ["b1"]},
    "seats": ["a1", "b1"],
    "moves": ["a1:FV"],
}
TEXT = '[Format "bornes/1"]\n[Rulebook "classique"]\n[Teams "A: a1 | B: b1"]\n[Seats "a1 b1"]\n'


def fault(read: Callable[..., object], source: object) -> FormatError:
    """The error with which `source` is refused."""
    with pytest.raises(FormatError) as caught:
        read(source)
    return caught.value


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


class TestText:
    """The text writing."""

    def test_the_example_of_the_rules(self) -> None:
        log = read_text(
            '[Format "bornes/1"]\n'
            '[Rulebook "classique"]\n'
            '[Teams "A: a1 | B: b1"]\n'
            '[Seats "a1 b1"]\n'
            '[Target "1000"]\n'
            '[House "start_feu_vert=true sans_200=200"]\n'
            '[Deck "FV 25"]\n'
            '[Claim "A 1500 | B 475"]\n'
            '[Event "Coupe d\'hiver"]\n'
            "\n"
            "1. a1:FV b1:LV>A 2. a1:-25 b1:VP b1:100 {a comment}\n"
        )
        assert log == HandLog(
            "classique",
            {"A": ["a1"], "B": ["b1"]},
            ["a1", "b1"],
            ["a1:FV", "b1:LV>A", "a1:-25", "b1:VP", "b1:100"],
            ["FV", "25"],
            1000,
            {"start_feu_vert": True, "sans_200": 200},
            {"A": 1500, "B": 475},
            {"Event": "Coupe d'hiver"},
        )

    @pytest.mark.parametrize(
        ("moves", "read"),
        [
            ("", []),
            ("12.", []),
            ("12.a1:FV", ["a1:FV"]),
            ("1. FV 2.FV\n3.\nFV", ["FV", "FV", "FV"]),
            ("FV{x}FV", ["FV", "FV"]),
            ("FV {two\nlines 1. FV} FV", ["FV", "FV"]),
            ("{}FV{}", ["FV"]),
            ("FV\t\v\f\r\n FV", ["FV", "FV"]),
            ("100 12", ["100", "12"]),
            ("1.2.FV", ["FV"]),
            ("FV\u00a0FV FV\u2028", ["FV\u00a0FV", "FV\u2028"]),
            ("[x]", ["[x]"]),
            (".FV -25. é", [".FV", "-25.", "é"]),
            ("\x00", ["\x00"]),
        ],
    )
    def test_moves(self, moves: str, read: list[str]) -> None:
        assert read_text(f"{TEXT}\n{moves}").moves == read
        assert read_text(f"{TEXT}\n{moves}\n").moves == read

    @pytest.mark.parametrize("blank", ["\n", "\r\n", " \n", "\t \r\n", "\v\f\n"])
    def test_a_blank_line_ends_the_tags(self, blank: str) -> None:
        assert read_text(f"{TEXT}{blank}FV").moves == ["FV"]
        assert fault(read_text, TEXT + "FV").line == 5

    def test_without_moves_no_blank_line_is_needed(self) -> None:
        assert read_text(TEXT).moves == read_text(TEXT.strip()).moves == []

    @pytest.mark.parametrize(
        ("written", "value"),
        [
            ("", ""),
            ('\\"', '"'),
            ("\\\\", "\\"),
            ("\\n", "\n"),
            ("\\\\n", "\\n"),
            ('\\\\\\"', '\\"'),
            ("[a] {b} 1.", "[a] {b} 1."),
            ("é\u2028\x85\x00\t\r", "é\u2028\x85\x00\t\r"),
        ],
    )
    def test_values_of_tags(self, written: str, value: str) -> None:
        log = read_text(f'{TEXT}[Event "{written}"]\n')
        assert log.tags == {"Event": value}
        assert read_text(to_text(log)) == log

    @pytest.mark.parametrize(
        ("tag", "read"),
        [
            ('[Deck ""]', {"deck": []}),
            ('[Claim ""]', {"claim": {}}),
            ('[Claim "A -5 | B 0"]', {"claim": {"A": -5, "B": 0}}),
            ('[House ""]', {}),
            (
                '[House "a=true b=false c=-7 d=true_ e=x"]',
                {"house": {"a": True, "b": False, "c": -7, "d": "true_", "e": "x"}},
            ),
            ('[Target "-1000000000"]', {"target": -(10**9)}),
            ('[target "x"]', {"tags": {"target": "x"}}),
        ],
    )
    def test_the_logs_own_tags(self, tag: str, read: dict[str, Any]) -> None:
        assert read_text(f"{TEXT}{tag}\n") == read_document(PLAIN | {"moves": []})._replace(**read)

    @pytest.mark.parametrize(
        ("text", "line", "column"),
        [
            ("", 1, 1),
            ("\n", 1, 1),
            ("{x}\n" + TEXT, 1, 1),
            ('[Format "bornes/2"]', 1, 10),
            ("[Format 'bornes/1']", 1, 1),
            (TEXT + "[Event]", 5, 1),
            (TEXT + '[Event "x]', 5, 1),
            (TEXT + '[Event "x"', 5, 1),
            (TEXT + '[Event  "x"]', 5, 1),
            (TEXT + ' [Event "x"]', 5, 1),
            (TEXT + '[Event "x"] ', 5, 1),
            (TEXT + '[Event "\\t"]', 5, 1),
            (TEXT + '[Event "a"b"]', 5, 1),
            (TEXT + '[Event "x\\"]', 5, 1),
            (TEXT + '[9 "x"]', 5, 1),
            (TEXT + '[é "x"]', 5, 1),
            (TEXT + '[Event "x"]\n[Event "y"]', 6, 1),
            (TEXT + '[Seats "a1 b1"]', 5, 1),
            (TEXT.replace("[Seats", "[Places"), 4, 1),
            (TEXT.replace("A: a1 |", "A:a1 |"), 3, 9),
            (TEXT.replace("A: a1 |", "A: a1|"), 3, 9),
            (TEXT.replace("B: b1", "A: b1"), 3, 9),
            (TEXT.replace('"a1 b1"', '"a1  b1"'), 4, 9),
            (TEXT.replace('"a1 b1"', '"a1 1b"'), 4, 9),
            (TEXT + '[Deck "FV  FV"]', 5, 8),
            (TEXT + '[Deck " FV"]', 5, 8),
            (TEXT + '[Target "7OO"]', 5, 10),
            (TEXT + '[Target "700 "]', 5, 10),
            (TEXT + '[Target "+700"]', 5, 10),
            (TEXT + '[Target "1000000001"]', 5, 10),
            (TEXT + '[Target "٧٠٠"]', 5, 10),
            (TEXT + '[Target "' + "9" * 5000 + '"]', 5, 10),
            (TEXT + '[Claim "A mille"]', 5, 9),
            (TEXT + '[Claim "A 1 | A 2"]', 5, 9),
            (TEXT + '[Claim "A 1.5"]', 5, 9),
            (TEXT + '[House "a"]', 5, 9),
            (TEXT + '[House "a=1 a=2"]', 5, 9),
            (TEXT + '[House "a=1.5"]', 5, 9),
            (TEXT + '[House "a=b=c"]', 5, 9),
            (TEXT + '[House "a=[]"]', 5, 9),
            (TEXT + "\nFV {x", 6, 4),
            (TEXT + "\nFV\n {x\n{y", 7, 2),
            (TEXT + "\nFV }", 6, 4),
            (TEXT + "\n{a {b} c}", 6, 9),
        ],
        ids=lambda value: ascii(value).removeprefix(ascii(TEXT)[:-1])[:50],
    )
    def test_the_place_of_a_fault(self, text: str, line: int, column: int) -> None:
        for source in (text, text.encode(), "\ufeff" + text, text.replace("\n", "\r\n")):
            error = fault(read_text, source)
            assert (error.line, error.column) == (line, column)


class TestConversion:
    """A well-formed log converts without loss of anything but unknown keys and comments."""

    @pytest.mark.parametrize(
        "move",
        ["", " ", "a b", "a\tb", "a\n", "\r", "\v", "\f", "{", "a}", "1.", "12.FV", "0.0"],
    )
    def test_a_move_without_a_text_writing(self, move: str) -> None:
        with pytest.raises(ConversionError, match="move"):
            to_text(read_document(PLAIN | {"moves": [move]}))

    @pytest.mark.parametrize(
        "move",
        [
            "FV",
            "12",
            "a.1",
            "-1.",
            ".",
            "[x]",
            '"',
            "\\",
            "é",
            "\u00a0",
            "\u2028",
            "\x1c",
            "\x00",
            "\ufeff",
            "#",
            "*",
            "1",
            "٣.",
        ],
    )
    def test_any_other_move_has_one(self, move: str) -> None:
        log = read_document(PLAIN | {"moves": [move, move, "FV"]})
        assert read_text(to_text(log)) == log

    @pytest.mark.parametrize("card", ["", "a b", "\n", "\t"])
    def test_a_card_without_a_text_writing(self, card: str) -> None:
        with pytest.raises(ConversionError, match="card"):
            to_text(read_document(PLAIN | {"deck": ["FV", card]}))

    @pytest.mark.parametrize("card", ["XX", "[", '"', "\\n", "}", "é", "\u2028", "1."])
    def test_any_other_card_has_one(self, card: str) -> None:
        log = read_document(PLAIN | {"deck": [card, "FV"]})
        assert read_text(to_text(log)) == log

    @pytest.mark.parametrize(
        "house",
        [
            {"a": None},
            {"a": 1.5},
            {"a": []},
            {"a": {}},
            {"a": "true"},
            {"a": "1"},
            {"a": "two words"},
            {"a": "é"},
            {"a": ""},
            {"a": 10**9 + 1},
            {"": 1},
            {"a b": 1},
            {"a=": 1},
            {"a\n": 1},
        ],
    )
    def test_a_house_rule_without_a_text_writing(self, house: dict[str, Any]) -> None:
        with pytest.raises(ConversionError, match="house"):
            to_text(read_document(PLAIN | {"house": house}))

    def test_a_house_rule_nested_as_deeply_as_can_be_read(self) -> None:
        deep: object = 1
        for _ in range(5000):
            deep = [deep]
        with pytest.raises(ConversionError, match="house"):
            to_text(read_document(PLAIN | {"house": {"a": deep}}))

    def test_any_other_house_rule_has_one(self) -> None:
        log = read_document(PLAIN | {"house": {"a": True, "b": False, "c": -7, "d": 10**9, "e": "word_", '"é': 0}})
        assert read_text(to_text(log)) == log

    @pytest.mark.parametrize(
        "change", [{"teams": {}}, {"teams": {"A": []}}, {"seats": []}, {"claim": {}}, {"deck": []}]
    )
    def test_what_is_empty_stays_empty(self, change: dict[str, Any]) -> None:
        log = read_document(PLAIN | change)
        assert read_text(to_text(log)) == log

    def test_the_order_of_teams_and_tags_is_kept(self) -> None:
        log = read_document(PLAIN | {"teams": {"B": ["b1"], "A": ["a1"]}, "tags": {"Z": "1", "A": "2"}})
        again = read_text(to_text(log))
        assert ([*again.teams], [*again.tags]) == (["B", "A"], ["Z", "A"])

    def test_moves_are_written_in_lines_that_a_person_can_read(self) -> None:
        text = to_text(simulate("classique", 2, 1, 1, closed=False))
        tags, _, moves = text.partition("\n\n")
        assert all(line.startswith("[") and line.endswith('"]') for line in tags.splitlines())
        assert max(map(len, moves.splitlines())) <= 120
        assert text.endswith("\n")
