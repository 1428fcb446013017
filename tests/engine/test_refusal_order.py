"""RULES 10: where two codes apply, the one that is tried first is said."""

from typing import Any

import pytest

from engine.moves import is_label
from engine.notation import to_document
from engine.replay import judge
from engine.simulate import simulate
from tests.engine.tables import Manche, stacked

WHOLE_LOG: list[tuple[str, dict[str, Any]]] = [
    ("malformed-log", {"claim": {"A": "many"}}),
    ("unknown-rulebook", {"rulebook": "bridge"}),
    ("bad-house", {"house": {"third_200": True}}),
    ("bad-table", {"seats": ["a1", "a1"]}),
    ("bad-target", {"target": 900}),
    ("bad-deck", {"deck": ["25"]}),
]


@pytest.mark.parametrize("first", range(len(WHOLE_LOG)), ids=[code for code, _ in WHOLE_LOG])
def test_the_log_as_a_whole(first: int) -> None:
    """RULES 10.1: no index; the first of these, before any move is looked at."""
    document = to_document(simulate("classique", 2, 1, 1)) | {"moves": ["nonsense"]}
    for _, change in WHOLE_LOG[first:]:
        document |= change
    if first > 1:
        document["rulebook"] = "dujardin-2010"
    verdict = judge(document)
    assert (verdict.code, verdict.at) == (WHOLE_LOG[first][0], None)


@pytest.mark.parametrize(
    "move",
    [
        "", " ", "a1", "a1:", ":FV", "a1:a1:FV", "XX", "fv", "a1:FV ", " a1:FV", "a1: FV", "-", "--25", "-XX", "a1-25",
        "25-", "100>", "FR>", ">B", "FR>B>A", "FR>B!", "FR>1", "FR>é", "FR>" + "b" * 17, "1a:FV", "é:FV",
        "a" * 17 + ":FV", "FV!", "100!", "FR!", "VP+", "FV+", "FR+", "LV>B+", "-VP!", "-100+", "-FR>B", "VP!>A", "VP!!",
        "100++", "100+!", "#a1", "a1:#", "b1:*", "##", "**", "#!", "-#", "100 ", "100\n", "\n100", "１００", "FV\x00",
        "\ufeffFV", "0100", "FV#",
    ],
)  # fmt: skip
def test_malformed_moves(move: str) -> None:
    """RULES 9 and 10.2: a move's form; also a mark on a card that cannot bear it, and any mark on a discard."""
    assert Manche().refusal(move) == "malformed"
    assert Manche().play("*").refusal(move) == "malformed"


@pytest.mark.parametrize("label", ["b", "B", "b" * 16, "b_1", "Zz09_"])
def test_labels(label: str) -> None:
    """RULES 9: a letter, then up to 15 of `A-Z a-z 0-9 _`."""
    assert is_label(label)
    assert Manche().refusal(f"{label}:FV") == "unknown-player"
    assert Manche().refusal(f"LV>{label}") == (None if label == "B" else "unknown-team")


def order(before: str, move: str, code: str, *, passed: str, table: str = "2x1", rulebook: str = "classique") -> Any:
    """A case: after the moves `before`, `move` is refused with `code`, though `passed` applies too."""
    return pytest.param(rulebook, table, before, move, code, id=f"{code}-before-{passed}")


ON_900 = "FV FV 200 -25 200 -25 100 -25 100 -25 100 -25 100 -25 100 -25"
ON_650 = "FV FV 200 -25 200 -25 100 -25 100 -25 50 -25"


