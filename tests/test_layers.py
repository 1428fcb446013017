"""The house's order where linters cannot say it: what a layer may use at all, names of one file, how long a file is."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _imported(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
    return {name.split(".")[0] for name in names}


LIBRARIES = {"scoring/pairing/": {"networkx"}}
"""What a folder of these layers may use besides (DESIGN 1: a library for pairing, rating)."""


def _libraries(file: Path) -> set[str]:
    inside = file.relative_to(ROOT).as_posix()
    return {name for folder, names in LIBRARIES.items() if inside.startswith(folder) for name in names}


@pytest.mark.parametrize(("layer", "own"), [("engine", {"engine"}), ("scoring", {"engine", "scoring"})])
def test_layer_imports_nothing_but_the_standard_library_and_what_is_below(layer: str, own: set[str]) -> None:
    files = sorted((ROOT / layer).rglob("*.py"))
    assert files
    foreign = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in files
        for name in _imported(file) - sys.stdlib_module_names - own - _libraries(file)
    }
    assert foreign == set()


PLACES = ("bench", "bin", "clients", "engine", "league", "scoring", "static", "templates", "tests")
MIGRATIONS = "league/migrations/"
"""Written by Django, and never changed once they are out."""


def _ours(*endings: str) -> Iterator[Path]:
    for place in PLACES:
        for file in (ROOT / place).rglob("*"):
            if file.suffix in endings and not file.relative_to(ROOT).as_posix().startswith(MIGRATIONS):
                yield file


MOST_LINES = 400
LONGER: dict[str, str] = {}
"""Files that must be longer, each with the reason."""


def test_a_file_has_one_subject_and_stays_short() -> None:
    lines = {
        file.relative_to(ROOT).as_posix(): len(file.read_text(encoding="utf-8").splitlines())
        for file in _ours(".py", ".html", ".js", ".css")
    }
    assert len(lines) > 500, "they are somewhere else"
    assert {name: count for name, count in lines.items() if count > MOST_LINES and name not in LONGER} == {}
    assert [name for name in LONGER if lines.get(name, 0) <= MOST_LINES] == [], "short enough by now"


def test_a_name_with_an_underscore_is_its_file_s_own() -> None:
    taken = [
        f"{file.relative_to(ROOT)}:{node.lineno}: {alias.name}"
        for file in _ours(".py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    ]
    assert taken == []
