"""Manches for tests, written as a log is: move by move, each judged as the log's last.

An open manche needs no deck: any card may be played that is still unseen, so that a test says only what matters. For
what depends on hands, `stacked` makes a deck in which they are known.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.cards import CARDS
from engine.displays import Display
from engine.moves import COUP_FOURRE
from engine.notation import HandLog
from engine.play import advance, play
from engine.replay import Verdict, judge, open_table
from engine.rulebooks import RULEBOOKS, TableShape

_DULL = ("FL", "ES", "RS", "RE", "25", "50", "75")
"""What fills hands of which a test says nothing: first cards that nobody can play before an attack."""


def shape(rulebook: str = "classique", table: str = "2x1") -> TableShape:
    """The table `2x1` (teams x players) of a rulebook."""
    teams, players = map(int, table.split("x"))
    found = RULEBOOKS[rulebook].table(teams, players)
    assert found is not None
    return found


def seating(table: str) -> tuple[dict[str, list[str]], list[str]]:
    """The teams A, B … of a table and its seats a1, b1 … in order of play."""
    teams, players = map(int, table.split("x"))
    labels = "ABCD"[:teams]
    numbers = range(1, players + 1)
    return (
        {label: [f"{label.lower()}{number}" for number in numbers] for label in labels},
        [f"{label.lower()}{number}" for number in numbers for label in labels],
    )


def stacked(
    rulebook: str = "classique", table: str = "2x1", *, draws: str = "", last: str = "", **hands: str
) -> list[str]:
    """A deck that deals `hands` (seat="cards", filled up with dull ones); its sabot begins with `draws`, ends with
    `last`, and holds the other cards of the table between them."""
    _, seats = seating(table)
    rest = Counter(shape(rulebook, table).deck)
    dealt = {seat: hands.get(seat, "").split() for seat in seats}
    for cards in (*dealt.values(), draws.split(), last.split()):
        rest.subtract(cards)
    assert min(rest.values()) >= 0, f"more copies than the deck has: {-rest}"
    for cards in dealt.values():
        while len(cards) < 6:
            cards.append(next(card for card in _DULL if rest[card]))
            rest[cards[-1]] -= 1
    deal = [dealt[seat][number] for number in range(6) for seat in seats]
    return [*deal, *draws.split(), *rest.elements(), *last.split()]


def closing(log: HandLog, following: str) -> list[str]:
    """A deck with which the moves of an open `log`, and then `following`, are in hand: each plays the card just drawn.

    The bottes of coups-fourrés are dealt, since nobody draws before one. The sabot must not run out.
    """
    table = open_table(log)
    hands: dict[str, list[str]] = {seat: [] for seat in log.seats}
    draws: list[str] = []
    for text in (*log.moves, following):
        move = table.moves[text]
        seat = table.mover(move)
        if move[1] == COUP_FOURRE and seat is not None:
            hands[table.seats[seat]].append(CARDS[move[2]])
            draws.append("FV")
        elif move[2] >= 0:
            draws.append(CARDS[move[2]])
        advance(table, (move,))
    dealt = {seat: " ".join(cards) for seat, cards in hands.items()}
    return stacked(log.rulebook, f"{len(log.teams)}x{len(log.seats) // len(log.teams)}", draws=" ".join(draws), **dealt)


class Manche:
    """A manche under way: open, or closed if it has a `deck`."""

    def __init__(
        self,
        rulebook: str = "classique",
        table: str = "2x1",
        *,
        deck: list[str] | None = None,
        target: int | None = None,
        house: Mapping[str, Any] | None = None,
    ) -> None:
        teams, seats = seating(table)
        self.log = HandLog(rulebook, teams, seats, [], deck, target, house or {})
        self.table = open_table(self.log)

    def play(self, moves: str) -> "Manche":
        """Plays moves separated by spaces; fails if one is refused."""
        for move in moves.split():
            code = self.refusal(move)
            assert code is None, f"{move} after {' '.join(self.log.moves)}: {code}"
            play(self.table, move)
            self.log.moves.append(move)
        return self

    def refusal(self, move: str) -> str | None:
        """The code with which the log is refused if `move` comes next, None if it may come."""
        verdict = judge(self.log._replace(moves=[*self.log.moves, move]))
        assert verdict.valid or verdict.at is not None, verdict.code
        refused = not verdict.valid and verdict.at == len(self.log.moves)
        return verdict.code if refused else None

    def discard(self, turns: int = 1, *, keep: str = "") -> "Manche":
        """So many turns in which nothing happens: in a closed manche what was drawn is discarded, so that the hands
        stay; in an open one never the last copies of the cards `keep`, so that they stay in some hand."""
        for _ in range(turns):
            self.play(f"{self.turn}:-{self._idle_card(Counter(keep.split()))}")
        return self

    def pass_to(self, player: str, *, keep: str = "") -> "Manche":
        """Everybody discards until it is the player's turn."""
        while self.turn != player:
            self.discard(keep=keep)
        return self

    def empty_sabot(self, *, leave: int = 0, keep: str = "") -> "Manche":
        """Everybody discards until the sabot holds `leave` cards."""
        while self.table.sabot_left > leave:
            self.discard(keep=keep)
        return self

    def play_out(self) -> "Manche":
        """Everybody discards until nobody has a card."""
        while self.end is None:
            self.discard()
        return self

    def _idle_card(self, kept: Counter[str]) -> str:
        drawn = self.table.drawing()
        if drawn is not None:
            return CARDS[drawn]
        if self.table.closed:
            return next(card for card in reversed(self.hand(self.turn)) if card not in kept)
        unseen = Counter(dict(zip(CARDS, self.table.unseen, strict=True))) - kept
        return max(unseen, key=unseen.__getitem__)

    @property
    def turn(self) -> str:
        """The player on turn."""
        return self.table.seats[self.table.turn]

    @property
    def end(self) -> str | None:
        """How the manche ended, if it did."""
        return self.table.end

    def display(self, team: str) -> Display:
        """The piles of a team."""
        return self.table.display(self.table.teams.index(team))

    def rolls(self, team: str) -> bool:
        """Whether a team may lay étapes."""
        return self.table.rolls(self.table.teams.index(team))

    def km(self, team: str) -> int:
        """The km of a team."""
        return self.table.km(self.table.teams.index(team))

    def hand(self, player: str) -> list[str]:
        """The cards of a player of a closed manche, in no order, the card about to be drawn left aside."""
        return [CARDS[card] for card in self.table.hands[self.table.seats.index(player)]]

    def verdict(self) -> Verdict:
        """The verdict on the log as it is."""
        return judge(self.log)

    def outcome(self) -> dict[str, Any]:
        """The outcome in JSON's types; the log must be valid."""
        verdict = self.verdict()
        assert verdict.outcome is not None, verdict.code
        return verdict.outcome.to_document()
