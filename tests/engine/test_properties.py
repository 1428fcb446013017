"""What holds for every manche, whoever plays it: simulated by the hundred under every rulebook."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import ATTAQUES, BOTTES, CARDS, ETAPES, KM
from engine.displays import DISPLAY
from engine.notation import HandLog, read_document, read_json, to_document
from engine.play import IllegalMoveError, advance, check, legal_moves, play
from engine.replay import judge, open_table
from engine.rulebooks import RULEBOOKS
from engine.steps import Layout, steps
from engine.table import Frame, Table
from engine.text_notation import read_text, to_text
from tests.engine.budget import examples
from tests.engine.games import KINDS, Kind, damaged, logs, seeds


@pytest.mark.parametrize("kind", KINDS, ids=str)
@examples(2)
@given(seed=seeds)
def test_every_simulated_manche_is_valid_open_and_closed_in_json_and_in_text(kind: Kind, seed: int) -> None:
    closed = kind.simulate(seed)
    verdict = judge(closed)
    assert verdict.valid, (verdict.code, verdict.at)
    assert verdict.outcome is not None
    for log in (closed, closed._replace(deck=None)):
        for read in (read_json(json.dumps(to_document(log))), read_text(to_text(log)), read_document(to_document(log))):
            assert read == log
            assert judge(read).outcome == verdict.outcome
    check_outcome(closed, verdict.outcome.to_document())


def check_outcome(log: HandLog, outcome: dict[str, Any]) -> None:
    """What can be said of an outcome without playing the log again: each card counted where it was laid."""
    rulebook = RULEBOOKS[log.rulebook]
    target = log.target or next(
        shape.targets[0] for shape in rulebook.tables if (shape.teams, shape.seats) == (len(log.teams), len(log.seats))
    )
    team_of = {player: label for label, players in log.teams.items() for player in players}
    laid: dict[str, Counter[str]] = {label: Counter() for label in log.teams}
    for move in log.moves:
        player, _, card = move.rpartition(":")
        if not card.startswith("-") and ">" not in card and card not in ("#", "*"):
            laid[team_of[player]][card] += 1
    for label, team in outcome["teams"].items():
        steps_laid = {card: laid[label][card] + laid[label][f"{card}+"] for card in ETAPES}
        assert team["steps"] == steps_laid
        assert team["km"] == sum(KM[card] * number for card, number in steps_laid.items())
        assert team["steps"]["200"] <= 2
        assert team["coups_fourres"] == sorted(botte for botte in BOTTES if laid[label][f"{botte}!"])
        assert team["bottes"] == sorted(botte for botte in BOTTES if laid[label][botte] or laid[label][f"{botte}!"])
    on_target = [
        label for label, team in outcome["teams"].items() if team["km"] == (1000 if outcome["extension"] else target)
    ]
    assert (outcome["end"] == "target") == bool(on_target)
    if on_target:
        assert on_target == [outcome["winner"]]
    if outcome["end"] != "target" and not rulebook.most_km_wins:
        assert outcome["winner"] is None


@examples(40)
@given(log=logs())
def test_every_simulated_manche_with_house_rules_is_valid(log: HandLog) -> None:
    verdict = judge(log)
    assert verdict.valid, (verdict.code, verdict.at)
    assert read_text(to_text(log)) == log


# ---- the cards -------------------------------------------------------------------------------------------------------


@examples(25)
@given(log=logs(closed=True))
def test_all_cards_are_accounted_for_by_identity_at_every_step(log: HandLog) -> None:
    """Every card is known by its place in the deck and lies in exactly one place, where the table says."""
    table = open_table(log)
    layout = Layout(log, table)
    check_layout(layout, table)
    for text in log.moves:
        move = table.moves[text]
        before = table.copy()
        mover = before.mover(move)
        assert advance(table, (move,)) == 1
        if move[2] >= 0:
            assert mover is not None
            layout.lay(mover, move, before)
        elif layout.sabot:
            layout.draw(before.turn)
        check_layout(layout, table)


def check_layout(layout: Layout, table: Table) -> None:
    """The cards of a layout are all the deck's, and lie as the table's numbers have it."""
    assert layout.deck is not None
    assert sorted(layout.all_cards()) == list(range(table.frame.size))
    assert len(layout.sabot) == table.sabot_left
    assert layout.sabot == list(range(table.drawn, table.frame.size))
    for seat in range(len(table.seats)):
        assert Counter(layout.codes(layout.hands[seat])) == Counter(CARDS[card] for card in table.hands[seat])
    for team, cards in enumerate(layout.teams):
        display, battle, speed = table.display(team), layout.codes(cards.battle), layout.codes(cards.speed)
        assert sum(KM[card] for card in layout.codes(cards.etapes)) == table.km(team)
        assert layout.codes(cards.etapes).count("200") == display.n200
        in_place = [card for card in battle if card in BOTTES]
        assert set(layout.codes(cards.bottes)) | set(in_place) == display.bottes
        assert sorted(layout.codes(cards.coups_fourres)) == sorted(
            CARDS[botte] for victim, botte in table.coups_fourres if victim == team
        )
        assert (bool(speed) and speed[-1] == "LV") == display.limited
        assert bool(display.attack) == (bool(battle) and battle[-1] in ATTAQUES)
        if display.attack:
            assert battle[-1] == display.attack
        under = battle[:-1] if display.attack else battle
        kinds = {"FV": "FEU_VERT", "ES": "PARADE", "RS": "PARADE", "RE": "PARADE"} | dict.fromkeys(BOTTES, "BOTTE")
        assert display.base.name == (kinds[under[-1]] if under else "EMPTY")


@examples(15)
@given(log=logs())
def test_the_steps_of_a_viewer_show_what_the_table_holds(log: HandLog) -> None:
    table = open_table(log)
    for step in steps(log):
        if step.move is not None:
            play(table, step.move)
        assert (step.end, step.state["turn"]) == (table.end, table.seats[table.turn])
        assert (step.hands is None) == (log.deck is None)
        for team, label in enumerate(table.teams):
            piles, display = step.teams[label], table.display(team)
            assert step.state["teams"][label]["km"] == sum(KM[card] for card in piles["etapes"]) == table.km(team)
            assert (piles["battle"] or [""])[-1] == display.attack or not display.attack
    assert step.end is not None


# ---- legal moves and check -------------------------------------------------------------------------------------------


def state(table: Table) -> dict[str, Any]:
    """All that a table holds; the order of a hand means nothing."""
    held = {name: getattr(table, name) for name in Table.__slots__}
    held["hands"] = [sorted(hand) for hand in table.hands]
    held["displays"] = [table.display(team) for team in range(len(table.teams))]
    held["attack"] = table.attack and (*table.attack[:2], table.attack[2][DISPLAY])
    return {name: list(value) if isinstance(value, list) else value for name, value in held.items()}


def candidates(table: Table) -> list[str]:
    """Every move of the grammar with this table's labels and one that is not at it."""
    plays = [f"-{card}" for card in CARDS] + [card + mark for card in CARDS for mark in ("", "!", "+")]
    plays += [f"{card}>{team}" for card in CARDS for team in (*table.teams, "Z9")]
    return [
        "#",
        "*",
        "",
        *(f"{player}{written}" for player in ("", "z9:", *(f"{seat}:" for seat in table.seats)) for written in plays),
    ]


