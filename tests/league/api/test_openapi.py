"""The document of the API: valid OpenAPI 3.1, complete, true to what is answered; its page stands under the policy."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from io import StringIO
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from league.api import openapi
from league.api.examples import LOG, REFUSED, REFUSED_VERDICT, SHEET, VERDICT
from league.api.openapi import document
from league.api.problem_types import PROBLEM_TYPES
from league.api.urls import urlpatterns
from scoring.faults import with_texts
from scoring.verdicts import judge_bytes, judge_document
from tests.factories import as_bytes, sheet
from tests.league.api.conftest import World
from tests.league.api.test_routes import BY_ANYBODY, JSON_READS, STREAMS, WRITES, address


@cache
def whole() -> Any:
    return json.loads(json.dumps(document()))


def test_it_is_valid_and_made_without_a_warning() -> None:
    # the generator holds it against the schema of OpenAPI 3.1
    call_command("spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json", stdout=StringIO())
    assert whole()["openapi"].startswith("3.1")


def test_every_address_and_method_is_in_it() -> None:
    reading = [p.name for p in urlpatterns if hasattr(getattr(p.callback, "view_class", None), "get")]
    expected = {(name, "get") for name in (*JSON_READS, *STREAMS, *reading)}
    expected |= {(name, method.lower()) for name, methods in WRITES.items() for method in methods}
    expected |= {(name, method.lower()) for name, method in BY_ANYBODY.items()}
    names = {"/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(p.pattern)): p.name for p in urlpatterns}
    found = {(names[path], method) for path, methods in whole()["paths"].items() for method in methods}
    assert found == expected


def test_every_operation_has_a_name_of_its_own_a_summary_and_its_errors() -> None:
    operations = [operation for methods in whole()["paths"].values() for operation in methods.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    for operation in operations:
        assert operation["summary"], operation["operationId"]
        for status in ("401", "406", "429"):
            assert "application/problem+json" in operation["responses"][status]["content"], operation["operationId"]


@pytest.mark.django_db
def test_the_document_and_its_page_lead_to_the_documentation(client: Client) -> None:
    said = whole()
    named = re.findall(r"]\((/[^)]+)\)", said["info"]["description"])
    assert said["externalDocs"]["url"] == "/en/docs/"
    assert {"/en/docs/start/", "/en/docs/api/", "/en/docs/webhooks/", "/docs/problems"} <= {*named}
    shown = client.get("/api/v1/docs", headers={"Accept-Language": "en"}).content.decode()
    links = re.findall(r'href="(/en/[^"]*)"', shown)
    assert {"/en/docs/", "/en/docs/start/"} <= {*links}
    for link in [said["externalDocs"]["url"], *named, *links]:
        assert client.get(link).status_code == 200, link


def test_handing_in_tells_every_status_and_wants_a_token() -> None:
    place = "/api/v1/championships/{slug}/parties/{number}/manches/{manche}/results"
    operation = whole()["paths"][place]["post"]
    statuses = ["200", "201", "400", "401", "403", "404", "406", "409", "411", "412"]
    statuses += ["413", "415", "422", "429"]
    assert sorted(operation["responses"]) == statuses
    assert operation["security"] == [{"token": []}]
    assert set(operation["requestBody"]["content"]) == {"application/json", "application/vnd.bornes", "text/plain"}
    named = {parameter["name"] for parameter in operation["parameters"]}
    assert {"reason", "replaces", "Idempotency-Key"} <= named
    for status in ("409", "422"):
        assert operation["responses"][status]["content"]["application/problem+json"]["examples"]


def test_whatever_does_not_write_says_that_it_needs_no_token() -> None:
    wanting = {
        (path, method)
        for path, methods in whole()["paths"].items()
        for method, operation in methods.items()
        if operation["security"] != []
    }
    names = {"/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(p.pattern)): p.name for p in urlpatterns}
    assert {(names[path], method.upper()) for path, method in wanting} == {
        (name, method) for name, methods in WRITES.items() for method in methods
    }
    assert set(whole()["components"]["securitySchemes"]) == {"token", "session"}


def test_every_code_of_a_problem_stands_where_it_may_be_answered() -> None:
    text = json.dumps(whole()["paths"])
    missing = [code for code in PROBLEM_TYPES if f"`{code}`" not in text]
    # those of addresses and methods that are not there, and of our own bugs
    assert set(missing) <= {"method-not-allowed", "stale", "precondition-required", "internal"}


def checked(schema: dict[str, Any], value: Any) -> None:
    jsonschema.Draft202012Validator({**schema, "components": whole()["components"]}).validate(value)


def test_what_is_answered_is_what_is_described(client: Client, world: World) -> None:
    for path, methods in whole()["paths"].items():
        name = next(p.name for p in urlpatterns if "/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(p.pattern)) == path)
        if "get" in methods and name in JSON_READS and name not in ("api-document", "api-schema"):
            schema = methods["get"]["responses"]["200"]["content"]["application/json"]["schema"]
            checked(schema, client.get(address(world, name)).json())


def test_the_answers_of_handing_in_and_checking_are_as_described(client: Client, send: Any) -> None:
    paths = whole()["paths"]
    hand_in = paths["/api/v1/championships/{slug}/parties/{number}/manches/{manche}/results"]["post"]["responses"]
    wrong = as_bytes(sheet({"A": 1000, "B": 480}))
    sent = [send(), send(), send(wrong, query="?replaces=1&reason=x"), send(wrong), send(b"{")]
    assert [answer.status_code for answer in sent] == [201, 200, 422, 409, 409]
    for answer in sent:
        checked(hand_in[str(answer.status_code)]["content"][answer["Content-Type"]]["schema"], answer.json())
    check = paths["/api/v1/check"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    claimed = as_bytes(sheet(claim={"A": 5, "B": 475, "C": 1}))
    for body in (as_bytes(sheet()), wrong, claimed, b"{", LOG.encode()):
        answer = client.post("/api/v1/check", body, content_type="text/plain")
        checked(check, answer.json())


def test_the_examples_are_true() -> None:
    assert judge_document(SHEET) == VERDICT
    assert judge_bytes(LOG.encode())["valid"] is True
    assert judge_document(SHEET | {"claim": {"A": 0}})["claim_ok"] is False
    short = {**SHEET["teams"], "A": {**SHEET["teams"]["A"], "km": 975}}
    assert with_texts(judge_document(SHEET | {"teams": short}), str) == REFUSED_VERDICT
    schemas = whole()["components"]["schemas"]
    checked(schemas["Verdict"], VERDICT)
    checked(schemas["Problem"], REFUSED)


def test_it_is_served_with_an_etag(client: Client, db: None) -> None:
    answer = client.get(reverse("api-schema"))
    assert (answer.status_code, answer.json()) == (200, whole())
    again = client.get(reverse("api-schema"), HTTP_IF_NONE_MATCH=answer["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_two_who_ask_first_at_once_have_the_same_document(monkeypatch: pytest.MonkeyPatch) -> None:
    at_work: list[int] = []
    generator = openapi.SchemaGenerator

    class Watched(generator):  # type: ignore[misc, valid-type]
        def get_schema(self, *args: Any, **kwargs: Any) -> Any:
            assert not at_work, "one at a time"
            at_work.append(1)
            time.sleep(0.05)
            at_work.pop()
            return {"made": True}

    monkeypatch.setattr(openapi, "SchemaGenerator", Watched)
    openapi._made.cache_clear()
    try:
        with ThreadPoolExecutor(3) as pool:
            answers = list(pool.map(lambda _: document(), range(3)))
    finally:
        openapi._made.cache_clear()
    assert answers == [{"made": True}] * 3


def test_it_reads_the_same_in_every_language(client: Client, db: None) -> None:
    answers = {client.get(reverse("api-schema"), HTTP_ACCEPT_LANGUAGE=language).content for language in ("fr", "en")}
    assert len(answers) == 1


@pytest.mark.django_db
def test_its_page_leads_back_to_the_site(client: Client) -> None:
    page = client.get(reverse("api-docs"), HTTP_ACCEPT_LANGUAGE="fr").content.decode()
    for place in ("/fr/", "/docs/problems"):
        assert f'href="{place}"' in page
        assert client.get(place).status_code == 200


@pytest.mark.django_db
def test_its_page_has_no_script_or_style_inside_and_nothing_from_elsewhere(client: Client) -> None:
    answer = client.get(reverse("api-docs"))
    page = answer.content.decode()
    policy = [part.strip() for part in answer["Content-Security-Policy"].split(";")]
    assert "script-src 'self'" in policy
    assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", page) == []
    assert re.findall(r"""(?:src|href)="(?:https?:)?//""", page) == []
