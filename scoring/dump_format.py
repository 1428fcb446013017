"""The format `championnat/1`: the members of each object of a dump, and what stands where one is left out.

docs/dump.md says what they mean.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from scoring.dump_shapes import (
    Check,
    Shape,
    anything,
    choice,
    count,
    digest,
    each,
    mapping,
    maybe,
    moment,
    name,
    position,
    positive,
    words,
)
from scoring.ranking_shapes import At, refuse, text, truth, whole

FORMAT: Final = "championnat/1"

NOT_KNOWN: Final = (maybe(moment), None)
NOTHING_SAID: Final = (words, "")
NO: Final = (truth, False)

MADE = Shape({"at": moment, "private": truth}, {"by": NOTHING_SAID, "rules_version": NOTHING_SAID})

CHAMPIONSHIP = Shape(
    {
        "slug": name,
        "name": name,
        "rulebook": name,
        "table_entries": positive,
        "players_per_team": positive,
        "decided_by": choice("points", "manches"),
        "partie_end": choice("points", "manches", "wins", "referee"),
        "primary": name,
        "tie_breaks": each(name),
        "time_zone": name,
        "visibility": name,
        "status": choice("running", "finished"),
        "created_at": moment,
        "secret_sha256": digest,
        "journal_position": position,
    },
    {
        "club": (maybe(name), None),
        "house": (mapping, {}),
        "target": (maybe(positive), None),
        "allow_short_tables": NO,
        "partie_end_value": (maybe(positive), None),
        "confirmation": (name, "at_once"),
        "confirm_minutes": (maybe(count), None),
        "ranks": (choice("entries", "players"), "entries"),
        "substitution": (name, "none"),
        "substitution_limit": (maybe(count), None),
        "registration_opens_at": NOT_KNOWN,
        "registration_closes_at": NOT_KNOWN,
        "max_entries": (maybe(positive), None),
        "waiting_list": (truth, True),
        "clock_minutes": (maybe(count), None),
        "clock_at_end": (name, "finish"),
        "scale": (maybe(each(anything)), None),
        "best_n": (maybe(positive), None),
        "minimum": (maybe(count), None),
        "secret": (maybe(name), None),
    },
)

NUMBER_ELSEWHERE = Shape({"system": name, "number": name})
PLAYER = Shape(
    {"number": positive, "name": name},
    {
        "club": (maybe(name), None),
        "licence": NOTHING_SAID,
        "email": NOTHING_SAID,
        "is_minor": NO,
        "shown_as": (choice("name", "initials", "hidden"), "name"),
        "shows_club": (truth, True),
        "numbers": (each(NUMBER_ELSEWHERE), []),
    },
)

ENTRY = Shape(
    {"number": positive, "name": name, "players": each(positive)},
    {
        "is_named": NO,
        "substitutes": (each(positive), []),
        "checked_in_at": NOT_KNOWN,
        "withdrawn_at": NOT_KNOWN,
        "penalty": (count, 0),
        "penalty_reason": NOTHING_SAID,
    },
)

IN_STAGE = Shape({"entry": positive, "seed": positive}, {"pool": (maybe(positive), None)})
STAGE = Shape(
    {"number": positive, "format": choice("free", "round_robin", "swiss", "knockout")},
    {
        "name": NOTHING_SAID,
        "rounds_planned": (maybe(positive), None),
        "pools": (positive, 1),
        "qualify": (maybe(positive), None),
        "table_qualify": (positive, 1),
        "place_match": NO,
        "apart_by_club": NO,
        "carry_over": (choice("none", "qualified"), "none"),
        "started_at": NOT_KNOWN,
        "finished_at": NOT_KNOWN,
        "entries": (each(IN_STAGE), []),
    },
)

ROUND = Shape(
    {"number": positive, "status": choice("draft", "published", "locked")},
    {
        "stage": (maybe(positive), None),
        "seed": NOTHING_SAID,
        "pairing": (mapping, {}),
        "drawn_at": NOT_KNOWN,
        "published_at": NOT_KNOWN,
        "locked_at": NOT_KNOWN,
        "reopened": (count, 0),
        "clock_minutes": (maybe(count), None),
        "clock_at_end": (name, "finish"),
        "clock_started_at": NOT_KNOWN,
        "clock_left": (maybe(count), None),
        "at": NOT_KNOWN,
    },
)

ROUND_OF_ENTRY = Shape({"round": positive, "entry": positive}, {"at": NOT_KNOWN})
"""A bye or an absence."""

LABEL = choice("A", "B", "C", "D")
SIDE = (choice("", "A", "B", "C", "D"), "")

STAND_IN = Shape({"position": positive, "player": positive}, {"reason": NOTHING_SAID, "at": NOT_KNOWN})
SEAT = Shape(
    {"label": LABEL, "entry": positive},
    {
        "partner": (maybe(positive), None),
        "forfeited_at": NOT_KNOWN,
        "forfeit_reason": NOTHING_SAID,
        "stand_ins": (each(STAND_IN), []),
    },
)

DOCUMENT = Shape(
    {"sha256": digest, "media": choice("json", "text"), "received_at": moment},
    {"text": (maybe(text), None), "base64": (maybe(text), None)},
)
SCORE = Shape(
    {"label": LABEL, "points": maybe(whole), "km": count, "coups_fourres": count, "won": truth},
    {"penalty": (count, 0), "penalty_reason": NOTHING_SAID},
)
SECOND_ENTRY = Shape({"document": DOCUMENT, "agrees": truth, "at": moment}, {"by_side": SIDE})
RESULT = Shape(
    {
        "version": positive,
        "state": choice("pending", "differs", "contested", "confirmed", "superseded"),
        "kind": choice("log", "sheet"),
        "end": name,
        "document": DOCUMENT,
        "scores": each(SCORE),
        "at": moment,
    },
    {
        "replaces": (maybe(positive), None),
        "reason": NOTHING_SAID,
        "claim_ok": (maybe(truth), None),
        "settled_how": NOTHING_SAID,
        "settled_reason": NOTHING_SAID,
        "by_side": SIDE,
        "confirmed_at": NOT_KNOWN,
        "confirmed_side": SIDE,
        "acknowledged": (each(words), []),
        "second_entries": (each(SECOND_ENTRY), []),
    },
)

MESSAGE = Shape({"text": name, "at": moment}, {"side": SIDE})
DISPUTE = Shape(
    {"version": positive, "opened_at": moment},
    {"side": SIDE, "closed_at": NOT_KNOWN, "decision": NOTHING_SAID, "messages": (each(MESSAGE), [])},
)
ATTEMPT = Shape(
    {"manche": positive, "document": DOCUMENT, "code": name, "verdict": mapping, "at": moment}, {"by_side": SIDE}
)
MANCHE = Shape(
    {"number": positive},
    {
        "voided_at": NOT_KNOWN,
        "void_reason": NOTHING_SAID,
        "results": (each(RESULT), []),
        "disputes": (each(DISPUTE), []),
    },
)
PARTIE = Shape(
    {"number": positive, "round": positive, "opened_at": moment, "seats": each(SEAT)},
    {
        "table": (maybe(positive), None),
        "status": (choice("open", "closed", "void"), "closed"),
        "closed_how": NOTHING_SAID,
        "reason": NOTHING_SAID,
        "closed_at": NOT_KNOWN,
        "postponed_at": NOT_KNOWN,
        "postponed_reason": NOTHING_SAID,
        "manches": (each(MANCHE), []),
        "attempts": (each(ATTEMPT), []),
    },
)

JOURNAL_LINE = Shape(
    {"position": position, "what": name, "at": moment},
    {
        "partie": (maybe(positive), None),
        "manche": (maybe(positive), None),
        "version": (maybe(positive), None),
        "entry": (maybe(positive), None),
        "reason": NOTHING_SAID,
    },
)

_ROW = {
    "entry": positive,
    "position": positive,
    "rank": maybe(positive),
    "values": mapping,
    "above_next_by": maybe(words),
    "standing": choice("ranked", "under-minimum", "withdrawn"),
    "played": count,
    "manches": count,
}
_ROW_BESIDES = {
    "why": (maybe(anything), None),
    "stage": (maybe(positive), None),
    "pool": (maybe(positive), None),
    "pool_rank": (maybe(positive), None),
}
COLUMNS: Final = (*(member for member in _ROW if member != "entry"), *_ROW_BESIDES)
"""Of a row, besides whose it is."""

PUBLISHED = Shape(
    {
        "number": positive,
        "label": words,
        "rules_version": words,
        "keys": mapping,
        "journal_position": position,
        "at": moment,
        "rows": each(Shape(_ROW | {"name": words, "players": each(words)}, _ROW_BESIDES)),
    },
    {
        "round": (maybe(positive), None),
        "stage_tables": (each(mapping), []),
        "note": NOTHING_SAID,
        "moved": (each(mapping), []),
        "causes": (each(mapping), []),
    },
)
LIVE = Shape(
    {"journal_position": position, "keys": mapping, "rows": each(Shape(_ROW, _ROW_BESIDES))},
    {"stage_tables": (each(mapping), []), "computed_at": NOT_KNOWN},
)
AUDIT = Shape({"at": moment, "action": name, "object": mapping}, {"details": (mapping, {}), "reason": NOTHING_SAID})


def _format(value: object, at: At) -> str:
    if text(value, at) != FORMAT:
        refuse(at, f'is not "{FORMAT}"')
    return FORMAT


SINGLE: Final[Mapping[str, Check]] = MappingProxyType(
    {"format": _format, "made": MADE, "championship": CHAMPIONSHIP, "live": LIVE}
)
"""Members of a dump that stand once."""
LISTS: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        "players": PLAYER,
        "entries": ENTRY,
        "stages": STAGE,
        "rounds": ROUND,
        "absences": ROUND_OF_ENTRY,
        "byes": ROUND_OF_ENTRY,
        "parties": PARTIE,
        "journal": JOURNAL_LINE,
        "published": PUBLISHED,
        "audit": AUDIT,
    }
)
"""Members that are lists: each item is looked at by itself."""
ORDER: Final = (
    "format",
    "made",
    "championship",
    "players",
    "entries",
    "stages",
    "rounds",
    "absences",
    "byes",
    "parties",
    "journal",
    "published",
    "live",
    "audit",
)
"""In this order they stand, so that a dump of any length can be read in one pass."""
REQUIRED: Final = ("format", "made", "championship", "players", "entries", "parties", "journal")
