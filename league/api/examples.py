"""Examples for the document of the API: documents to hand in, and what is answered."""

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample

from league.api.bodies import BORNES, JSON, TEXT
from league.api.shapes import reference

PROBLEM: Final = "application/problem+json"
SHEET: Final[dict[str, Any]] = {
    "format": "marque/1",
    "rulebook": "classique",
    "players_per_team": 1,
    "end": "target",
    "sabot_empty": False,
    "teams": {
        "A": {"km": 1000, "n200": 0, "bottes": ["VP"], "coups_fourres": []},
        "B": {"km": 475, "n200": 1, "bottes": [], "coups_fourres": []},
    },
    "claim": {"A": 1800, "B": 475},
}
LOG: Final = """\
[Format "bornes/1"]
[Rulebook "classique"]
[Teams "A: a1 | B: b1"]
[Seats "a1 b1"]

1. a1:FV b1:LV>A 2. a1:-25 b1:VP b1:100 *
"""
VERDICT: Final[dict[str, Any]] = {
    "valid": True,
    "faults": [],
    "why": [],
    "claim_ok": True,
    "outcome": {
        "end": "target",
        "winner": "A",
        "couronnement": False,
        "extension": None,
        "teams": {
            "A": {"km": 1000, "bottes": ["VP"], "coups_fourres": []},
            "B": {"km": 475, "bottes": [], "coups_fourres": []},
        },
    },
    "score": {
        "A": {"lines": {"km": 1000, "bottes": 100, "victoire": 400, "sans-200": 300}, "total": 1800},
        "B": {"lines": {"km": 475}, "total": 475},
    },
}
REFUSED_VERDICT: Final[dict[str, Any]] = {
    "valid": False,
    "faults": [["no-team-on-target", None]],
    "why": [
        {
            "code": "no-team-on-target",
            "team": None,
            "field": "end",
            "text": "No team stands on 1000 km: correct a distance, or the end of the manche.",
            "sentence": "No team stands on {target} km: correct a distance, or the end of the manche.",
            "params": {"target": 1000},
            "paragraph": "RULES 7",
        }
    ],
}
"""Of the same sheet with 975 km for A."""
SHA256: Final = "0c5b8a4f6f1f2c7f8b1d4d1b0f0b4f3a2e9d8c7b6a5948372615f4e3d2c1b0a9"

RECORDED: Final[dict[str, Any]] = {
    "outcome": "recorded",
    "championship": "coupe-d-hiver",
    "partie": 3,
    "manche": 2,
    "version": 1,
    "state": "confirmed",
    "url": "/api/v1/championships/coupe-d-hiver/parties/3/manches/2/results/1",
    "sha256": SHA256,
    "verdict": VERDICT,
    "partie_status": "open",
    "next_manche": 3,
}
CONFLICT: Final[dict[str, Any]] = {
    "type": "/docs/problems#result-exists",
    "title": "The manche has a result",
    "status": 409,
    "code": "result-exists",
    "detail": "This manche has a result (version 1). To correct it, look at it, and say why.",
    "request_id": "5d4b3f9a8e6c4d3b9f2a1c0e7d6b5a49",
    "field": "replaces",
    "present": {"version": 1, "state": "confirmed", "result": 17},
}
REFUSED: Final[dict[str, Any]] = {
    "type": "/docs/problems#no-team-on-target",
    "title": "The rules refuse this document",
    "status": 422,
    "code": "no-team-on-target",
    "detail": "No team stands on 1000 km: correct a distance, or the end of the manche.",
    "request_id": "5d4b3f9a8e6c4d3b9f2a1c0e7d6b5a49",
    "verdict": REFUSED_VERDICT,
    "attempt": 8,
}

REQUESTS: Final[dict[str, Any]] = {JSON: reference("Document"), BORNES: {"type": "string"}, TEXT: {"type": "string"}}
"""The bodies that bring a log or a sheet."""

DOCUMENTS: Final = [
    OpenApiExample("A score sheet", SHEET, request_only=True, media_type=JSON),
    OpenApiExample("An open hand log", LOG, request_only=True, media_type=BORNES),
    OpenApiExample("A log as plain text", LOG, request_only=True, media_type=TEXT),
]
CHECK_ANSWERS: Final = [
    OpenApiExample(
        "A valid sheet",
        {"kind": "sheet", "writing": "json", "sha256": SHA256, "verdict": VERDICT, "warnings": []},
        response_only=True,
        status_codes=["200"],
    ),
    OpenApiExample(
        "A refused sheet",
        {"kind": "sheet", "writing": "json", "sha256": SHA256, "verdict": REFUSED_VERDICT, "warnings": []},
        response_only=True,
        status_codes=["200"],
    ),
]
HAND_IN_ANSWERS: Final = [
    OpenApiExample("Recorded", RECORDED, response_only=True, status_codes=["201"]),
    OpenApiExample(
        "The same bytes again", {**RECORDED, "outcome": "repeated"}, response_only=True, status_codes=["200"]
    ),
    OpenApiExample("There is a result", CONFLICT, response_only=True, status_codes=["409"], media_type=PROBLEM),
    OpenApiExample("Refused", REFUSED, response_only=True, status_codes=["422"], media_type=PROBLEM),
]
