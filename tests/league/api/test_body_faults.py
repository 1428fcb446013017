"""What is wrong with the form of a body: all of it at once, in the reader's words, each fault at its place."""

import json
import random
import re
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from league.api import urls  # noqa: F401 — loads every body
from league.api.body_faults import MOST_TOLD
from league.api.named import Number, Ref
from league.api.problem_types import PROBLEM_TYPES
from league.api.writing import Body, Changes, decoded
from league.errors import UserFault
from league.models import Scope
from tests.factories import UserFactory
from tests.league.api.conftest import token


class Inner(Body):
    """A member that has members."""

    name: str
    size: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1


class Outer(Body):
    """A body with something of every kind."""

    who: Ref
    how: Literal["won", "interrupted"]
    players: Annotated[list[Ref | Inner], msgspec.Meta(min_length=1, max_length=2)]
    points: tuple[float, ...] = ()
    at: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=5)] = "x"
    house: dict[str, bool | int | str] = msgspec.field(default_factory=dict)
    to: Number | Literal["byes"] = "byes"
    inner: Inner | msgspec.UnsetType = msgspec.UNSET
    raw: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    yes: bool = False
    little: Annotated[int, msgspec.Meta(le=5)] = 0
    large: Annotated[int, msgspec.Meta(ge=5)] = 5


GOOD: dict[str, Any] = {"who": 1, "how": "won", "players": [1]}


def faults_of(text: bytes | str, kind: Any = Outer) -> list[tuple[str, str | None]]:
    with pytest.raises(UserFault) as raised:
        decoded(text.encode() if isinstance(text, str) else text, kind)
    alone = [one.code for one in raised.value.faults] == ["bad-external-id"]
    assert raised.value.code == ("bad-external-id" if alone else "bad-field")
    assert all(one.code in PROBLEM_TYPES for one in raised.value.faults)
    return [(one.code, one.field) for one in raised.value.faults]


@pytest.mark.parametrize(
    ("changes", "code", "field", "words"),
    [
        ({"who": None}, "wrong-type", "who", "Give a whole number or a text, not null."),
        ({"who": 0}, "out-of-range", "who", "Give a number from 1 to 2147483647."),
        ({"who": 2.5}, "wrong-type", "who", "Give a whole number or a text, not a number."),
        ({"who": "ane"}, "bad-form", "who", "Give a number, or “~” and an external id that your programs gave."),
        ({"how": "lost"}, "unknown-choice", "how", "Give one of these: interrupted, won."),
        ({"how": 1}, "wrong-type", "how", "Give a text, not a whole number."),
        ({"players": []}, "wrong-count", "players", "Give 1 to 2 of them."),
        ({"players": {}}, "wrong-type", "players", "Give a list, not an object."),
        (
            {"players": [True]},
            "wrong-type",
            "players[0]",
            "Give a whole number or a text or an object, not true or false.",
        ),
        ({"players": [1, {}]}, "missing", "players[1].name", "This is missing: give a text."),
        ({"players": [{"name": "x", "sise": 1}]}, "unknown-member", "players[0].sise", "Do you mean “size”?"),
        ({"points": [1, "2"]}, "wrong-type", "points[1]", "Give a number, not a text."),
        ({"at": "tomorrow"}, "bad-form", "at", "Give a day and a time with its offset"),
        ({"at": "2026-05-03T14:00:00"}, "bad-form", "at", "Give a day and a time with its offset"),
        ({"at": 3}, "wrong-type", "at", "Give a text or null, not a whole number."),
        ({"text": ""}, "required", "text", "Fill this in."),
        ({"text": "sixsix"}, "too-long", "text", "At most 5 characters, please."),
        (
            {"house": {"a b": None}},
            "wrong-type",
            'house["a b"]',
            "Give true or false or a whole number or a text, not null.",
        ),
        ({"to": "here"}, "unknown-choice", "to", "Give one of these: byes."),
        ({"inner": None}, "wrong-type", "inner", "Give an object, not null."),
        ({"yes": 1}, "wrong-type", "yes", "Give true or false, not a whole number."),
        ({"little": 6}, "out-of-range", "little", "Give a number up to 5."),
        ({"large": 4}, "out-of-range", "large", "Give a number from 5 on."),
        ({"nothing-like-it": 4}, "unknown-member", '["nothing-like-it"]', "There is no such member here."),
    ],
)
def test_each_fault_has_its_code_its_place_and_our_words(
    changes: dict[str, Any], code: str, field: str, words: str
) -> None:
    with translation.override("en"), pytest.raises(UserFault) as raised:
        decoded(json.dumps(GOOD | changes).encode(), Outer)
    (fault,) = raised.value.faults
    assert (fault.code, fault.field) == (code, field)
    assert words in str(fault.message)
    assert (raised.value.code, raised.value.field) == ("bad-field", field)
    assert f"{field}: " in str(raised.value.message)


