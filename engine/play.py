"""What may be played, and what happens then: the only place that knows what is legal (RULES 4 to 7 and 10).

`check` is the law: it names the first refusal, in the order of RULES 10. `advance` plays moves one after another and
stops before the first that it cannot play; `legal_moves` lists what `check` lets through. Nobody may change a
`Table` but the functions of this file.

A plain move (a card laid, an attack, a discard) is played by `_plain_turns`, a loop over local variables because a
replay spends its time there. It decides nothing of its own: what the piles allow comes from `engine.displays`, and what
it stops before is named by `check`, so the two can never disagree silently.
"""

from collections.abc import Iterator, Sequence
from operator import length_hint
from typing import Final

from engine.cards import ANSWERED_BY, ATTAQUES, BOTTES, CARDS, ETAPES, KM, NUMBER, SHIELDED_BY
from engine.displays import WARD
from engine.moves import (
    AIMLESS,
    ANY,
    ASTRAY,
    ATTACK,
    BLOCKED,
    BOTTE,
    CALL,
    COUP_FOURRE,
    DISCARD,
    ETAPE,
    MALFORMED,
    NOT_AN_ATTACK,
    SHORTEST,
    SIGN,
    STOPPED,
    UNKNOWN_PLAYER,
    Move,
    laid_etape,
    laid_from,
    named_seat,
)
from engine.outcome import most_km
from engine.table import Table

_SHIELD: Final = {NUMBER[attack]: NUMBER[botte] for attack, botte in SHIELDED_BY.items()}


class IllegalMoveError(ValueError):
    """A move that the rules refuse: `code` of RULES 10."""

    def __init__(self, code: str, move: str) -> None:
        super().__init__(f"{move}: {code}")
        self.code = code
        self.move = move


# ---- the law ---------------------------------------------------------------------------------------------------------


def check(table: Table, move: Move) -> str | None:
    """The first code of RULES 10 (2 to 11) with which `move` is refused now, or None if it may be played."""
    seat, kind, card = named_seat(move), move[1], move[2]
    if kind == MALFORMED:
        return "malformed"
    if kind == UNKNOWN_PLAYER:
        return "unknown-player"
    if table.end is not None:
        return "after-end"
    if kind == BLOCKED:
        return None if table.blocked() else "not-blocked"
    if kind == STOPPED:
        return None
    if kind == COUP_FOURRE:
        return _check_coup_fourre(table, seat, card)
    if seat not in (ANY, table.turn):
        return "not-your-turn"
    if table.closed:
        if card not in (table.hand(table.turn) or ()):
            return "not-in-hand"
    elif not table.unseen[card]:
        return "too-many-copies"
    return _check_turn(table, move)


def _check_coup_fourre(table: Table, seat: int, botte: int) -> str | None:
    """RULES 6 and 10, step 5."""
    if table.attack is None or _SHIELD[table.attack[0]] != botte:
        return "no-coup-fourre"
    frame, victim = table.frame, table.attack[1]
    if seat == ANY and frame.shape.players > 1:
        return "player-required"
    if seat == ANY:
        seat = victim
    if frame.team_of[seat] != victim:
        return "no-coup-fourre"
    if table.deck is not None:
        return None if botte in table.hands[seat] else "not-in-hand"
    if not table.unseen[botte]:
        return "too-many-copies"
    return None if table.held[seat] else "not-in-hand"


def _check_turn(table: Table, move: Move) -> str | None:
    """RULES 5 and 10, steps 8 to 11: what the seat on turn may do with a card that it has."""
    _, kind, card, extra = move
    team = table.team_of[table.turn]
    if kind in (DISCARD, BOTTE):
        return None
    if kind == NOT_AN_ATTACK:
        return "not-an-attack"
    if kind == AIMLESS:
        return "target-required"
    if kind == ASTRAY:
        return "unknown-team"
    if kind == ATTACK:
        return "own-team" if extra == team else table.frame.transitions.refusal(table.displays[extra], card)
    refusal = table.frame.transitions.refusal(table.displays[team], card)
    if refusal is not None or kind == SIGN:
        return refusal
    km = table.km(team) + KM[CARDS[card]]
    if km > table.target:
        return "over-target"
    if kind == CALL:
        callable_now = table.frame.shape.extended is not None and table.extension is None and km == table.target
        return None if callable_now else "no-extension"
    return None


# ---- playing ---------------------------------------------------------------------------------------------------------


def advance(table: Table, moves: Sequence[Move]) -> int:
    """Plays `moves` in order and stops before the first that the rules refuse. Returns how many were played.

    The table then stands as it was before the refused move, and `check` says why.
    """
    rest = iter(moves)
    while True:
        move = _plain_turns(table, rest)
        if move is None:
            return len(moves)
        if check(table, move) is not None:
            return len(moves) - length_hint(rest) - 1
        _special(table, move)


