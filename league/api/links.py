"""What can be done next with what a request made or answered: the links of the document (OpenAPI's `links`).

By them a program, and whoever tests the API, comes from the answer of one operation to the parameters of the next.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class _Made:
    """What an operation answers: the parameter by which others name it, the member in which it stands, and those."""

    parameter: str
    member: str
    leads_to: tuple[str, ...]
    within: tuple[str, ...] = ("slug",)
    """Parameters that stay as they were asked."""


_BATCH: Final = ("get_batch", "list_batch_items", "get_batch_answers", "cancel_batch")
_LINKS: Final[Mapping[str, _Made]] = {
    "add_championship": _Made(
        "slug", "slug", ("get_championship", "change_championship", "list_entries", "add_entry", "list_stages"), ()
    ),
    "add_entry": _Made("number", "number", ("get_entry", "withdraw_entry", "check_entry_in", "penalise_entry")),
    "withdraw_entry": _Made("number", "number", ("reinstate_entry",)),
    "check_entry_in": _Made("number", "number", ("check_entry_out",)),
    "add_team": _Made("team", "id", ("get_team", "change_team", "list_substitutes", "add_substitute")),
    "add_substitute": _Made("substitute", "id", ("get_substitute", "remove_substitute"), ("slug", "team")),
    "open_partie": _Made("number", "number", ("get_partie", "hand_in_next", "close_partie", "void_partie")),
    "close_partie": _Made("number", "number", ("reopen_partie",)),
    "add_stage": _Made("number", "number", ("get_stage", "change_stage", "start_stage", "remove_stage")),
    "draw_round": _Made("number", "number", ("get_round", "redraw", "publish_round", "discard_draft")),
    "publish_round": _Made("number", "number", ("get_round", "undo_step", "lock_round", "set_clock")),
    "announce_absence": _Made("entry", "entry", ("get_absence", "take_absence_back"), ("slug", "number")),
    "add_bye": _Made("entry", "entry", ("get_bye", "remove_bye"), ("slug", "number")),
    "publish_ranking": _Made("version", "number", ("get_published_ranking",)),
    "make_webhook": _Made(
        "webhook", "id", ("get_webhook", "change_webhook", "test_webhook", "list_deliveries", "remove_webhook")
    ),
    "send_batch": _Made("batch", "id", _BATCH, ()),
    "send_batch_of_account": _Made("batch", "id", _BATCH, ()),
    "create_circuit": _Made("circuit", "slug", ("get_circuit", "change_circuit", "add_leg", "publish_circuit"), ()),
    "publish_circuit": _Made("version", "number", ("get_circuit_ranking", "get_circuit_document"), ("circuit",)),
    "add_club": _Made("club", "slug", ("get_club", "change_club"), ()),
    "add_player": _Made("player", "id", ("get_player", "change_player", "add_number", "anonymise_player"), ()),
}


def add_links(document: Mapping[str, Any]) -> None:
    """Put the links into the answers of the document that show what was done. Raises KeyError for no operation."""
    operations = {
        operation["operationId"]: operation for methods in document["paths"].values() for operation in methods.values()
    }
    for name, made in _LINKS.items():
        parameters = {one: f"$request.path.{one}" for one in made.within}
        parameters[made.parameter] = f"$response.body#/{made.member}"
        links = {one: _link(operations[one], parameters) for one in made.leads_to}
        for status, answer in operations[name]["responses"].items():
            if status in ("200", "201", "202") and "application/json" in answer.get("content", {}):
                answer["links"] = links


def _link(operation: Mapping[str, Any], parameters: Mapping[str, str]) -> dict[str, Any]:
    named = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
    assert named == parameters.keys(), f"{operation['operationId']} is not named by {sorted(parameters)}"
    return {"operationId": operation["operationId"], "parameters": dict(parameters)}