@pytest.mark.parametrize(
    ("rulebook", "table", "before", "move", "code"),
    [
        # step 2: the form
        order("", "zz:XX", "malformed", passed="unknown-player"),
        order("*", "XX", "malformed", passed="after-end"),
        order("*", "zz:FV", "unknown-player", passed="after-end"),
        order("", "zz:VP!", "unknown-player", passed="no-coup-fourre"),
        order("", "zz:FR>Z", "unknown-player", passed="unknown-team"),
        # step 3: the manche is over
        order("*", "#", "after-end", passed="not-blocked"),
        order("*", "a1:VP!", "after-end", passed="no-coup-fourre"),
        order("*", "b1:FV", "after-end", passed="not-your-turn"),
        # step 5: the coup-fourré
        order("a1:LV>B", "CI!", "no-coup-fourre", passed="player-required", table="2x2"),
        order("", "b1:VP!", "no-coup-fourre", passed="not-your-turn"),
        order("a1:VP a1:LV>B", "a1:VP!", "no-coup-fourre", passed="too-many-copies"),
        order("a1:CI a1:-25 b1:FV a1:PE>B", "b1:CI!", "too-many-copies", passed="a-legal-coup-fourre"),
        # step 6: the turn
        order("a1:VP a1:-25 b1:-25", "b1:VP", "not-your-turn", passed="too-many-copies"),
        order("", "b1:FR", "not-your-turn", passed="target-required"),
        order("", "b1:100", "not-your-turn", passed="stopped"),
        # step 7: the card
        order("a1:VP a1:-25 b1:-25", "a1:VP>B", "too-many-copies", passed="not-an-attack"),
        order("a1:VP a1:-25 b1:-25", "a1:-VP", "too-many-copies", passed="a-legal-discard"),
        order("-LV -LV -LV -LV", "LV", "too-many-copies", passed="target-required"),
        order("-LV -LV -LV -LV", "LV>Z", "too-many-copies", passed="unknown-team"),
        order("-LV -LV -LV -LV", "LV>A", "too-many-copies", passed="own-team"),
        order("-200 -200 -200 -200", "200", "too-many-copies", passed="stopped"),
        # step 9: attacks
        order("FV FV", "FR>Z", "unknown-team", passed="own-team"),
        order("VP -25 -25", "FR>A", "own-team", passed="immune"),
        order("-25 LV>A", "LV>A", "own-team", passed="already-limited"),
        order("", "FR>A", "own-team", passed="target-stopped"),
        order("-25 CI -25", "PE>B", "immune", passed="target-stopped"),
        order("", "100>B", "not-an-attack", passed="stopped"),
        order("", "FL>Z", "not-an-attack", passed="unknown-team"),
        order("", "FL>A", "not-an-attack", passed="not-limited"),
        # step 10: étapes
        order("-25 LV>A", "100", "stopped", passed="speed-limited"),
        order("FV -25 200 -25 200 FR>A", "200", "stopped", passed="third-200"),
        order(f"{ON_900} -50 FR>A", "200", "stopped", passed="over-target"),
        order("", "100+", "stopped", passed="no-extension"),
        order("FV -25 200 -25 200 LV>A", "200", "speed-limited", passed="third-200"),
        order(f"{ON_900} -50 LV>A", "200", "speed-limited", passed="over-target"),
        order("FV LV>A", "100+", "speed-limited", passed="no-extension"),
        order(ON_900, "200", "third-200", passed="over-target"),
        order("FV -25 200 -25 200 -25", "200+", "third-200", passed="no-extension"),
        order(ON_650, "100+", "over-target", passed="no-extension", rulebook="fournier"),
    ],
)  # fmt: skip
def test_the_code_that_is_tried_first(rulebook: str, table: str, before: str, move: str, code: str) -> None:
    """RULES 10, steps 2 to 11, in an open log."""
    assert Manche(rulebook, table).play(before).refusal(move) == code


class TestClosed:
    """Steps 5 to 7 where the hands are known."""

    def test_the_turn_is_asked_before_the_hand(self) -> None:
        assert Manche(deck=stacked(a1="FV")).refusal("b1:FV") == "not-your-turn"

    @pytest.mark.parametrize("move", ["VP>B", "-VP", "VP", "FR", "FR>Z", "FR>A", "200", "200+", "FV"])
    def test_the_hand_is_asked_before_all_that_follows(self, move: str) -> None:
        assert Manche(deck=stacked(draws="ES")).refusal(f"a1:{move}") == "not-in-hand"

    def test_the_attacked_team_is_asked_before_the_hand(self) -> None:
        manche = Manche("classique", "3x1", deck=stacked("classique", "3x1", a1="LV")).play("a1:LV>B")
        assert manche.refusal("c1:VP!") == "no-coup-fourre"
        assert manche.refusal("b1:VP!") == "not-in-hand"

    def test_no_copy_is_too_many_where_the_hands_are_known(self) -> None:
        manche = Manche(deck=stacked(a1="VP", draws="FV")).play("a1:VP")
        assert manche.refusal("a1:-VP") == "not-in-hand"


def test_codes_that_have_no_neighbour() -> None:
    """RULES 10.9 and 10.11: each in its plainest situation."""
    manche = Manche().play("FV FV")
    for move, code in {
        "FR": "target-required",
        "LV": "target-required",
        "FR>Z": "unknown-team",
        "FL": "not-limited",
        "FV": "needless-feu-vert",
        "ES": "nothing-to-repair",
        "RS": "nothing-to-repair",
        "RE": "nothing-to-repair",
        "#": "not-blocked",
    }.items():
        assert manche.refusal(move) == code
        assert manche.refusal(move if move == "#" else f"a1:{move}") == code


def test_an_unknown_team_is_not_one_that_is_elsewhere_a_player() -> None:
    """RULES 9: the target of an attack is a team's label, not a seat's."""
    assert Manche().play("FV FV").refusal("FR>b1") == "unknown-team"


@pytest.mark.parametrize("at", [0, 5, 17])
def test_the_first_refused_move_is_said_though_a_later_one_is_worse(at: int) -> None:
    """RULES 10: a replay stops at the first move that the rules refuse."""
    log = simulate("classique", 2, 1, 3)
    moves = [*log.moves[:at], "a1:FR", "nonsense", *log.moves[at:]]
    verdict = judge(log._replace(moves=moves, deck=None))
    assert (verdict.valid, verdict.at) == (False, at)
    assert verdict.code in ("target-required", "not-your-turn")