def play(table: Table, move: str) -> None:
    """Plays one move, given as RULES 9 writes it.

    Raises:
        IllegalMoveError: the rules refuse it; the table is as before.
    """
    parsed = table.moves[move]
    if not advance(table, (parsed,)):
        raise IllegalMoveError(check(table, parsed) or "malformed", move)


def _plain_turns(table: Table, moves: Iterator[Move]) -> Move | None:  # noqa: C901 (one loop, for speed)
    """Plays moves up to a call, a declared end, or one that it cannot play, which it returns; None when all are played.

    Every card move takes one card from the sabot while it has any: the card drawn takes the slot of the card played
    (RULES 4.2). A card that the piles then refuse goes back to the hand.
    """
    if table.end is not None:
        return next(moves, None)
    frame = table.frame
    size, after, team_of, go_on_empty = frame.size, frame.after, frame.team_of, frame.rulebook.go_on_empty_sabot
    look = frame.transitions.look
    deck, drawn, turn, attack = table.deck or (), table.drawn, table.turn, table.attack
    hands, displays, laid = table.hands, table.displays, table.laid
    arrived, beyond = laid_from(table.target), laid_from(table.target + SHORTEST)
    known = size if table.deck is not None else 0
    held_by: Sequence[list[int] | int] = hands if known else table.held
    drew = True  # until a sabot is found empty; an open manche looks every time
    for seat, kind, card, extra in moves:
        if seat != turn and seat != ANY:
            if kind != COUP_FOURRE:
                break
            table.turn, table.drawn, table.attack = turn, drawn, attack
            if _check_coup_fourre(table, extra, card) is not None:
                break
            if _coup_fourre(table, extra, card):
                return next(moves, None)
            turn, drawn, attack = table.turn, table.drawn, None
            continue

        # the card leaves the hand
        if drawn < known:
            new = deck[drawn]
            if card != new:
                hand = hands[turn]
                try:
                    hand[hand.index(card)] = new
                except ValueError:
                    break
            drawn += 1
        else:
            drew = drawn < size
            if not _take(table, turn, card, drew=drew):
                break
            drawn += drew

        # what it does
        if not kind:  # a discard
            attack = None
        elif kind == ATTACK:
            before = displays[extra]
            entry = before[card]
            if (entry is None and (entry := look(before, card)) is None) or extra == team_of[turn]:
                drawn = _give_back(table, turn, card, drawn, drew=drew)
                break
            displays[extra] = entry
            attack = (card, extra, before)
        else:
            team = team_of[turn]
            display = displays[team]
            entry = display[card]
            if entry is None and (entry := look(display, card)) is None:
                drawn = _give_back(table, turn, card, drawn, drew=drew)
                break
            if kind == ETAPE:
                total = laid[team] + extra
                if total >= arrived:
                    if total >= beyond:
                        drawn = _give_back(table, turn, card, drawn, drew=drew)
                        break
                    displays[team], laid[team] = entry, total
                    table.turn, table.drawn, table.attack = turn, drawn, None
                    _reach(table, team, drew=drew)
                    return next(moves, None)
                laid[team] = total
            elif kind == BOTTE and (drawn < size or go_on_empty):
                turn -= 1  # RULES 4.4: another go, for the seat after the one before it
            displays[team] = entry
            attack = None
        turn = after[turn]
        if drawn == size and not held_by[turn]:
            table.turn, table.drawn, table.attack = turn, drawn, attack
            if _pass_over(table):
                return next(moves, None)
            turn = table.turn
    else:
        table.turn, table.drawn, table.attack = turn, drawn, attack
        return None
    table.turn, table.drawn, table.attack = turn, drawn, attack
    return seat, kind, card, extra


def _take(table: Table, seat: int, card: int, *, drew: bool) -> bool:
    """The card leaves the seat's hand where no card takes its slot: an open manche, or an empty sabot.

    Returns False, and changes nothing, if the seat cannot have it.
    """
    if table.closed:
        if card not in table.hands[seat]:
            return False
        table.hands[seat].remove(card)
    elif not table.unseen[card]:
        return False
    else:
        table.unseen[card] -= 1
        table.held[seat] -= not drew
    return True


def _give_back(table: Table, seat: int, card: int, drawn: int, *, drew: bool) -> int:
    """The seat has `card` again as before its move. Returns how many cards had left the sabot then."""
    if table.deck is None:
        table.unseen[card] += 1
        table.held[seat] += not drew
    elif not drew:
        table.hands[seat].append(card)
    elif table.deck[drawn - 1] != card:
        hand = table.hands[seat]
        hand[hand.index(table.deck[drawn - 1])] = card
    return drawn - drew


