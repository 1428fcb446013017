"""A verdict for people, in plain English: what came out, the score line by line, or what is wrong and where."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.messages import CARD_NAMES, Message
from scoring.documents import Kind
from scoring.points import LINES
from scoring.verdicts import Judged

_KINDS: Final[Mapping[Kind, str]] = {"log": "hand log", "sheet": "score sheet"}
_ENDS: Final = {
    "target": "The target was reached",
    "exhausted": "All cards were played",
    "blocked": "The hand was blocked",
    "interrupted": "The hand was stopped by the referee",
}
_GAP: Final = "  "


def explanation(judged: Judged, source: str) -> str:
    """Some lines on one document; `source` says where it came from."""
    kind = _KINDS[judged.kind]
    if judged.valid:
        rulebook = "" if judged.rulebook is None else f", {judged.rulebook.id}"
        return "\n".join([f"{source}: {kind}{rulebook}: valid", *map(_indented, _result(judged))])
    details = _sheet_faults(judged) if judged.kind == "sheet" else _refusal(judged)
    return "\n".join([f"{source}: {kind}: refused", *map(_indented, details)])


def _indented(line: str) -> str:
    return _GAP + line


# ---- what came out ---------------------------------------------------------------------------------------------------


def _result(judged: Judged) -> Iterator[str]:
    outcome = judged.outcome
    assert outcome is not None
    sentences = [_ENDS[outcome.end]]
    sentences.append(f"{outcome.winner} wins" if outcome.winner is not None else "nobody wins")
    if outcome.couronnement:
        sentences.append("on an empty draw pile")
    if outcome.extension is not None:
        sentences.append(f"{outcome.extension} called the extension")
    if outcome.sabot_left:
        sentences.append(f"{_cards(outcome.sabot_left)} left in the draw pile")
    yield ", ".join(sentences) + "."
    yield from _table(judged)
    for difference in judged.verdict.get("claim_differences", ()):
        sentence = str(Message(difference["sentence"], difference["params"]))
        forgotten = [line.name for line in LINES if line.code in difference["forgotten"]]
        yield sentence + (f" Forgotten, perhaps: {' or '.join(forgotten)}." if forgotten else "")


def _table(judged: Judged) -> Iterator[str]:
    """The score lines that somebody has, a column a team; the km alone where there are no points."""
    outcome, scores, claim = judged.outcome, judged.score, judged.claim
    assert outcome is not None
    teams = list(outcome.teams)
    rows: list[tuple[str, list[int | None]]] = []
    if scores is None:
        rows.append(("Distance", [outcome.teams[label].km for label in teams]))
    else:
        for line in LINES:
            points = [scores[label]["lines"].get(line.code) for label in teams]
            if any(points):
                rows.append((line.name, points))
        rows.append(("Total", [scores[label]["total"] for label in teams]))
        if claim is not None:
            rows.append(("Announced", [claim.get(label) for label in teams]))
    first = max(len(name) for name, _ in rows)
    width = max(6, *map(len, teams))
    yield " " * first + "".join(f"{_GAP}{label:>{width}}" for label in teams)
    for name, values in rows:
        yield f"{name:<{first}}" + "".join(f"{_GAP}{'-' if value is None else value:>{width}}" for value in values)


# ---- what is wrong ---------------------------------------------------------------------------------------------------


def _sheet_faults(judged: Judged) -> Iterator[str]:
    verdict = judged.verdict
    for why in verdict.get("malformed") or verdict["why"]:
        place = f", line {why['line']}" if "line" in why else ""
        sentence = str(Message(why["sentence"], why["params"]))
        yield f"{why['field'] or 'document'}{place}: {sentence} ({why['code']}, {why['paragraph']})"


def _refusal(judged: Judged) -> Iterator[str]:
    why, at = judged.verdict["why"], judged.verdict["at"]
    sentence = f"{Message(why['sentence'], why['params'])} ({judged.code}, {why['paragraph']})"
    if at is None:
        yield sentence
        return
    # people count moves from 1, as replays do; `at` counts from 0
    by = "" if why["player"] is None else f" by {why['player']}"
    place = "At the end of the log" if why["move"] is None else f"Move {at + 1}, “{why['move']}”{by}"
    yield f"{place}: {sentence}"
    if why["state"] is not None:
        yield from _state(why["state"])


def _state(state: Mapping[str, Any]) -> Iterator[str]:
    draw_pile = _cards(state["sabot_left"])
    yield f"Before it: {state['turn']} to play, {draw_pile} in the draw pile, to {state['target']} km."
    if state["hand"] is not None:
        hand = ", ".join(CARD_NAMES[card] for card in state["hand"])
        yield f"{state['hand_of']} holds: {hand or 'nothing'}."
    for label, team in state["teams"].items():
        yield f"{label}: {', '.join(_standing(team))}."


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _standing(team: Mapping[str, Any]) -> Iterator[str]:
    yield f"{team['km']} km"
    if team["attack"] is not None:
        yield f"stopped by {CARD_NAMES[team['attack']]}"
    else:
        yield "rolls" if team["rolls"] else "does not roll"
    if team["limited"]:
        yield "under a speed limit"
    if team["n200"]:
        yield f"{team['n200']} × 200 km"
    if team["bottes"]:
        yield "safeties " + " and ".join(CARD_NAMES[botte] for botte in team["bottes"])
