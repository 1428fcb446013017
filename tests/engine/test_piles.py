"""RULES 5: what may be played, from the piles."""

from itertools import product

import pytest

from engine.cards import ANSWERED_BY, ATTAQUES, BOTTES, CARDS, ETAPES, KM, PARADES, SHIELDED_BY
from engine.displays import DISPLAY, EXPOSED, WARD, Base, Display, PileRules, lay, rolls, strike, transitions, ward_off
from engine.rulebooks import RULEBOOKS
from tests.engine.tables import Manche

EVERY_RULEBOOK = pytest.mark.parametrize("rulebook", [*RULEBOOKS])
FEU_VERT_STARTS = pytest.mark.parametrize("rulebook", ["classique", "fournier", "dujardin-2010"])
STOPPERS = ("FR", "PE", "CR", "AC")
ACCIDENTS = pytest.mark.parametrize(
    ("attack", "answer", "botte"), [("PE", "ES", "CI"), ("CR", "RS", "IN"), ("AC", "RE", "AS")]
)

DISPLAYS = [
    Display(base, attack, limited, frozenset(bottes), n200)
    for base, attack, limited, exposed, n200 in product(
        Base, ("", *STOPPERS), (False, True), product((0, 1), repeat=4), range(3)
    )
    for bottes in [{botte for botte, out in zip(BOTTES, exposed, strict=True) if out}]
]
EVERY_RULES = pytest.mark.parametrize(
    "rules", [PileRules(*switches) for switches in product((True, False), repeat=4)], ids=str
)


class TestStart:
    """A team rolls when the top is a feu vert; or the pile is empty, where none is asked for."""

    @FEU_VERT_STARTS
    def test_a_feu_vert_starts(self, rulebook: str) -> None:
        manche = Manche(rulebook)
        assert manche.refusal("a1:25") == "stopped"
        assert Manche(rulebook).play("a1:FV b1:-25").refusal("a1:25") is None

    def test_moderne_needs_no_feu_vert_to_start_and_refuses_one(self) -> None:
        assert Manche("moderne").refusal("a1:200") is None
        assert Manche("moderne").refusal("a1:FV") == "needless-feu-vert"

    @EVERY_RULEBOOK
    def test_vp_starts_where_the_rulebook_says_so(self, rulebook: str) -> None:
        refusal = Manche(rulebook).play("a1:VP").refusal("a1:100")
        assert refusal == ("stopped" if rulebook == "dujardin-2010" else None)

    @EVERY_RULEBOOK
    def test_a_feu_vert_is_needless_with_vp_unless_vp_does_not_start(self, rulebook: str) -> None:
        refusal = Manche(rulebook).play("a1:VP").refusal("a1:FV")
        assert refusal == (None if rulebook == "dujardin-2010" else "needless-feu-vert")

    def test_dujardin_with_vp_rolls_once_a_feu_vert_lies(self) -> None:
        assert Manche("dujardin-2010").play("a1:VP a1:FV b1:-25").refusal("a1:200") is None

    @FEU_VERT_STARTS
    def test_a_second_feu_vert_is_needless(self, rulebook: str) -> None:
        assert Manche(rulebook).play("a1:FV b1:-25").refusal("a1:FV") == "needless-feu-vert"


class TestEtapes:
    """An étape: the team rolls; under an LV only 25 or 50; at most two 200s; the total never passes the target."""

    @pytest.mark.parametrize("card", ETAPES)
    def test_under_a_limit_only_25_or_50(self, card: str) -> None:
        manche = Manche().play("a1:FV b1:LV>A")
        assert manche.refusal(f"a1:{card}") == (None if card in ("25", "50") else "speed-limited")
        assert manche.play("a1:FL b1:-25").refusal(f"a1:{card}") is None

    @pytest.mark.parametrize("card", ETAPES)
    def test_its_km_are_counted(self, card: str) -> None:
        assert Manche().play(f"a1:FV b1:-25 a1:{card}").km("A") == KM[card]

    def test_the_total_never_passes_the_target(self) -> None:
        manche = Manche("fournier").play("a1:FV b1:FV a1:200").discard().play("a1:200").discard()
        manche.play("a1:100").discard().play("a1:75").discard().play("a1:75")
        assert manche.km("A") == 650
        manche.discard()
        assert manche.refusal("a1:75") == "over-target"
        assert manche.refusal("a1:100+") == "over-target"
        assert manche.refusal("a1:25") is None
        assert manche.play("a1:50").end == "target"

    def test_partners_share_one_display(self) -> None:
        manche = Manche("classique", "2x2").play("a1:FV b1:-25 a2:100 b2:-25 a1:50")
        assert manche.km("A") == 150


