"""What each route and method of the API needs, and what it is sent: a row each (tests/league/api/rights.py)."""

from dataclasses import dataclass, field
from typing import Any, Final

from tests.league.api.everything import DOUBLES, NDJSON, WEBHOOK

JSON: Final = "application/json"
BECAUSE: Final = {"reason": "Because"}
SEEN: Final = {"version": 1, **BECAUSE}
PLAYER: Final = {"name": "Rosa Rueda"}


@dataclass(frozen=True)
class Row:
    """What a method needs, what it is sent, and where its address is not the one of `AT`."""

    need: str
    body: Any = None
    at: dict[str, Any] = field(default_factory=dict)
    query: str = ""
    media: str = JSON


AT: Final[dict[str, Any]] = {
    **dict.fromkeys(("number", "manche", "version", "entry", "stage", "table"), 1),
    "slug": "everything",
    "circuit": "circuit",
    "championship": "finished",
    "rulebook": "classique",
}
"""What stands in addresses; ids come from the world."""

READS: Final[dict[str, Row]] = {
    "api-championships": Row("anybody"),
    "api-circuits": Row("anybody"),
    "api-circuit": Row("anybody"),
    "api-circuit-leg": Row("look into the circuit"),
    "api-circuit-rankings": Row("anybody"),
    "api-circuit-ranking": Row("anybody"),
    "api-circuit-document": Row("anybody"),
    "api-changes": Row("anybody"),
    "api-changes-stream": Row("anybody"),
    "api-clubs": Row("anybody"),
    "api-club": Row("anybody"),
    "api-players": Row("anybody"),
    "api-player": Row("see the player"),
    "api-rulebooks": Row("anybody"),
    "api-rulebook": Row("anybody"),
    "api-codes": Row("anybody"),
    "api-schema": Row("anybody"),
    "api-batches-of-account": Row("be signed in"),
    "api-batch": Row("have sent the batch"),
    "api-batch-items": Row("have sent the batch"),
    "api-batch-answers": Row("have sent the batch"),
    "api-batches": Row("be signed in and see"),
    "api-championship": Row("see"),
    "api-entries": Row("see"),
    "api-entry": Row("see"),
    "api-teams": Row("see"),
    "api-team": Row("see"),
    "api-substitutes": Row("look inside"),
    "api-substitute": Row("look inside"),
    "api-registrations": Row("look inside"),
    "api-registration": Row("look inside"),
    "api-parties": Row("see"),
    "api-partie": Row("see"),
    "api-who-plays": Row("look inside"),
    "api-table-link": Row("read as who settles"),
    "api-manches": Row("see"),
    "api-manche": Row("see"),
    "api-results": Row("see"),
    "api-result": Row("see"),
    "api-document": Row("see"),
    "api-steps": Row("see", at={"number": 1, "manche": 1}),
    "api-own-manche": Row("see", at={"manche": "~own"}),
    "api-own-results": Row("see", at={"manche": "~own"}),
    "api-waiting": Row("look inside"),
    "api-disputes": Row("look inside"),
    "api-dispute": Row("look inside"),
    "api-ranking": Row("see"),
    "api-classement": Row("see"),
    "api-published-rankings": Row("see"),
    "api-published-ranking": Row("see"),
    "api-published-stage-ranking": Row("see"),
    "api-journal": Row("see"),
    "api-championship-changes": Row("see"),
    "api-championship-changes-stream": Row("see"),
    "api-stages": Row("see"),
    "api-stage": Row("see"),
    "api-stage-coming": Row("look inside", at={"number": 2}),
    "api-stage-entries": Row("see"),
    "api-stage-ranking": Row("see"),
    "api-stage-bracket": Row("see", at={"number": 2}),
    "api-draw": Row("see draws"),
    "api-rounds": Row("see"),
    "api-round": Row("see"),
    "api-round (draft)": Row("see a draft", at={"number": 2}),
    "api-clock": Row("see"),
    "api-absences": Row("see draws", at={"number": 8}),
    "api-absence": Row("see draws", at={"number": 8}),
    "api-byes": Row("see", at={"number": 7}),
    "api-bye": Row("see", at={"number": 7, "entry": 2}),
    "api-webhooks": Row("read as who changes"),
    "api-webhook": Row("read as who changes"),
    "api-webhook-deliveries": Row("read as who changes"),
    "api-webhook-delivery": Row("read as who changes"),
}
POSTS: Final[dict[str, Row]] = {
    "api-check": Row("anybody", DOUBLES),
    "api-championships": Row("create", {"name": "New", "slug": "new", "rulebook": "classique"}),
    "api-circuits": Row("create", {"name": "New", "points": [1]}),
    "api-circuit-legs": Row("own the circuit", {"championship": "finished"}),
    "api-circuit-leg-move": Row("own the circuit", {"to": "down"}),
    "api-circuit-rankings": Row("own the circuit", {"label": "Again"}),
    "api-clubs": Row("create", {"name": "New"}),
    "api-players": Row("create", PLAYER),
    "api-player-merge": Row("run one of the player's", {"merged": 1}),
    "api-player-unmerge": Row("run one of the player's"),
    "api-player-numbers": Row("run one of the player's", {"system": "FFMB", "number": "8"}),
    "api-player-anonymise": Row("own one of the player's", {"name": "Ana Alda"}),
    "api-batches-of-account": Row("create", b'{"player":{"name":"Sam"}}\n', media=NDJSON),
    "api-batches": Row("send a batch", b'{"player":{"name":"Sam"}}\n', media=NDJSON),
    "api-batch-cancel": Row("stop the batch"),
    "api-championship-finish": Row("change"),
    "api-championship-resume": Row("change", BECAUSE),
    "api-teams": Row("run", {"players": [{"name": "Zo"}, {"name": "Yo"}]}),
    "api-substitutes": Row("run", {"player": {"name": "Xu"}}),
    "api-entries": Row("run", {"players": [{"name": "Wu"}, {"name": "Vu"}]}),
    "api-entry-withdraw": Row("run", BECAUSE),
    "api-entry-reinstate": Row("run", BECAUSE, {"number": 5}),
    "api-entry-penalise": Row("run", {"points": 1} | BECAUSE),
    "api-entry-check-in": Row("run"),
    "api-entry-check-out": Row("run"),
    "api-check-in": Row("run"),
    "api-registrations-accept": Row("run"),
    "api-registration-accept": Row("run", {}),
    "api-registration-decline": Row("run", BECAUSE),
    "api-stages": Row("change", {"format": "knockout"}),
    "api-stage-plan": Row("change", {"stages": []}),
    "api-stage-start": Row("run", at={"number": 2}),
    "api-rounds": Row("run"),
    "api-round-redraw": Row("run", at={"number": 2}),
    "api-round-swap": Row("run", {"one": 1, "other": 2}, {"number": 2}),
    "api-round-move": Row("run", {"entries": [1], "to": "byes"}, {"number": 2}),
    "api-round-turn": Row("run", {"table": 1}, {"number": 2}),
    "api-round-number": Row("run", {"table": 1, "to": 9}, {"number": 2}),
    "api-round-publish": Row("run", at={"number": 2}),
    "api-round-lock": Row("run"),
    "api-round-reopen": Row("run", BECAUSE),
    "api-round-undo": Row("run"),
    "api-round-tables": Row("run", {"tables": [{"entries": [1, 2]}]}, {"number": 9}),
    "api-extra-manche": Row("run"),
    "api-as-seeded": Row("run"),
    "api-clock-set": Row("run", {"minutes": 9, "at_end": "stop"}),
    "api-clock-start": Row("run"),
    "api-clock-pause": Row("run"),
    "api-clock-add": Row("run", {"minutes": 9}),
    "api-clock-stop": Row("run"),
    "api-absences": Row("run", {"entry": 1}, {"number": 9}),
    "api-byes": Row("run", {"entry": 2}, {"number": 9}),
    "api-bye-remove": Row("run", BECAUSE, {"number": 7, "entry": 2}),
    "api-parties": Row("run", {"round": 9, "entries": [1, 2]}),
    "api-who-plays": Row("run", {"place": "a1", "player": None}),
    "api-partie-postpone": Row("settle", BECAUSE),
    "api-partie-resume": Row("settle"),
    "api-partie-close": Row("settle", BECAUSE),
    "api-partie-void": Row("settle", BECAUSE),
    "api-partie-reopen": Row("settle", BECAUSE),
    "api-partie-forfeit": Row("settle", {"entry": 1, **BECAUSE}),
    "api-table-link-renew": Row("settle", {"version": 0}),
    "api-results": Row("hand in", DOUBLES),
    "api-results (a correction)": Row("correct", DOUBLES, {"number": 2}, "?replaces=1&reason=Misread"),
    "api-partie-results": Row("hand in", DOUBLES, query="?external_id=g-1"),
    "api-own-results": Row("hand in", DOUBLES, {"manche": "~own"}, "?replaces=1&reason=Misread"),
    "api-manche-confirm": Row("settle", {"version": 1}),
    "api-manche-settle": Row("settle", {**SEEN, "how": "referee"}),
    "api-manche-penalise": Row("settle", {**SEEN, "label": "A", "points": 1}),
    "api-manche-void": Row("settle", SEEN),
    "api-manche-reinstate": Row("settle", SEEN),
    "api-manche-move": Row("correct", {**SEEN, "partie": 2, "manche": 1}),
    "api-manche-turn": Row("correct", {**SEEN, "sides": {"A": "B", "B": "A"}}),
    "api-waiting-accept": Row("settle", {"results": [{"partie": 1, "manche": 1, "version": 1}]}),
    "api-dispute-say": Row("settle", {"text": "Wait"}),
    "api-dispute-decide": Row("settle", {**SEEN, "how": "stands"}),
    "api-published-rankings": Row("publish", {"label": "Now"}),
    "api-webhooks": Row("change", {"url": WEBHOOK}),
    "api-webhook-pause": Row("change"),
    "api-webhook-resume": Row("change"),
    "api-webhook-secret": Row("change"),
    "api-webhook-test": Row("change"),
    "api-webhook-resend": Row("change"),
}
PATCHES: Final[dict[str, Row]] = {
    "api-championship": Row("change", {"name": "X"}),
    "api-circuit": Row("own the circuit", {"name": "X"}),
    "api-club": Row("have made the club", {"name": "X"}),
    "api-player": Row("run one of the player's", {"licence": "X"}),
    "api-team": Row("run", {"name": "X"}),
    "api-stage": Row("change", {"name": "X"}),
    "api-webhook": Row("change", {"kinds": []}),
}
DELETES: Final[dict[str, Row]] = {
    "api-circuit-leg": Row("own the circuit"),
    "api-stage": Row("change", at={"number": 2}),
    "api-round": Row("run", at={"number": 2}),
    "api-absence": Row("run", at={"number": 8}),
    "api-substitute": Row("run"),
    "api-player-number": Row("run one of the player's"),
    "api-webhook": Row("change"),
}
TABLE: Final = {
    (method, name): row
    for method, rows in {"GET": READS, "POST": POSTS, "PATCH": PATCHES, "DELETE": DELETES}.items()
    for name, row in rows.items()
}
ABSENT: Final = frozenset({("GET", "api-steps"), ("POST", "api-extra-manche"), ("POST", "api-as-seeded")})
"""The world has no log and no level table of a knock-out: test_routes and test_write_rounds_rights have."""
