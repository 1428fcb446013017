"""Hypothesis strategies: simulated manches of every kind, and logs that something happened to."""

from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from engine.cards import CARDS
from engine.notation import HandLog
from engine.rulebooks import CHOICES, POINT_VALUES, RULEBOOKS, SWITCHES
from engine.simulate import Player, at_random, sensibly, simulate


class Kind(NamedTuple):
    """What a manche is played by: `simulate` makes one of it and a seed."""

    rulebook: str
    teams: int
    players: int
    target: int | None
    player: Player

    def __str__(self) -> str:
        target = f"-to-{self.target}" if self.target is not None else ""
        return f"{self.rulebook}-{self.teams}x{self.players}{target}-{self.player.__name__}"

    def simulate(self, seed: int, **options: Any) -> HandLog:
        """A complete legal log."""
        return simulate(
            self.rulebook, self.teams, self.players, seed, player=self.player, target=self.target, **options
        )


KINDS: Final = [
    Kind(rulebook.id, shape.teams, shape.players, target, player)
    for rulebook in RULEBOOKS.values()
    for shape in rulebook.tables
    for target in (None, *shape.targets[1:])
    for player in (at_random, sensibly)
]
"""Every rulebook, table, target and way of playing."""

seeds = st.integers(min_value=0, max_value=10**6)
kinds = st.sampled_from(KINDS)


@st.composite
def houses(draw: st.DrawFn, rulebook: str) -> dict[str, Any]:
    """House rules that a rulebook allows."""
    points = POINT_VALUES if RULEBOOKS[rulebook].has_points else ()
    choices: dict[str, st.SearchStrategy[Any]] = (
        dict.fromkeys(SWITCHES, st.booleans())
        | {key: st.sampled_from(values) for key, values in CHOICES.items()}
        | dict.fromkeys(points, st.integers(min_value=0, max_value=5000))
    )
    keys = draw(st.lists(st.sampled_from([*choices]), unique=True, max_size=6))
    return {key: draw(choices[key]) for key in keys}


@st.composite
def logs(draw: st.DrawFn, *, closed: bool | None = None, housed: bool = True) -> HandLog:
    """A complete legal log of any kind, with house rules or without, whoever begins."""
    kind = draw(kinds)
    return kind.simulate(
        draw(seeds),
        house=draw(houses(kind.rulebook)) if housed else None,
        first=draw(st.integers(min_value=0, max_value=kind.teams * kind.players - 1)),
        closed=draw(st.booleans()) if closed is None else closed,
    )


def move_texts(log: HandLog) -> st.SearchStrategy[str]:
    """Moves that might stand in a log, and some that could not."""
    players = st.sampled_from(["", *(f"{seat}:" for seat in log.seats), "z9:"])
    cards = st.sampled_from([*CARDS, "XX"])
    ends = st.sampled_from(["", "!", "+", *(f">{team}" for team in log.teams), ">Z"])
    discards = st.sampled_from(["", "", "-"])
    written = st.builds(lambda *parts: "".join(parts), players, discards, cards, ends)
    return st.one_of(written, st.sampled_from(["#", "*", "", " ", "a1:#"]), st.text(max_size=6))


@st.composite
def damaged(draw: st.DrawFn) -> HandLog:
    """A log that was legal before somebody changed, cut, doubled, swapped, added or took moves or cards."""
    log = draw(logs())
    moves, deck = list(log.moves), None if log.deck is None else list(log.deck)
    for _ in range(draw(st.integers(min_value=1, max_value=3))):
        at = draw(st.integers(min_value=0, max_value=len(moves)))
        what = draw(st.sampled_from(["change", "cut", "double", "swap", "add", "take", "card", "open", "end"]))
        if what == "change":
            moves[at : at + 1] = [draw(move_texts(log))]
        elif what == "cut":
            del moves[at:]
        elif what == "double":
            moves[at:at] = moves[at : at + 1]
        elif what == "swap":
            moves[at : at + 2] = reversed(moves[at : at + 2])
        elif what == "add":
            moves.insert(at, draw(move_texts(log)))
        elif what == "take":
            del moves[at : at + 1]
        elif what == "end":
            moves.append(draw(st.sampled_from(["#", "*", "FV"])))
        elif deck:
            one, other = draw(st.tuples(*[st.integers(min_value=0, max_value=len(deck) - 1)] * 2))
            deck[one], deck[other] = deck[other], deck[one]
            if what == "open":
                deck = None
    return log._replace(moves=moves, deck=deck)
