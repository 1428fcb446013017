"""A program that drives a championship through the API alone, with a token of its owner."""

import json
import re
from typing import Any

from django.test import Client
from django.urls import resolve

from league.models import AuditEntry, Championship, Scope, User
from tests.factories import sheet
from tests.league.api.conftest import token
from tests.league.api.test_openapi import checked, whole

ALL = (Scope.READ, Scope.HAND_IN, Scope.MANAGE)


def as_described(method: str, address: str, answer: Any) -> None:
    """Hold an answer against the document of the API; our own faults stand nowhere in it."""
    if answer.status_code >= 500:
        return
    route = re.sub(r"<\w+:(\w+)>", r"{\1}", resolve(address.partition("?")[0]).route)
    responses = whole()["paths"][f"/{route}"][method.lower()]["responses"]
    described = responses[str(answer.status_code)]
    if answer.content:
        media = answer["Content-Type"].partition(";")[0]
        checked(described["content"][media]["schema"], answer.json())


class Program:
    """Sends requests below the address of a championship; paths begin with a slash."""

    def __init__(self, championship: Championship, user: User | None = None, *scopes: str) -> None:
        self.client = Client()
        self.slug = championship.slug
        self.header = token(user or championship.created_by, *(scopes or ALL))

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The answer; `headers` as HTTP writes them, with underscores for hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        named.setdefault("Authorization", self.header)
        path = path.removeprefix("http://testserver")
        address = path if path.startswith("/api/") else f"/api/v1/championships/{self.slug}{path}"
        text = b"" if body is None else json.dumps(body).encode()
        answer = self.client.generic(method, address, text, content_type="application/json", headers=named)
        as_described(method, address, answer)
        return answer

    def get(self, path: str, **headers: str) -> Any:
        """What is read."""
        return self.done("GET", path, **headers).json()

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """What a write answers with, which must have been done."""
        answer = self.done("POST", path, body, **headers)
        return answer.json() if answer.content else None

    def done(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The answer to what must have been done."""
        answer = self.send(method, path, body, **headers)
        assert answer.status_code < 300, (path, answer.status_code, answer.content)
        return answer

    def refused(self, path: str, body: Any = None, method: str = "POST", **headers: str) -> tuple[int, str]:
        """The status and the code of what must be refused."""
        answer = self.send(method, path, body, **headers)
        assert answer.status_code >= 400, (path, answer.content)
        return answer.status_code, answer.json()["code"]

    def play(self, number: int) -> None:
        """Every open partie of a round ends with its one manche: the lower a number, the better it plays."""
        for partie in self.get(f"/parties?round={number}&status=open&limit=100")["items"]:
            entries = {seat["entry"]: seat["label"] for seat in partie["seats"]}
            first, *others = [entries[entry] for entry in sorted(entries)]
            km = {first: 1000} | {label: 500 - 100 * place for place, label in enumerate(others)}
            document = sheet(dict(sorted(km.items())))
            self.post(f"/parties/{partie['number']}/manches/1/results", document)


def last_deed(action: str) -> AuditEntry:
    """What was written down of a write: by whom, by which token."""
    entry = AuditEntry.objects.filter(action=action).latest("pk")
    assert entry.token is not None
    assert entry.user == entry.token.user
    return entry
