"""A hand log replayed: how far it gets, the first refusal, the outcome (RULES 9 and 10).

`judge` is the front door: it never raises for a bad log. A `Verdict` keeps the table as it stands after the last legal
move, so explaining a refusal costs nothing to those who do not ask; the steps of a viewer are made by `engine.steps`.
"""

from dataclasses import dataclass
from typing import Final

from engine.moves import Move
from engine.notation import FormatError, HandLog, read_document
from engine.outcome import Outcome
from engine.play import advance, check
from engine.refusals import Refusal, explain_log, explain_move
from engine.rulebooks import RULEBOOKS, HouseError, Rulebook
from engine.table import Frame, Table


@dataclass(slots=True)
class Verdict:
    """What judging a log says (RULES 10).

    `code` and `at` are those of the first refusal, None when `valid`; `at` is None too for the log as a whole. `log` is
    None if it was malformed (`format_error` says why), `rulebook` (house rules laid over) and `table` are None if the
    log as a whole was refused, `outcome` unless the log is valid.
    """

    valid: bool
    code: str | None = None
    at: int | None = None
    log: HandLog | None = None
    rulebook: Rulebook | None = None
    table: Table | None = None
    outcome: Outcome | None = None
    format_error: FormatError | None = None
    house_error: HouseError | None = None

    @property
    def refusal(self) -> Refusal | None:
        """The refusal explained: move, player, state, paragraph, sentence; None for a valid log."""
        if self.code is None:
            return None
        if self.table is None or self.log is None or self.at is None:
            return explain_log(self.code, self.format_error, self.house_error, self.log)
        return explain_move(self.code, self.at, self.log, self.table)


def judge(log: object) -> Verdict:
    """Judges a `HandLog` or a decoded JSON document. Never raises for a bad log."""
    if not isinstance(log, HandLog):
        try:
            log = read_document(log)
        except FormatError as error:
            return Verdict(valid=False, code=error.code, format_error=error)
    try:
        table = open_table(log)
    except WholeLogError as error:
        return Verdict(valid=False, code=error.code, log=log, house_error=error.house_error)
    moves = list(map(table.moves.__getitem__, log.moves))
    played = advance(table, moves)
    code = _first_refusal(table, moves, played)
    if code is not None:
        return Verdict(valid=False, code=code, at=played, log=log, rulebook=table.rulebook, table=table)
    return Verdict(valid=True, log=log, rulebook=table.rulebook, table=table, outcome=table.outcome())


def _first_refusal(table: Table, moves: list[Move], played: int) -> str | None:
    if played < len(moves):
        return check(table, moves[played])
    return "incomplete" if table.end is None else None


class WholeLogError(ValueError):
    """A log refused as a whole: `code` is one of RULES 10, step 1."""

    def __init__(self, code: str, house_error: HouseError | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.house_error = house_error


def open_table(log: HandLog) -> Table:
    """The table of a log, before its first move.

    Raises:
        WholeLogError: RULES 10, step 1, but for `malformed-log`.
    """
    frame = _frame(log)
    deck = None if log.deck is None else frame.deck_numbers(log.deck)
    if deck is None and log.deck is not None:
        raise WholeLogError("bad-deck")
    return Table(frame, deck)


_frames: dict[tuple[str | int | None, ...], tuple[dict[str, list[str]], Frame]] = {}
"""Frames and the teams that they are for, by rulebook, target and seats, of logs without house rules."""
_MOST_FRAMES: Final = 256


def _frame(log: HandLog) -> Frame:
    """The frame of a log; that of a log without house rules is remembered."""
    if log.house:
        return _work_out_frame(log)
    key = (log.rulebook, log.target, *log.seats)
    known = _frames.get(key)
    if known is not None and known[0] == log.teams:
        return known[1]
    frame = _work_out_frame(log)
    if len(_frames) >= _MOST_FRAMES:
        _frames.clear()
    _frames[key] = ({label: list(players) for label, players in log.teams.items()}, frame)
    return frame


def _work_out_frame(log: HandLog) -> Frame:
    rulebook = RULEBOOKS.get(log.rulebook)
    if rulebook is None:
        raise WholeLogError("unknown-rulebook")
    try:
        rulebook = rulebook.with_house(log.house)
    except HouseError as error:
        raise WholeLogError("bad-house", error) from None
    order = _seat_order(log.teams, log.seats)
    shape = rulebook.table(len(log.teams), len(log.seats) // len(log.teams)) if order else None
    if shape is None or order is None:
        raise WholeLogError("bad-table")
    if log.target is not None and log.target not in shape.targets:
        raise WholeLogError("bad-target")
    return Frame(rulebook, shape, order, tuple(log.seats), shape.target(log.target))


def _seat_order(teams: dict[str, list[str]], seats: list[str]) -> tuple[str, ...] | None:
    """The teams in the order in which their seats alternate, or None if this is no table (RULES 3; 10, `bad-table`)."""
    team_of = {player: label for label, players in teams.items() for player in players}
    players = [player for team in teams.values() for player in team]
    if not teams or len(set(players)) != len(players) or sorted(players) != sorted(seats):
        return None
    order = tuple(team_of[seat] for seat in seats[: len(teams)])
    alternates = all(team_of[seat] == order[index % len(order)] for index, seat in enumerate(seats))
    equal = len({len(players) for players in teams.values()}) == 1
    return order if alternates and equal and len(set(order)) == len(teams) else None
