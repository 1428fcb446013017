"""A dump written by hand: three entries, a round robin of sheets and one log, one result corrected."""

import hashlib
import json
from typing import Any

from engine.notation import to_document
from engine.simulate import simulate
from scoring.verdicts import judge_document

Dump = dict[str, Any]

AT = "2026-03-07T14:00:00+01:00"


def sheet(km_of_b: int, *, turned: bool = False) -> dict[str, Any]:
    """A sheet on which one side arrives: 1400 points against as many as the other one drove."""
    km = {"A": km_of_b, "B": 1000} if turned else {"A": 1000, "B": km_of_b}
    return {
        "format": "marque/1",
        "rulebook": "classique",
        "players_per_team": 1,
        "end": "target",
        "sabot_empty": False,
        "teams": {
            label: {"km": value, "n200": 2 if value == 1000 else 0, "bottes": [], "coups_fourres": []}
            for label, value in km.items()
        },
    }


def document(text: str, media: str = "json") -> dict[str, Any]:
    return {
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "media": media,
        "received_at": AT,
        "text": text,
    }


def result(handed_in: dict[str, Any], version: int = 1, **more: Any) -> dict[str, Any]:
    """A result with the scores that its document comes to."""
    verdict = judge_document(handed_in)
    outcome, score = verdict["outcome"], verdict["score"]
    return {
        "version": version,
        "state": "confirmed",
        "kind": "sheet" if handed_in["format"] == "marque/1" else "log",
        "end": outcome["end"],
        "document": document(json.dumps(handed_in)),
        "scores": [
            {
                "label": label,
                "points": score[label]["total"],
                "km": team["km"],
                "coups_fourres": len(team["coups_fourres"]),
                "won": outcome["winner"] == label,
            }
            for label, team in outcome["teams"].items()
        ],
        "at": AT,
        "confirmed_at": AT,
    } | more


def partie(number: int, entries: tuple[int, int], *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "round": number,
        "opened_at": AT,
        "seats": [{"label": label, "entry": entry} for label, entry in zip("AB", entries, strict=True)],
        "closed_how": "end",
        "closed_at": AT,
        "manches": [{"number": 1, "results": list(results)}],
    } | more


def dump(**more: Any) -> Dump:
    """1 beat 2 (corrected, and 50 points taken off), 3 beat 1, 2 and 3 played by a log."""
    log = to_document(simulate("classique", 2, 1, "a dump"))
    penalised = result(sheet(475), version=2, replaces=1, reason="Misread")
    penalised["scores"][0] |= {"penalty": 50, "penalty_reason": "Late"}
    wrong = result(sheet(400), state="superseded")
    names = {1: "Ana", 2: "Zoé", 3: "Ibai"}
    return {
        "format": "championnat/1",
        "made": {"at": AT, "private": False},
        "championship": {
            "slug": "hall",
            "name": "Coupe de la salle",
            "rulebook": "classique",
            "table_entries": 2,
            "players_per_team": 1,
            "decided_by": "points",
            "partie_end": "manches",
            "partie_end_value": 1,
            "primary": "match_points",
            "tie_breaks": ["total_points"],
            "time_zone": "Europe/Paris",
            "visibility": "public",
            "status": "running",
            "created_at": AT,
            "secret_sha256": hashlib.sha256(b"s1").hexdigest(),
            "journal_position": 2,
        },
        "players": [{"number": number, "name": name} for number, name in names.items()],
        "entries": [{"number": number, "name": name, "players": [number]} for number, name in names.items()],
        "byes": [{"round": 1, "entry": 3}],
        "parties": [
            partie(1, (1, 2), wrong, penalised),
            partie(2, (3, 1), result(sheet(300))),
            partie(3, (2, 3), result(log)),
        ],
        "journal": [
            {"position": 1, "what": "entered", "at": AT, "entry": 1},
            {"position": 2, "what": "confirmed", "at": AT, "partie": 1, "manche": 1, "version": 1},
        ],
    } | more
