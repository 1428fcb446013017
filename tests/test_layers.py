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


@pytest.mark.parametrize(("layer", "own"), [("engine", {"engine"}), ("scoring", {"engine", "scoring"})])
def test_layer_imports_nothing_but_the_standard_library_and_what_is_below(layer: str, own: set[str]) -> None:
    files = sorted((ROOT / layer).rglob("*.py"))
    assert files
    foreign = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in files
        for name in _imported(file) - sys.stdlib_module_names - own
    }
    assert foreign == set()