class TestAttacks:
    """FR, PE, CR, AC: the team rolls and has not exposed the shield. LV: no LV yet and no VP; it need not roll."""

    @pytest.mark.parametrize("attack", STOPPERS)
    def test_a_team_that_has_not_started_cannot_be_stopped(self, attack: str) -> None:
        assert Manche().refusal(f"a1:{attack}>B") == "target-stopped"
        assert Manche("moderne").refusal(f"a1:{attack}>B") is None

    @EVERY_RULEBOOK
    def test_a_team_that_has_not_started_can_be_limited(self, rulebook: str) -> None:
        assert Manche(rulebook).refusal("a1:LV>B") is None

    @pytest.mark.parametrize(("first", "second"), list(product(STOPPERS, STOPPERS)))
    def test_one_attack_at_a_time(self, first: str, second: str) -> None:
        manche = Manche().play(f"a1:FV b1:{first}>A a1:-25")
        assert manche.refusal(f"b1:{second}>A") == "target-stopped"

    @pytest.mark.parametrize("attack", STOPPERS)
    def test_a_limit_adds_to_an_attack(self, attack: str) -> None:
        manche = Manche().play(f"a1:FV b1:{attack}>A a1:-25 b1:LV>A a1:-25")
        assert (manche.display("A").attack, manche.display("A").limited) == (attack, True)
        assert manche.refusal("b1:LV>A") == "already-limited"

    @ACCIDENTS
    @pytest.mark.parametrize("rulebook", ["classique", "moderne", "fournier"])
    def test_a_team_with_vp_is_attacked_on_an_empty_pile_that_rolls(
        self, rulebook: str, attack: str, answer: str, botte: str
    ) -> None:
        assert Manche(rulebook).play("a1:VP a1:-25").refusal(f"b1:{attack}>A") is None

    @pytest.mark.parametrize("attack", ATTAQUES)
    def test_the_shield_protects(self, attack: str) -> None:
        manche = Manche("moderne").play(f"a1:{SHIELDED_BY[attack]} a1:-25")
        for other in ATTAQUES:
            shielded = SHIELDED_BY[other] == SHIELDED_BY[attack]
            assert manche.refusal(f"b1:{other}>A") == ("immune" if shielded else None)

    def test_never_on_ones_own_team(self) -> None:
        manche = Manche("moderne", "2x2").play("a1:25")
        assert [manche.refusal(f"b1:{attack}>B") for attack in ATTAQUES] == ["own-team"] * 5

    def test_on_any_other_team_of_several(self) -> None:
        manche = Manche("moderne", "4x1")
        assert [manche.refusal(f"a1:PE>{team}") for team in "BCD"] == [None] * 3


