"""The links of the document: each leads from what is answered to an operation that is there."""

from typing import Any

from tests.league.api.test_openapi import whole


def members(schema: Any) -> dict[str, Any]:
    """The members of an answer's schema."""
    if "$ref" in schema:
        return members(whole()["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    each = [members(one) for one in (*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ()))]
    return {name: said for found in each for name, said in found.items()} | schema.get("properties", {})


def test_each_leads_to_an_operation_by_what_the_answer_has() -> None:
    operations = {one["operationId"]: one for methods in whole()["paths"].values() for one in methods.values()}
    count = 0
    for operation in operations.values():
        asked = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"}
        for answer in operation["responses"].values():
            for target, link in answer.get("links", {}).items():
                count += 1
                assert link["operationId"] == target
                wanted = {one["name"] for one in operations[target]["parameters"] if one["in"] == "path"}
                assert link["parameters"].keys() == wanted
                shown = members(answer["content"]["application/json"]["schema"])
                for expression in link["parameters"].values():
                    source, _, name = expression.replace("#/", ".").rpartition(".")
                    assert name in (shown if source == "$response.body" else asked), (operation["operationId"], target)
    assert count > 100
