"""Refusals that explain themselves: which move, by whom, in what state, and the rule in a sentence (RULES 10).

`PARAGRAPHS` says which paragraph of RULES each code comes from. Sentences are English message ids with parameters
(`engine.messages`).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from engine.cards import ANSWERED_BY, CARDS, SHIELDED_BY
from engine.displays import Base
from engine.messages import N_, Message, printable
from engine.moves import ANY, APART, ATTACK, MALFORMED, UNKNOWN_PLAYER, Move
from engine.notation import FormatError, HandLog
from engine.rulebooks import RULEBOOKS, HouseError
from engine.table import Table

PARAGRAPHS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "malformed-log": "RULES 9",
        "unknown-rulebook": "RULES 3",
        "bad-house": "RULES 12",
        "bad-table": "RULES 3",
        "bad-target": "RULES 3",
        "bad-deck": "RULES 3",
        "malformed": "RULES 9",
        "unknown-player": "RULES 9",
        "after-end": "RULES 7",
        "not-blocked": "RULES 7",
        "no-coup-fourre": "RULES 6",
        "player-required": "RULES 9",
        "not-in-hand": "RULES 4",
        "too-many-copies": "RULES 2",
        "not-your-turn": "RULES 4",
        "target-required": "RULES 9",
        "unknown-team": "RULES 9",
        "own-team": "RULES 5",
        "immune": "RULES 5",
        "already-limited": "RULES 5",
        "target-stopped": "RULES 5",
        "not-an-attack": "RULES 9",
        "stopped": "RULES 5",
        "speed-limited": "RULES 5",
        "third-200": "RULES 5",
        "over-target": "RULES 5",
        "no-extension": "RULES 7",
        "not-limited": "RULES 5",
        "needless-feu-vert": "RULES 5",
        "nothing-to-repair": "RULES 5",
        "incomplete": "RULES 7",
    }
)
"""Every code of RULES 10, in its order, and the paragraph that it comes from."""

_SENTENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "malformed-log": N_("This cannot be read. {where}: {what}."),
        "unknown-rulebook": N_("There is no rulebook “{rulebook}”."),
        "bad-house": N_("The house rule {key} cannot be: {what}."),
        "bad-table": N_(
            "These teams and seats are no table of this rulebook: teams must be equal and alternate seat by seat."
        ),
        "bad-target": N_("This table does not play to {target} km."),
        "bad-deck": N_("The deck does not hold exactly the cards of this table: {card} {held} times, not {wanted}."),
        "malformed": N_("“{move}” is not a move: write a card, -card, hazard>team, safety! or distance+."),
        "unknown-player": N_("No player with the label of “{move}” sits at this table."),
        "after-end": N_("The manche was over before this move."),
        "not-blocked": N_("The manche is not blocked: the draw pile must be empty and no card playable in any hand."),
        "no-coup-fourre": N_(
            "{card} answers no hazard here: a coup fourré is the very next move of the attacked team."
        ),
        "player-required": N_("Team {team} has several players: the coup fourré must name the one who plays it."),
        "not-in-hand": N_("{player} does not hold {card}."),
        "too-many-copies": N_("Every copy of {card} has been played already."),
        "not-your-turn": N_("It is {turn}'s turn, not {player}'s."),
        "target-required": N_("{card} is a hazard: say on which team."),
        "unknown-team": N_("The hazard goes on a team that is not at this table."),
        "own-team": N_("A hazard cannot go on one's own team."),
        "immune": N_("Team {victim} has exposed {botte}, which shields it from {card}."),
        "already-limited": N_("Team {victim} is under a speed limit already."),
        "target-stopped": N_("Team {victim} does not roll, so {card} cannot be played on it."),
        "not-an-attack": N_("{card} is no hazard: it goes on one's own display."),
        "speed-limited": N_("Team {team} is under a speed limit: only 25 or 50 km may be laid."),
        "third-200": N_("Team {team} has laid two 200s already, the most in a manche."),
        "over-target": N_("Team {team} stands at {km} km: {card} would pass the target of {target} km."),
        "no-extension": N_("The extension is called with the distance card that reaches the first target exactly."),
        "not-limited": N_("Team {team} is under no speed limit."),
        "nothing-to-repair": N_("{card} answers no hazard on team {team}."),
        "incomplete": N_("The log ends before the manche is over."),
    }
)
_STOPPED_BY_ATTACK = N_("Team {team} does not roll: {attack} lies on its battle pile and wants {answer}.")
_NOT_STARTED = N_("Team {team} has not started: it wants a green light first.")
_AFTER_PARADE = N_("Team {team} does not roll: a green light must follow the remedy.")
_NEEDLESS = N_("Team {team} needs no green light now.")
_NEEDLESS_ON_ATTACK = N_("A green light does not answer {attack}: team {team} wants {answer} first.")
_NO_CARD = N_("The deck holds “{found}”, which is no card.")
_NO_SUCH_END = N_("In this rulebook a manche cannot be declared blocked.")
_NO_SUCH_EXTENSION = N_("At this table there is no extension.")
_CALLED_ALREADY = N_("The extension has been called already.")
_OPEN_HAND_EMPTY = N_("{player} holds no card any more.")

_NO_MOVE: Final[Move] = (APART, UNKNOWN_PLAYER, -1, ANY)
_BASES: Final = {Base.EMPTY: "empty", Base.FEU_VERT: "feu-vert", Base.PARADE: "parade", Base.BOTTE: "botte"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a log was refused.

    `at`, `move`, `player` and `state` are None for the log as a whole; `player` is the label of who made the move (who
    was on turn if it names nobody), None where the move leaves that open. `state` is that before the move, with the
    hand of that player, in JSON's types (see `describe`).
    """

    code: str
    at: int | None
    move: str | None
    player: str | None
    paragraph: str
    message: Message
    state: dict[str, Any] | None = None