@examples(12)
@given(log=logs(), data=st.data())
def test_legal_moves_and_check_never_disagree(log: HandLog, data: st.DataObject) -> None:
    """Of all moves of the grammar exactly those listed may be played; a refused one leaves the table as it was."""
    table = open_table(log)
    at = data.draw(st.integers(min_value=0, max_value=len(log.moves)))
    assert advance(table, [table.moves[text] for text in log.moves[:at]]) == at
    listed = set(legal_moves(table, ends=True))
    before = state(table)
    for text in candidates(table):
        move = table.moves[text]
        code = check(table, move)
        assert state(table) == before, "check only asks"
        tried = table.copy()
        assert advance(tried, (move,)) == (code is None), (text, code)
        if code is None:
            assert state(tried) != before
            assert named(table, text) in listed
        else:
            assert state(tried) == before, (text, code)
            assert text not in listed
            with pytest.raises(IllegalMoveError) as caught:
                play(tried, text)
            assert caught.value.code == code
    assert listed <= set(candidates(table))
    assert state(table) == before, "a copy is independent"


def named(table: Table, text: str) -> str:
    """The move with its player, as `legal_moves` writes it."""
    mover = table.mover(table.moves[text])
    assert mover is not None
    return text if ":" in text or text in ("#", "*") else f"{table.seats[mover]}:{text}"


