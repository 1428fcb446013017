"""RULES 10: a refusal explains itself."""

import json
from string import Formatter
from typing import Any, NamedTuple

import pytest

from engine.messages import CARD_NAMES, Message
from engine.notation import FormatError, HandLog, read_json
from engine.refusals import PARAGRAPHS, Refusal
from engine.replay import judge
from engine.rulebooks import HOUSE_KEYS, RULEBOOKS
from engine.simulate import simulate
from tests.engine.tables import Manche, closing, stacked


class Case(NamedTuple):
    """After the moves `before`, `move` by `player` is refused with `code`, in a sentence that says `params`."""

    code: str
    before: str
    move: str
    player: str | None
    params: dict[str, Any]
    rulebook: str = "classique"
    table: str = "2x1"


ON_650 = "FV FV 200 -25 200 -25 100 -25 100 -25 50 -25"
CASES = [
    Case("malformed", "", "a1:FV?", None, {"move": "a1:FV?"}),
    Case("unknown-player", "", "z9:FV", None, {"move": "z9:FV"}),
    Case("after-end", "*", "a1:FV", "a1", {}),
    Case("not-blocked", "a1:FV", "#", "b1", {}),
    Case("no-coup-fourre", "a1:LV>B", "b1:CI!", "b1", {"card": "CI"}),
    Case("player-required", "a1:LV>C", "VP!", None, {"team": "C"}, table="3x2"),
    Case("not-your-turn", "a1:FV", "a1:100", "a1", {"turn": "b1", "player": "a1"}),
    Case("target-required", "", "LV", "a1", {"card": "LV"}),
    Case("unknown-team", "", "a1:LV>Z", "a1", {}),
    Case("own-team", "", "a1:LV>A", "a1", {}),
    Case("immune", "a1:CI a1:FV", "b1:PE>A", "b1", {"victim": "A", "botte": "CI", "card": "PE"}),
    Case("already-limited", "a1:LV>D b1:-25", "LV>D", "c1", {"victim": "D"}, table="4x1", rulebook="moderne"),
    Case("target-stopped", "", "a1:AC>B", "a1", {"victim": "B", "card": "AC"}),
    Case("not-an-attack", "", "a1:100>B", "a1", {"card": "100"}),
    Case("stopped", "", "a1:100", "a1", {"team": "A"}),
    Case("stopped", "FV CR>A RS -25", "25", "a1", {"team": "A"}),
    Case("stopped", "FV PE>A", "25", "a1", {"team": "A", "attack": "PE", "answer": "ES"}),
    Case("speed-limited", "FV LV>A", "75", "a1", {"team": "A"}),
    Case("third-200", "FV -25 200 -25 200 -25", "200", "a1", {"team": "A"}),
    Case("over-target", ON_650, "100", "a1", {"team": "A", "km": 650, "card": "100", "target": 700}, "fournier"),
    Case("no-extension", "FV -25", "100+", "a1", {}),
    Case("not-limited", "FV -25", "a1:FL", "a1", {"team": "A"}),
    Case("needless-feu-vert", "FV -25", "FV", "a1", {"team": "A"}),
    Case("needless-feu-vert", "FV AC>A", "FV", "a1", {"attack": "AC", "team": "A", "answer": "RE"}),
    Case("nothing-to-repair", "FV -25", "RS", "a1", {"card": "RS", "team": "A"}),
]
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=[f"{case.code}-{number}" for number, case in enumerate(CASES)])


def explained(log: HandLog) -> Refusal:
    """Why a log is refused."""
    assert not judge(log).valid
    refusal = judge(log).refusal
    assert refusal is not None
    check_message(refusal.message)
    json.dumps([refusal.state, refusal.message.params], allow_nan=False)
    return refusal


def check_message(message: Message) -> None:
    """Every placeholder is filled, with something, and nothing is handed over that the sentence does not say."""
    wanted = {name for _, name, _, _ in Formatter().parse(message.text) if name}
    assert set(message.params) == wanted
    assert None not in message.params.values()
    sentence = str(message)
    assert "{" not in sentence
    assert "None" not in sentence
    assert sentence.endswith(".")


