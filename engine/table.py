"""The state of a manche between two moves, and the questions that can be asked of it (RULES 3 to 7).

The table only holds and answers. What may be played, and what happens then, is `engine.play`'s alone.
"""

from typing import Final

from engine.cards import ATTAQUES, BOTTES, CARDS, DECK_106, ETAPES, KM, NUMBER
from engine.displays import START, Display, PileRules, Transitions, decode, rolls, transitions
from engine.moves import MoveTable, laid_counts, laid_km, move_table
from engine.outcome import Outcome, TeamOutcome
from engine.rulebooks import Rulebook, TableShape

HAND: Final = 6
_BOTTE_NUMBERS = frozenset(NUMBER[botte] for botte in BOTTES)


class Table:
    """A manche under way.

    `teams` and `seats` are labels; teams are counted in the order in which the seats alternate, and seat i belongs to
    team i mod T. With a `deck` (card numbers in order, the deal included) the manche is closed and `hands` holds every
    hand; without one it is open: `unseen` counts the copies of each card that nobody has played yet, `held` the cards
    in each hand.

    The seat on `turn` draws as the first part of its move, so between two moves it has not drawn yet: `drawn` counts
    the cards that left the sabot. `attack` is the attack just played, `(card, team, the team's display before)`, while
    a coup-fourré may still answer it. `laid` holds each team's étapes as `engine.moves.laid_etape` packs them.
    """

    __slots__ = (
        "after",
        "attack",
        "coups_fourres",
        "couronnement",
        "deck",
        "displays",
        "drawn",
        "end",
        "extension",
        "hands",
        "held",
        "laid",
        "moves",
        "played",
        "rulebook",
        "seats",
        "shape",
        "size",
        "target",
        "team_of",
        "teams",
        "transitions",
        "turn",
        "unseen",
        "winner",
    )  # fmt: skip

    def __init__(
        self,
        rulebook: Rulebook,
        shape: TableShape,
        teams: tuple[str, ...],
        seats: tuple[str, ...],
        target: int,
        deck: list[int] | None,
    ) -> None:
        count = len(seats)
        self.rulebook = rulebook
        self.shape = shape
        self.teams = teams
        self.seats = seats
        self.moves: MoveTable = move_table(seats, teams)
        self.transitions: Transitions = transitions(PileRules.of(rulebook))
        self.after = [*range(1, count), 0]
        self.team_of = [seat % len(teams) for seat in range(count)]
        self.deck = deck
        self.size = sum(shape.deck.values())
        self.drawn = HAND * count
        self.hands = [deck[seat : self.drawn : count] for seat in range(count)] if deck is not None else []
        self.held = [HAND] * count
        self.unseen = [shape.deck[card] for card in CARDS] if deck is None else []
        self.displays = [START] * len(teams)
        self.laid = [0] * len(teams)
        self.coups_fourres: list[list[int]] = [[] for _ in teams]
        self.turn = 0
        self.target = target
        self.extension: int | None = None
        self.attack: tuple[int, int, int] | None = None
        self.played = 0
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
        twin.coups_fourres = [list(coups) for coups in self.coups_fourres]
        return twin

    # ---- questions ---------------------------------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        """Whether every card is known (RULES 9)."""
        return self.deck is not None

    @property
    def sabot_left(self) -> int:
        """Cards in the sabot, before the seat on turn draws."""
        return self.size - self.drawn

    def display(self, team: int) -> Display:
        """The piles of a team."""
        return decode(self.displays[team])

    def km(self, team: int) -> int:
        """The km of a team."""
        return laid_km(self.laid[team])

    def rolls(self, team: int) -> bool:
        """Whether the team may lay étapes (RULES 5)."""
        return rolls(self.transitions.rules, self.display(team))

    def drawing(self) -> int | None:
        """The card that the seat on turn draws as its move begins, None in an open manche or from an empty sabot."""
        if self.deck is None or self.drawn >= self.size or self.end is not None:
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
        return self.cards_held(seat) > 0 or (seat == self.turn and self.drawn < self.size)

    def playable(self, team: int, card: int) -> bool:
        """Whether a player of `team` could do more with `card` on its own turn than discard it (RULES 7, blocked)."""
        if card in _BOTTE_NUMBERS:
            return True
        if CARDS[card] in ATTAQUES:
            return any(
                self.transitions.look(display | card) >= 0
                for victim, display in enumerate(self.displays)
                if victim != team
            )
        if self.transitions.look(self.displays[team] | card) < 0:
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
        teams = {self.teams[team]: self._team_outcome(team) for team in range(len(self.teams))}
        return Outcome(
            end=self.end,
            winner=None if self.winner is None else self.teams[self.winner],
            couronnement=self.couronnement,
            extension=None if self.extension is None else self.teams[self.extension],
            teams=dict(sorted(teams.items())),
            sabot_left=self.sabot_left,
        )

    def _team_outcome(self, team: int) -> TeamOutcome:
        display, steps = decode(self.displays[team]), laid_counts(self.laid[team])
        return TeamOutcome(
            km=laid_km(self.laid[team]),
            steps=steps,
            n200=steps["200"],
            bottes=tuple(sorted(display.bottes)),
            coups_fourres=tuple(sorted(CARDS[card] for card in self.coups_fourres[team])),
        )


assert laid_counts(0) == dict.fromkeys(ETAPES, 0)
assert set(DECK_106) == set(CARDS)