def _reach(table: Table, team: int, *, drew: bool) -> None:
    """A team stands on the target: the manche is over (RULES 7). `drew`: the winning go began with a draw."""
    table.end = "target"
    table.winner = team
    table.couronnement = table.drawn == table.frame.size and (table.rulebook.last_card_couronnement or not drew)


def _pass_over(table: Table) -> bool:
    """With an empty sabot, seats without a card are passed over (RULES 4.3).

    Returns whether nobody has a card left: the manche is then over (RULES 7).
    """
    for _ in table.seats:
        if table.cards_held(table.turn):
            return False
        table.turn = table.frame.after[table.turn]
    table.end = "exhausted"
    table.winner = _most_km(table)
    return True


def _most_km(table: Table) -> int | None:
    """The winner of a manche that nobody finished (RULES 7)."""
    if not table.rulebook.most_km_wins:
        return None
    return most_km({team: table.km(team) for team in range(len(table.teams))})


def _special(table: Table, move: Move) -> None:
    """Plays a move that `check` let through and `_plain_turns` leaves: the call of the extension or a declared end."""
    _, kind, card, seat = move
    if kind == CALL:
        # the target is extended before the étape is laid, so that this étape does not end the manche (RULES 7)
        table.extension = table.team_of[table.turn]
        table.target = table.frame.shape.extended or table.target
        _plain_turns(table, iter([(seat, ETAPE, card, laid_etape(CARDS[card]))]))
        return
    assert kind in (BLOCKED, STOPPED)
    _draw_for_turn(table)
    table.end = "blocked" if kind == BLOCKED else "interrupted"
    table.winner = _most_km(table) if kind == BLOCKED else None
    table.attack = None


def _coup_fourre(table: Table, seat: int, botte: int) -> bool:
    """RULES 6: the attack is undone, the hand completed, and the turn goes to the player of the botte.

    Returns whether the manche is over: it was the last card of all.
    """
    assert table.attack is not None
    _, victim, before = table.attack
    seat = victim if seat == ANY else seat
    from_sabot = table.drawn < table.frame.size
    if table.deck is None:
        table.unseen[botte] -= 1
        table.held[seat] -= not from_sabot
    else:
        table.hands[seat].remove(botte)
        if from_sabot:
            table.hands[seat].append(table.deck[table.drawn])
    table.drawn += from_sabot
    warded = table.frame.transitions.look(before, botte + WARD)
    assert warded is not None  # the piles refuse no coup-fourré
    table.displays[victim] = warded
    table.coups_fourres.append((victim, botte))
    table.attack = None
    if from_sabot or table.frame.rulebook.go_on_empty_sabot:
        table.turn = seat
    return table.drawn == table.frame.size and _pass_over(table)


def _draw_for_turn(table: Table) -> None:
    """At a declared end the seat on turn has drawn its card, if the sabot had one (RULES 7)."""
    if table.drawn == table.frame.size:
        return
    if table.deck is None:
        table.held[table.turn] += 1
    else:
        table.hands[table.turn].append(table.deck[table.drawn])
    table.drawn += 1


# ---- what may be played ----------------------------------------------------------------------------------------------


def legal_moves(table: Table, *, ends: bool = False) -> list[str]:
    """Every move that `check` lets through now, written as RULES 9 asks programs to (with its player).

    In an open manche the hands are not known: what any hand could hold is listed. With `ends`, also `#` and `*`.
    """
    if table.end is not None:
        return []
    candidates = [*_turn_candidates(table), *_coup_fourre_candidates(table), *(("#", "*") if ends else ())]
    return [move for move in candidates if check(table, table.moves[move]) is None]


def _turn_candidates(table: Table) -> Iterator[str]:
    player = table.seats[table.turn]
    hand = table.hand(table.turn)
    for number in sorted(set(hand)) if hand is not None else range(len(CARDS)):
        card = CARDS[number]
        yield f"{player}:-{card}"
        if card in ATTAQUES:
            yield from (f"{player}:{card}>{team}" for team in table.teams)
            continue
        yield f"{player}:{card}"
        if card in ETAPES:
            yield f"{player}:{card}+"


def _coup_fourre_candidates(table: Table) -> Iterator[str]:
    if table.attack is not None:
        botte = CARDS[_SHIELD[table.attack[0]]]
        yield from (f"{player}:{botte}!" for player in table.seats)


assert set(ANSWERED_BY) == set(ATTAQUES) == set(SHIELDED_BY)
assert all(botte in NUMBER for botte in BOTTES)
