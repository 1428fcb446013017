"""Faults that other engines of this game are known to have: each is shown not to be one of ours."""

import random

import pytest

from engine.notation import to_document
from engine.replay import judge
from engine.simulate import simulate
from scoring.points import score
from tests.engine.tables import Manche, stacked


def points(manche: Manche, team: str) -> dict[str, int]:
    """The score lines of a team at the end of a manche."""
    verdict = manche.verdict()
    assert verdict.outcome is not None, verdict.code
    assert verdict.rulebook is not None
    scores = score(verdict.outcome, verdict.rulebook)
    assert scores is not None
    return scores[team]["lines"]


class TestCoupFourreOnALimiteTakesTheTopOfTheBattlePile:
    """RULES 6.2: the attack goes and the piles are as before it; only VP takes an FR too."""

    def test_a_feu_vert_stays_and_the_team_rolls(self) -> None:
        manche = Manche().play("a1:FV b1:LV>A a1:VP!")
        assert not manche.display("A").limited
        assert manche.display("A").base.name == "FEU_VERT"
        # a rulebook in which VP alone does not start: the feu vert must still be there
        manche = Manche("dujardin-2010").play("a1:FV b1:LV>A a1:VP!")
        assert manche.rolls("A")

    @pytest.mark.parametrize(("attack", "answer"), [("PE", "ES"), ("CR", "RS"), ("AC", "RE")])
    def test_another_attack_stays(self, attack: str, answer: str) -> None:
        manche = Manche().play(f"a1:FV b1:{attack}>A a1:-25 b1:LV>A a1:VP!")
        assert manche.display("A").attack == attack
        assert manche.refusal("a1:25") == "stopped"
        assert manche.refusal(f"a1:{answer}") is None

    def test_a_feu_rouge_goes_with_the_limite(self) -> None:
        manche = Manche().play("a1:FV b1:FR>A a1:-25 b1:LV>A a1:VP!")
        assert (manche.display("A").attack, manche.display("A").limited) == ("", False)
        assert manche.refusal("a1:100") is None


class TestEmptySabotAndEmptyHandWaitForEver:
    """RULES 4.3 and 7: a seat without a card is passed over; when nobody has one the manche is exhausted."""

    def test_a_player_without_a_card_is_passed_over(self) -> None:
        # a1 exposes a botte and plays again each turn, and so has played six cards when b1 has played three
        manche = Manche("moderne").empty_sabot(keep="VP CI IN 25 25 25 25 25 50 50 50 50")
        manche.play("a1:VP a1:-25 b1:-50 a1:CI a1:-25 b1:-50 a1:IN a1:-25 b1:-50")
        assert manche.turn == "b1"
        assert manche.end is None
        assert manche.refusal("a1:-50") == "not-your-turn"
        manche.play("b1:-50 b1:-25 b1:-25")
        assert manche.end == "exhausted"

    def test_the_manche_ends_when_nobody_has_a_card(self) -> None:
        manche = Manche().empty_sabot()
        assert [manche.discard(11).end, manche.discard().end] == [None, "exhausted"]
        assert manche.verdict().valid


class TestBotteGivesNoSecondGo:
    """RULES 4.4: a botte exposed on one's own turn gives another go, at once, with a draw of its own."""

    @pytest.mark.parametrize("rulebook", ["classique", "moderne", "fournier", "dujardin-2010"])
    def test_the_same_player_draws_and_plays_again(self, rulebook: str) -> None:
        manche = Manche(rulebook).play("a1:CI")
        left = manche.table.sabot_left
        assert manche.refusal("b1:-25") == "not-your-turn"
        manche.play("a1:-25")
        assert manche.table.sabot_left == left - 1
        assert manche.turn == "b1"

    def test_the_card_of_the_second_go_may_be_the_one_just_drawn(self) -> None:
        manche = Manche(deck=stacked(a1="CI", draws="25 FV")).play("a1:CI a1:FV")
        assert manche.rolls("A")


def test_four_bottes_scored_twice() -> None:
    """RULES 8: quatre-bottes is one line of 300 for the team, and each botte has its 100."""
    manche = Manche().play("a1:VP a1:CI a1:IN a1:AS a1:-25  *")
    assert points(manche, "A") == {"bottes": 400, "quatre-bottes": 300}


def test_coup_fourre_accepted_after_others_have_drawn() -> None:
    """RULES 6.1: it answers the attack just played, before anybody draws: the very next move."""
    manche = Manche("classique", "3x1").play("a1:LV>C")
    assert manche.refusal("c1:VP!") is None
    manche.play("b1:-25")
    assert manche.refusal("c1:VP!") == "no-coup-fourre"