@EVERY_CASE
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_the_move_its_player_and_the_rule_in_a_sentence(case: Case, closed: bool) -> None:
    manche = Manche(case.rulebook, case.table).play(case.before)
    log = manche.log._replace(moves=[*manche.log.moves, case.move])
    if closed:
        log = log._replace(deck=closing(manche.log, case.move))
    refusal = explained(log)
    assert (refusal.code, refusal.at, refusal.move) == (case.code, len(manche.log.moves), case.move)
    assert refusal.player == case.player
    assert refusal.paragraph == PARAGRAPHS[case.code]
    assert refusal.message.params == case.params
    assert refusal.state is not None
    assert refusal.state["turn"] == manche.turn
    assert (refusal.state["hand"] is None) != closed


def test_every_code_of_a_move_is_among_the_cases() -> None:
    whole = {"malformed-log", "unknown-rulebook", "bad-house", "bad-table", "bad-target", "bad-deck"}
    elsewhere = {"not-in-hand", "too-many-copies", "incomplete"}
    assert {case.code for case in CASES} == set(PARAGRAPHS) - whole - elsewhere


class TestCardsAndHands:
    """The codes that differ between open and closed logs."""

    def test_a_card_that_is_not_in_hand(self) -> None:
        manche = Manche(deck=stacked(a1="25 25 50 75 FL FL", draws="100"))
        refusal = explained(manche.log._replace(moves=["a1:FV"]))
        assert refusal.message.params == {"player": "a1", "card": "FV"}
        assert refusal.state is not None
        assert (refusal.state["hand_of"], refusal.state["hand"]) == ("a1", ["25", "25", "50", "75", "100", "FL", "FL"])

    @pytest.mark.parametrize("move", ["c1:VP!", "VP!"])
    def test_a_coup_fourre_shows_the_hand_of_who_wanted_to_play_it(self, move: str) -> None:
        deck = stacked("classique", "3x1", a1="LV", c1="25 25 50 75 75 100")
        refusal = explained(Manche("classique", "3x1", deck=deck).log._replace(moves=["a1:LV>C", move]))
        assert refusal.player == "c1"
        assert refusal.message.params == {"player": "c1", "card": "VP"}
        assert refusal.state is not None
        assert (refusal.state["turn"], refusal.state["hand_of"]) == ("b1", "c1")
        assert refusal.state["hand"] == ["25", "25", "50", "75", "75", "100"]

    def test_more_copies_than_the_deck_has(self) -> None:
        refusal = explained(Manche().play("a1:VP a1:-25 b1:-25").log._replace(moves=["VP", "-25", "-25", "a1:-VP"]))
        assert refusal.message.params == {"card": "VP"}
        assert refusal.state is not None
        assert refusal.state["hand"] is None

    def test_an_open_hand_without_a_card(self) -> None:
        manche = Manche("moderne").empty_sabot(keep="VP CI IN AS LV 25 25 25 25 25 25 25")
        manche.play("a1:CI a1:-25 b1:-25 a1:IN a1:-25 b1:-25 a1:AS a1:-25 b1:LV>A")
        refusal = explained(manche.log._replace(moves=[*manche.log.moves, "a1:VP!"]))
        assert (refusal.code, refusal.player) == ("not-in-hand", "a1")
        assert refusal.message.params == {"player": "a1"}


def test_the_end_of_a_log_that_is_not_the_end_of_the_manche() -> None:
    refusal = explained(Manche().play("a1:FV").log)
    assert (refusal.code, refusal.at, refusal.move, refusal.player) == ("incomplete", 1, None, "b1")


def test_the_state_that_made_the_move_illegal() -> None:
    """Piles, km, limit, the sabot before the draw, the target, the call."""
    manche = Manche("fournier").play(
        "FV FV 200 -25 200 -25 100 -25 100 -25 100+ PE>A ES 100 -25 200 CI -25 LV>A -25 -25"
    )
    refusal = explained(manche.log._replace(moves=[*manche.log.moves, "a1:100"]))
    assert refusal.state == {
        "turn": "a1",
        "sabot_left": 101 - 12 - len(manche.log.moves),
        "target": 1000,
        "extension": "A",
        "hand_of": "a1",
        "hand": None,
        "teams": {
            "A": {
                "km": 700,
                "n200": 2,
                "rolls": False,
                "attack": None,
                "under": "parade",
                "limited": True,
                "bottes": ["CI"],
            },
            "B": {
                "km": 300,
                "n200": 1,
                "rolls": True,
                "attack": None,
                "under": "feu-vert",
                "limited": False,
                "bottes": [],
            },
        },
    }


