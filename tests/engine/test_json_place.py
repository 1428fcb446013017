"""Where members stand in a JSON text (RULES 9): exactly, and without reading the text once for each of them."""

import json
from collections.abc import Iterator

import pytest

from engine import json_place
from engine.json_place import locate, locate_all

TEXT = '{"junk": [[], [], {"a": "}]"}],\n "teams": {"A": {"km": 25},\n  "B": {"km": "x", "bottes": ["VP", 3]}}}'


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), (1, 1)),
        (("junk", 2, "a"), (1, 25)),
        (("teams", "A", "km"), (2, 24)),
        (("teams", "B", "bottes", 1), (3, 37)),
        (("teams", "C", "km"), (2, 11)),
        (("junk", 9), (1, 10)),
    ],
)
def test_a_member_is_found_or_the_last_one_on_the_way_to_it(
    path: tuple[str | int, ...], place: tuple[int, int]
) -> None:
    """Line and column of the value's first character."""
    assert locate(TEXT, path) == place


def test_many_members_cost_one_walk_through_each_container(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sheet with fifty faults behind a megabyte of junk once took seconds: each was looked for from the start."""
    walked = 0
    members = json_place._members

    def counted(text: str, at: int) -> Iterator[tuple[str | int, int]]:
        nonlocal walked
        walked += 1
        return members(text, at)

    monkeypatch.setattr(json_place, "_members", counted)
    document = {"junk": [[]] * 1000, "teams": {label: {"km": "x", "bottes": 3} for label in "ABCD"}}
    paths = [("teams", label, key) for label in "ABCD" for key in ("km", "bottes")]
    text = json.dumps(document)
    assert locate_all(text, paths) == [locate(text, path) for path in paths]
    walked = 0
    locate_all(text, paths)
    assert walked == 6  # the document, its teams, and four teams
