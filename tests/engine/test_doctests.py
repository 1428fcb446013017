"""Every example in a docstring of the engine runs."""

import doctest
import importlib
import pkgutil

import pytest

import engine

MODULES = ["engine", *(f"engine.{module.name}" for module in pkgutil.iter_modules(engine.__path__))]
WITH_EXAMPLES = ("engine", "engine.displays", "engine.messages", "engine.moves", "engine.text_notation")


@pytest.mark.parametrize("name", MODULES)
def test_examples_come_out(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0
    assert found.attempted > 0 or name not in WITH_EXAMPLES
