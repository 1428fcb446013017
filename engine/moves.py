"""The form of one move, and the table in which a log's moves are looked up whole (RULES 9; 10, step 2).

    move   = [ label ":" ] play | "#" | "*"
    play   = CARD                      on one's own display
           | CARD ">" label            an attack on that team
           | "-" CARD                  a discard
           | BOTTE "!"                 a coup-fourré
           | ETAPE "+"                 the étape, and the extension is called
    label  = letter, then up to 15 of A-Z a-z 0-9 _

A move is kept as a tuple `(seat, kind, card, extra)` of small integers: `seat` is `ANY` if the move names nobody,
`card` a card's number (-1 without one), `extra` what the kind says below. What is no plain move has `APART` for a seat,
so that one question sorts it out, and the seat that it names in `extra`. Forms that no rule ever lets through are kinds
too, so that each is refused at its place in the order of RULES 10.

>>> table = move_table(("a1", "b1"), ("A", "B"))
>>> table["b1:LV>A"] == (1, ATTACK, NUMBER["LV"], 0)
True
>>> table["VP!"] == (APART, COUP_FOURRE, NUMBER["VP"], ANY)
True
"""

import re
from functools import lru_cache
from typing import Final

from engine.cards import ATTAQUES, BOTTES, ETAPES, KM, NUMBER

ANY: Final = -1
APART: Final = -2

# Plain moves, which the loop of `engine.play` takes itself
DISCARD: Final = 0
ETAPE: Final = 1  # extra: what the étape adds to a team's laid étapes, see `laid_etape`
SIGN: Final = 2  # a parade, a feu vert or a fin de limite
ATTACK: Final = 3  # extra: the team's index
BOTTE: Final = 4
# Moves that change more than a pile
COUP_FOURRE: Final = 5
CALL: Final = 6
BLOCKED: Final = 7
STOPPED: Final = 8
# Forms that are always refused
AIMLESS: Final = 9  # an attack without a target
ASTRAY: Final = 10  # an attack on a team that is not at the table
NOT_AN_ATTACK: Final = 11
UNKNOWN_PLAYER: Final = 12
MALFORMED: Final = 13

Move = tuple[int, int, int, int]

LABEL: Final = r"[A-Za-z][A-Za-z0-9_]{0,15}"
_LABEL = re.compile(LABEL)
_PLAY = re.compile(
    rf"(?:(?P<player>{LABEL}):)?"
    rf"(?:(?P<end>[#*])|-(?P<discard>[A-Z0-9]+)|(?P<card>[A-Z0-9]+)(?:>(?P<team>{LABEL})|(?P<mark>[!+]))?)"
)

COUNT_BITS: Final = 4
KM_FROM: Final = COUNT_BITS * len(ETAPES)
"""Étapes laid are kept as one integer: a count of each distance, and from this bit on the km in units of `SHORTEST`."""
SHORTEST: Final = min(KM.values())
"""The km of the shortest étape, of which all others are multiples."""
_COUNT_MASK: Final = (1 << COUNT_BITS) - 1


def is_label(value: object) -> bool:
    """Whether `value` is a label of a team or seat (RULES 9)."""
    return isinstance(value, str) and _LABEL.fullmatch(value) is not None


def laid_etape(card: str) -> int:
    """What laying the étape `card` adds to a team's étapes kept as one integer."""
    return laid_from(KM[card]) + (1 << (COUNT_BITS * ETAPES.index(card)))


def laid_from(km: int) -> int:
    """The number from which on étapes kept as one integer make up `km`."""
    return km // SHORTEST << KM_FROM


def laid_km(laid: int) -> int:
    """The km of a team's étapes kept as one integer."""
    return (laid >> KM_FROM) * SHORTEST


def laid_200s(laid: int) -> int:
    """How many 200s a team laid, from its étapes kept as one integer."""
    return laid >> (4 * COUNT_BITS) & _COUNT_MASK


def laid_counts(laid: int) -> dict[str, int]:
    """How many of each distance a team laid, from its étapes kept as one integer."""
    return {
        "25": laid & _COUNT_MASK,
        "50": laid >> COUNT_BITS & _COUNT_MASK,
        "75": laid >> (2 * COUNT_BITS) & _COUNT_MASK,
        "100": laid >> (3 * COUNT_BITS) & _COUNT_MASK,
        "200": laid_200s(laid),
    }


def named_seat(move: Move) -> int:
    """The seat that a move names, or `ANY`."""
    return move[3] if move[0] == APART else move[0]


class MoveTable(dict[str, Move]):
    """Every move of one table's labels, as text → `Move`; a text is read on its first use."""

    def __init__(self, seats: tuple[str, ...], teams: tuple[str, ...]) -> None:
        super().__init__()
        self._seats = {label: index for index, label in enumerate(seats)}
        self._teams = {label: index for index, label in enumerate(teams)}

    def __missing__(self, text: str) -> Move:
        move = self._read(text)
        # what could be played is kept, some hundred texts; a hostile log may hold a million others
        if move[1] < AIMLESS:
            self[text] = move
        return move

    def _read(self, text: str) -> Move:
        match = _PLAY.fullmatch(text)
        if match is None or (match["end"] and match["player"]):
            return (APART, MALFORMED, -1, ANY)
        code = match["card"] or match["discard"]
        if not match["end"] and (code not in NUMBER or not _may_bear(code, match["mark"])):
            return (APART, MALFORMED, -1, ANY)
        seat = ANY if match["player"] is None else self._seats.get(match["player"])
        if seat is None:
            return (APART, UNKNOWN_PLAYER, -1, ANY)
        if match["end"]:
            return (APART, BLOCKED if match["end"] == "#" else STOPPED, -1, ANY)
        if match["discard"]:
            return (seat, DISCARD, NUMBER[code], 0)
        return self._play(seat, code, match["team"], match["mark"])

    def _play(self, seat: int, code: str, team: str | None, mark: str | None) -> Move:
        card = NUMBER[code]
        if mark:
            return (APART, CALL if mark == "+" else COUP_FOURRE, card, seat)
        if code in ATTAQUES:
            if team in self._teams:
                return (seat, ATTACK, card, self._teams[team])
            return (APART, AIMLESS if team is None else ASTRAY, card, seat)
        if team is not None:
            return (APART, NOT_AN_ATTACK, card, seat)
        if code in ETAPES:
            return (seat, ETAPE, card, laid_etape(code))
        return (seat, BOTTE if code in BOTTES else SIGN, card, 0)


def _may_bear(code: str, mark: str | None) -> bool:
    return mark is None or code in (BOTTES if mark == "!" else ETAPES)


@lru_cache(maxsize=256)
def move_table(seats: tuple[str, ...], teams: tuple[str, ...]) -> MoveTable:
    """The shared move table of these labels, in the order of seats and of teams."""
    return MoveTable(seats, teams)