def test_all_faults_are_told_at_once_in_the_order_of_the_members() -> None:
    said = {"yes": 3, "players": [{"size": "big"}, None], "zzz": 1, "how": "lost"}
    assert faults_of(json.dumps(said)) == [
        ("missing", "who"),
        ("unknown-choice", "how"),
        ("missing", "players[0].name"),
        ("wrong-type", "players[0].size"),
        ("wrong-type", "players[1]"),
        ("wrong-type", "yes"),
        ("unknown-member", "zzz"),
    ]


def test_so_many_faults_as_nobody_reads_are_cut() -> None:
    begun = time.process_time()
    assert len(faults_of(json.dumps({f"m{n}": n for n in range(50_000)}))) == MOST_TOLD
    assert len(faults_of(json.dumps(GOOD | {"points": [None] * 50_000}))) == MOST_TOLD
    assert time.process_time() - begun < 1, "the rest was not looked for"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("[]", [("wrong-type", None)]),
        ("null", [("wrong-type", None)]),
        ('{"who": 1, "how": "won", "players": [1], "points": [1e400, 2]}', [("out-of-range", "points[0]")]),
        (f'{{"who": 1, "how": "won", "players": [1], "points": [{"9" * 6000}]}}', [("out-of-range", "points[0]")]),
        (f'{{"who": {"9" * 6000}, "how": "won", "players": [1]}}', [("wrong-type", "who")]),
    ],
)
def test_what_is_no_object_and_what_no_number_can_be(text: str, faults: list[tuple[str, str | None]]) -> None:
    assert faults_of(text) == faults


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (b'{"who":\n "\xc3\xa9" 1}', 2, 6),
        (b'{"who": 1,\n "how": "\xff"}', 2, 10),
        (b'{"who": [],\n "how": }', 2, 9),
        (b'{"who": [], "how": "\xff"}', 1, 21),
        (b'{"who": 1', 1, 10),
        (b"", 1, 1),
        (b"NaN", 1, 1),
    ],
)
def test_what_is_no_json_is_told_by_line_and_column(text: bytes, line: int, column: int) -> None:
    with pytest.raises(UserFault) as raised:
        decoded(text, Outer)
    fault = raised.value
    assert (fault.status, fault.code, fault.extra) == (400, "malformed-body", {"line": line, "column": column})


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{"who": 1, "how": "won", "players": [1],\n "players": [2]}', 2, 2),
        ('{"who": 1, "how": "won", "players": [{"name": "é", "name": "x"}]}', 1, 52),
        ('{"who": 1, "how": "won", "players": [1], "house": {"a": 1, "\\u0061": 2}}', 1, 60),
        ('{"who": [], "who": 1, "how": 3}', 1, 13),
        ('{"raw": {"é": 1}, "who": 1, "who": 1, "how": "won", "players": [1]}', 1, 29),
    ],
)
def test_a_member_that_stands_twice_is_refused_as_in_documents(text: str, line: int, column: int) -> None:
    with translation.override("en"), pytest.raises(UserFault) as raised:
        decoded(text.encode(), Outer)
    fault = raised.value
    assert (fault.status, fault.code, fault.extra) == (400, "malformed-body", {"line": line, "column": column})
    assert "stands twice" in str(fault.message)