class TestThird200:
    """RULES 5: at most two 200s a team and manche."""

    def test_is_refused(self) -> None:
        manche = Manche().play("a1:FV b1:FV a1:200 b1:200 a1:200 b1:-25")
        assert manche.refusal("a1:200") == "third-200"
        assert manche.refusal("a1:-200") is None

    def test_by_a_partner_is_refused_too(self) -> None:
        manche = Manche("classique", "2x2").play("a1:FV b1:-25 a2:200 b2:-25 a1:200 b1:-25")
        assert manche.refusal("a2:200") == "third-200"


class TestAttackAcceptedOnABareParade:
    """RULES 5: where a feu vert must follow a parade, the team does not roll and cannot be attacked."""

    @pytest.mark.parametrize("attack", ["FR", "PE", "CR", "AC"])
    def test_is_refused_until_the_feu_vert(self, attack: str) -> None:
        manche = Manche().play("a1:FV b1:CR>A a1:RS")
        assert manche.refusal(f"b1:{attack}>A") == "target-stopped"
        manche.play("b1:-25 a1:FV")
        assert manche.refusal(f"b1:{attack}>A") is None

    def test_is_accepted_with_vp_which_needs_no_feu_vert(self) -> None:
        manche = Manche().play("a1:FV b1:CR>A a1:RS b1:-25 a1:VP a1:-25")
        assert manche.refusal("b1:AC>A") is None

    def test_is_accepted_where_a_parade_alone_restarts(self) -> None:
        manche = Manche("moderne").play("a1:25 b1:CR>A a1:RS")
        assert manche.refusal("b1:AC>A") is None


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_log_cut_short_accepted_as_finished(closed: bool) -> None:
    """RULES 10.12: the manche must be over after the last move."""
    log = simulate("classique", 2, 1, 11, closed=closed)
    assert judge(log).valid
    for moves in range(len(log.moves)):
        verdict = judge(log._replace(moves=log.moves[:moves]))
        assert (verdict.valid, verdict.code, verdict.at) == (False, "incomplete", moves)


class TestLogTrustedForItsOwnRules:
    """RULES 9 and 12: a log says how it was played in known words only; whatever else it says changes nothing."""

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"target": 900}, "bad-target"),
            ({"house": {"third_200": True}}, "bad-house"),
            ({"house": {"victoire": 100_000}}, "bad-house"),
            ({"house": {"rallonge": 5000}}, "bad-house"),
            ({"deck": ["200"] * 106}, "bad-deck"),
        ],
        ids=lambda value: next(iter(value)) if isinstance(value, dict) else value,
    )
    def test_rules_of_its_own_are_refused(self, change: dict[str, object], code: str) -> None:
        assert judge(to_document(simulate("classique", 2, 1, 3)) | change).code == code

    def test_words_of_its_own_change_nothing(self) -> None:
        log = to_document(simulate("classique", 2, 1, 3))
        lies = {"end": "exhausted", "winner": "B", "valid": True, "start_feu_vert": False, "tags": {"Winner": "B"}}
        assert judge(log | lies).outcome == judge(log).outcome
        cut = log | {"moves": log["moves"][:-1]}
        assert judge(cut | lies).code == "incomplete"


def test_cards_known_by_their_place_in_the_hand() -> None:
    """RULES 4 and 9: a move names a card; where it lies in the hand, and which of two twins it is, means nothing."""
    log = simulate("classique", 2, 1, 5)
    assert log.deck is not None
    rng = random.Random(5)
    for _ in range(20):
        hands = [log.deck[seat:12:2] for seat in range(2)]
        for hand in hands:
            rng.shuffle(hand)
        deal = [card for pair in zip(*hands, strict=True) for card in pair]
        assert judge(log._replace(deck=deal + log.deck[12:])).outcome == judge(log).outcome