class TestAnswers:
    """ES, RS, RE, FL and FV answer their attack, on top of one's own pile, and nothing else."""

    @pytest.mark.parametrize(("attack", "parade"), list(product(("", *ATTAQUES), PARADES)))
    def test_a_parade_answers_its_attack_alone(self, attack: str, parade: str) -> None:
        manche = Manche().play("a1:FV b1:-25" if not attack else f"a1:FV b1:{attack}>A")
        codes = {"FV": "needless-feu-vert", "FL": "not-limited"}
        legal = bool(attack) and ANSWERED_BY[attack] == parade
        assert manche.refusal(f"a1:{parade}") == (None if legal else codes.get(parade, "nothing-to-repair"))

    @ACCIDENTS
    @EVERY_RULEBOOK
    def test_after_a_parade(self, rulebook: str, attack: str, answer: str, botte: str) -> None:
        start = "a1:25" if rulebook == "moderne" else "a1:FV"
        manche = Manche(rulebook).play(f"{start} b1:{attack}>A a1:{answer} b1:-25")
        alone = rulebook == "moderne"
        assert manche.refusal("a1:100") == (None if alone else "stopped")
        assert manche.refusal("a1:FV") == ("needless-feu-vert" if alone else None)

    @ACCIDENTS
    @EVERY_RULEBOOK
    def test_after_a_parade_with_vp_no_feu_vert_follows(
        self, rulebook: str, attack: str, answer: str, botte: str
    ) -> None:
        start = "a1:25" if rulebook == "moderne" else "a1:FV"
        manche = Manche(rulebook).play(f"{start} b1:-25 a1:VP a1:-25 b1:{attack}>A a1:{answer} b1:-50")
        assert manche.refusal("a1:100") is None
        assert manche.refusal("a1:FV") == "needless-feu-vert"

    def test_a_feu_vert_answers_a_feu_rouge(self) -> None:
        assert Manche().play("a1:FV b1:FR>A a1:FV b1:-25").refusal("a1:100") is None

    @EVERY_RULEBOOK
    def test_a_feu_rouge_stops_after_a_feu_vert_and_wants_another(self, rulebook: str) -> None:
        start = "a1:25" if rulebook == "moderne" else "a1:FV"
        manche = Manche(rulebook).play(f"{start} b1:FR>A")
        assert manche.refusal("a1:25") == "stopped"
        assert manche.play("a1:FV b1:-25").refusal("a1:25") is None


class TestBotteOnItsAttack:
    """A botte on one's own turn takes its attack away: it repairs or lifts; VP takes an FR and an LV."""

    @ACCIDENTS
    @EVERY_RULEBOOK
    def test_repairs_or_lifts(self, rulebook: str, attack: str, answer: str, botte: str) -> None:
        start = "a1:25" if rulebook == "moderne" else "a1:FV"
        manche = Manche(rulebook).play(f"{start} b1:{attack}>A a1:{botte}")
        lifts = rulebook == "moderne"
        assert manche.display("A").base is ({True: Base.EMPTY, False: Base.BOTTE}[lifts])
        assert manche.refusal("a1:100") == (None if lifts else "stopped")
        assert manche.refusal("a1:FV") == ("needless-feu-vert" if lifts else None)

    @ACCIDENTS
    def test_lifted_the_team_is_where_it_was_before(self, attack: str, answer: str, botte: str) -> None:
        lifts = {"botte_on_attack": "lifts"}
        rolling = Manche(house=lifts).play(f"a1:FV b1:{attack}>A a1:{botte}")
        assert rolling.rolls("A")
        assert Manche().play(f"a1:FV b1:{attack}>A a1:{botte}").rolls("A") is False

    @ACCIDENTS
    @pytest.mark.parametrize("rulebook", ["classique", "fournier", "dujardin-2010"])
    def test_repaired_with_vp_no_feu_vert_follows(self, rulebook: str, attack: str, answer: str, botte: str) -> None:
        manche = Manche(rulebook).play(f"a1:FV b1:-25 a1:VP a1:-25 b1:{attack}>A a1:{botte}")
        assert manche.refusal("a1:100") is None
        assert manche.refusal("a1:FV") == "needless-feu-vert"

    @ACCIDENTS
    def test_another_botte_leaves_the_attack(self, attack: str, answer: str, botte: str) -> None:
        for other in set(BOTTES) - {botte}:
            assert Manche().play(f"a1:FV b1:{attack}>A a1:{other}").display("A").attack == attack

    @EVERY_RULEBOOK
    def test_vp_takes_a_feu_rouge_and_a_limit_away(self, rulebook: str) -> None:
        start = "a1:25" if rulebook == "moderne" else "a1:FV"
        manche = Manche(rulebook).play(f"{start} b1:FR>A a1:-25 b1:LV>A a1:VP")
        assert (manche.display("A").attack, manche.display("A").limited) == ("", False)
        assert manche.refusal("a1:200") is None

    @ACCIDENTS
    def test_vp_takes_the_limit_and_leaves_an_accident(self, attack: str, answer: str, botte: str) -> None:
        manche = Manche().play(f"a1:FV b1:{attack}>A a1:-25 b1:LV>A a1:VP")
        assert (manche.display("A").attack, manche.display("A").limited) == (attack, False)

    @ACCIDENTS
    def test_no_other_botte_takes_the_limit(self, attack: str, answer: str, botte: str) -> None:
        assert Manche().play(f"a1:LV>B b1:{botte}").display("B").limited


