"""RULES 8 and 12: the rulebooks as data, and house rules."""

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from engine.cards import ANSWERED_BY, CARDS, DECK_101, DECK_106, KM, SHIELDED_BY
from engine.replay import judge
from engine.rulebooks import CHOICES, HOUSE_KEYS, POINT_VALUES, RULEBOOKS, SWITCHES, HouseError
from tests.engine.tables import Manche

PARAMETERS = """
start_feu_vert            true       false  true             true
vp_starts                 true       true   true             false
feu_vert_after_parade     true       false  true             true
botte_on_attack           repairs    lifts  repairs          repairs
go_on_empty_sabot         false      true   true             true
blocked_end               false      false  false            true
most_km_wins              false      true   false            true
last_card_couronnement    true       true   true             true
botte                     100        -      100              100
quatre_bottes             300        -      300              0
coup_fourre               300        -      300              300
victoire                  400        -      400              400
couronnement              300        -      300              0
sans_200                  300        -      300              200
capot                     500        -      500              500
capot_to                  each_opponent - shutout_winner each_opponent
"""
"""The table of RULES 12: classique, moderne, fournier, dujardin-2010."""


@pytest.mark.parametrize("row", PARAMETERS.split("\n")[1:-1], ids=lambda row: row.split()[0])
def test_the_table_of_parameters(row: str) -> None:
    key, *written = row.split()
    assert key in HOUSE_KEYS
    for rulebook, text in zip(RULEBOOKS.values(), written, strict=True):
        value = getattr(rulebook, key)
        if text == "-":
            assert not rulebook.has_points
        else:
            assert value == {"true": True, "false": False}.get(text, int(text) if text.isdigit() else text)


def test_the_table_names_every_house_rule() -> None:
    assert [row.split()[0] for row in PARAMETERS.split("\n")[1:-1]] == sorted(
        HOUSE_KEYS, key=[row.split()[0] for row in PARAMETERS.split("\n")[1:-1]].index
    )
    assert set(HOUSE_KEYS) == {*SWITCHES, *CHOICES, *POINT_VALUES}
    assert [*RULEBOOKS] == ["classique", "moderne", "fournier", "dujardin-2010"]


def test_the_rallonge_is_worth_200_in_fournier_alone() -> None:
    assert {rulebook.id: rulebook.rallonge for rulebook in RULEBOOKS.values() if rulebook.rallonge} == {"fournier": 200}


def test_the_deck() -> None:
    """RULES 2."""
    copies = "25:10 50:10 75:10 100:12 200:4 FR:5 LV:4 PE:3 CR:3 AC:3 FV:14 FL:6 ES:6 RS:6 RE:6 VP:1 CI:1 IN:1 AS:1"
    assert dict(DECK_106) == {card: int(number) for card, _, number in (part.partition(":") for part in copies.split())}
    assert (sum(DECK_106.values()), sum(DECK_101.values())) == (106, 101)
    assert [*DECK_106] == [*CARDS]
    assert KM == {"25": 25, "50": 50, "75": 75, "100": 100, "200": 200}
    assert ANSWERED_BY == {"FR": "FV", "PE": "ES", "CR": "RS", "AC": "RE", "LV": "FL"}
    assert SHIELDED_BY == {"FR": "VP", "LV": "VP", "PE": "CI", "CR": "IN", "AC": "AS"}


