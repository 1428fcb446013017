"""Players that make complete legal games from a seed: for demonstrations, tests and benchmarks.

Two ways of playing, for every rulebook and table: `at_random` takes any legal move, `sensibly` plays to win. The same
arguments give the same log for ever within one version of Python's `random`.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.cards import ANSWERED_BY, ATTAQUES, BOTTES, CARDS, ETAPES, KM, SHIELDED_BY
from engine.displays import MOST_200S
from engine.notation import HandLog
from engine.play import legal_moves, play
from engine.replay import WholeLogError, open_table
from engine.rulebooks import RULEBOOKS
from engine.table import Table

Player = Callable[[Table, list[str], random.Random], str]
"""Chooses one of the legal moves, a list that is never empty."""

TEAM_LABELS: Final = "ABCD"
_ANSWERS: Final = {parade: attack for attack, parade in ANSWERED_BY.items()}
_BLOCKS_NOW: Final = 0.5
_CALLS_NOW: Final = 0.5


def simulate(
    rulebook: str,
    teams: int,
    players: int,
    seed: int | str,
    *,
    player: Player | None = None,
    target: int | None = None,
    house: Mapping[str, Any] | None = None,
    first: int = 0,
    closed: bool = True,
) -> HandLog:
    """A complete legal log of one manche: team A with seats a1, a2 …, and so on (RULES 13).

    `first` is the seat that begins, counted in the order of a1 b1 … a2 b2 …; `player` is `sensibly` unless given. An
    open log is the closed one without its deck.

    Raises:
        engine.replay.WholeLogError: the rulebook has no such table or target, or the house rules are wrong.
    """
    rng = random.Random(f"{rulebook}/{teams}x{players}/{target}/{first}/{seed}")
    log = _deal(rulebook, teams, players, rng, target, house, first)
    table = open_table(log)
    choose = player or sensibly
    moves: list[str] = []
    while table.end is None:
        move = choose(table, legal_moves(table, ends=table.blocked()), rng)
        play(table, move)
        moves.append(move)
    return HandLog(
        log.rulebook, log.teams, log.seats, moves, log.deck if closed else None, target, log.house, tags=log.tags
    )


def _deal(
    rulebook: str,
    teams: int,
    players: int,
    rng: random.Random,
    target: int | None,
    house: Mapping[str, Any] | None,
    first: int,
) -> HandLog:
    shape = RULEBOOKS[rulebook].table(teams, players) if rulebook in RULEBOOKS else None
    if shape is None:
        raise WholeLogError("bad-table" if rulebook in RULEBOOKS else "unknown-rulebook")
    labels = TEAM_LABELS[:teams]
    seats = [f"{label.lower()}{number}" for number in range(1, players + 1) for label in labels]
    deck = [card for card, copies in shape.deck.items() for _ in range(copies)]
    rng.shuffle(deck)
    return HandLog(
        rulebook=rulebook,
        teams={label: [f"{label.lower()}{number}" for number in range(1, players + 1)] for label in labels},
        seats=seats[first:] + seats[:first],
        moves=[],
        deck=deck,
        target=target,
        house=dict(house or {}),
    )


def at_random(table: Table, legal: list[str], rng: random.Random) -> str:
    """Any legal move; an end is declared no more often than any other move is made."""
    return rng.choice([move for move in legal if move != "*"])


def sensibly(table: Table, legal: list[str], rng: random.Random) -> str:
    """A move that a fair club player might make: wards off, rolls, hurries, attacks who leads, keeps what it needs."""
    if "#" in legal and rng.random() < _BLOCKS_NOW:
        return "#"
    plays = [move for move in legal if move not in ("#", "*")]
    return max(plays, key=lambda move: (_worth(table, move, rng), move))


def _worth(table: Table, move: str, rng: random.Random) -> float:
    """How much a sensible player wants to make `move`; discards are below 0, the least needed card highest."""
    play_of = move.partition(":")[2]
    card = play_of.lstrip("-").rstrip("!+").partition(">")[0]
    team = table.team_of[table.turn]
    if play_of.endswith("!"):
        return 1000
    if play_of.startswith("-"):
        return -_need(table, team, card)
    if card in ETAPES:
        call = play_of.endswith("+")
        wins = table.km(team) + KM[card] == table.target
        bonus = 500 if wins else 0
        return bonus + KM[card] + (10 if call and rng.random() < _CALLS_NOW else -10 if call else 0)
    if card in ATTAQUES:
        victim = table.teams.index(play_of.partition(">")[2])
        return 60 + table.km(victim) / 20
    if card in BOTTES:
        return 300 if _is_attacked(table, team, card) else (80 if table.sabot_left < len(table.seats) * 3 else -50)
    return 400


def _is_attacked(table: Table, team: int, botte: str) -> bool:
    display = table.display(team)
    attacks = [attack for attack, shield in SHIELDED_BY.items() if shield == botte]
    return display.attack in attacks or (display.limited and "LV" in attacks)


def _need(table: Table, team: int, card: str) -> float:
    """How sorry a sensible player of `team` would be to discard `card`."""
    display = table.display(team)
    hand = table.hand(table.turn) or []
    copies = hand.count(CARDS.index(card))
    if card in BOTTES:
        return 900
    if card in ETAPES:
        too_far = table.km(team) + KM[card] > table.target or (card == "200" and display.n200 == MOST_200S)
        return 1 if too_far else 20 + KM[card] / 5
    if card in ATTAQUES:
        others = [display for index, display in enumerate(map(table.display, range(len(table.teams)))) if index != team]
        return 25 if any(SHIELDED_BY[card] not in other.bottes for other in others) else 2
    attack = _ANSWERS[card]
    if SHIELDED_BY[attack] in display.bottes and not (card == "FV" and display.attack == ""):
        return 3
    return (60 if card == "FV" else 40) / copies