def explain_log(
    code: str, format_error: FormatError | None, house_error: HouseError | None, log: HandLog | None
) -> Refusal:
    """Why the log as a whole is refused (RULES 10, step 1)."""
    params: dict[str, Any] = {}
    if format_error is not None:
        params = {"where": _where(format_error), "what": format_error.detail.as_param()}
    elif house_error is not None:
        params = {"key": printable(house_error.key), "what": house_error.detail.as_param()}
    elif log is not None:
        params = {"rulebook": printable(log.rulebook), "target": log.target}
    if code == "bad-deck" and log is not None:
        return Refusal(code, None, None, None, PARAGRAPHS[code], _deck_message(log))
    return Refusal(code, None, None, None, PARAGRAPHS[code], _message(_SENTENCES[code], params))


def _deck_message(log: HandLog) -> Message:
    """Which card a wrong deck holds too often or too rarely: the first, unknown ones before all others."""
    shape = RULEBOOKS[log.rulebook].table(len(log.teams), len(log.seats) // len(log.teams))
    assert shape is not None  # the table was found before its deck was looked at
    held = Counter(log.deck)
    for code in held:
        if code not in shape.deck:
            return Message(_NO_CARD, {"found": printable(code)})
    card = next(card for card in CARDS if held[card] != shape.deck[card])
    return Message(_SENTENCES["bad-deck"], {"card": card, "held": held[card], "wanted": shape.deck[card]})


def _where(error: FormatError) -> dict[str, Any]:
    if error.line is not None:
        return Message(N_("Line {line}, column {column}"), {"line": error.line, "column": error.column}).as_param()
    if error.path:
        return Message(N_("At {field}"), {"field": error.field}).as_param()
    return Message(N_("As a whole"), {}).as_param()


def explain_move(code: str, at: int, log: HandLog, table: Table) -> Refusal:
    """Why the rules refuse move `at`, `table` standing as before it (RULES 10, steps 2 to 12)."""
    move = printable(log.moves[at]) if at < len(log.moves) else None
    parsed = table.moves[log.moves[at]] if move is not None else _NO_MOVE
    _, kind, card, extra = parsed
    mover = table.mover(parsed)
    seat = table.turn if mover is None else mover
    known = mover is not None and (kind not in (UNKNOWN_PLAYER, MALFORMED) or code == "incomplete")
    player = table.seats[seat] if known else None
    team = table.attack[1] if mover is None and table.attack is not None else table.team_of[seat]
    params: dict[str, Any] = {"move": move, "turn": table.seats[table.turn], "player": table.seats[seat]}
    params |= {"team": table.teams[team], "km": table.km(team), "target": table.target}
    if card >= 0:
        params |= {"card": CARDS[card], "botte": SHIELDED_BY.get(CARDS[card])}
    if kind == ATTACK:
        params["victim"] = table.teams[extra]
    attack = table.display(team).attack
    if attack:
        params |= {"attack": attack, "answer": ANSWERED_BY[attack]}
    message = _message(_sentence(code, table, team), params)
    return Refusal(code, at, move, player, PARAGRAPHS[code], message, describe(table, seat))


def _message(sentence: str, params: dict[str, Any]) -> Message:
    """The sentence with those of the parameters that it says."""
    return Message(sentence, {key: value for key, value in params.items() if f"{{{key}}}" in sentence})


def _sentence(code: str, table: Table, team: int) -> str:
    display = table.display(team)
    if code == "stopped":
        if display.attack:
            return _STOPPED_BY_ATTACK
        return _NOT_STARTED if display.base is Base.EMPTY else _AFTER_PARADE
    if code == "needless-feu-vert":
        return _NEEDLESS_ON_ATTACK if display.attack else _NEEDLESS
    if code == "not-in-hand" and not table.closed:
        return _OPEN_HAND_EMPTY
    if code == "not-blocked" and not table.rulebook.blocked_end:
        return _NO_SUCH_END
    if code == "no-extension" and table.frame.shape.extended is None:
        return _NO_SUCH_EXTENSION
    if code == "no-extension" and table.extension is not None:
        return _CALLED_ALREADY
    return _SENTENCES[code]


def describe(table: Table, seat: int | None = None) -> dict[str, Any]:
    """The state of a table in JSON's types: whose turn, the sabot, each team's piles and km, the hand if it is known.

    `sabot_left` is counted before the seat on turn draws. `hand` is that of the player `hand_of`, who sits on `seat` or
    else is on turn, with the card about to be drawn on turn; sorted as in `engine.cards.CARDS`, null in an open log.
    """
    seat = table.turn if seat is None else seat
    hand = table.hand(seat)
    return {
        "turn": table.seats[table.turn],
        "sabot_left": table.sabot_left,
        "target": table.target,
        "extension": None if table.extension is None else table.teams[table.extension],
        "hand_of": table.seats[seat],
        "hand": None if hand is None else [CARDS[card] for card in sorted(hand)],
        "teams": {label: _describe_team(table, team) for team, label in enumerate(table.teams)},
    }


def _describe_team(table: Table, team: int) -> dict[str, Any]:
    display = table.display(team)
    return {
        "km": table.km(team),
        "n200": display.n200,
        "rolls": table.rolls(team),
        "attack": display.attack or None,
        "under": _BASES[display.base],
        "limited": display.limited,
        "bottes": sorted(display.bottes),
    }


assert set(_SENTENCES) | {"stopped", "needless-feu-vert"} == set(PARAGRAPHS)
