"""The state of a manche between two moves, and the questions that can be asked of it (RULES 3 to 7).

The table only holds and answers. What may be played, and what happens then, is `engine.play`'s alone.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from engine.cards import ATTAQUES, BOTTES, CARDS, DECK_106, ETAPES, KM, NUMBER
from engine.displays import DISPLAY, EXPOSED, Display, PileRules, Row, Transitions, rolls, transitions
from engine.moves import (
    ANY,
    COUP_FOURRE,
    Move,
    MoveTable,
    laid_200s,
    laid_counts,
    laid_km,
    move_table,
    named_seat,
)
from engine.outcome import Outcome, TeamOutcome
from engine.rulebooks import Rulebook, TableShape

HAND: Final = 6
_BOTTE_NUMBERS = frozenset(NUMBER[botte] for botte in BOTTES)


_NUMBER: Final = dict(NUMBER)


def _weights() -> list[int]:
    """A weight for each card number, such that a deck is known by its size and the sum of its weights.

    Counts of cards are written as digits: a card weighs the product of (copies + 1) over the cards before it. A table's
    deck has no digit over its copies, so it is the shortest way to write its sum: whatever else has the same sum holds
    copies + 1 of some card in the place of one of the next, and so more cards.
    """
    weights = [1]
    for card in CARDS[:-1]:
        weights.append(weights[-1] * (DECK_106[card] + 1))
    return weights


_WEIGHTS: Final = _weights()


class Frame:
    """What stays the same during a manche: rulebook, table, labels, and what follows from them.

    `teams` are counted in the order in which the seats alternate, and seat i belongs to team i mod T (RULES 3). Logs of
    one table share a frame, so all that can be worked out beforehand is.
    """

    __slots__ = (
        "after",
        "moves",
        "outcome_order",
        "rulebook",
        "seats",
        "shape",
        "size",
        "target",
        "team_of",
        "teams",
        "transitions",
        "weight",
    )

    def __init__(
        self, rulebook: Rulebook, shape: TableShape, teams: tuple[str, ...], seats: tuple[str, ...], target: int
    ) -> None:
        self.rulebook = rulebook
        self.shape = shape
        self.teams = teams
        self.outcome_order = sorted(range(len(teams)), key=lambda team: teams[team])
        self.seats = seats
        self.target = target
        self.moves: MoveTable = move_table(seats, teams)
        self.transitions: Transitions = transitions(PileRules.of(rulebook))
        self.after = [*range(1, len(seats)), 0]
        self.team_of = [seat % len(teams) for seat in range(len(seats))]
        self.size = sum(shape.deck.values())
        self.weight = sum(copies * _WEIGHTS[NUMBER[card]] for card, copies in shape.deck.items())

    def deck_numbers(self, deck: Sequence[str]) -> tuple[int, ...] | None:
        """The numbers of these cards, None if they are not exactly the table's cards (RULES 10, `bad-deck`)."""
        if len(deck) != self.size:
            return None
        try:
            numbers: tuple[int, ...] = itemgetter(*deck)(_NUMBER)  # the quickest way to look up a whole deck
        except KeyError:
            return None
        return numbers if sum(itemgetter(*numbers)(_WEIGHTS)) == self.weight else None


