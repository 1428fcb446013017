"""What may be played, and what happens then: the only place that knows what is legal (RULES 4 to 7 and 10).

`check` is the law: it names the first refusal, in the order of RULES 10. `advance` plays moves one after another and
stops before the first that it cannot play; `legal_moves` lists what `check` lets through. Nobody may change a
`Table` but the functions of this file.

A plain move (a card laid, an attack, a discard) is played by `_plain_turns`, a loop over local variables because a
replay spends its time there. It decides nothing of its own: what the piles allow comes from `engine.displays`, and what
it stops before is named by `check`, so the two can never disagree silently.
"""

from collections.abc import Iterator, Sequence
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
    KM_BITS,
    MALFORMED,
    NOT_AN_ATTACK,
    SIGN,
    STOPPED,
    UNKNOWN_PLAYER,
    Move,
)
from engine.table import Table

_KM_MASK: Final = (1 << KM_BITS) - 1
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
    seat, kind, card, _ = move
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
    victim = table.attack[1]
    if seat == ANY and table.shape.players > 1:
        return "player-required"
    if seat == ANY:
        seat = victim
    if table.team_of[seat] != victim:
        return "no-coup-fourre"
    if table.closed:
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
        return "own-team" if extra == team else table.transitions.refusal(table.displays[extra] | card)
    refusal = table.transitions.refusal(table.displays[team] | card)
    if refusal is not None or kind == SIGN:
        return refusal
    km = table.km(team) + KM[CARDS[card]]
    if km > table.target:
        return "over-target"
    if kind == CALL:
        callable_now = table.shape.extended is not None and table.extension is None and km == table.target
        return None if callable_now else "no-extension"
    return None


# ---- playing ---------------------------------------------------------------------------------------------------------


def advance(table: Table, moves: Sequence[Move]) -> int:
    """Plays `moves` in order and stops before the first that the rules refuse. Returns how many were played.

    The table then stands as it was before the refused move, and `check` says why.
    """
    at, count = 0, len(moves)
    while True:
        at = _plain_turns(table, moves, at)
        if at == count or check(table, moves[at]) is not None:
            table.played += at
            return at
        _special(table, moves[at])
        at += 1


def play(table: Table, move: str) -> None:
    """Plays one move, given as RULES 9 writes it.

    Raises:
        IllegalMoveError: the rules refuse it; the table is as before.
    """
    parsed = table.moves[move]
    if not advance(table, (parsed,)):
        raise IllegalMoveError(check(table, parsed) or "malformed", move)


def _plain_turns(table: Table, moves: Sequence[Move], first: int) -> int:  # noqa: C901 (one loop, for speed)
    """Plays plain moves from index `first`, up to a special one, one that it cannot play, or the end of the manche.

    Returns the index of the first move not played. Every card move takes one card from the sabot while it has any: the
    card drawn takes the slot of the card played (RULES 4.2).
    """
    deck, size, drawn = table.deck, table.size, table.drawn
    hands, held, unseen = table.hands, table.held, table.unseen
    displays, laid, target = table.displays, table.laid, table.target
    after, team_of, turn, attack = table.after, table.team_of, table.turn, table.attack
    entries, look = table.transitions.table, table.transitions.look
    go_on_empty = table.rulebook.go_on_empty_sabot
    if table.end is not None:
        return first
    at = first
    for at in range(first, len(moves)):
        seat, kind, card, extra = moves[at]
        if kind > BOTTE or (seat != turn and seat != ANY):
            break

        # what the piles allow; nothing changes until it is known that the card is in the hand
        if kind == DISCARD:
            pass
        elif kind == ETAPE:
            team = team_of[turn]
            entry = entries[displays[team] | card]
            if entry < 0 and (entry := look(displays[team] | card)) < 0:
                break
            total = laid[team] + extra
            if total & _KM_MASK > target:
                break
        elif kind == ATTACK:
            before = displays[extra]
            entry = entries[before | card]
            if entry < 0 and (entry := look(before | card)) < 0:
                break
            if extra == team_of[turn]:
                break
        else:
            team = team_of[turn]
            entry = entries[displays[team] | card]
            if entry < 0 and (entry := look(displays[team] | card)) < 0:
                break

        # the card leaves the hand
        from_sabot = drawn < size
        if deck is None:
            if not unseen[card]:
                break
            unseen[card] -= 1
            if from_sabot:
                drawn += 1
            else:
                held[turn] -= 1
        elif from_sabot:
            new = deck[drawn]
            if card != new:
                hand = hands[turn]
                try:
                    hand[hand.index(card)] = new
                except ValueError:
                    break
            drawn += 1
        elif card in hands[turn]:
            hands[turn].remove(card)
        else:
            break

        # what it does
        attack = None
        if kind == DISCARD:
            pass
        elif kind == ETAPE:
            displays[team] = entry
            laid[team] = total
            if total & _KM_MASK == target:
                _reach(table, team, drawn, drew=from_sabot)
                at += 1
                break
        elif kind == ATTACK:
            displays[extra] = entry
            attack = (card, extra, before)
        elif kind == SIGN:
            displays[team] = entry
        else:
            displays[team] = entry
            if drawn < size or go_on_empty:
                turn -= 1  # RULES 4.4: another go, for the seat after the one before it
        turn = after[turn]
        if drawn == size:
            table.turn, table.drawn = turn, drawn
            over = _pass_over(table)
            turn = table.turn
            if over:
                at += 1
                break
    else:
        at = len(moves)
    table.turn, table.drawn, table.attack = turn, drawn, attack
    return at


