"""A log step by step, for a viewer: where every card lies after each move (RULES 4 to 7).

Judging does not pay for this: the legality and the turns come from `engine.play`, and beside it a `Layout` moves the
cards themselves from hand to pile to discard. In a closed log each card is known by its place in the deck, so that
every one of them can be accounted for at every step.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.cards import CARDS, SHIELDED_BY
from engine.moves import ATTACK, BOTTE, CALL, COUP_FOURRE, DISCARD, ETAPE, Move
from engine.notation import HandLog
from engine.play import advance
from engine.refusals import describe
from engine.replay import open_table
from engine.table import Table

Card = int
"""A card's place in the deck in a closed log; in an open one, minus one minus its card number (copies look alike)."""


@dataclass(slots=True)
class TeamLayout:
    """The cards in front of one team, the last of each list on top."""

    battle: list[Card]
    speed: list[Card]
    etapes: list[Card]
    bottes: list[Card]
    coups_fourres: list[Card]


@dataclass(slots=True)
class Step:
    """The state after a move: `at` is its index (-1 before the first), `player` its label (None for `#` and `*`).

    `state` is `engine.refusals.describe`; `teams` and `discard` show the piles as card codes, the last on top; `hands`
    holds every hand sorted, or None in an open log; `end` is set once the manche is over.
    """

    at: int
    move: str | None
    player: str | None
    state: dict[str, Any]
    teams: dict[str, dict[str, list[str]]]
    discard: list[str]
    hands: dict[str, list[str]] | None
    end: str | None


class Layout:
    """Where every card of a manche lies."""

    def __init__(self, log: HandLog, table: Table) -> None:
        self.deck = log.deck
        seats = len(table.seats)
        self.sabot = list(range(table.drawn, table.frame.size)) if log.deck is not None else []
        self.hands = [list(range(seat, table.drawn, seats)) for seat in range(seats)] if log.deck is not None else []
        self.teams = [TeamLayout([], [], [], [], []) for _ in table.teams]
        self.discard: list[Card] = []

    def code(self, card: Card) -> str:
        """The code of a card."""
        return CARDS[-1 - card] if self.deck is None else self.deck[card]

    def codes(self, cards: list[Card]) -> list[str]:
        """The codes of several cards."""
        return [self.code(card) for card in cards]

    def draw(self, seat: int) -> None:
        """The seat takes the next card of the sabot, if it has one."""
        if self.sabot:
            self.hands[seat].append(self.sabot.pop(0))

    def take(self, seat: int, number: int) -> Card:
        """A card of this number leaves the seat's hand."""
        if self.deck is None:
            return -1 - number
        hand = self.hands[seat]
        card = next(card for card in hand if self.deck[card] == CARDS[number])
        hand.remove(card)
        return card

    def lay(self, seat: int, move: Move, table: Table) -> None:
        """Puts a legal move's card where it goes; `table` stands as before the move."""
        _, kind, number, extra = move
        team = table.team_of[seat]
        if kind != COUP_FOURRE:
            self.draw(seat)
        card = self.take(seat, number)
        code = CARDS[number]
        if kind == DISCARD:
            self.discard.append(card)
        elif kind in (ETAPE, CALL):
            self.teams[team].etapes.append(card)
        elif kind == ATTACK:
            (self.teams[extra].speed if code == "LV" else self.teams[extra].battle).append(card)
        elif kind == BOTTE:
            self._expose(team, card, code, repairs=table.rulebook.botte_on_attack == "repairs")
        elif kind == COUP_FOURRE:
            self._expose(team, card, code, repairs=False)
            self.teams[team].coups_fourres.append(card)
            self.draw(seat)
        else:
            (self.teams[team].speed if code == "FL" else self.teams[team].battle).append(card)

    def _expose(self, team: int, card: Card, code: str, *, repairs: bool) -> None:
        """A botte takes the attacks that it answers to the discard; one that repairs stands on the battle pile."""
        layout = self.teams[team]
        for pile in (layout.battle, layout.speed):
            if pile and SHIELDED_BY.get(self.code(pile[-1])) == code:
                self.discard.append(pile.pop())
                if pile is layout.battle and repairs:
                    pile.append(card)
        if card not in layout.battle:
            layout.bottes.append(card)

    def all_cards(self) -> list[Card]:
        """Every card on the table, in hands, in the sabot and in the discard, in no order."""
        piles = [pile for team in self.teams for pile in (team.battle, team.speed, team.etapes, team.bottes)]
        return [card for pile in [*piles, *self.hands, self.sabot, self.discard] for card in pile]


def steps(log: HandLog) -> Iterator[Step]:
    """The state before the first move, then after each legal one; ends before the first that is refused.

    Raises:
        WholeLogError: the log as a whole is refused (RULES 10, step 1).
    """
    table = open_table(log)
    layout = Layout(log, table)
    yield _step(-1, None, None, table, layout)
    for at, text in enumerate(log.moves):
        move = table.moves[text]
        before = table.copy()
        if not advance(table, (move,)):
            return
        player = None
        if move[2] >= 0:
            seat = before.mover(move)
            assert seat is not None  # a legal coup-fourré says who plays it
            player = table.seats[seat]
            layout.lay(seat, move, before)
        elif layout.sabot:  # a declared end: the seat on turn has drawn (RULES 7)
            layout.draw(before.turn)
        yield _step(at, text, player, table, layout)


def _step(at: int, move: str | None, player: str | None, table: Table, layout: Layout) -> Step:
    hands = None
    if layout.deck is not None:
        hands = {
            label: sorted(layout.codes(layout.hands[seat]), key=CARDS.index) for seat, label in enumerate(table.seats)
        }
    piles = ("battle", "speed", "etapes", "bottes", "coups_fourres")
    teams = {
        label: {pile: layout.codes(getattr(layout.teams[team], pile)) for pile in piles}
        for team, label in enumerate(table.teams)
    }
    return Step(at, move, player, describe(table), teams, layout.codes(layout.discard), hands, table.end)
