"""The house's order where import-linter cannot say it: which packages a layer may use at all."""

import ast
import sys
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
