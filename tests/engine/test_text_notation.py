"""The text writing of `bornes/1`: its grammar, its faults, and conversion without loss (RULES 9)."""

from typing import Any

import pytest

from engine.notation import HandLog, read_document
from engine.simulate import simulate
from engine.text_notation import ConversionError, read_text, to_text
from tests.engine.readings import PLAIN, TEXT, fault


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