def _reach(table: Table, team: int, drawn: int, *, drew: bool) -> None:
    """A team stands on the target: the manche is over (RULES 7). `drew`: the winning go began with a draw."""
    table.end = "target"
    table.winner = team
    table.couronnement = drawn == table.size and (table.rulebook.last_card_couronnement or not drew)


def _pass_over(table: Table) -> bool:
    """With an empty sabot, seats without a card are passed over (RULES 4.3).

    Returns whether nobody has a card left: the manche is then over (RULES 7).
    """
    for _ in table.seats:
        if table.cards_held(table.turn):
            return False
        table.turn = table.after[table.turn]
    table.end = "exhausted"
    table.winner = _most_km(table)
    return True


def _most_km(table: Table) -> int | None:
    """The winner of a manche that nobody finished (RULES 7): the team with most km, nobody in a tie."""
    if not table.rulebook.most_km_wins:
        return None
    best, second = sorted(((table.km(team), team) for team in range(len(table.teams))), reverse=True)[:2]
    return best[1] if best[0] > second[0] else None


def _special(table: Table, move: Move) -> None:
    """Plays a move that `check` let through and `_plain_turns` leaves: a coup-fourré, a call, or a declared end."""
    seat, kind, card, extra = move
    if kind == COUP_FOURRE:
        _coup_fourre(table, seat, card)
    elif kind == CALL:
        # the target is extended before the étape is laid, so that this étape does not end the manche (RULES 7)
        table.extension = table.team_of[table.turn]
        table.target = table.shape.extended or table.target
        _plain_turns(table, ((seat, ETAPE, card, extra),), 0)
    else:
        _draw_for_turn(table)
        table.end = "blocked" if kind == BLOCKED else "interrupted"
        table.winner = _most_km(table) if kind == BLOCKED else None
        table.attack = None


def _coup_fourre(table: Table, seat: int, botte: int) -> None:
    """RULES 6: the attack is undone, the hand completed, and the turn goes to the player of the botte."""
    assert table.attack is not None
    _, victim, before = table.attack
    seat = victim if seat == ANY else seat
    from_sabot = table.drawn < table.size
    if table.deck is None:
        table.unseen[botte] -= 1
        table.held[seat] -= not from_sabot
    else:
        table.hands[seat].remove(botte)
        if from_sabot:
            table.hands[seat].append(table.deck[table.drawn])
    table.drawn += from_sabot
    table.displays[victim] = table.transitions.look(before | (botte + WARD))
    table.coups_fourres[victim].append(botte)
    table.attack = None
    if from_sabot or table.rulebook.go_on_empty_sabot:
        table.turn = seat
    if table.drawn == table.size:
        _pass_over(table)


def _draw_for_turn(table: Table) -> None:
    """At a declared end the seat on turn has drawn its card, if the sabot had one (RULES 7)."""
    if table.drawn == table.size:
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