@examples(60)
@given(log=st.one_of(logs(), damaged()), data=st.data())
def test_a_whole_list_is_played_as_move_by_move(log: HandLog, data: st.DataObject) -> None:
    """`advance` over all moves, over any two parts of them, and over one after another leave the same table."""
    if judge(log).table is None:
        return
    whole = open_table(log)
    parts, single = whole.copy(), whole.copy()
    moves = [whole.moves[text] for text in log.moves]
    played = advance(whole, moves)
    at = data.draw(st.integers(min_value=0, max_value=len(moves)))
    first = advance(parts, moves[:at])
    assert first == min(at, played)
    if first == at:
        assert advance(parts, moves[at:]) == played - at
    for number, move in enumerate(moves):
        assert (check(single, move) is None) == (number < played)
        if not advance(single, (move,)):
            break
    assert state(single) == state(whole) == state(parts)


# ---- the deck --------------------------------------------------------------------------------------------------------


@examples(150)
@given(st.sampled_from([shape for rulebook in RULEBOOKS.values() for shape in rulebook.tables]), st.data())
def test_no_cards_are_a_deck_but_the_deck(shape: Any, data: st.DataObject) -> None:
    frame = Frame(RULEBOOKS["classique"], shape, ("A", "B"), ("a1", "b1"), 1000)
    deck = [card for card, copies in shape.deck.items() for _ in range(copies)]
    shuffled = data.draw(st.permutations(deck))
    assert frame.deck_numbers(shuffled) == tuple(map(CARDS.index, shuffled))
    other = list(deck)
    for _ in range(data.draw(st.integers(min_value=1, max_value=12))):
        at = data.draw(st.integers(min_value=0, max_value=len(other) - 1))
        other[at] = data.draw(st.sampled_from(CARDS))
    assert (frame.deck_numbers(other) is not None) == (Counter(other) == Counter(deck))
    assert frame.deck_numbers(deck[1:]) is None
    assert frame.deck_numbers([*deck, data.draw(st.sampled_from(CARDS))]) is None
    assert frame.deck_numbers([*deck[1:], "XX"]) is None


@pytest.mark.parametrize("rulebook", ["classique", "fournier"])
def test_no_exchange_of_copies_makes_another_deck_of_the_same_sum(rulebook: str) -> None:
    """A deck is known by its size and a sum: n + 1 copies of a card weigh as much as one of the next, but are more."""
    shape = RULEBOOKS[rulebook].tables[0]
    frame = Frame(RULEBOOKS[rulebook], shape, ("A", "B"), ("a1", "b1"), shape.targets[0])
    deck = Counter(shape.deck)
    for one in CARDS:
        for two in CARDS:
            for three in CARDS:
                for number in (1, 2, 5):
                    changed = Counter(deck)
                    changed[one] += number
                    changed[two] -= number - 1
                    changed[three] -= 1
                    if min(changed.values()) >= 0 and changed != deck:
                        assert frame.deck_numbers(list(changed.elements())) is None
