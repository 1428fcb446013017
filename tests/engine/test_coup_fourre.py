"""RULES 6: the coup-fourré."""

import pytest

from engine.cards import ATTAQUES, SHIELDED_BY
from engine.rulebooks import RULEBOOKS
from tests.engine.tables import Manche, stacked

EVERY_RULEBOOK = pytest.mark.parametrize("rulebook", [*RULEBOOKS])
GO_ON_EMPTY = pytest.mark.parametrize(
    ("rulebook", "goes_on"), [("classique", False), ("moderne", True), ("fournier", True), ("dujardin-2010", True)]
)
OPEN_OR_CLOSED = pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])


class TestWhen:
    """RULES 6.1: it answers the attack that was just played."""

    @pytest.mark.parametrize("attack", ATTAQUES)
    def test_by_the_shield_of_that_attack_alone(self, attack: str) -> None:
        manche = Manche().play(f"a1:FV b1:{attack}>A")
        for botte in ("VP", "CI", "IN", "AS"):
            assert manche.refusal(f"a1:{botte}!") == (None if botte == SHIELDED_BY[attack] else "no-coup-fourre")

    def test_not_before_any_attack(self) -> None:
        assert Manche().refusal("a1:VP!") == "no-coup-fourre"

    @pytest.mark.parametrize("between", ["a1:-25", "a1:FL", "a1:CI"])
    def test_not_after_any_other_move(self, between: str) -> None:
        manche = Manche().play(f"a1:FV b1:LV>A {between}")
        assert manche.refusal("a1:VP!") == "no-coup-fourre"

    def test_not_twice(self) -> None:
        manche = Manche("classique", "2x2").play("a1:FV b1:LV>A a2:VP!")
        assert manche.refusal("a1:VP!") == "no-coup-fourre"
        assert manche.refusal("a2:VP!") == "no-coup-fourre"

    def test_not_once_the_botte_is_played(self) -> None:
        manche = Manche().play("a1:FV b1:CI b1:PE>A")
        assert manche.refusal("a1:CI!") == "too-many-copies"


class TestWho:
    """RULES 6.2: any player of the attacked team, whoever's turn it would be."""

    @pytest.mark.parametrize("player", ["c1", "c2"])
    def test_either_partner(self, player: str) -> None:
        manche = Manche("classique", "3x2").play("a1:LV>C")
        assert manche.refusal(f"{player}:VP!") is None

    @pytest.mark.parametrize("player", ["a1", "a2", "b1", "b2"])
    def test_nobody_of_another_team(self, player: str) -> None:
        assert Manche("classique", "3x2").play("a1:LV>C").refusal(f"{player}:VP!") == "no-coup-fourre"

    def test_who_of_several_partners_must_be_said(self) -> None:
        assert Manche("classique", "3x2").play("a1:LV>C").refusal("VP!") == "player-required"

    def test_a_single_player_need_not_be_named(self) -> None:
        manche = Manche("classique", "3x1").play("a1:LV>C VP!")
        assert manche.turn == "c1"
        assert manche.display("C").bottes == {"VP"}

    def test_who_does_not_hold_the_botte_cannot(self) -> None:
        manche = Manche("classique", "2x2", deck=stacked("classique", "2x2", a1="LV", b2="VP")).play("a1:LV>B")
        assert manche.refusal("b1:VP!") == "not-in-hand"
        assert manche.refusal("b2:VP!") is None

    def test_the_card_that_one_would_draw_is_no_card_in_hand(self) -> None:
        manche = Manche(deck=stacked(a1="LV", draws="FV VP")).play("a1:LV>B")
        assert manche.table.drawing() is not None
        assert manche.refusal("b1:VP!") == "not-in-hand"
        assert manche.refusal("b1:VP") is None