class Table:
    """A manche under way.

    With a `deck` (card numbers in order, the deal included) the manche is closed and `hands` holds every hand; without
    one it is open: `unseen` counts the copies of each card that nobody has played yet, `held` the cards in each hand.

    The seat on `turn` draws as the first part of its move, so between two moves it has not drawn yet: `drawn` counts
    the cards that left the sabot. `attack` is the attack just played, `(card, team, the team's row before)`, while
    a coup-fourré may still answer it. `laid` holds each team's étapes as `engine.moves.laid_etape` packs them.
    """

    __slots__ = (
        "attack",
        "coups_fourres",
        "couronnement",
        "deck",
        "displays",
        "drawn",
        "end",
        "extension",
        "frame",
        "hands",
        "held",
        "laid",
        "target",
        "turn",
        "unseen",
        "winner",
    )

    def __init__(self, frame: Frame, deck: tuple[int, ...] | None) -> None:
        seats, teams = len(frame.seats), len(frame.teams)
        self.frame = frame
        self.deck = deck
        self.drawn = drawn = HAND * seats
        if deck is None:
            self.hands: list[list[int]] = []
            self.held = [HAND] * seats
            self.unseen = [frame.shape.deck[card] for card in CARDS]
        else:
            self.hands = [list(deck[seat:drawn:seats]) for seat in range(seats)]
            self.held = []
            self.unseen = []
        self.displays: list[Row] = [frame.transitions.start] * teams
        self.laid = [0] * teams
        self.coups_fourres: list[tuple[int, int]] = []
        self.turn = 0
        self.target = frame.target
        self.extension: int | None = None
        self.attack: tuple[int, int, Row] | None = None
        self.end: str | None = None
        self.winner: int | None = None
        self.couronnement = False

    def copy(self) -> "Table":
        """An independent table in the same state."""
        twin = object.__new__(Table)
        for name in Table.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = [list(hand) for hand in self.hands]
        twin.held = list(self.held)
        twin.unseen = list(self.unseen)
        twin.displays = list(self.displays)
        twin.laid = list(self.laid)
        twin.coups_fourres = list(self.coups_fourres)
        return twin

    # ---- questions ---------------------------------------------------------------------------------------------------

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook, house rules laid over it."""
        return self.frame.rulebook

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' labels, in order of play."""
        return self.frame.seats

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams' labels, in the order in which the seats alternate."""
        return self.frame.teams

    @property
    def team_of(self) -> list[int]:
        """The team of each seat."""
        return self.frame.team_of

    @property
    def moves(self) -> MoveTable:
        """The moves of this table's labels."""
        return self.frame.moves

    @property
    def closed(self) -> bool:
        """Whether every card is known (RULES 9)."""
        return self.deck is not None

    @property
    def sabot_left(self) -> int:
        """Cards in the sabot, before the seat on turn draws."""
        return self.frame.size - self.drawn

    def display(self, team: int) -> Display:
        """The piles of a team."""
        display: Display = self.displays[team][DISPLAY]
        return display

    def km(self, team: int) -> int:
        """The km of a team."""
        return laid_km(self.laid[team])

    def rolls(self, team: int) -> bool:
        """Whether the team may lay étapes (RULES 5)."""
        return rolls(self.frame.transitions.rules, self.display(team))

    def mover(self, move: Move) -> int | None:
        """The seat that makes `move` now: the one named, or on turn, or attacked if the move is a coup-fourré.

        None where a coup-fourré leaves open which one of several partners (RULES 9).
        """
        if named_seat(move) != ANY:
            return named_seat(move)
        if move[1] != COUP_FOURRE or self.attack is None:
            return self.turn
        return self.attack[1] if self.frame.shape.players == 1 else None

    def drawing(self) -> int | None:
        """The card that the seat on turn draws as its move begins, None in an open manche or from an empty sabot."""
        if self.deck is None or self.drawn >= self.frame.size or self.end is not None:
            return None
        return self.deck[self.drawn]

    def hand(self, seat: int) -> list[int] | None:
        """The seat's cards by number, with the card about to be drawn if it is on turn; None in an open manche."""
        if self.deck is None:
            return None
        drawing = self.drawing() if seat == self.turn else None
        return self.hands[seat] if drawing is None else [*self.hands[seat], drawing]

    def cards_held(self, seat: int) -> int:
        """How many cards the seat holds, the one about to be drawn left aside."""
        return len(self.hands[seat]) if self.closed else self.held[seat]

    def holds_cards(self, seat: int) -> bool:
        """Whether the seat has a card to play, drawn or about to be."""
        return self.cards_held(seat) > 0 or (seat == self.turn and self.drawn < self.frame.size)

    def playable(self, team: int, card: int) -> bool:
        """Whether a player of `team` could do more with `card` on its own turn than discard it (RULES 7, blocked)."""
        if card in _BOTTE_NUMBERS:
            return True
        if CARDS[card] in ATTAQUES:
            return any(
                self.frame.transitions.look(display, card) is not None
                for victim, display in enumerate(self.displays)
                if victim != team
            )
        if self.frame.transitions.look(self.displays[team], card) is None:
            return False
        return CARDS[card] not in ETAPES or self.km(team) + KM[CARDS[card]] <= self.target

    def blocked(self) -> bool:
        """Whether the manche may be declared blocked (RULES 7): the sabot is empty and no card could be played."""
        if not self.rulebook.blocked_end or self.sabot_left > 1:  # the last card is drawn by the seat on turn
            return False
        seats = [seat for seat in range(len(self.seats)) if self.holds_cards(seat)]
        if self.closed:
            return not any(self.playable(self.team_of[seat], card) for seat in seats for card in self.hand(seat) or ())
        unseen = [card for card, copies in enumerate(self.unseen) if copies]
        return not any(all(self.playable(self.team_of[seat], card) for seat in seats) for card in unseen)

    def outcome(self) -> Outcome:
        """How the manche ended.

        Raises:
            ValueError: it is not over.
        """
        if self.end is None:
            raise ValueError("the manche is not over")
        frame, coups_fourres = self.frame, self.coups_fourres
        teams = {}
        for team in frame.outcome_order:
            laid = self.laid[team]
            warded = [CARDS[botte] for victim, botte in coups_fourres if victim == team] if coups_fourres else ()
            teams[frame.teams[team]] = TeamOutcome(
                laid_km(laid), laid_200s(laid), self.displays[team][EXPOSED], tuple(sorted(warded)), laid
            )
        return Outcome(
            self.end,
            None if self.winner is None else frame.teams[self.winner],
            self.couronnement,
            None if self.extension is None else frame.teams[self.extension],
            teams,
            frame.size - self.drawn,
        )


assert laid_counts(0) == dict.fromkeys(ETAPES, 0)
assert set(DECK_106) == set(CARDS)