class TestHouseRules:
    """RULES 12: a key that is not there, a wrong type, or points for moderne, is `bad-house`."""

    @pytest.mark.parametrize("key", SWITCHES)
    def test_switches(self, key: str) -> None:
        for value in (True, False):
            assert getattr(RULEBOOKS["classique"].with_house({key: value}), key) is value
        wrongs: list[object] = [0, 1, "true", None, [], 1.0]
        for wrong in wrongs:
            with pytest.raises(HouseError) as caught:
                RULEBOOKS["classique"].with_house({key: wrong})
            assert caught.value.key == key

    @pytest.mark.parametrize("key", POINT_VALUES)
    def test_points(self, key: str) -> None:
        for value in (0, 5000):
            assert getattr(RULEBOOKS["fournier"].with_house({key: value}), key) == value
        wrongs: list[object] = [-1, 5001, True, "100", None, 100.0, []]
        for wrong in wrongs:
            with pytest.raises(HouseError):
                RULEBOOKS["fournier"].with_house({key: wrong})
        with pytest.raises(HouseError):
            RULEBOOKS["moderne"].with_house({key: 100})

    @pytest.mark.parametrize("rulebook", [*RULEBOOKS])
    @pytest.mark.parametrize("key", CHOICES)
    def test_choices(self, key: str, rulebook: str) -> None:
        """`capot_to` may be named for moderne, without effect."""
        for value in CHOICES[key]:
            assert getattr(RULEBOOKS[rulebook].with_house({key: value}), key) == value
        for wrong in ("other", "", True, None, [CHOICES[key][0]]):
            with pytest.raises(HouseError):
                RULEBOOKS[rulebook].with_house({key: wrong})

    @pytest.mark.parametrize("key", ["", "x", "id", "tables", "has_points", "rallonge", "Botte", "botte "])
    def test_no_other_key(self, key: str) -> None:
        with pytest.raises(HouseError):
            RULEBOOKS["classique"].with_house({key: 1})

    def test_nothing_else_changes(self) -> None:
        before = RULEBOOKS["classique"]
        after = before.with_house({"sans_200": 200})
        changed = [field.name for field in fields(before) if getattr(before, field.name) != getattr(after, field.name)]
        assert changed == ["sans_200"]
        assert before.with_house({}) == before
        assert before.with_house({"sans_200": 300}) == before

    def test_a_rulebook_is_a_value(self) -> None:
        with pytest.raises(FrozenInstanceError):
            RULEBOOKS["classique"].botte = 0  # type: ignore[misc]
        with pytest.raises(TypeError):
            RULEBOOKS["mine"] = RULEBOOKS["classique"]  # type: ignore[index]

    @pytest.mark.parametrize(
        ("house", "moves", "move", "refusal"),
        [
            ({"start_feu_vert": False}, "", "a1:200", None),
            ({"start_feu_vert": False}, "", "a1:FV", "needless-feu-vert"),
            ({"vp_starts": False}, "a1:VP", "a1:25", "stopped"),
            ({"feu_vert_after_parade": False}, "FV PE>A ES -25", "200", None),
            ({"botte_on_attack": "lifts"}, "FV PE>A CI", "200", None),
        ],
    )
    def test_play_goes_by_them(self, house: dict[str, Any], moves: str, move: str, refusal: str | None) -> None:
        assert Manche(house=house).play(moves).refusal(move) == refusal
        assert Manche().play(moves).refusal(move) != refusal

    def test_an_empty_pile_that_needs_no_feu_vert_rolls_with_vp_too(self) -> None:
        house = {"start_feu_vert": False, "vp_starts": False}
        assert Manche(house=house).play("a1:VP").refusal("a1:25") is None

    def test_go_on_empty_sabot(self) -> None:
        for goes_on in (True, False):
            manche = Manche(house={"go_on_empty_sabot": goes_on}).empty_sabot(keep="CI").play("a1:CI")
            assert manche.turn == ("a1" if goes_on else "b1")

    def test_blocked_end(self) -> None:
        dead = "FL FL FL FL FL FL ES ES ES RS RS RE"
        assert Manche(house={"blocked_end": True}).empty_sabot(keep=dead).refusal("#") is None
        assert Manche().empty_sabot(keep=dead).refusal("#") == "not-blocked"

    def test_a_log_of_the_same_rules_without_them_has_its_own_table(self) -> None:
        """Frames are remembered between logs; house rules of one log never leak into another's."""
        plain, housed = Manche().play("a1:VP"), Manche(house={"vp_starts": False}).play("a1:VP")
        for _ in range(2):
            assert judge(plain.log._replace(moves=["VP", "25"])).at == 2
            assert judge(housed.log._replace(moves=["VP", "25"])).at == 1