class TestThePiles:
    """RULES 6.2 and 6.3: they are as before the attack, and the botte does not stand in its place."""

    @EVERY_RULEBOOK
    @pytest.mark.parametrize("attack", ATTAQUES)
    def test_the_team_rolls_on_at_once(self, rulebook: str, attack: str) -> None:
        manche = Manche(rulebook).play("a1:25" if rulebook == "moderne" else "a1:FV")
        before = manche.display("A")
        manche.play(f"b1:{attack}>A a1:{SHIELDED_BY[attack]}!")
        assert manche.display("A") == before._replace(bottes=frozenset({SHIELDED_BY[attack]}))
        assert manche.refusal("a1:200") is None

    @EVERY_RULEBOOK
    def test_a_team_that_has_not_started_has_not_started(self, rulebook: str) -> None:
        manche = Manche(rulebook).play("a1:LV>B b1:VP!")
        assert manche.refusal("b1:200") == ("stopped" if rulebook == "dujardin-2010" else None)

    def test_an_older_limit_stays_but_for_vp(self) -> None:
        manche = Manche().play("a1:FV b1:LV>A a1:-25 b1:PE>A a1:CI!")
        assert manche.display("A").limited
        manche = Manche().play("a1:FV b1:LV>A a1:-25 b1:FR>A a1:VP!")
        assert not manche.display("A").limited

    @EVERY_RULEBOOK
    def test_a_feu_rouge_that_vp_takes_too_is_lifted(self, rulebook: str) -> None:
        manche = Manche(rulebook).play("a1:25" if rulebook == "moderne" else "a1:FV")
        before = manche.display("A")
        manche.play("b1:FR>A a1:-25 b1:LV>A a1:VP!")
        assert manche.display("A") == before._replace(bottes=frozenset({"VP"}))

    def test_a_parade_that_lay_under_the_attack_still_wants_no_feu_vert_with_vp(self) -> None:
        manche = Manche().play("a1:FV b1:CR>A a1:RS b1:-25 a1:VP a1:-25 b1:AC>A a1:AS!")
        assert manche.display("A").base.name == "PARADE"
        assert manche.refusal("a1:100") is None


class TestDraws:
    """RULES 6.3: the player completes the hand, then has the turn: draws and plays."""

    def test_two_cards_leave_the_sabot_before_the_player_has_played(self) -> None:
        manche = Manche(deck=stacked(a1="LV", b1="VP", draws="FV 25 50 75")).play("a1:LV>B b1:VP!")
        assert manche.table.sabot_left == 94 - 2
        assert sorted(manche.hand("b1")).count("25") == 1
        assert len(manche.hand("b1")) == 6
        for card in ("25", "50"):
            assert manche.refusal(f"b1:{card}") is None
        assert manche.refusal("b1:75") == "not-in-hand"
        manche.play("b1:25")
        assert manche.table.sabot_left == 94 - 3
        assert len(manche.hand("b1")) == 6

    def test_the_last_card_completes_the_hand_and_none_is_left_to_draw(self) -> None:
        manche = Manche(deck=stacked(a1="LV", b1="VP", last="FV 25")).empty_sabot(leave=2)
        manche.play("a1:LV>B b1:VP!")
        assert manche.table.sabot_left == 0
        assert (manche.turn, len(manche.hand("b1"))) == ("b1", 6)
        manche.play("b1:25")
        assert len(manche.hand("b1")) == 5


class TestTurn:
    """RULES 6.3: the player has the turn, whoever's it would be; the seats between are skipped."""

    @OPEN_OR_CLOSED
    def test_the_seats_between_are_skipped(self, closed: bool) -> None:
        manche = Manche("classique", "4x2", deck=stacked("classique", "4x2", a1="LV", c2="VP") if closed else None)
        manche.play("a1:LV>C c2:VP!")
        assert manche.refusal("b1:-25") == "not-your-turn"
        manche.discard()
        assert manche.turn == "d2"

    def test_it_may_go_back_to_the_attackers_side(self) -> None:
        manche = Manche("classique", "3x1").discard().play("b1:LV>A a1:VP! a1:-25")
        assert manche.turn == "b1"

    def test_the_botte_gives_no_go_beside_that_turn(self) -> None:
        manche = Manche().play("a1:LV>B b1:VP! b1:-25")
        assert manche.turn == "a1"