def test_what_is_kept_byte_for_byte_is_judged_where_it_is_used() -> None:
    said = decoded(b'{"who": 1, "how": "won", "players": [1], "raw": {"a": 1, "a": 2}}', Outer)
    assert bytes(said.raw) == b'{"a": 1, "a": 2}'  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ['{"raw": %s}', '{"who": [], "raw": %s}', "%s"])
@pytest.mark.parametrize("nest", ["[" * 100_000, "[" * 100_000 + "]" * 100_000])
def test_what_is_nested_without_end_is_refused(text: str, nest: str) -> None:
    with pytest.raises(UserFault) as raised:
        decoded((text % nest).encode(), Outer)
    assert raised.value.code in ("malformed-body", "bad-field")


def _bodies(kind: type = Body) -> Iterator[type]:
    for below in kind.__subclasses__():
        if below is not Changes:
            yield below
        yield from _bodies(below)


VALUES: list[Any] = [
    None, True, False, 0, 1, 2, -1, 2**31, 2**70, 1.0, 2.5, "", "x", "~a", "~a b", "new", "won", "swiss", "draft",
    "2026-05-03T14:00:00Z", "2026-05-03T14:00:00", "x" * 5000, [], [1], ["~a"], [1, 2, 3], [None], {}, {"name": "x"},
    [{"name": "x"}], [{"name": 3}], {"primary": 3}, {"name": "x", "odd": 1},
]  # fmt: skip


@pytest.mark.parametrize("kind", sorted({*_bodies()}, key=lambda one: one.__name__), ids=lambda one: one.__name__)
def test_a_fault_is_found_where_msgspec_finds_one_and_nowhere_else(kind: Any) -> None:
    draw = random.Random(kind.__name__)
    names = [*kind.__struct_fields__, "odd"]
    for _turn in range(150):
        said = {name: draw.choice(VALUES) for name in draw.sample(names, draw.randint(0, len(names)))}
        text = json.dumps(said).encode()
        place = _place(text, kind)
        if place is None:
            decoded(text, kind)
        else:
            found = [field or "" for _code, field in faults_of(text, kind)]
            assert place in found or "[...]" in place, (said, place, found)


def _place(text: bytes, kind: Any) -> str | None:
    """Where msgspec says that the first fault is, as we write it; None if there is none."""
    try:
        msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        words, _at, where = str(error).partition(" - at `$")
        member = re.search("(?:unknown|required) field `(.+)`", words)
        return (where.rstrip("`") + (f".{member[1]}" if member else "")).lstrip(".")
    return None


def test_places_in_lists_are_written_in_one_way() -> None:
    written = re.compile(r'f"[\w.]*\w\.\{(?:place|at|index|position)\}')
    sources = [file for part in ("api", "services") for file in (settings.BASE_DIR / "league" / part).rglob("*.py")]
    assert len(sources) > 100
    assert [(file.name, found) for file in sources for found in written.findall(file.read_text())] == []


@pytest.mark.django_db
def test_a_programs_answer_lists_them_in_its_language(client: Client) -> None:
    headers = {"Authorization": token(UserFactory(may_organise=True), Scope.MANAGE), "Accept-Language": "en"}
    body = {"nam": "Le Relais", "external_id": 3}
    said = client.post("/api/v1/clubs", json.dumps(body), content_type="application/json", headers=headers).json()
    assert (said["status"], said["code"], said["field"]) == (422, "bad-field", "name")
    assert said["detail"] == "name: This is missing: give a text."
    assert said["errors"] == [
        {"code": "missing", "field": "name", "detail": "This is missing: give a text."},
        {"code": "wrong-type", "field": "external_id", "detail": "Give a text or null, not a whole number."},
        {"code": "unknown-member", "field": "nam", "detail": "There is no such member here. Do you mean “name”?"},
    ]