class TestCoupFourreWithAnEmptySabotCrashes:
    """RULES 6.4: it is allowed with an empty sabot, open and closed, in every rulebook."""

    @pytest.mark.parametrize("rulebook", ["classique", "moderne", "fournier", "dujardin-2010"])
    def test_it_is_played_without_a_draw(self, rulebook: str) -> None:
        deck = stacked(rulebook, a1="LV", b1="VP")
        for manche in (Manche(rulebook, deck=deck).empty_sabot(), Manche(rulebook).empty_sabot(keep="LV VP")):
            if manche.turn == "b1":
                manche.play("b1:-ES")
            manche.play("a1:LV>B b1:VP!")
            assert manche.display("B").bottes == {"VP"}
            assert not manche.display("B").limited
            assert manche.table.sabot_left == 0

    @pytest.mark.parametrize("rulebook", ["classique", "moderne"])
    def test_with_the_last_card_of_all_the_manche_ends(self, rulebook: str) -> None:
        manche = Manche(rulebook).empty_sabot(keep="LV VP").discard(10, keep="LV VP").play("a1:LV>B b1:VP!")
        assert manche.end == "exhausted"
        assert manche.outcome()["teams"]["B"]["coups_fourres"] == ["VP"]


class TestPrioritaireShieldsFromAccidents:
    """RULES 2: VP shields from FR and LV, nothing else."""

    @pytest.mark.parametrize("attack", ["PE", "CR", "AC"])
    def test_a_team_with_vp_is_attacked(self, attack: str) -> None:
        manche = Manche().play("a1:VP a1:-25")
        assert manche.refusal(f"b1:{attack}>A") is None

    @pytest.mark.parametrize("attack", ["FR", "LV"])
    def test_but_not_with_these(self, attack: str) -> None:
        manche = Manche().play("a1:VP a1:-25")
        assert manche.refusal(f"b1:{attack}>A") == "immune"

    @pytest.mark.parametrize(("attack", "botte"), [("PE", "CI"), ("CR", "IN"), ("AC", "AS")])
    def test_it_answers_no_accident(self, attack: str, botte: str) -> None:
        manche = Manche().play(f"a1:FV b1:{attack}>A")
        assert manche.refusal("a1:VP!") == "no-coup-fourre"
        assert manche.refusal(f"a1:{botte}!") is None


class TestExtensionPaidToWhoeverArrives:
    """RULES 8: 200 to who called the extension if it wins, else 200 to each opponent of the caller."""

    CALLED = (
        "a1:FV b1:FV c1:FV a1:200 b1:-25 c1:-25 a1:200 b1:100 c1:-25 a1:100 b1:100 c1:-25 a1:100 b1:100 c1:-25 a1:100+"
    )

    def called(self) -> Manche:
        """A three-handed manche in which A stands on 700 and called, B on 300."""
        return Manche("fournier", "3x1").play(self.CALLED)

    def test_the_caller_who_wins_has_it_alone(self) -> None:
        manche = self.called().play("b1:-50 c1:-50 a1:100 b1:-50 c1:-50 a1:100 b1:-50 c1:-50 a1:100")
        assert manche.end == "target"
        assert points(manche, "A")["rallonge"] == 200
        assert "rallonge" not in points(manche, "B")
        assert "rallonge" not in points(manche, "C")

    def test_when_another_arrives_every_opponent_of_the_caller_has_it(self) -> None:
        manche = self.called().play("b1:200 c1:-25 a1:-25 b1:200").discard(2)
        for _ in range(3):
            manche.play("b1:75").discard(2)
        manche.play("b1:75")
        assert manche.outcome()["winner"] == "B"
        assert "rallonge" not in points(manche, "A")
        assert points(manche, "B")["rallonge"] == 200
        assert points(manche, "C")["rallonge"] == 200

    def test_when_nobody_arrives_every_opponent_has_it_too(self) -> None:
        manche = self.called().play_out()
        assert manche.end == "exhausted"
        assert [("rallonge" in points(manche, team)) for team in "ABC"] == [False, True, True]


class TestPlayerCreditsACoupFourreATurnLater:
    """RULES 6.1: a botte exposed a turn later answers its attack, but it is no coup-fourré."""

    @pytest.mark.parametrize("later", ["a1:-25 b1:-25", "a1:ES b1:FV", "a1:IN a1:-25 b1:-50"])
    def test_the_mark_is_refused(self, later: str) -> None:
        manche = Manche().play(f"a1:FV b1:PE>A {later}")
        assert manche.refusal("a1:CI!") == "no-coup-fourre"

    @pytest.mark.parametrize("turns_later", [0, 1])
    def test_without_the_mark_it_is_a_botte_and_no_more(self, turns_later: int) -> None:
        manche = Manche().play("a1:FV b1:PE>A" + " a1:-25 b1:-25" * turns_later + " a1:CI a1:-50  *")
        assert points(manche, "A") == {"bottes": 100}
        assert manche.outcome()["teams"]["A"]["coups_fourres"] == []
