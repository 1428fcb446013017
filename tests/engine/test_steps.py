"""The steps that a viewer shows: where every card lies after each move (RULES 4 to 7)."""

import pytest

from engine.replay import WholeLogError
from engine.steps import Step, steps
from tests.engine.tables import Manche, closing, stacked


def last(manche: Manche) -> Step:
    """The step after the last move."""
    return list(steps(manche.log))[-1]


def test_the_first_step_is_the_deal() -> None:
    deck = stacked(a1="FV 100", b1="VP")
    first = next(steps(Manche(deck=deck).log))
    assert (first.at, first.move, first.player, first.end) == (-1, None, None, None)
    assert first.hands is not None
    assert {player: sorted(hand) for player, hand in first.hands.items()} == {
        "a1": sorted(deck[0:12:2]),
        "b1": sorted(deck[1:12:2]),
    }
    assert first.state["sabot_left"] == 94
    assert first.teams["A"] == {"battle": [], "speed": [], "etapes": [], "bottes": [], "coups_fourres": []}


def test_each_move_is_a_step_with_its_player() -> None:
    shown = list(steps(Manche().play("FV LV>A 25 *").log))
    assert [(step.at, step.move, step.player) for step in shown] == [
        (-1, None, None),
        (0, "FV", "a1"),
        (1, "LV>A", "b1"),
        (2, "25", "a1"),
        (3, "*", None),
    ]
    assert [step.end for step in shown] == [None] * 4 + ["interrupted"]


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_every_pile(closed: bool) -> None:
    moves = "FV FV 100 PE>A ES LV>A FL -25 FV CR>A a1:IN! 75 -50 200 FR>A"
    manche = Manche().play(moves)
    if closed:
        manche = Manche(deck=closing(manche.log, "-25")).play(moves)
    step = last(manche)
    assert step.teams["A"] == {
        "battle": ["FV", "PE", "ES", "FV", "FR"],
        "speed": ["LV", "FL"],
        "etapes": ["100", "75", "200"],
        "bottes": ["IN"],
        "coups_fourres": ["IN"],
    }
    assert step.teams["B"] == {"battle": ["FV"], "speed": [], "etapes": [], "bottes": [], "coups_fourres": []}
    assert step.discard == ["25", "CR", "50"]


@pytest.mark.parametrize(
    ("rulebook", "start", "battle", "bottes"),
    [("classique", "FV", ["FV", "CI"], []), ("moderne", "25", [], ["CI"])],
    ids=["repairs", "lifts"],
)
def test_a_botte_on_its_attack_stands_in_its_place_or_lifts_it(
    rulebook: str, start: str, battle: list[str], bottes: list[str]
) -> None:
    step = last(Manche(rulebook).play(f"{start} PE>A CI"))
    assert (step.teams["A"]["battle"], step.teams["A"]["bottes"]) == (battle, bottes)
    assert step.discard == ["PE"]


def test_vp_takes_an_attack_off_both_piles() -> None:
    step = last(Manche().play("FV FR>A -25 LV>A VP"))
    assert (step.teams["A"]["battle"], step.teams["A"]["speed"], step.teams["A"]["bottes"]) == (["FV", "VP"], [], [])
    assert step.discard == ["25", "FR", "LV"]
    step = last(Manche().play("FV FR>A -25 LV>A VP!"))
    assert (step.teams["A"]["battle"], step.teams["A"]["speed"], step.teams["A"]["bottes"]) == (["FV"], [], ["VP"])
    assert sorted(step.discard) == ["25", "FR", "LV"]


def test_a_coup_fourre_of_a_single_player_need_not_be_named() -> None:
    manche = Manche("classique", "3x1", deck=stacked("classique", "3x1", a1="LV", c1="VP", draws="FV 25 50"))
    step = last(manche.play("a1:LV>C VP!"))
    assert step.player == "c1"
    assert step.hands is not None
    assert ("25" in step.hands["c1"], "50" in step.hands["c1"]) == (True, False)


def test_an_extension_is_an_etape_like_another() -> None:
    manche = Manche("fournier").play("FV -25 200 -25 200 -25 100 -25 100 -25 100+")
    assert last(manche).teams["A"]["etapes"] == ["200", "200", "100", "100", "100"]
    assert last(manche).state["extension"] == "A"


def test_at_a_declared_end_the_seat_on_turn_has_drawn() -> None:
    step = last(Manche(deck=stacked(draws="FV 200")).play("a1:-FV *"))
    assert step.hands is not None
    assert "200" in step.hands["b1"]
    assert (len(step.hands["a1"]), len(step.hands["b1"])) == (6, 7)
    assert step.state["sabot_left"] == 92


def test_they_end_before_the_first_move_that_is_refused() -> None:
    manche = Manche().play("FV -25")
    log = manche.log._replace(moves=[*manche.log.moves, "FV", "25"])
    assert [step.move for step in steps(log)] == [None, "FV", "-25"]


def test_nothing_is_known_of_open_hands() -> None:
    assert [step.hands for step in steps(Manche().play("FV -25").log)] == [None] * 3


def test_a_log_refused_as_a_whole_has_none() -> None:
    with pytest.raises(WholeLogError, match="bad-deck"):
        list(steps(Manche().log._replace(deck=["FV"])))


def test_steps_are_made_as_they_are_asked_for() -> None:
    """A viewer of the first moves does not pay for the others, nor for what stands after them."""
    shown = steps(Manche().log._replace(moves=["FV", "nonsense"] * 500_000))
    assert [next(shown).at, next(shown).at] == [-1, 0]
    assert list(shown) == []