def test_an_attack_is_shown_with_what_lies_under_it() -> None:
    refusal = explained(Manche().play("FV FR>A").log._replace(moves=["FV", "FR>A", "25"]))
    assert refusal.state is not None
    assert (refusal.state["teams"]["A"]["attack"], refusal.state["teams"]["A"]["under"]) == ("FR", "feu-vert")


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({"rulebook": "bridge"}, "unknown-rulebook", "bridge"),
        ({"house": {"x": 1}}, "bad-house", "x"),
        ({"house": {"capot_to": 1}}, "bad-house", "each_opponent, driving_opponents, shutout_winner"),
        ({"seats": ["a1"]}, "bad-table", "alternate"),
        ({"target": 900}, "bad-target", "900"),
        ({"deck": []}, "bad-deck", "of this table: 25 km 0 times, not 10."),
        ({"deck": ["25"] * 11}, "bad-deck", "of this table: 25 km 11 times, not 10."),
        ({"deck": ["25", "XX", "FV"]}, "bad-deck", "“XX”, which is no card"),
    ],
)
def test_the_log_as_a_whole(change: dict[str, Any], code: str, said: str) -> None:
    refusal = explained(simulate("classique", 2, 1, 1)._replace(**change))
    assert (refusal.code, refusal.at, refusal.move, refusal.player, refusal.state) == (code, None, None, None, None)
    assert refusal.paragraph == PARAGRAPHS[code]
    assert said in str(refusal.message)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ([], "an object is expected"),
        ({"format": "bornes/2"}, "bornes/1"),
        ({"format": "bornes/1", "rulebook": "x"}, "teams"),
        ({"format": "bornes/1", "rulebook": "x", "teams": {}, "seats": [], "moves": ["a", 2]}, "moves[1]"),
    ],
)
def test_what_is_no_log(document: object, said: str) -> None:
    assert not judge(document).valid
    refusal = judge(document).refusal
    assert refusal is not None
    check_message(refusal.message)
    assert refusal.code == "malformed-log"
    assert said in str(refusal.message)


def test_a_team_that_does_not_roll_is_told_what_it_wants() -> None:
    """One code, and a sentence of its own for a team that has not started, must go green, or is under an attack."""
    sentences = set()
    for case in CASES:
        if case.code in ("stopped", "needless-feu-vert"):
            manche = Manche().play(case.before)
            sentences.add(explained(manche.log._replace(moves=[*manche.log.moves, case.move])).message.text)
    assert len(sentences) == 5


@pytest.mark.parametrize("key", HOUSE_KEYS)
@pytest.mark.parametrize("value", [None, -1, 5001, 2.5, "x", [], {}])
def test_every_house_rule_says_what_it_may_be(key: str, value: object) -> None:
    refusal = explained(simulate("classique", 2, 1, 1)._replace(house={key: value}))
    assert refusal.code == "bad-house"
    assert key in str(refusal.message)


@pytest.mark.parametrize("hostile", ["{move}", "{", "}", "{0}", "%s", "<b>", "\x00", "\ud800", "\u2028", "x" * 10_000])
def test_what_a_stranger_wrote_is_shown_and_never_read(hostile: str) -> None:
    """It stands in the sentence as it is, short, and can be stored and sent."""
    log = Manche().log
    for refusal in (
        judge(log._replace(moves=[hostile])).refusal,
        judge(log._replace(rulebook=hostile)).refusal,
        judge(log._replace(house={hostile: 1})).refusal,
        judge({"format": hostile}).refusal,
        judge({"format": "bornes/1", "rulebook": "x", "teams": {hostile: []}, "seats": [], "moves": []}).refusal,
    ):
        assert refusal is not None
        text = json.dumps([str(refusal.message), refusal.message.params, refusal.move], ensure_ascii=False)
        text.encode("utf-8")
        assert "\\u0000" not in text
        assert len(text) < 1000


def test_every_card_has_a_name() -> None:
    assert set(CARD_NAMES) == set(RULEBOOKS["classique"].tables[0].deck)


def test_the_sentence_names_the_place_in_a_json_text() -> None:
    raw = '{"format": "bornes/1",\n "rulebook": "x", "teams": {}, "seats": [],\n "moves": [3]}'
    with pytest.raises(FormatError, match="line 3, column 12"):
        read_json(raw)
