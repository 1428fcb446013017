"""The examples in the docstrings of the room come out as written."""

import doctest
import importlib
import pkgutil

import pytest

import scoring.pairing

MODULES = [module.name for module in pkgutil.iter_modules(scoring.pairing.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_of_a_docstring_comes_out(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"scoring.pairing.{name}")).failed == 0


def test_there_are_examples_to_try() -> None:
    assert doctest.testmod(importlib.import_module("scoring.pairing.lots")).attempted > 0