class TestEveryDisplay:
    """RULES 5 read once more, on the displays that there can be and under every set of pile rules."""

    def test_a_row_for_each(self) -> None:
        shared = transitions(PileRules.of(RULEBOOKS["classique"]))
        assert len(set(DISPLAYS)) == 1920
        for display in DISPLAYS:
            row = shared.row(display)
            assert (row[DISPLAY], row[EXPOSED]) == (display, tuple(sorted(display.bottes)))
            assert shared.row(display) is row

    @EVERY_RULES
    def test_rolls(self, rules: PileRules) -> None:
        for display in DISPLAYS:
            repaired = display.base in (Base.PARADE, Base.BOTTE)
            reasons = (
                "VP" in display.bottes and (rules.vp_starts or display.base is not Base.EMPTY),
                display.base is Base.FEU_VERT,
                display.base is Base.EMPTY and not rules.start_feu_vert,
                repaired and not rules.feu_vert_after_parade,
            )
            assert rolls(rules, display) == (not display.attack and any(reasons))

    @EVERY_RULES
    def test_feu_vert(self, rules: PileRules) -> None:
        for display in DISPLAYS:
            vp = "VP" in display.bottes
            reasons = (
                display.attack == "FR",
                not display.attack
                and display.base is Base.EMPTY
                and rules.start_feu_vert
                and (not vp or not rules.vp_starts),
                not display.attack
                and display.base in (Base.PARADE, Base.BOTTE)
                and rules.feu_vert_after_parade
                and not vp,
            )
            wanted = display._replace(attack="", base=Base.FEU_VERT) if any(reasons) else "needless-feu-vert"
            assert lay(rules, display, "FV") == wanted

    @EVERY_RULES
    def test_a_refusal_is_none_of_the_others_and_changes_nothing_else(self, rules: PileRules) -> None:
        for display in DISPLAYS:
            for attack in STOPPERS:
                after = strike(rules, display, attack)
                legal = rolls(rules, display) and SHIELDED_BY[attack] not in display.bottes
                assert after == display._replace(attack=attack) if legal else isinstance(after, str)
            for card in ("ES", "RS", "RE"):
                after = lay(rules, display, card)
                legal = bool(display.attack) and ANSWERED_BY[display.attack] == card
                assert after == (display._replace(attack="", base=Base.PARADE) if legal else "nothing-to-repair")

    @EVERY_RULES
    def test_the_transitions_are_these_functions(self, rules: PileRules) -> None:
        shared = transitions(rules)
        for display in DISPLAYS[::17]:
            row = shared.row(display)
            for number, card in enumerate(CARDS):
                after = strike(rules, display, card) if card in ATTAQUES else lay(rules, display, card)
                for _ in ("worked out", "remembered"):
                    following = shared.look(row, number)
                    assert shared.refusal(row, number) == (after if following is None else None)
                    assert following is None or following is shared.row(following[DISPLAY])
                    assert following is None or following[DISPLAY] == after
            for number in range(CARDS.index("VP"), len(CARDS)):
                following = shared.look(row, number + WARD)
                assert following is not None
                assert following[DISPLAY] == ward_off(display, CARDS[number])