class TestEmptySabot:
    """RULES 6.4, and RULES 12 `go_on_empty_sabot`."""

    @GO_ON_EMPTY
    @OPEN_OR_CLOSED
    def test_with_two_seats_the_player_has_the_turn_anyhow(self, rulebook: str, goes_on: bool, closed: bool) -> None:
        deck = stacked(rulebook, a1="LV", b1="VP") if closed else None
        manche = Manche(rulebook, deck=deck).empty_sabot(keep="LV VP")
        manche.pass_to("a1", keep="LV VP")
        held = manche.table.cards_held(1)
        manche.play("a1:LV>B b1:VP!")
        assert manche.turn == "b1"
        assert manche.table.cards_held(1) == held - 1

    @GO_ON_EMPTY
    @OPEN_OR_CLOSED
    def test_with_three_the_rulebook_says_who_is_next(self, rulebook: str, goes_on: bool, closed: bool) -> None:
        hands = {"a1": "LV", "b1": "LV", "c1": "LV"}
        manche = Manche(rulebook, "3x1").empty_sabot(keep="LV VP")
        attacker = manche.turn
        order = ["a1", "b1", "c1"] * 2
        following, victim = order[order.index(attacker) + 1], order[order.index(attacker) + 2]
        if closed:
            deck = stacked(rulebook, "3x1", **{attacker: hands[attacker], victim: "VP"})
            manche = Manche(rulebook, "3x1", deck=deck).empty_sabot()
        manche.play(f"{attacker}:LV>{victim[0].upper()} {victim}:VP!")
        assert manche.turn == (victim if goes_on else following)

    @GO_ON_EMPTY
    def test_emptiness_is_judged_when_the_botte_is_exposed(self, rulebook: str, goes_on: bool) -> None:
        manche = Manche(rulebook, "3x1").empty_sabot(leave=2, keep="LV VP")
        order = ["a1", "b1", "c1"] * 2
        victim = order[order.index(manche.turn) + 2]
        manche.play(f"{manche.turn}:LV>{victim[0].upper()}")
        assert manche.table.sabot_left == 1
        manche.play(f"{victim}:VP!")
        assert manche.table.sabot_left == 0
        assert manche.turn == victim

    def test_a_player_whose_last_card_was_the_botte_is_passed_over(self) -> None:
        manche = Manche("moderne", "3x1").empty_sabot(keep="LV VP").discard(15, keep="LV VP")
        attacker = manche.turn
        order = ["a1", "b1", "c1"] * 2
        following, victim = order[order.index(attacker) + 1], order[order.index(attacker) + 2]
        manche.play(f"{attacker}:LV>{victim[0].upper()} {victim}:VP!")
        assert manche.turn == following
        assert manche.end is None


class TestOpenLog:
    """RULES 9 and 10.5: hands are not known, but how many cards a seat holds is."""

    def test_from_an_empty_hand_it_is_refused(self) -> None:
        # a1 lays down two bottes more than b1, so has an empty hand when b1 attacks; VP is in b1's own hand
        manche = Manche("moderne").empty_sabot(keep="VP CI IN AS LV 25 25 25 25 25 25 25")
        manche.play("a1:CI a1:-25 b1:-25 a1:IN a1:-25 b1:-25 a1:AS a1:-25 b1:LV>A")
        assert manche.table.held == [0, 3]
        assert manche.refusal("a1:VP!") == "not-in-hand"
        assert manche.refusal("b1:VP") is None

    def test_not_even_by_the_partner_of_one_who_has_cards(self) -> None:
        manche = Manche("moderne", "2x2").empty_sabot(keep="VP CI IN AS LV" + " 25" * 7 + " 50" * 6 + " 75" * 6)
        while manche.table.held[0]:
            bottes = {"CI", "IN", "AS"} - manche.display("A").bottes
            manche.play(f"a1:{min(bottes)}") if manche.turn == "a1" and bottes else manche.discard(
                keep="VP CI IN AS LV"
            )
        manche.pass_to("b1", keep="VP LV")
        manche.play("b1:LV>A")
        assert manche.table.held[2] > 0
        assert manche.refusal("a1:VP!") == "not-in-hand"
        assert manche.refusal("a2:VP!") is None

    def test_a_copy_too_many_is_said_first(self) -> None:
        manche = Manche("moderne").empty_sabot(keep="VP CI IN AS PE 25 25 25 25 25 25 25")
        manche.play("a1:VP a1:-25 b1:CI b1:-25 a1:IN a1:-25 b1:-25 a1:AS a1:-25 b1:PE>A")
        assert manche.table.held[0] == 0
        assert manche.refusal("a1:CI!") == "too-many-copies"


@EVERY_RULEBOOK
def test_it_is_counted_beside_the_botte(rulebook: str) -> None:
    """RULES 10: `coups_fourres` and `bottes` of the outcome, both sorted by code."""
    start = "a1:25" if rulebook == "moderne" else "a1:FV"
    manche = Manche(rulebook).play(f"{start} b1:PE>A a1:CI! a1:-25 b1:AC>A a1:AS! a1:IN a1:-25 *")
    team = manche.outcome()["teams"]["A"]
    assert (team["bottes"], team["coups_fourres"]) == (["AS", "CI", "IN"], ["AS", "CI"])
    assert manche.outcome()["teams"]["B"]["coups_fourres"] == []
